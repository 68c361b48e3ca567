"""Open properties in Chinese: 我的X是Y, X改到Y."""

import re
from dataclasses import replace

from hippograph.memory.extraction.attributes import FAVOURITE, PROFILE, canonical
from hippograph.memory.extraction.chinese import CHANGED, TIME, Head, sentence
from hippograph.memory.extraction.found import Found
from hippograph.state import Kind

_OPEN = re.compile(
    r"(?:现在|目前|已经|还|就|一直|又|被)*(?:是|为|" + CHANGED + r"了?|在(?=.*[\d月周明后点])|售价|卖|"
    r"叫(?=[A-Za-z\u4e00-\u9fff]{1,10}$)|:|(?=[¥$€£]?[\d一二三四五六七八九十两]))\s*(?P<v>.+)"
)


DATED = re.compile(
    r"\d{1,2}月|\d{1,2}[日号]|周[一二三四五六日末天]|星期|礼拜|[今明后昨前]天|[今明昨]晚|今早|明早|下个?月|"
    r"下周|上周|上个?月|[今去前明后]年|月底|月初|年底|年初|\d{4}年|\d{4}-\d|天后|周后|个月后|年后|"
    r"[天周月年]前|[\d一二两三四五六七八九十]点|点半|周末|春节|国庆|暑假|寒假|元旦|中秋|端午|五一|春天|夏天|秋天|冬天|刚才|清明|小时候"
)
_CLOCK = re.compile(
    r"(?:早上|上午|中午|下午|晚上|凌晨|傍晚)?(?:[\d一二两三四五六七八九十]{1,3}点(?:钟|半|一刻|三刻|[\d一二三四五六七八九十]{1,3}分?)?|\d{1,2}:\d\d)$"
)
_AT_TIME = re.compile(rf"(?:现在|还|就|是)*在(?:{TIME}|的)+(?:举行|召开|开始|进行|开)?了?$")
_PORT = re.compile(r"[跑听行署]在(\d{2,5})(?:号)?端口")
_COUNT = re.compile(r"有([\d一二三四五六七八九十两百]+[个名位]人)")
_RENAMED = re.compile(r"^(?:现在|已经|就)*(?:叫|改名|更名|改叫)")
_VAGUE = re.compile(
    r"(?:特别|尤其|主要|首先|其次|最后|例如|比如|计划|意思|问题|错|想法|看法|感觉|心情|事|原因|理由|结果|关键|重点|"
    r"前提|目的|运气|水平|状态|生活|人生|脑子|身体|肚子|心里|[第一二三另]?次|回答|建议|观点|态度|性格|日子|今天|昨天|"
    r"可是|便是)$|^[心梦命胃头好家天真不这那个只但可便而还也都算总老又]$"
)
_TRANSIENT = re.compile(
    r"(?:我|你|他|她|它|这|那|因为|为了|很|非常|太|挺|真|好的|好$|不|没|真的|对的|错的|什么|怎|要|想|会|能|可以|有点|一样|这样|那样|如此|正常|假的|一个人|自己|个好|个坏|个谜|好久)"
)


EMPTY = re.compile(
    r"(?:[它他她]们?|这|那|你|您|我|这个|那个|这些|那些|你们?.*|我们?.*|他们?.*|她.*|这样.*|那样.*|这种.*|那种.*|"
    r"什么.*|一下.*|东西|事情|人|饭|了|的|吗|去|来|过|得.*|着.*)"
)


def property_of(head: Head, prop: str, rest: str) -> Found | None:
    """Read 我的X是Y, and X改到Y."""
    found = _OPEN.match(rest) or _PORT.search(rest) or _COUNT.search(rest)
    if _VAGUE.search(prop) or not found or (re.match("(?:现在|还|就)*在", rest) and not _AT_TIME.match(rest)):
        return None
    prop = re.sub(r"^(?:.*把)?(?:(?:新|现在|目前|这个|那个|最新)的?)?", "", prop).strip() or prop
    key, strict = canonical(prop), head.strict
    if port := _PORT.search(rest):
        return valued(head, f"port of {key}", port[1], strict=False)
    if count := _COUNT.search(rest):
        return valued(head, f"number of people of {key}", count[1], strict=False)
    if _RENAMED.search(rest) and not re.search(r"名字?$", prop):
        key, strict = f"name of {key}", False
    elif found[0].startswith(("卖", "售价")):
        key = f"price of {key}"
    return valued(head, key, found["v"], strict=strict)


def valued(head: Head, key: str, value: str, *, strict: bool) -> Found | None:
    """Return a property with its value, if that says enough; `strict` where nobody is said to own it."""
    value = re.sub(r"(?:了|啦|哦|呢|吧|呀|啊|的时候|左右)+$", "", value.strip()).strip(" ,。")
    dated = DATED.search(value) is not None
    if (
        not value
        or len(value) > 60
        or EMPTY.fullmatch(value)
        or (_TRANSIENT.match(value) and not key.startswith(FAVOURITE))
    ):
        return None
    if dated and re.search(r"[\u4e00-\u9fff]", key) and not key.startswith(FAVOURITE):
        key = f"{'time' if _CLOCK.match(value) else 'date'} of {key}"
    known = re.fullmatch(r"[a-z' -]+", key) is not None
    if strict and not (known or dated or re.search(r"\d|[A-Z]", value)):
        return None
    kind: Kind = "preference" if key.startswith(FAVOURITE) else "profile" if key in PROFILE else "fact"
    if head.strict and key in PROFILE:
        head = replace(head, shown=f"{'用户' if head.subject == 'user' else head.subject}的{head.shown}")
    text = sentence(head, head.rest)
    return Found(
        subject=head.subject,
        attribute=key,
        value=value,
        text=text,
        negated=head.denied,
        kind=kind,
        importance=0.9 if key == "name" else 0.8 if key in ("address", "birthday", "deadline") else 0.6,
        future=dated and key != "birthday",
    )
