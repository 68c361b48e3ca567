"""Sentences cut into clauses: what each is about, and whether it says so or says the contrary."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hippograph.memory.tokens import STOP_WORDS, words
from hippograph.nodes.checks.lexicon import base
from hippograph.state import Recollection

ME = "user"
"""The word that stands for whoever says "I" to the assistant."""

_SPACED = re.compile(r"(?<=\d)\s+(?=[年月日号])|(?<=[年月])\s+(?=\d)")
CUT = re.compile(
    r"[.!?;:。！？；：\n]+|(?<!\d),|,(?!\s*\d)|[，]|\s[-–—]\s|[()（）]"
    r"|\b(?:but|because|although|though|while|whereas|however|so that|which|who)\b"
    r"|\band\s+(?=(?:i|we|he|she|they|it|you|my|his|her|their|the|there)\b)|\band\s+(?=[A-Z])"
    r"|但是|但|不过(?![敏期时去来关瘾])|因为|所以|而且|然而|可是|虽然|而(?![且是不])",
)
"""Where a clause ends."""
_FIRST = re.compile(r"\b(?:i|me|myself|i['’](?:m|ve|d|ll))\b", re.IGNORECASE)
_FIRST_ZH = re.compile(
    r"(?:我|俺|咱)(?![们家国校院司]|的|妈|爸|爷|奶|哥|姐|弟|妹|老[公婆]|儿|女|孩|朋|同|丈|妻|太|爱人|侄|舅|叔|姨|姑|表|堂)"
)
_NOT = re.compile(
    r"\b(?:not|never|no|none|nobody|nothing|neither|nor|without|cannot|hardly|unable|anymore|former(?:ly)?|refus\w+|"
    r"avoid\w*|cancel\w*|declin\w+|lack\w*|quit\w*|stop(?:s|ped|ping)?|used\s+to|gave\s+up|giv(?:es?|ing)\s+up|"
    r"forg[eo]t(?:s|ten|ting)?|neglect(?:s|ed)?\s+to|too\s+\w+\s+to|"
    r"(?:almost|nearly)(?!\s+(?:\d|a\b|an\b|the\b|all\b|every|always|half|there\b|daily|certain|two\b|three\b|ten\b|done\b))|"
    r"fail(?:s|ed)?\s+to|free\s+of|n['’]t)\b|n['’]t\b|any\s+more\b",
    re.IGNORECASE,
)
_NO_NOT = re.compile(
    r"\bnot\s+(?:only|just)\b|\bno\s+(?:doubt|problem|wonder|worries|matter|idea)\b|\bcan(?:no|['’])t\s+(?:wait|help)\b|"
    r"\bwhy\s+(?:not|don['’]t)\b|\b(?:or|if)\s+not\b|\bnothing\s+but\b|^\s*no\s*$|\b(?:isn|aren|don|doesn|didn|wasn|"
    r"haven|won)['’]t\s+(?:it|you|they|we|he|she|i)\s*$|\bbus\s+stop\b|\bstop(?:s|ped|ping)?\s+(?:by|at|in|over)\b",
    re.IGNORECASE,
)
_NOT_ZH = re.compile(
    r"不|没|无(?!论|疑|锡|限|线|聊|人机)|未(?!来|必|婚|知)|(?<![特分区性级告个离辨识差])别(?![人的墅致扭])|(?:并|决)?非(?!常|洲|遗|要)"
    r"|差一?点儿?(?=[\u4e00-\u9fff])|险些|几乎(?![每所全都是])|忘|来不及"
    r"|勿|戒(?![指律])|停止|停掉|停了|取消|拒绝|放弃|避免|以前|曾经?|从前|原来"
)
_NO_NOT_ZH = re.compile(
    r"不错|不但|不仅|不久|不管|不论|不只|不止|不断|不少|不同|不一样|不好意思|不客气|不得不|不然|不由|不知不觉|不见不散|差不多|要不|对不起|"
    r"了不起|说不定|好不容易|(?P<a>[\u4e00-\u9fff])不(?P=a)|有没有|没问题|没事|没准|没想到|没关系|[沉淹埋]没|不过(?![敏期时去来关瘾])|不用说|动不动|原来是|而不是"
)
_MAY = re.compile(
    r"\b(?:might|(?-i:may)(?!\s+\d)|maybe|perhaps|possibly|probably|consider(?:s|ed|ing)?|think(?:s|ing)?\s+(?:of|about)|plan(?:s|ned|"
    r"ning)?|want(?:s|ed)?|hop(?:e|es|ed|ing)|wish(?:es)?|would|if|could|intend\w*|dream\w*|try(?:ing)?|tried|going\s+to|will|shall|"
    r"thinks?|thought|believ(?:es?|ed)|suspect(?:s|ed)?|claim(?:s|ed)|guess(?:es|ed)?|assum(?:es?|ed)|suppos(?:ed|edly)|allegedly|"
    r"apparently|rumou?rs?|seem(?:s|ed)?|fear(?:s|ed)|doubt(?:s|ed)?|accus(?:es?|ed)|pretend(?:s|ed)?|imagin(?:es?|ed)|meant\s+to|"
    r"should|unsure|undecided|['’]d|['’]ll|need(?:s|ed)?\s+to|ought)\b",
    re.IGNORECASE,
)
_MAY_ZH = re.compile(
    r"可能|也许|或许|考虑|打算|想(?![念起到])|希望|计划|"
    r"认为|觉得|以为|怀疑|猜|据说|听说|传说|好像|似乎|声称|谎称|假装|担心|恐怕|估计|"
    r"如果|要是|准备|大概会|说不定|应该|可以|能(?![力量])|将|要(?![求不点\d])|会(?![议员计])|愿意|争取|即将"
)


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause."""

    text: str
    words: frozenset[str]
    """What it is about: bases of English words, Chinese characters and pairs; ME for "I"."""
    negated: bool
    """Whether it says that something is not, or no longer, so."""
    open: bool
    """Whether it tells a wish, a plan or a chance, or what somebody only thinks."""
    speaker: str = ME
    """What "I" stands for in it, as a word's base."""


