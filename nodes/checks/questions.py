"""What of a source only asks: nobody said that it is so.

A clause asks where its sentence ends in a question mark or in 吗 or 呢 and it is the last one, begins as questions do
("Are you …") or holds a word that only questions have; where the last one only wants a yes ("…, right?"), all do. One
with "whether", "asked if", 是否 or 是不是 asks wherever it stands.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from hippograph.nodes.checks.clauses import CUT, plain
from hippograph.state import Recollection

_PIECES = re.compile(f"({CUT.pattern})")
_END = re.compile(r"[.!?。！？\n]")
_MARK = re.compile(r"[?？]")
_PARTICLE = re.compile(r"[吗呢]\W*$|(?<!酒)吧\W*$")
_BEGINS = re.compile(
    r"^\W*(?:(?:so|and|but|or|well|oh|hey|ok|okay|then|also|by\s+the\s+way)\W+)*(?:am|is|are|was|were|do|does|did|have|has|had|"
    r"can|could|will|would|shall|should|may|might|must|isn't|aren't|wasn't|weren't|don't|doesn't|didn't|haven't|hasn't|can't|"
    r"couldn't|won't|wouldn't|shouldn't|who|whom|whose|what|what's|when|where|why|which|how)\b",
    re.IGNORECASE,
)
_WORD = re.compile(
    r"谁|什么|怎么|怎样|哪|几[个点时年月号岁]|多少|多[久大长远]|为何|(?P<a>[\u4e00-\u9fff])[不没](?P=a)|有没有"
)
_EMBEDDED = re.compile(
    r"\bwhether\b|\b(?:ask(?:s|ed|ing)?|wonder(?:s|ed|ing)?)\s+(?:\w+\s+){0,2}?(?:if|who|what|when|where|why|how)\b|"
    r"\b(?:know|sure|certain|check|checked|tell\s+me|see)\s+if\b|是否|(?:[问道确]|知道|清楚|看看).{0,4}(?:是不是|有没有|会不会|能不能)|"
    r"[问](?!题|候|卷|好|世)[^，。]*(?:吗|谁|什么|怎么|哪|多少)",
    re.IGNORECASE,
)
_TAG = re.compile(
    r"^\W*(?:right|correct|yes|no|ok|okay|huh|eh|is\s+that\s+(?:right|so|true)|(?:is|are|do|does|did|was|were|have|has|had|"
    r"will|would|can|could|should)(?:n't)?\s+(?:i|you|he|she|it|we|they|there)|对[吧吗]?|是[吧吗]|是不是|对不对|不是吗|没错吧)\W*$",
    re.IGNORECASE,
)
_TOPIC = re.compile(r"^\W*(?:my\s+\w+|我的?[\u4e00-\u9fff]{1,3})\W*$", re.IGNORECASE)
"""A question that only says what comes next: "My job? I am a nurse"."""
_TOLD = re.compile(
    r"\b(?:ask\w*|wonder\w*|whether|question\w*|want\w*\s+to\s+know|would\s+like\s+to\s+know|inquir\w*|enquir\w*|curious|unsure)\b|"
    r"[问询](?!候)|是否|想知道|想了解|好奇|咨询|不确定",
    re.IGNORECASE,
)


def tells_of_asking(text: str) -> bool:
    """Tell whether a sentence asks, or says that somebody does."""
    return bool(_MARK.search(text) or _PARTICLE.search(text) or _TOLD.search(text))


def answered(source: Recollection) -> Recollection:
    """Return a source without what only asks."""
    return replace(source, text=without(source.text))


def without(text: str) -> str:
    """Return a text without its clauses that only ask; one without any as it is."""
    said = [(piece, mark, asks) for sentence in _sentences(plain(text)) for piece, mark, asks in _marked(sentence)]
    if not any(asks for _, _, asks in said):
        return text
    return "".join("\n" if asks else f"{piece}{mark}" for piece, mark, asks in said).strip()


def _sentences(text: str) -> Iterator[list[tuple[str, str]]]:
    """Yield the clauses of each sentence, each with what stands between it and the next."""
    parts = [*_PIECES.split(text), ""]
    sentence: list[tuple[str, str]] = []
    for place in range(0, len(parts), 2):
        piece, mark = parts[place : place + 2]
        sentence.append((piece, mark))
        decimal = piece[-1:].isdigit() and "".join(parts[place + 2 : place + 3])[:1].isdigit()
        if _END.search(mark) and not decimal:
            yield sentence
            sentence = []
    yield sentence


def _marked(sentence: list[tuple[str, str]]) -> Iterator[tuple[str, str, bool]]:
    if len(sentence) == 1 and _TOPIC.match(sentence[0][0]):
        yield *sentence[0], False
        return
    said = [place for place, (piece, _) in enumerate(sentence) if piece.strip()]
    last = said[-1] if said else -1
    question = bool(said) and bool(_MARK.search(sentence[-1][1]) or _PARTICLE.search(sentence[last][0]))
    tag = question and bool(_TAG.search(sentence[last][0]))
    for place, (piece, mark) in enumerate(sentence):
        asks = question and (place == last or tag or bool(_BEGINS.search(piece) or _WORD.search(piece)))
        yield piece, mark, asks or bool(_EMBEDDED.search(piece))
