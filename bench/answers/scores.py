"""What an answer is worth: LoCoMo's own F1, whether the gold answer is in it, whether it abstains."""

import re
import string
from collections import Counter
from dataclasses import dataclass

import snowballstemmer

from hippograph.bench.answers.abstaining import abstains
from hippograph.bench.answers.asked import Asked
from hippograph.bench.answers.containing import contains

MOST_WORDS, MOST_CHARACTERS = 60, 120
"""An answer's first so many words, or Chinese characters, are judged: repeating the whole context is no answer."""
MULTI_HOP, OPEN_DOMAIN = "1", "3"
"""Categories of LoCoMo."""
_PORTER = snowballstemmer.stemmer("porter")
_ARTICLES = re.compile(r"\b(?:a|an|the|and)\b")
_HAN = re.compile(r"[\u4e00-\u9fff]")
_WORD = re.compile(r"[\u4e00-\u9fff]|[^\s\u4e00-\u9fff]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """One answer, judged."""

    contained: bool
    """Whether the gold answer is in it; False where there is none."""
    f1: float
    """LoCoMo's token F1, 0 to 1; 0 where there is no gold answer."""
    abstained: bool


def judged(asked: Asked, answer: str) -> Scores:
    """Judge an answer; an answer that abstains is worth nothing else."""
    shown = shortened(answer)
    silent = abstains(shown)
    gold = asked.gold.split(";")[0].strip() if (asked.set, asked.category) == ("locomo", OPEN_DOMAIN) else asked.gold
    if not asked.answerable:
        return Scores(contained=False, f1=0.0, abstained=silent)
    several = (asked.set, asked.category) == ("locomo", MULTI_HOP)
    return Scores(
        contained=not silent and contains(shown, gold),
        f1=multiple_f1(shown, gold) if several else token_f1(shown, gold),
        abstained=silent,
    )


def shortened(answer: str) -> str:
    """Return the first 60 words of an answer, or 120 characters of a Chinese one."""
    most = MOST_CHARACTERS if len(_HAN.findall(answer)) > len(answer) / 4 else MOST_WORDS
    words = list(_WORD.finditer(answer))
    return answer if len(words) <= most else answer[: words[most - 1].end()]


def token_f1(answer: str, gold: str) -> float:
    """Return the harmonic mean of precision and recall of the stems, as LoCoMo counts it (task_eval/evaluation.py)."""
    said, meant = Counter(_tokens(answer)), Counter(_tokens(gold))
    shared = (said & meant).total()
    return 2 * shared / (said.total() + meant.total()) if shared else 0.0


def multiple_f1(answer: str, gold: str) -> float:
    """Return the mean over the gold's parts between commas of the best F1 of any part of the answer.

    That is how LoCoMo scores its multi-hop questions (task_eval/evaluation.py, `f1`).
    """
    parts = [part.strip() for part in answer.split(",")]
    golds = [part.strip() for part in gold.split(",")]
    return sum(max(token_f1(part, each) for part in parts) for each in golds) / len(golds)


def _tokens(text: str) -> list[str]:
    """Normalise as LoCoMo: no commas, small letters, no punctuation, no articles, Porter's stems.

    Chinese characters, which LoCoMo has none of, are tokens each.
    """
    text = text.replace(",", "").lower()
    text = "".join(character for character in text if character not in string.punctuation)
    words = _WORD.findall(_ARTICLES.sub(" ", text))
    return [str(_PORTER.stemWord(word)) for word in words if not _is_sign(word)]


def _is_sign(word: str) -> bool:
    return not any(character.isalnum() for character in word)
