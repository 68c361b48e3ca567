"""Which property of somebody a question asks for: "where do I live" and 我住哪 ask for the residence. Pure.

Facts carry the property they tell under a key ("residence", "favourite colour", "pet rex"); questions name it by a
verb, a noun of another language, or not by that word at all. A question may ask for several.
"""

import re
from collections.abc import Collection, Iterable
from functools import cache, lru_cache

from hippograph.memory.extraction import attributes
from hippograph.memory.facts import SELF
from hippograph.memory.tokens import words

_ASKED: dict[str, str] = {
    "residence": r"\bwhere\b.*\b(?:liv(?:e[sd]?|ing)|resid\w+|home|based|stay(?:s|ed|ing)?|settled)\b|"
    r"\b(?:liv(?:e[sd]?|ing) in|current location|residence|hometown|home city|which (?:city|town|country))\b|"
    r"住(?:在|的|哪|过|址)|居住|哪[里儿个]?(?:城市|住)|搬(?:家|到|去|了)|常住|住所",
    "address": r"\b(?:address|postcode|zip code)\b|地址|住址|门牌|邮编",
    "name": r"\b(?:my|your|his|her|their|full|first|last|user) ?name\b|\bwhat am i called\b|\bwho am i\b|"
    r"叫什么|名字|姓名|怎么称呼|我是谁",
    "employer": r"\bwhere\b.*\bwork(?:s|ed|ing)?\b|\b(?:employer|company|work(?:s|ed|ing)? (?:for|at)|workplace)\b|"
    r"公司|单位|在哪.{0,3}(?:上班|工作|任职)|雇主|就职",
    "occupation": r"\b(?:occupation|jobs?|profession|career|for a living|do(?:es)? \w+ do\b|for work|job title|"
    r"work(?:s|ed|ing)? as)\b|职业|工作|职位|做什么的|干什么的|岗位|职务|什么行业",
    "birthday": r"\b(?:birthday|birth ?date|born)\b|生日|出生|哪年生|生辰",
    "age": r"\bhow old\b|\bage\b|几岁|多大|年龄|年纪|岁数",
    "phone": r"\b(?:phone|telephone|mobile|cell)\b|电话|手机号?|号码",
    "email": r"\be-?mail\b|邮箱|电子邮件",
    "diet": r"\b(?:diet|vegan|vegetarian|eat(?:s|ing)?)\b|饮食|吃什么|吃素|忌口",
    "allergy": r"\ballerg\w+\b|过敏",
    "pet": r"\b(?:pets?|dogs?|cats?)\b|宠物|养(?:了|的|什么|过)|猫|狗",
    "marital status": r"\b(?:married|single|divorced|marital|relationship status|dating|partner|spouse|wife|husband)\b|"
    r"结婚|婚姻|单身|离婚|对象|恋爱|妻子|丈夫|老公|老婆|感情状况",
    "spouse": r"\b(?:partner|spouse|wife|husband|married to)\b|对象|伴侣|爱人|配偶|妻子|丈夫|老公|老婆|太太",
    "girlfriend": r"\bgirlfriend\b|女朋友|女友",
    "boyfriend": r"\bboyfriend\b|男朋友|男友",
    "school": r"\b(?:school|university|college|stud(?:y|ies|ying))\b|学校|大学|哪.{0,2}(?:上学|读书|念书)|专业",
    "nationality": r"\b(?:nationality|citizen\w*|from what country|ethnic\w*)\b|国籍|哪国人",
    "hobby": r"\b(?:hobb(?:y|ies)|free time|pastimes?)\b|爱好|兴趣|业余",
    "car": r"\b(?:cars?|driv(?:e|es|ing))\b|开(?:的)?什么车|车型|我的车",
    "favourite": r"\bfavou?rite\b|最(?:喜欢|爱|喜爱)",
    "opinion of": r"\b(?:like[sd]?|lov(?:e[sd]?)|enjoy\w*|hat(?:e[sd]?)|dislike[sd]?|can['’]?t stand|opinion|"
    r"feel about|think (?:of|about))\b|喜欢|讨厌|爱(?:吃|喝|看|听)|看法|觉得",
}
"""Key to the words by which a question asks for it."""
_PATTERNS = {key: re.compile(pattern, re.IGNORECASE) for key, pattern in _ASKED.items()}
_LOOSE = frozenset(
    "can use using has own owned bought from place home work title pay when happened called knows rule process "
    "subject remember position joined location activity experience name date tool tools "
    "时间 日期 位置 活动 使用 先生 安排 学习".split()
) | {"how to", "is called", "is named", "wants to", "works on", "working on"}
"""Wordings of properties that a question may have without asking for one."""
_OPEN = frozenset("event plan goal note procedure task routine habit".split())
"""First words of keys that hold what was told at large: to ask for a plan is not to ask for this one."""
_EMPTY = frozenset({"opinion", "favourit", "favorit", "user"})
"""Words of a key that tell nothing without the rest."""


