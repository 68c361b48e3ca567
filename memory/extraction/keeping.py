"""What is to be kept as it was said: ways of doing things, and what someone wants remembered."""

import re
from collections.abc import Iterator

from hippograph.memory.extraction import chinese, chinese_facts, english_facts, english_wording
from hippograph.memory.extraction.attributes import thing
from hippograph.memory.extraction.clauses import Clause, sentences
from hippograph.memory.extraction.found import Found
from hippograph.memory.language import language

_HOW_EN = re.compile(
    r"(?:(?:and|also|please|so|oh|btw|by the way|reminder|rule|note|from now on|in (?:the )?future|"
    r"going forward)[,:]?\s+)*(?:(?:you|we|i)\s+(?:should\s+|must\s+|have to\s+|need to\s+)?)?"
    r"(?:(?:always|never)\s+(?!mind|heard|been|thought|knew|know|again|seen|had|ever|wanted|got|liked|loved|"
    r"forget|want|like|love|felt|feel)[a-z]+(?:ed)?\b.*|make sure (?:to|that|you|we)\b.*|be sure to\b.*|"
    r"(?:before|after|whenever|every time|each time|when|if)\b.{4,80}?,\s*(?:then\s+|please\s+)?(?:always\s+|"
    r"never\s+|first\s+|don't\s+|do not\s+|make sure\s+|we (?:always|never|first)\s+|i (?:always|never|"
    r"first)\s+|you (?:should|must|need to)\s+).*|"
    r"(?:i'd like|i would like|i want|i need) you to (?:always|never|only|please|use|answer|reply|respond|"
    r"write|keep)\b.*|"
    r"don't ever\b.*|(?:we|i) (?:always|never) .{3,120}? (?:before|after|with|by|when|unless)\b.*)$",
    re.IGNORECASE,
)
_FROM_NOW = re.compile(r"(?:from now on|in future|going forward|in the future)[,:]?\s+(?P<v>.{8,})", re.IGNORECASE)
_HOW_ZH = re.compile(
    r"(?:请|注意|规则|以后|今后|从现在起|从今天起|另外|还有|记住|我们|咱们|我|你|大家)*[,:]?(?:每次|每回|每当|"
    r"凡是|每逢|只要).{2,40}?(?:先|都要|必须|一定要|务必|再|不要|别|得先|都得).*|"
    r".{2,30}?(?:之前|以前|前|的时候|时|之后|后)[,]?(?:一定|必须|务必|要先|都要|得先|先|不要|别|都得|总是|"
    r"千万).{2,}|(?:请|麻烦你?)?(?:以后|今后|从现在起|从今天起|从现在开始)[,]?(?!我|想|可能|叫我)(?:请|都|回答|要|用|不要|别|"
    r"一律|必须|每).{2,}|(?:务必|千万|一定要|绝对不要|切记|永远不要|始终).{3,}"
)
_KEEP = re.compile(
    r"(?:please\s+|hey,?\s+|also,?\s+|oh,?\s+|and\s+|ok,?\s+)*(?:(?:can|could) you\s+)?(?:remember|note|"
    r"keep in mind|bear in mind|don't forget|do not forget|for the record|fyi|for your information|"
    r"make a note|take note|"
    r"i (?:want|need|'d like) you to remember)(?:\s*[,:]\s*|\s+that\s+|\s+this\s*:\s*|\s+(?=(?:my|our|the|i|"
    r"we|i'm|i've)\b))(?P<v>.+)",
    re.IGNORECASE,
)
_KEEP_ZH = re.compile(
    r"(?:请|你|帮我|麻烦|你要|你得|一定要|好的|对了|还有|[,。])*(?:记住|记一下|记下来?|记得|记好|别忘了?|"
    r"不要忘了?|备忘|记录一下|提醒一下)(?:一下|了|这个|这件事|这点)?[,:\s]*(?P<v>.+)"
)
_RECALL = re.compile(
    r"(?:when|how|what|where|who|why|if|the (?:time|day|movie|song)|to\b|you|吗|什么|谁|哪|我们?(?:上次|之前|"
    r"说过)|上次|那次|吃药|早点|休息|带|多|关|锁|喝水|要)",
    re.IGNORECASE,
)
_ASKS = re.compile(r"\?\s*$|[吗么呢]\W*$")


def kept(text: str, me: str) -> Iterator[tuple[Clause, Found]]:
    """Yield the sentences that say how something is done, or ask to be remembered and tell nothing the rules read."""
    for number, (start, end) in enumerate(sentences(text)):
        said = text[start:end]
        if not said or _ASKS.search(text[start : end + 2]):
            continue
        spoken = language(said)
        found = _procedure(said, me, spoken) or _remembered(said, me, spoken)
        if found:
            yield Clause(said, start, number, spoken), found


def _procedure(said: str, me: str, spoken: str) -> Found | None:
    match = (_HOW_ZH if spoken == "zh" else _HOW_EN).match(said) or (spoken == "en" and _FROM_NOW.match(said)) or None
    if (
        not match
        or len(said) > 300
        or re.search(
            r"(?:如果我|我(?:觉得|喜欢)|小时候|曾经|天气)|\bwhen i was\b|\bif i (?:were|was|had|lived)\b|\bwould\b",
            said,
            re.IGNORECASE,
        )
    ):
        return None
    said = said.strip(" ,.。!;")
    text = said + ("。" if spoken == "zh" else ".")
    text = text[0].upper() + text[1:]
    return Found(
        subject=me,
        attribute=f"procedure {thing(said)}",
        value=said,
        text=text,
        kind="procedure",
        importance=0.7,
        confidence=0.85,
    )


def _remembered(said: str, me: str, spoken: str) -> Found | None:
    match = (_KEEP_ZH if spoken == "zh" else _KEEP).match(said)
    if not match or _RECALL.match(match["v"]) or len(match["v"]) < 4:
        return None
    value = match["v"].strip(" ,.。!")
    read = chinese_facts.read if spoken == "zh" else english_facts.read
    if any(read(part, me, None)[0] for part in re.split(r"[,;，；]", value)):
        return None  # the rules tell it better
    text = chinese.about(value, me) if spoken == "zh" else english_wording.about(value, me)
    return Found(subject=me, attribute=f"note {thing(value)}", value=value, text=text, importance=0.8)
