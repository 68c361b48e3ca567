"""Texts that are handed over to be worked on: what stands in them is not about the one who asks."""

import re

from hippograph.nodes.cue import Cue
from hippograph.nodes.cues import QUOTED

_TEXT_WORK = (
    r"(?:(?:can|could|would)\s+you\s+|please\s+)*(?:(?:translat\w*|summari[sz]e|rewrite|rephrase|paraphrase|proofread|"
    r"shorten|simplify)\b|(?:correct|fix|edit|extract|classify|convert|sort|count|improve|format|answer|complete|"
    r"continue|polish|expand|analy[sz]e|explain)\s+(?:all\s+)?(?:the|these|this|it|from)\b|(?:turn|put|make|"
    r"give)\s+(?:this|it|these|the\s+following)\b|is\s+this\b|find\s+(?:the|all|any)\s+(?:bugs?|errors?|mistakes?|typos?)\b|what\s+is\s+the\s+(?:tone|sentiment|language)\b|"
    r"which\s+of\s+the(?:se)?\b)"
)
_TEXT_WORK_ZH = (
    "翻译|译成|总结|概括|改写|改一?下|改得|改成|润色|校对|缩短|提取|判断|转成|转换|排序|数一?下|标题|换[个种]说法|语气|"
    "根据(?:短文|文章|下文|材料|下面|以下)|病句|语病|这句话|这段|下面|以下|扩写|续写|精简|分析|归类|分类|找出|填空"
)
GIVEN = Cue(
    rf"^(?P<head>\W*{_TEXT_WORK}[^:\n]{{0,80}}|"
    rf"[^：:\n]{{0,30}}(?:{_TEXT_WORK_ZH})[^：:\n]{{0,30}})[:：\n]\s*(?P<given>.{{6,}})$",
    re.IGNORECASE | re.DOTALL,
)
"""A text that is handed over to be worked on, after what is to be done with it."""
_WORKED_ON = Cue(rf"^\W*{_TEXT_WORK}")


def without_given(text: str) -> str:
    """Return what is to be done, without the text that is to be worked on."""
    if found := GIVEN.match(text):
        return found["head"]
    return QUOTED.taken_out(text) if _WORKED_ON.match(text) else text
