"""What an answer rests on: which notes bear out which of its sentences, what of it stands nowhere. No model is asked.

Numbers are compared by value ("twelve" is 12, 三千五 is 3500), months by their number, words by their stem.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from hippograph.memory import proper
from hippograph.memory.life.numerals import figures
from hippograph.memory.sentences import places
from hippograph.memory.tokens import is_common, words
from hippograph.nodes.checks.clauses import clauses
from hippograph.nodes.checks.negations import flipped
from hippograph.nodes.cue import cue

ABSTAINS = cue(
    "i(?:_am|['’]m)_not_sure i_(?:do_not|don['’]t|cannot|can['’]t)_(?:know|recall|remember|say|tell|find|have_(?:any|"
    "that|this|the|enough|a_record)) (?:no|any)_(?:information|record|mention)_(?:about|of|on|that) haven['’]t_told "
    "not_(?:mentioned|stated|in_the_notes|specified|provided)",
    "不知道 不清楚 不确定 不记得 (?:没有?|未|还没)(?:告诉|提到|提过|提及|说过|找到|记录|相关|这方面|任何) "
    "无法(?:回答|确定|提供|得知)",
)
"""The answer says that it does not know."""
ASKS_FIGURE = cue(
    "",
    "几 多少 什么时候 何时 哪年 哪天",
    r"^\W*(?:and\s+)?(?:when|since\s+when|how\s+(?:long|many|much|old|often|far)|what\s+(?:year|date|day|time)|"
    r"(?:in\s+)?which\s+(?:year|month|day))\b",
)
"""The question asks for a number or a time."""
BEARS = 0.5
"""Share of what a sentence says, as far as any note says it, from which one note bears it out."""
BESIDE = 0.8
"""Share of the best note's part from which another one is named beside it."""

_NUMBER = re.compile(r"\d+(?:[.,:/-]\d+)*")
_GROUPED = re.compile(r"(?<=\d),(?=\d{3}\b)")
_LABEL = re.compile(r"^\[\d+\]\s*", re.MULTILINE)
_MARKS = re.compile(r"\s?(?:\[\d{1,3}\])+")
_END = re.compile(r"[.!?。！？…\"”’」』）)]*$")
_HALF = re.compile(r"点半|\bhalf\s+past\b|时半", re.IGNORECASE)
_AFTERNOON = re.compile(r"\d\s*p\.?m\b|下午|晚上|傍晚|中午|\b(?:afternoon|evening|tonight|night)\b", re.IGNORECASE)
_MONTHS = "january february march april may june july august september october november december".split()
_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_TIMED = re.compile(
    rf"\b(?:{'|'.join(_MONTHS + _WEEKDAYS)}|spring|summer|autumn|fall|winter|yesterday|today|tomorrow|ago|last|next)\b"
    r"|[一二三四五六七八九十两半几][天年月周日个点岁]|周[一二三四五六日末]|[春夏秋冬][天季]|[昨今明前去][天年]|上周|下周",
    re.IGNORECASE,
)
"""A time that has no figure."""
_NAME = re.compile(r"(?<![.!?:。！？\"“‘(]\s)(?<!^)(?<![\w'’-])[A-Z][\w'’-]*[a-z][\w'’-]*")
_TITLE = re.compile(r"《([^》]+)》|「([^」]+)」")
_LATIN_IN_CHINESE = re.compile(r"(?<![A-Za-z])[A-Z][A-Za-z]+(?![A-Za-z])")
_FEW = (0.0, 1.0)
"""Numbers that are words: "one of them", 一下."""


@dataclass(frozen=True, slots=True)
class Said:
    """A text, taken apart."""

    text: str
    numbers: dict[float, str]
    """Each number and how it is written."""
    words: frozenset[str]
    """Its telling words, stemmed."""


