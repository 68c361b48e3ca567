"""Read the beginning of an English clause: who, and whether it is so, was so, or will be."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from hippograph.memory.extraction.english_subjects import subjects
from hippograph.memory.extraction.words import is_participle, listed

_LEAD = re.compile(
    r"(?:(?:well|oh|ok|okay|yes|yeah|yep|hi|hello|hey|hey there|and|but|also|so|btw|by the way|fyi|actually|"
    r"anyway|anyways|for the record|"
    r"just so you know|in fact|to be honest|honestly|tbh|no|nope|wait|sorry|correction|update|quick update|"
    r"news|good news|bad news|"
    r"guess what|you know|you know what|i mean|i think|i believe|i guess|i suppose|please|as you know|"
    r"as i said|like i said|unfortunately|as a matter of fact|good thing|for now|these days|nowadays|"
    r"luckily|fortunately|sadly|lol|haha|wow|now|then|however|as for me|personally|(?:please )?(?:remember|"
    r"note|keep in mind|don't forget|bear in mind)"
    r"(?: that)?|i (?:want|need) you to (?:know|remember)(?: that)?|i'd like you to (?:know|"
    r"remember)(?: that)?|let me tell you|"
    r"(?:i'm |just )?(?:so |very |really )?(?:happy|glad|excited|proud|sad) to (?:say|share|announce|"
    r"report)(?: that)?|"
    r"did i (?:mention|tell you)(?: that)?|i (?:just )?(?:realised|realized|forgot to mention|"
    r"should mention)(?: that)?)\b[\s,:!.-]*)+",
    re.IGNORECASE,
)
_HEDGE = re.compile(r"\bi (?:think|believe|guess|suppose)\b", re.IGNORECASE)
_WHEN = re.compile(
    r"(?:(?:in|on|since|at|after|before|from|until|by|during|for|over|around|back|as of|starting|earlier|"
    r"later|just|early|late|last|next|this|these|every|each|the|a|an|one|two|three|four|"
    r"five|six|ten|\d+(?:st|nd|rd|th)?|several|few|couple|of|past|first|second|once)\s+){0,4}(?:yesterday|"
    r"today|tomorrow|tonight|nowadays|recently|lately|then|(?:19|20)\d\d|\d+(?:st|nd|rd|th)|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?|jan(?:uary)?|feb(?:ruary)?|march|april|may|june|july|"
    r"august|sept(?:ember)?|october|november|december|spring|summer|autumn|fall|winter|"
    r"weekends?|weeks?|months?|years?|days?|mornings?|evenings?|afternoons?|nights?|christmas|easter|"
    r"now)(?:\s+(?:ago|morning|evening|night|\d+(?:st|nd|rd|th)?|(?:19|20)\d\d))*,?\s+(?=(?:i|we|my|our)\b)",
    re.IGNORECASE,
)
_TOKEN = re.compile(r"\s*('\w+|[\w-]+(?:'t)?)")
_AUXILIARIES = {
    "am": "be",
    "is": "be",
    "are": "be",
    "'m": "be",
    "'re": "be",
    "'s": "be",
    "was": "be past",
    "were": "be past",
    "been": "be",
    "have": "perfect",
    "has": "perfect",
    "'ve": "perfect",
    "had": "perfect past",
    "'d": "perfect past",
    "'ll": "future",
    "will": "future",
    "shall": "future",
    "gonna": "future",
    "don't": "not",
    "doesn't": "not",
    "didn't": "not past",
    "isn't": "be not",
    "aren't": "be not",
    "wasn't": "be not past",
    "weren't": "be not past",
    "haven't": "perfect not",
    "hasn't": "perfect not",
    "won't": "future not",
    "can't": "can not",
    "cannot": "can not",
    "can": "can",
    "couldn't": "can not",
    "not": "not",
    "never": "not never",
    "did": "past",
    "does": "",
    "ain't": "be not",
    "hadn't": "perfect not past",
}
_SHOWN = {
    "am": "is",
    "'m": "is",
    "are": "is",
    "'re": "is",
    "were": "was",
    "have": "has",
    "'ve": "has",
    "'ll": "will",
    "don't": "doesn't",
    "aren't": "isn't",
    "weren't": "wasn't",
    "haven't": "hasn't",
    "'s": "is",
    "'d": "had",
    "do": "does",
    "gonna": "will",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """Who a clause is about, how, and what follows."""

    subject: str
    shown: str
    """The subject as a sentence names it."""
    me: str = ""
    """How a sentence names the one who speaks, where he is not the subject."""
    first: bool = False
    """Whether it is the one who speaks."""
    property: str = ""
    """What of the subject is spoken of, if not the subject itself: "favourite colour"."""
    named: tuple[str, str] | None = None
    """A relation and the name it is given beside: ("sister", "Mia")."""
    marks: frozenset[str] = frozenset()
    """Of be, past, perfect, future, can, not, never, used."""
    said: str = ""
    """The auxiliaries and adverbs before what follows, as a sentence in the third person has them."""
    rest: str = ""
    opening: str = ""
    """A time that comes first: "Last week"."""
    hedged: bool = False


def lead(text: str) -> int:
    """Return how many characters at the beginning of a clause only lead up to it: "By the way, "."""
    found = _LEAD.match(text)
    return found.end() if found else 0


def heads(text: str, me: str, last: tuple[str, str] | None, *, elided: bool) -> Iterator[Head]:
    """Yield how the beginning of a clause can be understood, the likeliest first.

    Args:
        text: The clause.
        me: Subject of the one who speaks.
        last: Subject of the clause before and how it is shown, whom "she" or a left-out subject means.
        elided: Whether the subject may be left out: it stood earlier in the sentence.
    """
    bare = text[lead(text) :]
    hedged = _HEDGE.search(text[: len(text) - len(bare)]) is not None
    opening = ""
    if when := _WHEN.match(bare):
        opening, bare = when[0].strip(" ,"), bare[when.end() :]
    shown = "The user" if me == "user" else me
    for subject, named, prop, name, end in subjects(bare, me, shown, last, elided):
        marks, said, rest = _marked(bare[end:].lstrip(" ,"), first=subject == me, prop=prop)
        yield Head(
            subject=subject,
            shown=name,
            me="" if subject == me else shown,
            first=subject == me and not prop,
            property=prop,
            named=named,
            marks=marks,
            said=said,
            rest=rest,
            opening=opening,
            hedged=hedged,
        )


def _marked(text: str, *, first: bool, prop: str) -> tuple[frozenset[str], str, str]:
    """Take auxiliaries and adverbs off the beginning: what they mean, how they are said, and the rest."""
    marks, said, at = set[str](), list[str](), 0
    while found := _TOKEN.match(text, at):
        word = found[1].lower()
        following = (_TOKEN.match(text, found.end()) or ["", ""])[1].lower()
        step = _step(word, following, marks, first)
        if step is None:
            break
        marks.update(step.split())
        said.append(
            (_SHOWN.get(word, word) if first and not prop else "is" if word == "'s" else found[1])
            if word != "'s" or "perfect" not in step
            else "has"
        )
        at = found.end()
    return frozenset(marks), " ".join(said), text[at:].strip()


def _step(word: str, following: str, marks: set[str], first: bool) -> str | None:
    """Return what a word before the verb means, or None where the verb begins."""
    if word in ("have", "has", "'ve", "had", "'d", "haven't", "hasn't"):
        if following in (
            "been",
            "not",
            "never",
            "just",
            "always",
            "recently",
            "also",
            "already",
            "finally",
            "now",
            "since",
            "officially",
        ) or is_participle(following):
            return _AUXILIARIES[word]
        return None
    if word == "do":
        return (
            ""
            if following
            in ("not", "like", "love", "enjoy", "prefer", "live", "work", "have", "hate", "eat", "drink", "use")
            else None
        )
    if word == "used" and following == "to" and "be" not in marks:
        return "used"
    if (word == "to" and "used" in marks) or (word == "longer" and "no" in marks):
        return "not" if word == "longer" else ""
    if word == "no" and following == "longer":
        return "no"
    if word == "be" and ("used" in marks or "future" in marks):
        return "be"
    if word in ("going", "about", "planning") and following == "to" and "be" in marks:
        return None
    if word in _AUXILIARIES:
        return _AUXILIARIES[word]
    if word in listed("adverbs") or (
        word.endswith("ly")
        and len(word) > 4
        and word
        not in (
            "family",
            "italy",
            "only-child",
            "reply",
            "apply",
            "rely",
            "july",
            "fly",
            "lily",
            "emily",
            "sally",
            "kelly",
            "supply",
            "assembly",
            "early",
        )
    ):
        return ""
    return None
