"""What English clauses say that happened, or is going to."""

import re

from hippograph.memory.extraction import values
from hippograph.memory.extraction.attributes import thing
from hippograph.memory.extraction.english import Head
from hippograph.memory.extraction.english_open import TIME
from hippograph.memory.extraction.english_wording import sentence
from hippograph.memory.extraction.found import Found
from hippograph.memory.extraction.words import is_participle, is_past

_NOTABLE = re.compile(
    r"(?:adopt|graduat|complet|finish|won\b|pass|fail|retir|publish|launch|releas|broke|lost|book|order|sign|"
    r"start|visit|travel|flew|hik|climb|ran\b|marri|engag|divorc|promot|hir|fir|"
    r"move|renovat|built|build|plant|learn|attend|volunteer|donat|perform|compet|enrol|regist|appl|submit|"
    r"celebrat|"
    r"went to (?=[A-Z])|hosted|organi|discover|repair|paint|wrote|write|record|met\b|saw\b|read\b|bought|got (?:a|my|"
    r"the|an)\b|found|gave birth|had (?:a|an|my|surgery|our))",
    re.IGNORECASE,
)
_AIM = re.compile(
    r"(?:(?:plan|plans|planning|planned|intend|intends|hope|hopes|hoping|aim|aims|aiming|decided|going|about|"
    r"want|wants|wanted|like|dream|dreaming|looking forward|have|has|need|needs|agreed|promised|scheduled|"
    r"supposed)\s+)(?:to|on|of)\s+(?P<v>.+)",
    re.IGNORECASE,
)
_ABOUT = re.compile(
    r"(?:be|know|see|say|ask|tell|go|try|do|get|make|have|check|hear|talk|think|take|give|help|thank|use|keep|"
    r"let|it|that|this|find|sleep|eat|figure|understand|look|point)\b",
    re.IGNORECASE,
)
_APPOINTED = re.compile(r"(?:have|has|got|'ve got)\s+(?:an?|my|the|our|two|three|another)\s+(?P<v>.+)", re.IGNORECASE)


_UNDER_WAY = re.compile(r"(?P<v>\w+ing\b.+)", re.IGNORECASE)
_THIN = re.compile(
    r"(?:.*\b(?:it|this|that|them|ones?|more|some|so|one of them)|had (?:an?|the|so|such|some) (?:great|good|"
    r"nice|lovely|wild|tough|fun|rough|amazing|awesome|bad|blast|super|really|hard|much|wonderful).*|"
    r"(?:was|were|thought|felt|said|told|knew|meant|heard|wanted|needed|liked|loved|looked|seemed|got|"
    r"made (?:me|us|it))\b.{0,12}|(?:thought|felt|wondered|realised|realized|figured|wished|hoped) .*)",
    re.IGNORECASE,
)
_YOU = re.compile(r"\byou(?:r|rs)?\b", re.IGNORECASE)
_STARTS = re.compile(r"(?:start|begin|fly|leave|arrive|move|travel|depart|return|graduate|meet)s?\b", re.IGNORECASE)


def plan(head: Head) -> Found | None:
    """Read what someone is going to do."""
    if _YOU.search(head.rest) or head.marks & {"not", "past", "can", "used"}:
        return None
    timed = TIME.search(f"{head.opening} {head.rest}") is not None
    word = "plan"
    if found := _AIM.match(head.rest):
        verb = found[0].split()[0].lower()
        word = (
            "goal"
            if verb
            in ("want", "wants", "wanted", "hope", "hopes", "hoping", "aim", "aims", "like", "dream", "dreaming")
            else "plan"
        )
        if not timed and (
            _ABOUT.match(found["v"])
            or (
                verb in ("have", "has", "need", "needs", "like", "about", "supposed", "looking", "going")
                and not _NOTABLE.match(found["v"])
            )
        ):
            return None
        value = found["v"]
    elif timed and ("future" in head.marks or _STARTS.match(head.rest)):
        value = head.rest
    elif (timed and "be" in head.marks and (found := _UNDER_WAY.match(head.rest))) or (
        timed and "be" not in head.marks and (found := _APPOINTED.match(head.rest))
    ):
        value = found["v"]
    else:
        return None
    return _happening(head, word, value, future=True)


def event(head: Head) -> Found | None:
    """Read what happened."""
    verb = head.rest.split()[0].lower()
    done = is_past(verb) or ("perfect" in head.marks and is_participle(verb))
    if (
        not done
        or head.marks & {"be", "not", "future", "can", "used"}
        or len(head.rest.split()) < 2
        or _YOU.search(head.rest)
    ):
        return None
    found = _happening(head, "event", head.rest, future=False)
    timed = TIME.search(f"{head.opening} {head.rest}") is not None
    return found if found and (timed or (_NOTABLE.match(head.rest) and values.is_proper(head.rest))) else None


def _happening(head: Head, word: str, value: str, *, future: bool) -> Found | None:
    value = re.sub(r"\s*,?\s*\b(?:because|btw|lol|haha\w*)\b.*$", "", value, flags=re.IGNORECASE).strip(" .,!")
    about = thing(values.trimmed(value) or value)
    if re.match(r"(?:died|passed away)\b", head.rest):
        pass
    elif _THIN.fullmatch(about) or len(about.split()) < (2 if future else 3):
        return None
    if not len(about) >= 2 or len(value) > 240 or re.search(r"\b(?:it|that|this)$", value, re.IGNORECASE):
        return None
    return Found(
        subject=head.subject,
        attribute=f"{word} {about}",
        value=value,
        text=sentence(head, head.rest),
        kind="event",
        importance=0.5,
        future=future,
    )