@dataclass(frozen=True, kw_only=True)
class Grounds:
    """What an answer may rest on."""

    notes: Sequence[str]
    """The lines of the block as they stood in the prompt."""
    question: str
    shown: Sequence[str]
    """What the prompt showed of the conversation."""
    now: datetime

    @cached_property
    def told(self) -> Said:
        """The notes, taken apart, without their numbers."""
        return said(_LABEL.sub("", "\n".join(self.notes)))

    @cached_property
    def all(self) -> Said:
        """All that the model was shown: notes, question, conversation, the day."""
        day = f"{self.now:%Y-%m-%d} {_WEEKDAYS[self.now.weekday()]}"
        return said("\n".join([self.told.text, self.question, *self.shown, day]))

    def unfounded(self, answer: str) -> list[str]:
        """Return the numbers, dates and names of an answer that stand in nothing the model was shown, as written."""
        mine, known = said(answer), self._known_numbers
        folded = self.all.text.casefold()
        wrong = [shown for value, shown in mine.numbers.items() if value not in known and value not in _FEW]
        return [*wrong, *(name for name in names(answer) if not _is_known(name, folded, known))]

    def coverage(self, answer: str) -> float:
        """Return how much of what an answer says beyond the question the notes or the conversation say, in [0, 1].

        An answer that says nothing beyond the question ("yes") is measured by all its words.
        """
        new = self._new(answer)
        known = self.told.words | frozenset[str]().union(*(said(text).words for text in self.shown))
        return len(new & known) / len(new) if new else 0.0

    def fit(self, answer: str) -> float:
        """Return how far one note alone says both what an answer says and what was asked about, in [0, 1]."""
        new, asked = self._new(answer), said(self.question).words
        if not new:
            return 0.0
        told = [said(_LABEL.sub("", text)).words for text in (*self.notes, *self.shown)]
        shares = (len(new & each) / len(new) * (len(asked & each) / len(asked) if asked else 1.0) for each in told)
        return max(shares, default=0.0)

    def misses_figure(self, answer: str) -> bool:
        """Tell whether a number or a time was asked for, and the answer has none."""
        return ASKS_FIGURE.search(self.question) is not None and not (said(answer).numbers or _TIMED.search(answer))

    def contradicts(self, answer: str) -> bool:
        """Tell whether an answer denies what a note says, or says what one denies."""
        notes = [clause for note in self.notes for clause in clauses(_LABEL.sub("", note))]
        return flipped(clauses(answer), notes) if notes else False

    def bearing(self, sentence: str) -> list[int]:
        """Return the numbers of the notes that bear out a sentence, the best first; none where none does.

        A word counts the more the fewer notes have it: what all of them say tells them not apart.
        """
        if ABSTAINS.search(sentence):
            return []
        mine, notes = said(sentence), [said(_LABEL.sub("", note)) for note in self.notes]
        held = Counter(word for note in notes for word in note.words)
        weights = {word: 1 / held[word] for word in mine.words if word in held}
        figures_ = {value for value in mine.numbers if any(value in note.numbers for note in notes)} - {*_FEW}
        shares = {
            number: sum(weights[word] for word in note.words & weights.keys()) + len(figures_ & note.numbers.keys())
            for number, note in enumerate(notes, start=1)
        }
        whole = sum(weights.values()) + len(figures_)
        best = max(shares.values(), default=0.0)
        if not whole or best < BEARS * whole or len(weights) < len(mine.words) * BEARS / 2:
            return []
        return sorted((n for n, part in shares.items() if part >= BESIDE * best), key=lambda n: (-shares[n], n))

    def _new(self, answer: str) -> set[str]:
        """Return the words of an answer that do not stand in the question; all of them where there are none."""
        mine = said(answer)
        asked = said(self.question).words
        return {word for word in mine.words - asked if not is_common(word)} or {*mine.words}

    @cached_property
    def _known_numbers(self) -> set[float]:
        text, known = self.all.text, {*self.all.numbers}
        if _HALF.search(text):
            known.add(30.0)
        if _AFTERNOON.search(text):
            known |= {hour + 12 for hour in known if 1 <= hour < 12}
        return known | {hour - 12 for hour in known if 13 <= hour < 24}


def said(text: str) -> Said:
    """Take a text apart."""
    plain = figures(_GROUPED.sub("", text.casefold()))
    numbers = {value: shown for shown in _NUMBER.findall(plain) for value in _values(shown)}
    return Said(text, numbers, frozenset(words(text)))


def names(text: str) -> list[str]:
    """Return what is surely a name: capitals inside an English sentence, Latin in a Chinese one, titles, people."""
    chinese = re.search(r"[\u4e00-\u9fff]", text) is not None
    found = (_LATIN_IN_CHINESE if chinese else _NAME).findall(text)
    titles = [one or other for one, other in _TITLE.findall(text)]
    people = [each.group() for each in proper.CHINESE.finditer(text)]
    return [*dict.fromkeys([*(re.sub(r"['’]s$", "", each) for each in found), *titles, *people])]


def cite(answer: str, grounds: Grounds) -> tuple[str, list[int]]:
    """Return an answer with the numbers of the notes behind each of its sentences, and all these numbers."""
    bare, told, at, all_ = uncited(answer), "", 0, dict[int, None]()
    for start, end in places(bare, 0, len(bare)):
        sentence = bare[start:end]
        numbers = sorted(grounds.bearing(sentence))
        all_ |= dict.fromkeys(numbers)
        if numbers:
            stop = _END.search(sentence)
            cut = start + (stop.start() if stop else len(sentence))
            told, at = f"{told}{bare[at:cut]}{_shown(numbers, sentence)}", cut
    return told + bare[at:], sorted(all_)


def uncited(text: str) -> str:
    """Return a text without the numbers of notes."""
    return _MARKS.sub("", text)


def _shown(numbers: Iterable[int], sentence: str) -> str:
    marks = "".join(f"[{number}]" for number in numbers)
    return marks if re.search(r"[\u4e00-\u9fff]", sentence) else f" {marks}"


def _values(number: str) -> list[float]:
    """Return the number a text stands for, or those of a date or a time of day."""
    try:
        return [float(number)]
    except ValueError:
        return [float(part) for part in re.split(r"\D", number)]


def _is_known(name: str, shown: str, numbers: set[float]) -> bool:
    low = name.casefold()
    if low in _MONTHS and float(_MONTHS.index(low) + 1) in numbers:
        return True
    han = "\u4e00" <= low[0] <= "\u9fff"  # a name without its title: 张三 of 张三先生
    return low in _WEEKDAYS or low in shown or (low[:2] if han else low.rstrip("s")) in shown
