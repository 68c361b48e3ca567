"""Whether a turn asks for something, or only tells."""

import re

from hippograph.nodes.cue import cue
from hippograph.nodes.cues import ADVICE, EMOTION, QUESTION, QUOTED, REQUEST

ASKED = cue(
    "",
    "什么 哪 谁 吗 几 多少 怎[么样] 何时 是否 为何 区别",
    r"[?？]|^\W*(?:(?:and|so|ok|well|hey)\W+)?(?:what|which|who|whom|whose|when|where|why|how|do|does|did|is|are|was|"
    r"were|am|has|have|had|can|could|should|would|will)\b|\bwhat['’]?s\b",
    r"^\W*(?:write|draft|make|create|translate|compare|list|give|show|tell|explain|find|fix|summari[sz]e|calculate|"
    r"count|describe|name|draw|pick|choose|convert|classify|outline|generate|print|format|compose|solve|integrate|"
    r"simplify|define|rewrite|shorten|turn|put|extract|sort|flip|roll|pretend|act|imagine|be|role-?play|speak|say|"
    r"come\s+up|build|implement|answer|use|spell|sing)\b",
    r"^\W*(?:帮|请|写|列|翻译|解释|总结|比较|对比|把|将|用|介绍|说说|讲|画|找出|算|描述|来[一个段首]|输出|生成|做一?个|"
    r"概[括述]|给.{1,12}[写想起取列编]|给我|编|作|改写|换[个种]|缩短|提取|判断|转成|数一下|按.{1,6}排|化简|解方程|举|"
    r"根据|说[点个段]|抛|掷|计算|分析|罗列|出一?道|想一?[个句条])|(?:的做法|的区别)\W*$",
)
"""A question or a request, as opposed to something told."""

KEEP = cue(
    "remember remind note_that don't_forget bear_in_mind keep_in_mind for_the_record from_now_on",
    "记得 还记 记住 记一下 记下 提醒 别忘 以后",
)
"""Someone wants something kept or brought up."""

_OPENER = cue(
    "really right",
    "真的吗 是(?:吧|吗|不是) 对(?:吧|吗|不对) 好不好[呀啊]?(?=\\W*$) 你看",
    r"(?:you\s+know\s+what|guess\s+what|did\s+you\s+know|you\s+know|你(?:知道|猜)吗?|真的吗|是吧|对吧)(?:[?？]+\s*(?=\w))?",
)
"""Words that sound like a question and ask nothing."""

ERRAND = cue(
    "",
    "",
    r"^\W*(?:please\s+)?(?:update|book|add|schedule|set\s+up|send|order|cancel|call|change|move|prepare|open|start|"
    r"look\s+up|save|delete|remove|keep|continue|finish|improve|edit|review|put|note)\b",
    r"^\W*(?:请)?(?:订|预订|预约|安排|更新|取消|发给|发一|发个|准备一?下|加上|加到|查|打开|删|保存|修改|继续|接着|续写|"
    r"整理|检查)",
)
"""It wants something done for somebody."""

_FRAGMENT = 3
"""Most words, or Chinese characters, of a text that is no sentence."""
_HAPPENED = cue("i i'm we was is are did feel\\w* feeling", "了")


def asks(text: str) -> bool:
    """Tell whether a text asks for something, or for it to be kept, rather than only tells how somebody is or what was.

    A few words alone ("the second one", "mangrove") ask: nobody tells anything in so few.
    """
    bare = _OPENER.taken_out(QUOTED.taken_out(text)).strip()
    signs = (ASKED, QUESTION, REQUEST, ERRAND, ADVICE, KEEP)
    return any(sign.search(bare) for sign in signs) or (not EMOTION.search(bare) and _is_fragment(bare))


def _is_fragment(text: str) -> bool:
    return len(re.findall(r"[\u4e00-\u9fff]|[^\W\u4e00-\u9fff]+", text)) <= _FRAGMENT and not _HAPPENED.search(text)
