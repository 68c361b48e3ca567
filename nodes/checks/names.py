"""Whether the names of a sentence stand in its sources."""

import re
from collections.abc import Iterator

from hippograph.memory.proper import begins
from hippograph.nodes.checks.clauses import content, plain
from hippograph.nodes.checks.lexicon import after_names, base, no_names, starters

_LATIN = re.compile(r"[A-Za-zÀ-ɏ][\w'.+#-]*[\w+#]|[A-Z]")
_SURNAMES = (
    "王李张刘陈杨赵黄周吴徐孙胡朱林何郭马罗梁宋郑谢韩唐冯董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪"
    "姜范石姚谭廖邹熊陆郝孔崔邱秦顾侯邵孟龙段雷钱汤尹黎贺赖龚白"
)
NAMED = re.compile(rf"(?:[小老阿][\u4e00-\u9fff]|[{_SURNAMES}][\u4e00-\u9fff]{{1,2}})")
OF_TIME = frozenset(
    "january february march april may june july august september october november december "
    "jan feb mar apr jun jul aug sep sept oct nov dec monday tuesday wednesday thursday friday saturday sunday".split()
)
_NO_WORD = frozenset("i i'm i've i'd i'll ok okay am pm a.m p.m user users assistant".split())


def wrong(text: str, sources: str) -> str | None:
    """Return a name of a sentence that its sources do not have; None where there is none.

    What cannot be told apart from a name counts as one: a sentence turned away wrongly costs nothing but its wording.

    Args:
        text: The sentence.
        sources: What its sources say, and who says it.
    """
    text, sources = plain(text), plain(sources)
    known = {word.casefold() for word in _words(sources)}
    known |= {part for word in known for part in re.split(r"[-.]", word)}
    bases = {base(word) for word in known} | {*content(sources)}
    for word, first in _telling(text):
        low = word.casefold()
        if low not in known and not (low.isalpha() and base(low) in bases) and not (first and low in starters()):
            return word
    return _chinese(text, sources)


def _telling(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the words that may be names or that name one thing exactly, and whether each begins a sentence."""
    chinese = re.search(r"[\u4e00-\u9fff]", text) is not None
    for found in _LATIN.finditer(text):
        word = re.sub(r"'s$", "", found.group()).rstrip(".")
        low = word.casefold()
        if low in _NO_WORD or low in OF_TIME or (len(word) == 1 and low in "aio"):
            continue
        special = not word.islower() or re.search(r"[\d_.+#]|\w-\d", word)
        if special or (chinese and len(word) > 2):
            yield word, begins(text, found.start())


def _chinese(text: str, sources: str) -> str | None:
    for found in NAMED.finditer(text):
        pair, before = found.group()[:2], text[max(0, found.start() - 1) : found.start() + 1]
        if pair not in sources and pair not in no_names() and before not in after_names():
            return found.group()
    return None


def _words(text: str) -> list[str]:
    return [re.sub(r"'s$", "", word).rstrip(".") for word in _LATIN.findall(text)]