def said_in(query: str) -> frozenset[str]:
    """Return the words of a question, in the keys' spelling."""
    return frozenset(words(query.replace("avorite", "avourite").replace("color", "colour")))


@lru_cache(maxsize=64)
def asked_for(query: str) -> frozenset[str]:
    """Return the keys of the properties that a question asks for by other words than theirs."""
    known, found = attributes.wordings(), {key for key, pattern in _PATTERNS.items() if pattern.search(query)}
    return frozenset(found | {known[each] for each in _named().findall(query.casefold())})


@cache
def _named() -> re.Pattern[str]:
    """Return what finds nouns for properties; those that are said for much else too are left out."""
    nouns = sorted((each for each in attributes.wordings() if each not in _LOOSE), key=len, reverse=True)
    spaced = "|".join(re.escape(each) for each in nouns if each.isascii() and len(each) > 2)
    solid = "|".join(re.escape(each) for each in nouns if not each.isascii() and len(each) > 1)
    return re.compile(rf"\b(?:{spaced})\b|(?:{solid})")


def states(keys: Iterable[str], query: str) -> frozenset[str]:
    """Return those of some keys that a question asks for, not one of many: where one lives, not what one owns."""
    asked = asked_for(query)
    return frozenset(each for each in keys if each.casefold() in asked)


def is_open(attribute: str) -> bool:
    """Tell whether a key is one under which anything is told: "event went to the zoo"."""
    return attribute.casefold().partition(" ")[0] in _OPEN


def fits(attribute: str, asked: Iterable[str], said: frozenset[str]) -> bool:
    """Tell whether a property is asked for.

    Args:
        attribute: A fact's key: "residence", "favourite colour", "pet rex".
        asked: What `asked_for` returned.
        said: The words of the question, in the keys' spelling.
    """
    key = attribute.casefold().strip()
    if not key or is_open(key):
        return False
    telling = _telling(key)
    if telling and telling <= said:
        return True
    for each in asked:
        if key == each:
            return True
        rest = key.removeprefix(each + " ")
        if rest != key and (each not in ("opinion of", "favourite") or _telling(rest) & said):
            return True
    return False


def forget() -> None:
    """Drop what is kept of keys and questions: one may name what is forgotten."""
    _telling.cache_clear()
    asked_for.cache_clear()


def about(subject: str, named: Collection[str], *, others: bool = False) -> bool:
    """Tell whether a question may be about a subject.

    Args:
        subject: Whom a fact is about.
        named: The subjects that the question names; where it names none, it is about the one who asks.
        others: Whether it is about someone else in any case.
    """
    return not named and not others if subject == SELF else subject in named


@lru_cache(maxsize=20_000)
def _telling(key: str) -> frozenset[str]:
    return frozenset(words(key)) - _EMPTY
