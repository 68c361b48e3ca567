"""The entries of a model's answer: their fields under other names, their keys, and what speaks against them."""

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from hippograph.memory.extraction import chinese, chinese_facts, english, english_facts, english_wording
from hippograph.memory.extraction.attributes import DISLIKES, LIKES, OPINION, PROFILE, canonical, keyed, known, thing
from hippograph.memory.extraction.clauses import plain
from hippograph.memory.extraction.evidence import located
from hippograph.memory.extraction.values import is_proper
from hippograph.memory.extraction.words import either
from hippograph.memory.facts import Heard
from hippograph.memory.language import language
from hippograph.state import Kind

NAMES = {
    "subject": ("subject", "who", "person", "entity", "about", "owner"),
    "attribute": ("attribute", "property", "key", "predicate", "relation", "field", "category"),
    "value": ("value", "object", "answer"),
    "quote": ("quote", "evidence", "source", "span", "words"),
    "text": ("fact", "text", "memory", "content", "statement", "description", "summary", "data"),
}
REFERS = ("id", "memory_id", "supersedes", "replaces", "updates", "target_id", "old_id", "ref")
ME = re.compile(r"(?:the )?(?:user|speaker|i|me|myself|we|us)|用户|说话人|我们?|本人|自己", re.IGNORECASE)
MINE = re.compile(
    r"(?:(?:the )?(?:user|speaker)['’]s|user |my|our|用户的?|我们?的?|user's)\s*(?P<rest>.+)", re.IGNORECASE
)
NOBODY = re.compile(
    r"(?:the )?(?:assistant|ai|model|bot|chatbot|system|message|none|null|unknown|n/a)|助手|系统|消息|无", re.IGNORECASE
)
_LIKE = re.compile(
    r"(?:favou?rite thing|likes?|loves?|enjoys?|prefers?|preferences?|interests?|interested in|opinion|喜欢|"
    r"喜爱|爱|爱好|偏好|爱吃|爱喝|喜好)(?:\s+to\s+\w+)?",
    re.IGNORECASE,
)
_DISLIKE = re.compile(
    r"(?:dislikes?|hates?|doesn't like|does not like|detests?|can't stand|讨厌|不喜欢|不爱|厌恶|受不了|不吃|"
    r"不喜爱)",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"\b(?:not|never|no longer|no more|any ?more|used to|quit|left|sold|stopped|gave up)\b|n't\b|不再|不(?!错|"
    r"久|过|但|管|仅)|没(?!想到|错)|离职|辞职|卖了|戒了",
    re.IGNORECASE,
)
EMPTY = re.compile(
    r"(?:yes|no|true|false|none|null|unknown|n/a|not (?:given|stated|specified|mentioned)|是|否|无|没有|未知|"
    r"\W*)",
    re.IGNORECASE,
)
_VERBATIM = re.compile(r"(?:user|用户)\s*", re.IGNORECASE)


IMPORTANT = {
    "name": 0.9,
    "allergy": 0.9,
    "condition": 0.8,
    "residence": 0.8,
    "address": 0.8,
    "birthday": 0.8,
    "employer": 0.7,
    "occupation": 0.7,
}


def unfit(
    turn: Heard, subject: str, attribute: str, value: str, span: tuple[int, int], parts: Sequence[tuple[int, int]]
) -> str | None:
    """Return what speaks against an entry whose words are in the turn; None for nothing."""
    start, end = whole(span, parts)
    said, key = plain(turn.text[start:end]), keyed(attribute, value)
    bare = canonical(attribute)
    if len(value) > 0.7 * len(said) and bare not in _SENTENCES:
        return "only repeats the sentence"
    if bare in _PEOPLE and not _is_named(value, said):
        return "gives no name"
    if not (known(key) or _LIKE.fullmatch(attribute) or _DISLIKE.fullmatch(attribute) or is_proper(value)):
        return "has a property that is none"
    zh = language(said) == "zh"
    read = chinese.heads if zh else english.heads
    about_ = next((each.subject for each in read(said, turn.subject, None, elided=False)), turn.subject)
    named = located(subject.rpartition("'s ")[2], said) if subject != turn.subject else None
    mine = bare in _PEOPLE | _SENTENCES | {"pet"} or _first().search(said)
    if subject == turn.subject and about_ != subject and not mine:
        return "is about somebody else"
    return "is about somebody else" if subject != turn.subject and about_ == turn.subject and not named else None


@cache
def _first() -> re.Pattern[str]:
    """Return a pattern for the one who speaks as the subject of something: "I", not "my brother"."""
    return re.compile(rf"\b(?:I|we|me)\b|我们?(?!的|家|{either('zh_kin', 'zh_pets')})")


def _is_named(value: str, said: str) -> bool:
    """Whether a value is somebody's name where it stands."""
    if is_proper(value):
        return True
    kin = either("zh_kin", "zh_pets")
    return re.search(rf"(?:叫做?|名字?是?|是|{kin})\s*{re.escape(value)}", said) is not None and len(value) <= 6


_SENTENCES = frozenset(("event", "plan", "goal", "note", "procedure", "task"))
"""Keys whose value is most of a sentence."""
_PEOPLE = frozenset(
    "spouse mother father brother sister son daughter child friend colleague neighbour boss girlfriend boyfriend pet "
    "aunt uncle cousin nephew niece".split()
)


def field_of(entry: dict[str, Any], names: Sequence[str]) -> str:
    """Return the first of some fields that has a text or a number."""
    found = (entry.get(name) for name in names)
    return next((str(each) for each in found if isinstance(each, str | int | float) and str(each).strip()), "")


def reading(attribute: str, value: str, quote: str) -> tuple[str, str, bool]:
    """Return the key, the value and whether it is denied."""
    denied = _DENIED.search(plain(quote)) is not None
    if _DISLIKE.fullmatch(attribute.strip()):
        return OPINION + thing(value), DISLIKES, False
    if _LIKE.fullmatch(attribute.strip()):
        return OPINION + thing(value), DISLIKES if denied else LIKES, False
    key = keyed(attribute, value)
    return (
        key,
        value,
        denied and key not in ("diet", "birthday", "name") and not key.startswith(("procedure", "note", "event")),
    )


def kind_of(key: str) -> Kind:
    """Return what kind of memory a key's facts are."""
    if key.startswith(("event ", "plan ", "goal ")):
        return "event"
    if key.startswith("procedure"):
        return "procedure"
    if key.startswith((OPINION, "favourite ", "hobby ")):
        return "preference"
    return "profile" if key in PROFILE else "fact"


def whole(span: tuple[int, int], parts: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """Widen a quote to the parts that it lies in, so that it is understood."""
    over = [each for each in parts if each[0] < span[1] and span[0] < each[1]]
    return min(span[0], *(each[0] for each in over)), max(span[1], *(each[1] for each in over))


def worded(quote: str, me: str) -> str:
    """Return a quote as a sentence about whoever speaks."""
    if language(quote) == "zh":
        found = chinese_facts.read(quote, me, None)[0]
        return found[0].text if len(found) == 1 else chinese.about(quote, me)
    found = english_facts.read(quote, me, None)[0]
    head = next(english.heads(quote, me, None, elided=False), None)
    if len(found) == 1 or head is None or not head.rest:
        return found[0].text if len(found) == 1 else english_wording.about(quote, me)
    return english_wording.sentence(head, head.rest)
