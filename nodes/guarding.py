"""What stands between a memory and the prompt: markup in it is made harmless, orders in it are only quoted.

A memory is data, whoever wrote it: a document may hold a sentence meant for the assistant, and so may a turn. No model
is asked. Ordinary wishes ("always answer in French") are no orders of this kind and stay as they are.
"""

import re
from collections.abc import Mapping
from dataclasses import replace

from hippograph.memory.sentences import sentences
from hippograph.nodes import prompts
from hippograph.nodes.cue import Cue, cue
from hippograph.state import Recollection

_UNSEEN = re.compile(r"[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\U000e0000-\U000e007f]")
"""Characters that nobody sees and a model reads."""
_MARKUP = re.compile(
    r"<\s*[|｜][^|｜>\n]{0,40}[|｜]\s*>|</?s>|\[/?INST\]|<</?SYS>>|(?:```|~~~)+\w*|"
    r"</?\s*(?:system|user|assistant|human|instructions?|im_start|im_end|think(?:ing)?|tool_call|tool_response|"
    r"notes?|memor(?:y|ies)|context)\b[^>\n]{0,40}>|^#{1,6}\s*(?=(?:system|user|assistant|instructions?)\b)",
    re.IGNORECASE | re.MULTILINE,
)
"""Marks of chat templates, fences and tags that end or begin a part of a prompt."""
_ROLE = re.compile(
    r"(?P<before>^|[\n.!?。！？;；]\s*|[\"“(（]\s*)(?P<who>system|assistant|user|human|developer|tool|question|answer|"
    r"系统|助手|用户|开发者|管理员|问题|回答)(?P<what>\s*(?:prompt|message|note|提示词?|消息))?\s*[:：]",
    re.IGNORECASE,
)
"""A line of a conversation or a prompt."""
_LABEL = re.compile(r"\[(\d{1,3})\]")
"""What a note of the block begins with."""

ORDERS: Mapping[str, Cue] = {
    "tells the assistant to drop its instructions": cue(
        "jailbreak developer_mode you_are_now_(?:an?|the|called|in|free|no) you_are_no_longer",
        "越狱 开发者模式 你现在是(?:一个|一名|一只|坏|邪恶|没有|不受)",
        r"\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:instructions?|prompts?|rules|guidelines|directives)\b",
        r"\bnew\s+(?:system\s+)?(?:instructions?|rules?|prompts?)\s*[:：—]",
        r"(?:忽略|无视|忘掉|忘记|抛开|推翻|不要?理会|别管).{0,14}(?:指令|指示|提示词?|规则|设定)",
        r"新的?(?:系统)?(?:指令|规则|提示词?)\s*[:：—]",
    ),
    "tells the assistant what to answer": cue(
        "",
        "",
        r"\b(?:always|only|just|must|from\s+now\s+on|never|whatever)\b.{0,60}\b(?:answer|reply|respond|say|repeat|output|"
        r"print)\b.{0,40}(?:[\"“‘]|(?<!\w)'|\bthe\s+words?\b)",
        r"\b(?:do\s+not|don['’]t|never)\s+answer\s+(?:the\s+user|(?:(?:the|any|this|that|their)\s+)questions?)\b",
        r"\b(?:answer|reply|respond\s+to)\s+(?:every|all|any)\b.{0,30}\bwith\b|\bcorrect\s+answer\s+to\s+(?:every|all|any)\b",
        r"\b(?:end|begin|start)\s+(?:every|each|all|any)\s+(?:answer|reply|message|response)s?\s+with\b",
        r"(?:以后|今后|从现在|从今|不管|无论|始终|永远|一律|总是|每次|只能|必须|只|不要|改)[^。！]{0,30}(?:回答|回复|说|"
        r"输出|重复)[^。！]{0,10}[“\"「『‘]",
        r"\b(?:answer|reply|respond)\s+only\s+with\b|\bonly\s+(?:answer|reply|respond)\s+with\b",
        r"(?:不管|无论)(?:用户|他|她|别人|对方)?[^。！]{0,8}(?:问|说)[^。！]{0,8}(?:都|一律|只)(?:能|要|得)?(?:回答|回复|说)",
        r"(?:不要|别|不得|拒绝)回答[^。！]{0,8}(?:问题|用户)|所有问题的(?:正确)?答案",
    ),
    "speaks to the assistant": cue(
        "",
        "",
        r"\b(?:note|message|instructions?|attention|important)\s+(?:to|for)\s+(?:the\s+|all\s+|any\s+)?"
        r"(?:assistant|ai|model|bot|llm|chatbot|agent)s?\b",
        r"^\W*(?:dear\s+|hey\s+)?(?:assistant|ai|chatbot|bot)\s*[,，:：—]",
        r"\bthe\s+(?:assistant|ai|chatbot|model)\s+(?:must|should|shall|has\s+to)\b",
        r"(?:给|致|告)\s*(?:AI|人工智能|助手|机器人|模型)的?\s*(?:话|说明|指令|提示)",
        r"\bas\s+(?:the|an|a|my|this)\s+(?:assistant|ai|chatbot|model)\b[^.!?]{0,20}\byou\b",
        r"作为(?:一个|一名)?(?:AI|人工智能|助手|机器人|模型)[^。！？]{0,6}你(?:要|必须|应|得|只)",
        r"^\W*(?:助手|机器人|AI|人工智能)\s*[,，:：—]|(?:助手|机器人|AI|模型)你?(?:必须|应当|务必|不得)",
    ),
    "orders a payment, a secret or a link": cue(
        "",
        "",
        r"(?<!\bi\s)(?<!\bwe\s)\b(?:always|must|whenever|from\s+now\s+on|immediately|first)\b.{0,80}\b(?:send|transfer|"
        r"wire|pay|deposit)\b.{0,40}(?:\b(?:money|funds?|dollars?|euros?|yuan|bitcoin|crypto|account|iban)\b|[$€£])",
        r"\b(?:tell|ask|make|urge|get)\s+(?:them|the\s+user|users|him|her|everyone)\s+to\b.{0,60}(?:\b(?:password|"
        r"passcode|pin|card\s+number|click|visit|download|log\s?in)\b|https?://)",
        r"\b(?:reveal|leak|print|repeat|show|send)\b.{0,30}\b(?:system\s+prompt|api\s+keys?|credentials|passwords?)\b",
        r"\b(?:do\s+not|don['’]t|never)\s+(?:tell|inform|mention\s+(?:this|it)\s+to)\s+(?:the\s+user|them|anyone)\b",
        r"(?<!我)(?:以后|今后|从现在|一律|务必|必须|立即|马上)[^。！]{0,30}(?:转账|汇款|打钱|打款|付款|转[^。]{0,8}[元块钱])",
        r"^(?:\W|请|你|必须|务必|一定|要)*(?:永远|始终|总是|每次|一直|以后)(?:都)?(?:要|得|先)?[^。！我]{0,6}(?:把|将|给)[^。！]{0,20}(?:转(?:账|到|给|入)|汇|打)"
        r"(?:款|到|给|账)?",
        r"(?<!我)把(?:所有|全部)?[^。！]{0,8}(?:密码|密钥|验证码)[^。！]{0,6}(?:发|传|告诉|给)",
        r"(?:让|叫|要求|告诉)(?:他|她|他们|用户|对方)[^。！]{0,40}(?:密码|验证码|点击|打开|下载|https?://|登录)",
        r"(?:不要|别|不得|不准)告诉(?:用户|任何人)|(?<!勿)(?:泄露|说出|输出|发送)[^。！]{0,10}(?:系统提示|密码|密钥|验证码)",
    ),
}
"""What an order does, in words, and the signs of it in one sentence."""
_QUOTES = " \"'“”‘’「『（("
_MEANT_FOR_US = tuple(ORDERS)[:3]
"""Orders that make no sense but to an assistant; a contract may well say what must be paid."""


