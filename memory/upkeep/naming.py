"""Finding the names in a text and what they are names of, by rules, Chinese and English."""

import re
from collections.abc import Collection, Iterator

from hippograph.memory.entities import EntityKind, Named, key
from hippograph.memory.proper import CHINESE, MIXED, SURNAMES, begins, is_no_name, world_peoples, world_places

_TITLED = re.compile(r"\b(?:Mr|Mrs|Ms|Miss|Dr|Prof|Professor|Aunt|Uncle|Grandma|Grandpa|Captain)\.?\s+$")
_PROJECT_AFTER = re.compile(r"^\s+(?:project|team|ticket|release|migration|contract)\b")
_ORGANISATION = re.compile(
    r"\b(?:Inc|Ltd|LLC|Corp|GmbH|Company|Bank|University|College|School|Institute|Hospital|Clinic|Museum|Church|Club|"
    r"Foundation|Association|Agency|Studio|Studios|Labs?|Airlines?|Society|Academy|Council|Ministry)"
    r"\b\.?$|^University of "
)
_PLACE = re.compile(
    r"\b(?:City|Street|Avenue|Road|Square|Park|Beach|Lake|River|Island|Bay|Valley|Mountains?|Airport|Station|Bridge|"
    r"County|Province|Harbou?r|Falls|Forest|Village)$|^(?:Mount|Lake|Port|Saint|St|San|New|North|South) "
)
_THING = re.compile(r"\b(?:[Pp]roject|[Tt]eam|[Tt]icket|[Rr]elease|[Mm]igration|[Cc]ontract)\b|^[A-Z]{2,}\d*-\d+$")
_AT = re.compile(r"\b(?:in|to|from|near|around|via|through|visit(?:ed|ing)?)\s+$", re.IGNORECASE)
_WORKS = re.compile(r"\b(?:work(?:s|ed|ing)? (?:at|for)|job at|joined|hired by|employed by)\s+$", re.IGNORECASE)
_PERSON_BEFORE = re.compile(
    r"\b(?:met|with|told|asked|called|married|dating|husband|wife|partner|sister|brother|mother|father|mom|mum|dad|son|"
    r"daughter|cousin|aunt|uncle|friend|colleague|boss|neighbou?r|teacher|named)\s+$",
    re.IGNORECASE,
)
_PERSON_AFTER = re.compile(
    r"^\s+(?:said|says|told|asked|thinks|thought|called|wrote|likes|loves|hates|wants|went|came|is my|was my|and I\b)|"
    r"^['’]s (?:birthday|wife|husband|mother|father|mom|dad|sister|brother|son|daughter|kids?|phone|wedding|house)"
)
_LOOSE = (
    "在的是了和与跟去到来从回我你您他她它们这那哪有住于现叫让把被给对向为就都也又再很一二两三几家个所间座条该不想找最今"
)
"""Characters that begin or join something else, and so end a name."""
_CHARS = rf"(?![{_LOOSE}])[\u4e00-\u9fff]"
_PLACE_ZH = re.compile(
    r"(?P<name>北京|上海|广州|深圳|天津|重庆|成都|杭州|南京|武汉|西安|苏州|长沙|青岛|厦门|昆明|大理|丽江|哈尔滨|沈阳|大连|郑州|济南|"
    r"福州|合肥|贵阳|南宁|海口|三亚|拉萨|兰州|西宁|银川|乌鲁木齐|香港|澳门|台北|高雄|东京|大阪|京都|首尔|新加坡|曼谷|伦敦|巴黎|"
    r"柏林|纽约|旧金山|洛杉矶|西雅图|悉尼|墨尔本|多伦多|温哥华|莫斯科|日本|韩国|美国|英国|法国|德国|意大利|泰国|澳大利亚|加拿大)"
    r"市?(?!大学|话|人)"
)
_AREA_ZH = re.compile(
    rf"(?<=[在去到来回从往])(?P<name>(?:{_CHARS}){{1,5}}?"
    r"(?:省|(?<![超城都门股菜金藏])市(?![场民区面价值])|县|镇(?![静定])|村(?!民)|(?<![短线分电思网公马道套出活支回铁销水])路|街(?!道)|"
    r"岛|(?<!爬)山(?![体上下])|湖|机场|火车站|公园))"
)
_ORGANISATION_ZH = re.compile(
    rf"(?P<name>(?:{_CHARS}){{2,8}}?(?:公司|集团|大学|学院|中学|小学|医院|银行|研究所|基金会|事务所|工作室|协会))"
)
_TITLE_ZH = re.compile(r"《(?P<name>[^《》]{1,30})》")
_HONORIFIC_ZH = re.compile(r"(?:先生|女士)$")
_PROJECT_ZH = re.compile(r"项目$")
_NO_PERSON_ZH = re.compile(
    r"[高常万方于文白金江史石易时钱][\u4e00-\u9fff]{2}$|谢谢|周[末一二三四五六日天]|陈述|任[何务]|安[全排装静]|马[上路]"
)
"""What begins like a surname and seldom is a name."""
_BEYOND_ZH = re.compile(r"(?<=^[\u4e00-\u9fff]{2})[住现说在问叫要]$")
"""What follows a name of two characters and is seldom the third of one: 陈晨住在, 张伟现在."""
_TITLED_ZH = re.compile(rf"[{SURNAMES}][\u4e00-\u9fff]?(?:先生|女士|老师|医生|经理|总监|同学|师傅|阿姨|叔叔)$")
_ADDRESSED_ZH = re.compile(r"(?:先生|女士|老师|医生|经理|总监|同学|师傅|阿姨|叔叔)$")
_CALLS = frozenset(
    "Yeah Yep Yup Nope Wow Woah Whoa Bye Goodbye Congrats Congratulations Hey Hi Hello Oh Ah Aww Haha Omg Gosh Sure "
    "Great Nice Cool Awesome Good Sorry Sounds Well Welcome Absolutely Definitely Totally Exactly Mon Tue Tues Wed Thu "
    "Thur Thurs Fri Sat Sun Christmas Easter Thanksgiving Halloween Dear Last Next".split()
)
"""Words with a capital beside a name that are none of it."""
_LONGEST = 40
"""Characters of a name."""
_ZH: tuple[tuple[re.Pattern[str], EntityKind], ...] = (
    (_TITLE_ZH, "thing"),
    (_ORGANISATION_ZH, "organisation"),
    (_PLACE_ZH, "place"),
    (_AREA_ZH, "place"),
)
OF_VALUE: dict[str, EntityKind] = {
    **dict.fromkeys(
        "spouse partner friend sibling brother sister child son daughter mother father colleague boss neighbour cousin "
        "teacher doctor wife husband girlfriend boyfriend roommate".split(),
        "person",
    ),
    **dict.fromkeys("residence hometown birthplace city country location nationality workplace".split(), "place"),
    **dict.fromkeys("employer company school university organisation bank team".split(), "organisation"),
    **dict.fromkeys("pet car project device uses owns product".split(), "thing"),
}
"""What the value of an attribute is a name of; of "pet rex", the first word tells."""
_OF_PERSON = frozenset(
    "employer occupation residence spouse partner birthday age name origin school email phone salary allergy diet "
    "opinion favourite hobby pet".split()
) | {attribute for attribute, kind in OF_VALUE.items() if kind == "person"}
"""Attributes that people have."""


