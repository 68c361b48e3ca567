"""Read the beginning of a Chinese clause: who, when, and whether it is denied."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from hippograph.memory.extraction.words import either

CHANGED = (
    r"(?:改名叫做?|改名为|更名为|改叫|改成|改到|改为|改在|变成|换成|推迟到|提前到|延到|延期到|延后到|顺延到|挪到|推到|定在|定为|涨到|降到|升到|"
    r"升级到|升级成|提高到|提到|增加到|加到|减少到|减到|缩减到|上调到|上调为|下调到|下调为|调整为|调整到|调到|更新为|更新到)"
)
"""What something was changed to, or put off until."""
_N = r"[¥$€£]?[\d一二三四五六七八九十两百千万]"
_AT = (
    r"在(?=(?:[早上下中晚凌]\S)?(?:\d|[一二两三四五六七八九十]+[点月]|周[一二三四五六日天末]|星期|下周|下个?月|"
    r"明[天年]|后天|月底))"
)
_LEAD = re.compile(
    r"(?:(?:其实|对了|嗯+|哦+|噢|啊+|哎+|唉|嗨|你好|您好|哈+|顺便说一?下?|顺便|说起来|话说|另外|还有|而且|不过|但是?|然后|所以|因为|总之|告诉你|跟你说|和你说|我跟你说|"
    r"报告一下|更新一下|更正一下|纠正一下|提醒一下|补充一下|好消息是?|坏消息是?|不对|不是|错了|我说错了|是的|对|好的|没错|实际上|事实上|说实话|老实说|请?(?:你|帮我)?"
    r"(?:记住|记一下|记下来|记下|记得|记好|别忘了?|不要忘了?)(?:一下)?|我想告诉你|我(?:觉得|认为)|最新消息|"
    r"话说回来|原来(?=[我是])|结果(?=我)|查出来|检查结果是?|化验结果是?|(?:我的?)?(?:医生|大夫|牙医|检查(?:结果)?|化验(?:结果)?|"
    r"体检(?:报告)?)(?:跟我|告诉我|确认|说|显示|表明)+(?=我)|众所周知|哎呀|好吧|那个|今天跟大家说|跟大家说一下|现在|目前|如今|眼下)[,:。!~\s]*)+"
)
TIME = (
    r"(?:大?前天|昨天|今天|明天|大?后天|昨晚|今晚|明晚|今早|明早|去年|前年|今年|明年|后年|[上这下本]+个?(?:月|周|星期|礼拜|季度)(?:[一二三四五六日天末]|[初中底末])?|"
    r"(?:\d{4}|[一二三四五六七八九〇零]{4})年(?:\d{1,2}月(?:\d{1,2}[日号])?|[初底末])?|\d{1,2}月(?:份|初|底|"
    r"中旬|\d{1,2}[日号])?|[一二三四五六七八九十]{1,2}月(?:份|初|底|[一二三四五六七八九十]{1,3}[日号])?|"
    r"周[一二三四五六日末天]|星期[一二三四五六日天]|\d{1,2}[日号](?!线|楼)|"
    r"(?:[一二两三四五六七八九十几半\d]+)(?:个?多?(?:年|月|星期|礼拜|周|天|小时)半?)(?:[以之]?[前后]|来)?|"
    r"前几天|前两天|前阵子|前段时间|最近|近来|近期|"
    r"早上|上午|中午|下午|晚上|凌晨|傍晚|(?:[上下早晚]午|晚上|早上)?[\d一二两三四五六七八九十]{1,2}点(?:半|"
    r"[\d一二三四五]+分?)?|春节|国庆|五一|元旦|中秋|端午|清明|暑假|寒假|年初|年底|年中|月初|月底|周末|"
    r"[春夏秋冬]天|小时候|大学时|刚才)"
)
_WHEN = re.compile(
    rf"(?:自从|从|自|在|到|直到|等|于)?(?:{TIME}的?)+(?:的时候|时|起(?!床)|开始|以来|之前|之后|以后|以前|左右|那天|就|才|的)?"
)
_ADVERBS = re.compile(
    r"(?:现在|目前|如今|其实|真的|一直|已经|刚刚|刚|才|最近|也|都|还是|还|就|很|非常|特别|超级|超|最|挺|比较|"
    r"蛮|更|又|终于|平时|通常|经常|常常|常|总是|从小就?|后来|当时|仍然|依然|确实|正式|决定|真|好|主要|一般|"
    r"偶尔|有时|基本上?|完全|根本|绝对|自己(?!住)|一个人(?!住)|本来就|以后|曾经|以前|原来|之前|过去|从来|从|正在|正|"
    r"在(?=[学看读写找准办减备练做考])|最后|顺利|成功|不小心|有点儿?|稍微|太|特|每天|每周|每月|每年|每晚|每早)"
)
_NOT = re.compile(
    r"(?:再也不|已经不再|不再|已经不|不太|不怎么|不是很|并不|从不|从来不|绝不|不|没有|没|并没有|不是)(?!过敏|舍|久|错|管|但|过|仅|光|如|得不|小心|知道)"
)
_FUTURE = re.compile(
    r"(?:打算|准备|计划|要|将要?|会(?=去|在|到|搬|参加|举办)|想要?|希望|决定|即将|马上要?|快要|约了|预订了|预约了|订了|报名了)"
)


_NO_NAME = (
    r"(?:白天|夏天|马上|马路|金融|石头|石家|黄金|黄酒|黄色|白色|白酒|周末|周围|周[一二三四五六日]|江西|江苏|"
    r"高中|唐朝|宋朝|老[是家板师婆公妈爸爷奶]|小[时孩学区狗猫心说组米]|大家|阿姨|毛病|程序|任[何务]|"
    r"万一|于是|余下|田里|董事|武汉|汤圆|龙井|顾客|向来|马拉松|林业|雷雨|钱包|孔子|石油|陆续|严重|安全|方便|何时|孟买|段落|秦朝|汉朝|元旦|常常)"
)


@cache
def _subject() -> re.Pattern[str]:
    kin, pets = either("zh_kin"), either("zh_pets")
    return re.compile(
        rf"(?:(?P<mine>(?:我们?|咱们?|俺|本人)(?:家|自己)?的?)(?P<kin>(?:[大小二三]|最[大小好]的|前|现任)?(?:{kin}|"
        rf"{pets}))(?!们?的?(?:话|店|所|房|公司|粮|砂))(?:(?:叫|名叫|名字叫|名字是|的名字是|"
        rf"的名字叫)(?P<called>[\u4e00-\u9fffA-Za-z·]{{1,12}})$|"
        rf"(?P<name>{either('surnames')}[\u4e00-\u9fff]{{1,2}}?(?=住|在|是|喜|爱|今|从|去|搬|对|也|会|,)|"
        rf"[A-Z][a-z]+))?(?:的(?P<property>[\u4e00-\u9fffA-Za-z]{{1,14}}?)(?=是|为|在|改|变|换|叫|有|最近|现在|:))?"
        rf"|(?P<own>(?:我们?|咱们?|本人)(?:家|公司|团队|组|"
        rf"部门)?的?(?:(?P<what>(?!(?:现在|目前|已经|如今|以前|曾经|一直|还|就|也|都|刚|又|终于|其实|不|才|只)(?!的))(?!.{{0,12}}[用开骑坐住吃喝读学做上教]的是)"
        rf"[\u4e00-\u9fffA-Za-z0-9 -]{{1,14}}?)(?=(?:现在|已经|还|一直|目前|就|不)?(?:是(?!个|一|"
        rf"在|因)|{CHANGED}|{_AT}|叫(?!我|他|她|你|外卖|车|了|醒|停)|(?:卖|售价){_N}|[跑监运部]\S{{0,2}}在\d|:|为[\d一二]|到期|"
        rf"有{_N}{{1,4}}[个名位]人|过期))|(?P<bare>房租|租金|工资|月薪|年薪|预算|月供|学费)(?={_N})))"
        rf"|(?P<theirs>{kin}|{pets})(?:的?名字)?(?=叫)"
        rf"|(?P<me>(?:我们|咱们|我|咱|俺|本人)(?:自己|这边|这里|公司|团队|组|部门|家里|家|们)?(?:的?(?:后端|前端|"
        rf"项目|系统|数据库|服务|团队|网站|产品|App|代码|仓库|服务器)(?=从|用|已经|现在|上周|都))?)"
        rf"|(?P<the>(?:新的?|现在的?|这个|那个)?(?:(?P<thing>[\u4e00-\u9fffA-Za-z0-9·. -]{{1,16}}?)(?=(?:已经|现在|还|"
        rf"就|又)?(?:是(?=[\d\u4e00-\u9fffA-Za-z]*)|{CHANGED}|{_AT}|"
        rf"(?:卖|售价){_N}|[跑监运部]\S{{0,2}}在\d|:))|(?P<priced>房租|租金|工资|月薪|年薪|预算|月供|学费)(?={_N})))"
        rf"|(?P<other>(?!{_NO_NAME}){either('surnames')}[\u4e00-\u9fff]{{1,2}}?(?=住|在|是|喜|不|今|去年|上周|上个|"
        rf"上月|昨天|前天|明天|下周|下个|刚|已经|从|有|搬|对|也|负责|管|会|最|"
        rf"用|来自|当|从|养|讨厌|爱|毕业)|[A-Z][A-Za-z]*(?=\s?[\u4e00-\u9fff]))"
        rf"|(?P<pronoun>[他她它]们?))\s*"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """Who a clause is about, how, and what follows."""

    subject: str
    shown: str
    """The subject as a sentence names it."""
    me: str = "用户"
    """How a sentence names the one who speaks."""
    first: bool = False
    """Whether it is the one who speaks."""
    property: str = ""
    """What of the subject is spoken of, if not the subject itself: 生日."""
    named: tuple[str, str] | None = None
    """A relation and the name it is given: (妹妹, 小雨)."""
    elided: bool = False
    """Whether no subject is said."""
    strict: bool = False
    """Whether nobody is said to own the property: "端口是…"."""
    before: str = ""
    """Times and adverbs before what follows."""
    rest: str = ""
    denied: bool = False
    future: bool = False
    once: bool = False
    """Whether it was so once: 以前, 曾经."""


def lead(text: str) -> int:
    """Return how many characters at the beginning of a clause only lead up to it."""
    found = _LEAD.match(text)
    return found.end() if found and found.end() < len(text) else 0


def heads(text: str, me: str, last: tuple[str, str] | None, *, elided: bool) -> Iterator[Head]:
    """Yield how the beginning of a clause can be understood, the likeliest first; as `english.heads`."""
    bare = text[lead(text) :]
    dropped = last if elided else None
    opening = ""
    if when := _WHEN.match(bare):
        opening, bare = when[0], bare[when.end() :]
    shown = "用户" if me == "user" else me
    if found := _subject().match(bare):
        for subject, name, prop, named, strict in _whom(found, me, shown, last):
            yield _head(
                shown,
                bare[found.end() :],
                opening,
                subject,
                name,
                prop,
                named,
                strict,
                first=subject == me and not prop,
            )
        if found["the"] and not opening.endswith("的"):
            yield _head(
                shown, bare, opening, *(dropped or (me, shown)), "", None, False, first=dropped is None, elided=True
            )
        return
    if opening.endswith("的"):
        return  # 今天的会议: what follows is no predicate
    yield _head(
        shown,
        bare,
        opening,
        *(dropped or (me, shown)),
        "",
        None,
        False,
        first=dropped is None or dropped[0] == me,
        elided=dropped is None,
    )


def _whom(
    found: re.Match[str], me: str, shown: str, last: tuple[str, str] | None
) -> Iterator[tuple[str, str, str, tuple[str, str] | None, bool]]:
    if found["kin"]:
        kin, name = found["kin"], found["called"] or found["name"]
        subject = name or f"{me}'s {kin}"
        yield subject, f"{shown}的{kin}" + (name or ""), found["property"] or "", (kin, name) if name else None, False
    elif found["own"]:
        own = found["what"] or found["bare"]
        yield me, f"{shown}{'' if own.startswith('最') else '的'}{own}", own, None, False
    elif found["theirs"]:
        yield f"{me}'s {found['theirs']}", f"{shown}的{found['theirs']}", "", None, False
    elif found["me"]:
        yield me, shown, "", None, False
    elif found["the"]:
        owner, _, thing = (found["thing"] or found["priced"]).rpartition("的")
        if not owner and re.fullmatch(either("zh_kin", "zh_pets"), thing):
            yield f"{me}'s {thing}", f"{shown}的{thing}", "", None, False
        else:
            yield owner or me, found["thing"] or found["priced"], thing, None, True
    elif found["other"]:
        yield found["other"], found["other"], "", None, False
    elif last and last[0] != me:
        yield last[0], last[1], "", None, False


def _head(
    me: str,
    text: str,
    opening: str,
    subject: str,
    shown: str,
    prop: str,
    named: tuple[str, str] | None,
    strict: bool,
    *,
    first: bool,
    elided: bool = False,
) -> Head:
    at, denied, future = 0, False, False
    while not prop:
        if found := _WHEN.match(text, at) or _ADVERBS.match(text, at):
            at = found.end()
        elif found := _NOT.match(text, at):
            denied, at = True, found.end()
        else:
            break
    if found := None if prop else _FUTURE.match(text, at):
        future = True
    before = opening + text[:at]
    return Head(
        subject=subject,
        shown=shown,
        me=me,
        first=first,
        property=prop,
        named=named,
        strict=strict,
        elided=elided,
        before=before,
        rest=text[at:].strip(),
        denied=denied,
        future=future,
        once=re.search(r"以前|曾经|原来|过去|之前$", before) is not None,
    )


def sentence(head: Head, rest: str) -> str:
    """Return what a head and what follows it say, as a sentence about a third person."""
    words = re.sub(r"[了啦呢哦啊呀吧嘛哈~]+$", lambda found: "了" if "了" in found[0] else "", rest.strip())
    return about(f"{head.shown}{head.before}{words}", head.me)


def about(words: str, me: str) -> str:
    """Return words as a sentence about the one who speaks: 我的车是红色的 as 用户的车是红色的。."""
    shown = "用户" if me == "user" else me
    return re.sub(r"我们|咱们|(?<!自)我", shown, words).strip(" ,。!") + "。"
