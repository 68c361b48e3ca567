"""Turns that say nothing: thanks, greetings, nods and laughter, alone or one after the other, Chinese and English."""

import re

_EN = (
    "hi hello hey yo good_morning good_afternoon good_evening good_night goodnight morning bye goodbye see_you see_ya "
    "cheers thanks thank_you thank_you_so_much thank_you_very_much thanks_a_lot many_thanks thx ty ok okay k kk sure "
    "alright all_right right yeah yep yup yes no nope nah great cool nice awesome perfect wonderful lovely sounds_good "
    "got_it i_see noted fine wow oh ah hmm hm um uh well lol haha hahaha hehe you're_welcome you_are_welcome "
    "no_problem no_worries anytime never_mind nevermind take_care"
)
_ZH = (
    "你好 您好 大家好 嗨 哈喽 早 早安 早上好 中午好 下午好 晚上好 晚安 再见 拜拜 回见 谢谢 谢谢你 谢谢您 多谢 感谢 "
    "不客气 不用谢 没事 没关系 好 好的 好吧 好呀 好啊 行 行吧 可以 嗯 嗯嗯 哦 噢 喔 啊 是 是的 是啊 对 对的 对啊 "
    "没错 不是 知道了 明白 明白了 懂了 了解 收到 哈 哈哈 哈哈哈 嘿嘿 呵呵 嘻嘻 太好了 真好 不错 棒 太棒了 厉害 "
    "辛苦了 加油 的 了 呀 吧 呢 啦"
)
_PHRASES = "|".join(
    re.escape(each).replace("_", r"\s+") for each in sorted((*_EN.split(), *_ZH.split()), key=len, reverse=True)
)
# Each phrase is matched for good (atomic), so that a run of 哈哈哈 is split one way only.
_NOTHING = re.compile(
    rf"[\W_]*+(?:(?>{_PHRASES}|(?:ha|he|哈|嘿|呵)+)(?=\W|_|[\u4e00-\u9fff]|\Z)[\W_]*+)*+", re.IGNORECASE
)
MOST = 60
"""Characters; a longer text says something."""


def says_nothing(text: str) -> bool:
    """Tell whether a text is nothing but courtesy, nods, laughter and signs."""
    return len(text) <= MOST and _NOTHING.fullmatch(text.replace("’", "'")) is not None