def named(text: str, known: Collection[str] = ()) -> list[Named]:
    """Return the names in a text in their order, each once.

    Args:
        text: A turn's or a memory's.
        known: Keys of names that count at the beginning of a sentence too, where every word has a capital.
    """
    once = dict[str, Named]()
    for _, name in sorted([*_chinese(text), *_english(text, known)]):
        before = once.get(key(name.name))
        once[key(name.name)] = name if before is None or not before.kind else before
    return [each for each in once.values() if len(each.name) <= _LONGEST]


def kind_of_subject(attribute: str) -> EntityKind:
    """Return what has an attribute, where the attribute tells."""
    return "person" if attribute.split() and attribute.split()[0] in _OF_PERSON else ""


def kind_of_value(attribute: str) -> EntityKind:
    """Return what an attribute's value is a name of, where the attribute tells."""
    return OF_VALUE.get(attribute.split()[0], "") if attribute.split() else ""


def _chinese(text: str) -> Iterator[tuple[int, Named]]:
    taken = list[tuple[int, int]]()
    for pattern, kind in _ZH:
        for match in pattern.finditer(text):
            if not any(start < match.end("name") and match.start("name") < end for start, end in taken):
                taken.append(match.span("name"))
                yield match.start("name"), Named(match["name"], kind)
    for match in CHINESE.finditer(text):
        name = _own(match.group())
        if name and not any(start < match.end() and match.start() < end for start, end in taken):
            yield match.start(), name


def _own(found: str) -> Named | None:
    """Return the name in what looks like one; None for "我的老师" and "这个项目"."""
    if _PROJECT_ZH.search(found) or _NO_PERSON_ZH.match(found):
        return None
    titled = _TITLED_ZH.search(found)
    if titled is None:
        return None if _ADDRESSED_ZH.search(found) else Named(_BEYOND_ZH.sub("", found.strip()), "person")
    whole = titled.group()
    return Named(_HONORIFIC_ZH.sub("", whole) if len(whole) > len("王先生") else whole, "person")


def _english(text: str, known: Collection[str]) -> Iterator[tuple[int, Named]]:
    for match in MIXED.finditer(text):
        start, words = match.start("name"), match["name"].split()
        first = begins(text, start)
        while words and (is_no_name(words[0]) or words[0] in _CALLS):
            start += len(words.pop(0)) + 1
            first = False
        while words and (is_no_name(words[-1]) or words[-1] in _CALLS):
            words.pop()
        name = re.sub(r"['’]s?$", "", " ".join(words))
        if not name or name in _CALLS or name.casefold() in world_peoples():
            continue
        kind = _kind(name, text[:start], text[start + len(name) :])
        if not first or len(words) > 1 or kind or key(name) in known:
            yield start, Named(name, kind)


def _kind(name: str, before: str, after: str) -> EntityKind:
    """Return what a name is of, by its own words and those beside it."""
    if _THING.search(name):
        return "thing"
    if _ORGANISATION.search(name) or _WORKS.search(before):
        return "organisation"
    if _PLACE.search(name) or name.casefold() in world_places():
        return "place"
    if _PROJECT_AFTER.search(after):
        return "thing"
    if any(sign.search(before) for sign in (_TITLED, _PERSON_BEFORE)) or _PERSON_AFTER.search(after):
        return "person"
    return "place" if _AT.search(before) and " " not in name and not after.startswith(("'", "’")) else ""
