"""Whom of the people around the one who asks a question is about: "my brother", 我哥. Pure."""

import re
from collections.abc import Iterable

from hippograph.memory.facts import SELF
from hippograph.memory.search.understanding import names
from hippograph.state import Recollection

_ENGLISH = {
    "brother": "brothers?",
    "sister": "sisters?",
    "mother": "mother|mum|mom",
    "father": "father|dad",
    "spouse": "wife|husband|partner|spouse",
    "son": "sons?",
    "daughter": "daughters?",
    "girlfriend": "girlfriend",
    "boyfriend": "boyfriend",
    "friend": "(?:best )?friends?",
    "colleague": "colleagues?|co-?workers?",
    "boss": "boss|manager",
    "neighbour": "neighbou?rs?",
    "cousin": "cousins?",
    "uncle": "uncles?",
    "aunt": "aunts?",
    "roommate": "(?:room|flat)mates?",
}
_CHINESE = {
    "brother": "哥哥|弟弟|哥|弟",
    "sister": "姐姐|妹妹|姐|妹",
    "mother": "妈妈|母亲|妈",
    "father": "爸爸|父亲|爸",
    "spouse": "老婆|妻子|太太|老公|丈夫|爱人",
    "son": "儿子",
    "daughter": "女儿",
    "girlfriend": "女朋友|女友",
    "boyfriend": "男朋友|男友",
    "friend": "朋友",
    "colleague": "同事",
    "boss": "老板|领导|上司",
    "neighbour": "邻居",
    "cousin": "表[哥弟姐妹]|堂[哥弟姐妹]",
    "uncle": "舅舅|叔叔|伯伯",
    "aunt": "姑姑|阿姨|姨妈",
    "roommate": "室友",
}
_PATTERNS = {
    key: re.compile(rf"\bmy (?:\w+ )?(?:{english})\b|我们?的?(?:{_CHINESE[key]})", re.IGNORECASE)
    for key, english in _ENGLISH.items()
}
"""Key of a property to the words by which someone speaks of whom it names."""
_ONESELF = re.compile(r"\b(?:i|me|my|mine|we|us|our|user)\b|[我咱]|用户", re.IGNORECASE)
_SOMEONE = re.compile(r"\b(?:do(?:es)?|did|is|was|has|had|will)\s+(?!I\b)[A-Z][a-z]+\b")


def relatives(query: str) -> frozenset[str]:
    """Return the keys of the properties that name whom a question speaks of: "brother" of "my brother"."""
    return frozenset(key for key, pattern in _PATTERNS.items() if pattern.search(query))


def is_of_others(query: str) -> bool:
    """Tell whether a question is about someone else than the one who asks, and not about both."""
    rest = query
    for pattern in _PATTERNS.values():
        rest = pattern.sub(" ", rest)
    return not _ONESELF.search(rest) and (rest != query or _SOMEONE.search(query) is not None)


def named_in(query: str, found: Iterable[Recollection]) -> set[str]:
    """Return whom of those that memories are about, but oneself, a question names or speaks of."""
    told = [each for each in found if each.subject and each.attribute]
    spoken = relatives(query) if told else frozenset()
    called = {each.value for each in told if each.subject == SELF and each.attribute.partition(" ")[0] in spoken}
    others = {each.subject for each in told if each.subject != SELF}
    return {each for each in others if each in called or names(query, each) or _spoken_of(each, query)}


def _spoken_of(subject: str, query: str) -> bool:
    """Tell whether a question speaks of someone known as "user's brother" or "user's 哥"."""
    role = subject.removeprefix("user's ")
    if role == subject or not role:
        return False
    return re.search(rf"\bmy {re.escape(role)}\b|我们?的?{re.escape(role)}", query, re.IGNORECASE) is not None
