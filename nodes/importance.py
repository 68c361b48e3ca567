"""How much a sentence is worth keeping where little can be kept: Chinese and English, by signs, no model."""

import re
from functools import lru_cache

from hippograph.memory.proper import is_no_name, name, names
from hippograph.memory.tokens import identifiers
from hippograph.memory.upkeep.chitchat import says_nothing
from hippograph.nodes import asking, cues
from hippograph.nodes.cue import cue

TRIFLE, PLAIN, DETAIL, MATTER = range(4)
"""Weights. Trifle: courtesy, remarks on the weather. Plain: any other talk. Detail: a number, a date, a name. Matter: a
decision, a commitment, what somebody says of himself with a detail, a question that is still open."""

DECIDED = cue(
    r"decided? decision settled agreed chose chosen (?:we|i|let's|let_us)(?:'ll|_will)?_go(?:ing)?_(?:with|for) "
    r"we_will_use we'll_use (?:is|are)_final went_with picked booked bought signed final_choice cancel?led moved_to",
    "决定 定了 定下 定在 定为 说定 商定 选了 选定 敲定 确定 就用 就选 就定 改用 改成 改到 "
    "同意了 订了 订好 买了 签了 取消了",
)
"""Something was decided, or done for good."""

PROMISED = cue(
    r"(?:i|we)(?:'ll|_will|_am_going_to|'m_going_to|_shall|_must|_need_to|_have_to|_promised?) promised? deadline due "
    r"(?:will|must|has_to|have_to|needs?_to)_be_(?:ready|done|sent|finished) owes? remind_me don't_forget to_do todo "
    r"responsible_for in_charge_of",
    "我会 我们会 我得 我要去 必须 务必 答应 保证 承诺 负责 截止 最晚 提醒我 别忘 记得要 待办 约好 说好 打算",
)
"""Somebody committed himself, or has to do something by a time."""

DONE = cue(
    r"(?:is|are|it's|that's|i've|we've|all)_(?:now_)?(?:done|finished|solved|fixed|sorted|sent|over|complete[d]?) "
    r"(?:done|finished|solved|fixed)_(?:it|now) no_longer_needed",
    "搞定 弄好了 做完 完成了 结束了 解决了 修好 办好 写完 发出去了 不用再",
)
"""Something came to its end."""

_SMALL = cue(
    r"(?:nice|lovely|bad|good|great)_(?:weather|day|morning|evening) weather (?:it's|it_is)_(?:rain|snow|sunn|cold|hot|"
    r"warm)\w* how_are_you how's_it_going not_much just_(?:chatting|saying) bored",
    "天气 下雨 下雪 好热 好冷 真热 真冷 好困 好累 无聊 随便聊 聊聊天 没什么事 吃了吗 在干嘛",
)
_NUMBER = re.compile(
    r"\d|[一二两三四五六七八九十百千万]{2,}|"
    r"[一二两三四五六七八九十]+(?:点|个|块|元|岁|天|周|年|月|号|日|次|人)|"
    r"(?:周|星期|礼拜)[一二三四五六日天末]|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\b(?:january|february|march|"
    r"april|june|july|august|september|october|november|december|tomorrow|yesterday)\b|[明昨]天|后天|"
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|hundred|thousand|million)\b",
    re.IGNORECASE,
)
_SELF = re.compile(
    r"\b(?:i|we)(?:'m|\s+am|\s+was|'ve|\s+have|\s+had|\s+like|\s+love|\s+hate|\s+prefer|\s+live|\s+work|\s+own|"
    r"\s+can't|\s+cannot|\s+never|\s+always|\s+moved|\s+study|\s+speak|\s+play|\s+eat|\s+drink|\s+use|\s+need|\s+want|"
    r"\s+got|\s+just\s+\w+ed|\s+\w+ed)\b|\b(?:my|our)\s+(?!god\b|bad\b|pleasure\b)\w+|"
    r"我(?:们|家)?(?:是|有|叫|姓|住|在|喜欢|爱|讨厌|恨|不[吃喝喜能会要]|对|想|要|刚|把|给|从|跟|和|用|买|养|学|做|去|的)|[我咱]家|"
    r"我.{0,6}了",
    re.IGNORECASE,
)
_ECHO = cue(
    r"i(?:'ll|_will)_(?:remember|keep|note) noted (?:happy|glad|here)_to_help how_(?:can|may)_i_(?:help|assist) "
    r"let_me_know_if anything_else (?:thanks|thank_you)_for_(?:telling|sharing|letting)",
    "我(?:会|已经?)?记住 记下了 已记录 很高兴 还有什么 随时告诉我 有什么可以帮 谢谢你告诉",
)
"""An assistant's nod."""
_LONG = 2000


@lru_cache(maxsize=4096)
def answer_weight(text: str) -> int:
    """Return how much a sentence of an assistant's is worth keeping: what it says of itself is no matter."""
    text = text[:_LONG]
    if _is_courtesy(text) or _ECHO.search(text):
        return TRIFLE
    if not has_detail(text):
        return PLAIN
    return MATTER if DECIDED.search(text) or PROMISED.search(text) else DETAIL


@lru_cache(maxsize=4096)
def weight(text: str) -> int:
    """Return how much a sentence of a person's is worth keeping."""
    text = text[:_LONG]
    if _is_courtesy(text):
        return TRIFLE
    if DECIDED.search(text) or PROMISED.search(text) or asking.KEEP.search(text):
        return MATTER
    detailed = has_detail(text)
    if not is_question(text) and (_SELF.search(text) or (detailed and cues.OWN.search(text))):
        return PLAIN if _SMALL.search(text) and not detailed else MATTER
    if detailed:
        return DETAIL
    return TRIFLE if _SMALL.search(text) else PLAIN


def has_detail(text: str) -> bool:
    """Tell whether a text has a number, a date, an identifier or a name; of one that asks, only somebody's own name."""
    if _NUMBER.search(text) or name(text) or identifiers(text):
        return True
    return not is_question(text) and any(not is_no_name(each) for each in names(text))


def is_question(text: str) -> bool:
    """Tell whether a text asks."""
    return cues.QUESTION.search(text) is not None


def _is_courtesy(text: str) -> bool:
    return says_nothing(text) or any(each.match(text) for each in (cues.GREETING, cues.THANKS, cues.REMARK))