def plain(text: str) -> str:
    """Return a text with one form for each character and quote, and no blanks in dates."""
    text = " ".join(unicodedata.normalize("NFKC", text).replace("’", "'").split())
    return _SPACED.sub("", text)


def clauses(text: str, speaker: str = ME) -> list[Clause]:
    """Return the clauses of a text.

    Args:
        text: What is said.
        speaker: What stands for "I".
    """
    return [_clause(part, speaker) for part in CUT.split(plain(text)) if part and part.strip()]


def told(sources: Sequence[Recollection]) -> list[Clause]:
    """Return the clauses of sources, whoever spoke standing for "I"."""
    return [clause for each in sources for clause in clauses(each.text, speaker_of(each))]


def speaker_of(source: Recollection) -> str:
    """Return what stands for "I" in a source: the user, or who else speaks."""
    if source.role in ("", "user", "tool"):
        return ME
    return source.speaker or source.role


def content(text: str) -> Iterator[str]:
    """Yield what a text is about: bases of English words, Chinese characters and pairs."""
    for word in words(text):
        if word not in STOP_WORDS:
            yield base(word)


def _clause(text: str, speaker: str) -> Clause:
    about = frozenset(content(text))
    if _FIRST.search(text) or _FIRST_ZH.search(text) or "用户" in text:
        about |= {base(speaker)}
    bare = _NO_NOT_ZH.sub(" ", _NO_NOT.sub(" ", text))
    negations = len(_NOT_ZH.findall(bare)) + len(_NOT.findall(bare))
    maybe = bool(_MAY.search(text) or _MAY_ZH.search(text))
    return Clause(text, about, negated=negations > 0, open=maybe, speaker=base(speaker))