def plain(text: str) -> str:
    """Return a text without what looks like a part of a prompt: its words stay, its marks go."""
    text = _MARKUP.sub(" ", _UNSEEN.sub("", text))
    text = _ROLE.sub(lambda found: f"{found['before']}{found['who']}{found['what'] or ''} —", text)
    return _LABEL.sub(r"(\1)", text)


def order(text: str) -> str:
    """Return what a text orders the assistant to do, in words; empty where it orders nothing."""
    said = [text, *sentences(text)] if "\n" not in text else sentences(text)
    return next((what for what, signs in ORDERS.items() if any(signs.search(each) for each in said)), "")


def guarded(memory: Recollection, language: str) -> Recollection | None:
    """Return a memory as it may stand in a prompt: without markup, its orders marked as what somebody said.

    Of a sentence meant for the assistant only the beginning stays: a model that obeys it nevertheless has nothing to
    say. Of a document, or what a tool gave, it is left out: nobody asks for it.

    Args:
        memory: As it is kept.
        language: "zh" or "en", of the prompt.

    Returns:
        None where nothing is left.
    """
    foreign = memory.kind == "document" or memory.role == "tool"
    said = plain(memory.text)
    text = _without_orders(said, whole=foreign)
    if not text.strip(" …"):
        return None
    if order(text if foreign else said):
        text = prompts.load("quoted", language).format(text=" ".join(text.split()))
    return memory if text == memory.text else replace(memory, text=text)


def _without_orders(text: str, *, whole: bool) -> str:
    """Return a text with "…" in place of the sentences meant for the assistant, or of what they order."""
    kept: list[str] = []
    for each in sentences(text):
        found = [match for what in _MEANT_FOR_US if (match := ORDERS[what].search(each))]
        if not found:
            kept.append(each)
        elif not whole:
            kept.append(f"{each[: min(match.end() for match in found)].rstrip(_QUOTES)}…")
        elif kept[-1:] != ["…"]:
            kept.append("…")
    return text if kept == sentences(text) else " ".join(kept)
