"""What English clauses say of names: the speaker's, his relatives', his favourites'."""

import re
from collections.abc import Iterator
from functools import cache

from hippograph.memory.extraction import values
from hippograph.memory.extraction.attributes import canonical
from hippograph.memory.extraction.english import Head, lead
from hippograph.memory.extraction.english_changing import bare_property, without_now
from hippograph.memory.extraction.found import Found
from hippograph.memory.extraction.kinship import kin
from hippograph.memory.extraction.words import either, listed

_CALL = re.compile(
    r"(?:please\s+|just\s+)*(?:(?:you can|you may|everyone|everybody|people|(?:all )?my friends|friends|"
    r"most people)\s+)?(?:just\s+|also\s+|usually\s+)?(?:call|calls)\s+me\s+"
    r"(?P<v>(?!later|back|tomorrow|when|if|at|on|a\b|an\b|crazy|old|now)[\w' .-]{1,40})$",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?P<v>[A-Z][\w'-]+(?:\s+[A-Z][\w'-]+){0,2})(?:\s+(?:from|by the way|here|and)\b.*)?")
_INVERSE = re.compile(
    r"(?P<v>.+?)\s+(?:is|are|'s|was|remains?)\s+(?:still\s+|now\s+|definitely\s+|"
    r"by far\s+)*my\s+(?:all-time\s+|absolute\s+)?(?P<p>(?:favou?rite|go-to|preferred)\s+[\w' -]+)$",
    re.IGNORECASE,
)


def named_outright(text: str, me: str) -> Found | None:
    """Read "call me Bo", "Messi is my favourite player", "Ann is my sister"."""
    shown = "The user" if me == "user" else me
    bare = text[lead(text) :]
    if found := _CALL.match(bare):
        name = values.trimmed(found["v"])
        if name and name[0].isupper() and len(name.split()) <= 3:
            return Found(
                subject=me,
                attribute="name",
                value=name,
                text=f"{shown} is called {name}.",
                kind="profile",
                importance=0.9,
            )
    if found := _INVERSE.match(bare):
        value, prop = values.trimmed(found["v"]), canonical(bare_property(found["p"]))
        if values.says_something(value):
            return Found(
                subject=me, attribute=prop, value=value, text=f"{shown}'s {found['p']} is {value}.", kind="preference"
            )
    if found := _my_kin().fullmatch(without_now(bare)):
        key = kin(found["k"], found["v"])
        text = f"{found['v']} is {shown[:1].lower() + shown[1:] if me == 'user' else me}'s {found['k']}."
        return Found(subject=me, attribute=key, value=found["v"], text=text, kind="profile", importance=0.7)
    return None


@cache
def _my_kin() -> re.Pattern[str]:
    """Return a pattern for "Ann is my sister"."""
    name = r"(?P<v>(?-i:[A-Z])[\w'-]+(?: (?-i:[A-Z])[\w'-]+)?)"
    return re.compile(
        rf"{name}\s+(?:is|'s)\s+(?:also\s+|now\s+)?(?:my|our)\s+(?:(?:new|best|older|younger|elder|little|big|"
        rf"old)\s+)*"
        rf"(?P<k>{either('relations', 'pets')})[\s.!]*",
        re.IGNORECASE,
    )


def relative(head: Head, me: str) -> Iterator[Found]:
    """Yield whom the one who speaks has, where a relation stands beside a name: "my sister Mia"."""
    if head.named:
        relation, name = head.named
        shown = "The user" if me == "user" else me
        yield Found(
            subject=me,
            attribute=kin(relation, name),
            value=name,
            text=f"{shown} has a {relation} called {name}."
            if kin(relation, name).count(" ")
            else f"{shown}'s {relation} is called {name}.",
            kind="profile",
            importance=0.7,
        )


def introduced(head: Head) -> Found | None:
    """Read "I'm Anna"."""
    found = _NAME.fullmatch(head.rest.strip(" .!"))
    if not (found and head.first and "be" in head.marks and not head.marks & {"not", "past", "perfect"}):
        return None
    words = found["v"].lower().split()
    if words[0] in listed("notnames") | listed("nationalities") | listed("transient") or (
        found["v"].isupper() and len(words[0]) > 3
    ):
        return None
    return Found(
        subject=head.subject,
        attribute="name",
        value=found["v"],
        text=f"{head.shown} is called {found['v']}.",
        kind="profile",
        importance=0.9,
    )
