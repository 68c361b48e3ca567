"""What Chinese clauses say that happened, or is going to."""

import re

from hippograph.memory.extraction.attributes import thing
from hippograph.memory.extraction.chinese import Head, sentence
from hippograph.memory.extraction.chinese_open import DATED
from hippograph.memory.extraction.found import Found

_PLAN = re.compile(
    r"(?P<w>打算|准备|计划|要|将要?|会(?=去|在|到|搬|参加|举办)|想要?|希望|决定|即将|马上要?|快要|约了|预约了|预订了|订了|报名了|得(?=[去交参做办]))(?P<v>.+)"
)
_GOAL = re.compile(r"想|希望")
_DONE = re.compile(
    r".*[\u4e00-\u9fff]了(?:[\u4e00-\u9fffA-Za-z0-9\"《“].*)?$|.*过.{1,}$|(?:参加|去|见|看|跑|完成|拿到|通过|"
    r"获得|开始|办|做|买|吃|收到|考上|发布|上线|搬|摔|生|到).{2,}$"
)
_NOTABLE = re.compile(
    r"(?:考上|考过|通过|获得|得了|拿到|拿了|完成|跑完|毕业|结婚|生了|出版|发布|上线|参加|报名|买了|拿下|晋升|升职|创办|创立|做了.{0,6}手术|摔断|搬|去过|爬|看完|读完|学会)"
)
_YOU = re.compile(r"你|您")


def plan(head: Head) -> Found | None:
    """Read what someone is going to do."""
    if head.denied or head.once or _YOU.search(head.rest) or not (found := _PLAN.match(head.rest)):
        return None
    dated = DATED.search(head.before + head.rest) is not None
    if head.elided and not dated:
        return None
    weak = found["w"] in ("要", "会", "想", "得", "将", "希望", "想要")
    if (
        len(found["v"]) < 2
        or found["v"][0] in "着起到过"
        or (weak and not dated and not re.match(r"(?:学|考|买|搬|去[\u4e00-\u9fff]{2,}|开|换|减|成为|创)", found["v"]))
        or re.match(r"(?:知道|问|说|看看|听|请|吃|睡|起床|回家)", found["v"])
    ):
        return None
    return _happening(head, "goal" if _GOAL.match(found["w"]) else "plan", found["v"], future=True)


def event(head: Head) -> Found | None:
    """Read what happened."""
    if head.denied or _YOU.search(head.rest) or len(head.rest) < 3 or not _DONE.match(head.rest):
        return None
    if re.match(r"(?:是|有|很|觉得|感觉|在想|想|搬家了?$)", head.rest):
        return None
    dated = DATED.search(head.before) is not None
    if re.search(r"后$|^完成后", head.rest) or (head.elided and not (dated and re.search("[了过]", head.rest))):
        return None
    return (
        _happening(head, "event", head.rest, future=re.search(r"[明后]天|下周|下个?月|明年", head.before) is not None)
        if dated or _NOTABLE.match(head.rest)
        else None
    )


def _happening(head: Head, word: str, value: str, *, future: bool) -> Found | None:
    value = re.sub(r"[啦呢哦啊呀吧嘛]+$", "", value).strip(" ,。")
    if not 2 <= len(value) <= 80:
        return None
    return Found(
        subject=head.subject,
        attribute=f"{word} {thing(value)}",
        value=value,
        text=sentence(head, head.rest),
        kind="event",
        future=future,
    )
