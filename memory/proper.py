"""Names of people and things in somebody's life, apart from those the whole world knows.

A name in a turn is a reason to search memory; "France", "Python" and "the French Revolution" are not such names.
"""

import json
import re
from functools import cache
from importlib.resources import files

from hippograph.memory.tokens import CJK


def _english(letter: str) -> re.Pattern[str]:
    """Return the pattern of words with a capital, given the one of their characters."""
    word = rf"[A-Z](?:{letter}|['’])*[a-z](?:{letter}|['’])*"
    return re.compile(
        rf"(?<!{letter})(?<!['’.])(?P<article>(?:[Tt]he|[Aa]n?)\s+(?:[a-z]+\s+)?)?"
        rf"(?P<name>{word}(?:(?:\s+|-)(?:of\s+|the\s+)?{word})*)"
    )


ENGLISH = _english(r"\w")
MIXED = _english(rf"[^\W{CJK}]")
"""The same, where a Chinese character ends a name as a space does: "和Ann Lee在Kiel"."""
_NO_NAME = re.compile(r"^(?:I|I['’]\w+|[A-Z][a-z]*['’](?:s|re|ve|ll|d|m|t)|Mr|Mrs|Ms|Dr|OK|Okay)$")
_POSSESSIVE = re.compile(r"['’]s$")
_FUNCTION = frozenset(
    "what which who whom whose when where why how do does did is are was were am has have had can could should "
    "would will "
    "may might must the a an and but so or if in on at of for to from by with as it its that this these those "
    "there here "
    "he she they we you my your his her our their let not no yes please hi hello hey thanks thank also then still just "
    "write make give tell show list explain describe name compare convert translate remind recommend suggest find get "
    "me now today tomorrow yesterday monday tuesday wednesday thursday friday saturday sunday january february march "
    "april may june july august september october november december god".split()
)
"""Words that stand with a capital for their place in the sentence, and days and months, which are times."""
_NO_PLACE = frozenset(
    "northern southern eastern western north south east west united states kingdom new mount mountains lake river "
    "ocean sea island islands bay gulf strait canal great security council nations union parliament congress "
    "senate".split()
)
"""Words that are part of the names of places, and none alone."""
_CONTRACTED = re.compile(r"^(?:what|who|where|when|how|that|there|here|it|he|she|let|why|this)['’]s$", re.IGNORECASE)
_TICKET = re.compile(r"\b[A-Z]{2,}\d*-\d+\b|\b[a-z]+[-_][a-z]*\d\w*\b|\bv\d+(?:\.\d+)+\b|(?<!\w)@\w+")
_PROJECT = re.compile(
    r"\b[Pp]roject [A-Z]\w+|\b[A-Z]\w+ (?:project|team|ticket|account|migration|release|contract|deal|meeting)\b"
)

SURNAMES = (
    "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟"
    "汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文"
)
CHINESE = re.compile(
    rf"[小老阿][{SURNAMES}](?![\u4e00-\u9fff]?虾)|小[明红美丽华刚强军芳凯敏静]|"
    rf"(?:^|(?<=[，。、；：\s和与跟给向找让]))(?:[{SURNAMES}][\u4e00-\u9fff]{{2}})"
    r"(?=[在的和与是把说要去给有为最于因从对向将会想通所首曾先又也就被家])|"
    r"[\u4e00-\u9fff]{1,3}(?:先生|女士|老师|医生|经理|总监|同学|师傅|阿姨|叔叔)|"
    rf"[{SURNAMES}](?:哥|姐|总|工)(?=[的说在要去来，？?。]|$)|"
    r"(?<!开源)(?:[\u4e00-\u9fff]{2})项目"
)


@cache
def _world() -> frozenset[str]:
    read = json.loads(files("hippograph.memory").joinpath("world.json").read_text("utf-8"))
    return frozenset(word.lower() for lines in read.values() for word in " ".join(lines).split())


@cache
def world_places() -> frozenset[str]:
    """Return single words that are places the whole world knows, in small letters."""
    read = json.loads(files("hippograph.memory").joinpath("world.json").read_text("utf-8"))
    return frozenset(word.lower() for word in " ".join(read["places"]).split()) - _NO_PLACE


@cache
def world_peoples() -> frozenset[str]:
    """Return words for peoples, languages and faiths, in small letters."""
    read = json.loads(files("hippograph.memory").joinpath("world.json").read_text("utf-8"))
    return frozenset(word.lower() for word in " ".join(read["peoples"]).split())


def is_no_name(word: str) -> bool:
    """Tell whether a word with a capital is a word of the language, or a day or a month."""
    bare = _POSSESSIVE.sub("", word)
    return bare.lower() in _FUNCTION or bool(_NO_NAME.match(word) and not _POSSESSIVE.search(word))


def name(text: str) -> str | None:
    """Return the first name in a text that is somebody's own, or None.

    That is: a capitalised word that is no word of the language at its place, no abbreviation, not of common knowledge
    and without an article before it ("the Titanic"); a ticket or product number; a project; a Chinese person's name or
    form of address.
    """
    if found := _TICKET.search(text) or _PROJECT.search(text) or CHINESE.search(text):
        return found.group().strip()
    for found in ENGLISH.finditer(text):
        if not found["article"] and (own := _own(found["name"], first=begins(text, found.start()))):
            return own
    return None


def names(text: str) -> list[str]:
    """Return the names in a text in order, those the whole world knows included, each once."""
    found = [each["name"] for each in ENGLISH.finditer(text)]
    english = [word for each in found for word in each.split() if word.lower() not in _FUNCTION]
    return list(dict.fromkeys([*(each.group() for each in CHINESE.finditer(text)), *english]))


def begins(text: str, place: int) -> bool:
    """Tell whether a sentence begins at a place."""
    before = text[:place].rstrip()
    return not before or before[-1] in ".!?。！？:：\n\"“”'(*-•"


def _own(words: str, *, first: bool) -> str | None:
    """Return a name if any of its words is one; the first word of a sentence counts only as a possessive."""
    for place, word in enumerate(re.split(r"\s+|-", words)):
        bare = _POSSESSIVE.sub("", word)
        if _CONTRACTED.match(word) or bare.lower() in _FUNCTION or bare.lower() in _world():
            continue
        if _NO_NAME.match(word) and not _POSSESSIVE.search(word):
            continue
        if first and place == 0 and not _POSSESSIVE.search(word) and len(words.split()) == 1:
            continue
        if bare[:1].isupper():
            return bare
    return None
