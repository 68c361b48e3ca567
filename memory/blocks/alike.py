"""Whether two questions ask for the same: what of their words must agree. Pure; Chinese and English.

Vectors alone do not tell: those of "Where does my sister live?" and "Where does my brother live?" are as near to each
other as those of many a pair that asks one thing in other words. So a question has a signature, in which wordings that
mean the same (`wordings.en.json`, `wordings.zh.json`) have become one, and only questions of one signature may share a
block.
"""

import json
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from importlib.resources import files

from hippograph.memory.dates.periods import windows
from hippograph.memory.language import language
from hippograph.memory.tokens import STOP_CHARACTERS, is_cjk, is_common, words

_SPACE = re.compile(r"\s+")
_ENDS = " \t\n.。!！?？…~～"


@dataclass(frozen=True, slots=True)
class _Wordings:
    """What of the words of one language means the same, and what tells questions apart."""

    fillers: re.Pattern[str]
    kinds: Sequence[tuple[str, re.Pattern[str]]]
    """What is asked for (when, where, …), each with the words that ask for it; the first that fits counts."""
    same: Sequence[tuple[str, re.Pattern[str]]]
    people: re.Pattern[str]
    no: re.Pattern[str]
    past: re.Pattern[str]
    not_past: re.Pattern[str]
    whether: re.Pattern[str]
    directed: re.Pattern[str]
    """Words with which it matters what stands before and what behind them."""
    today: re.Pattern[str]
    """Words whose meaning depends on the day."""


def normalised(query: str) -> str:
    """Return a question without what never matters: case, width, spacing, the mark at its end."""
    return _SPACE.sub(" ", unicodedata.normalize("NFKC", query).casefold()).strip(_ENDS)


def present(query: str, now: datetime) -> str:
    """Return what of the present a question depends on: the days it names, and the day itself where that matters."""
    days = [f"{each.start:%Y-%m-%d}/{each.end:%Y-%m-%d}" for each in windows(query, now)]
    if _wordings(language(query)).today.search(normalised(query)):
        days.append(f"{now:%Y-%m-%d}")
    return " ".join(days)


def signature(query: str) -> str:
    """Return what two questions must have in common to ask for the same: a text that is only compared."""
    lang = language(query)
    known = _wordings(lang)
    text = known.fillers.sub(" ", normalised(query))
    denied, directed = (bool(each.search(text)) for each in (known.no, known.directed))
    past = bool(known.past.search(text)) and not known.not_past.search(text)
    kind, text = _kind(text, known)
    for name, wording in known.same:
        text = wording.sub(f" {name} ", text)
    people = dict.fromkeys(found.lastgroup for found in known.people.finditer(text))
    said = _telling(known.people.sub(_placed if directed else _kept, text))
    if not directed:
        said = sorted({*said})
    return "|".join([lang, kind, f"{denied} {past}", " ".join(map(str, people)), *said])


def _kept(found: re.Match[str]) -> str:
    """Return what stays in a text of a word for a person: kin is also told by its word."""
    return found.group() if found.lastgroup == "kin" else " "


def _placed(found: re.Match[str]) -> str:
    """Return the same where it matters who stands where."""
    return found.group() if found.lastgroup == "kin" else f" person-{found.lastgroup} "


def _kind(text: str, known: _Wordings) -> tuple[str, str]:
    """Return what a question asks for, and its text without the words that say so."""
    for name, asking in known.kinds:
        if asking.search(text):
            return name, asking.sub(" ", text)
    return ("whether" if known.whether.search(text) else "what"), text


def _telling(text: str) -> list[str]:
    found = [each for each in words(text) if not is_common(each) and not (is_cjk(each) and len(each) > 1)]
    return [each for each in found if each not in STOP_CHARACTERS and each not in _EMPTY]


_EMPTY = frozenset("kind sort type 种 类 啦 吧 会 要 有 家 里 些 事 份 那 台 养 正".split())
"""Words that tell questions apart no better than those of `tokens.STOP_WORDS`."""


@cache
def _wordings(lang: str) -> _Wordings:
    read = json.loads(files("hippograph.memory.blocks").joinpath(f"wordings.{lang}.json").read_text("utf-8"))
    people = [f"(?P<{name}>{said})" for name, said in {**read["people"], "kin": read["kin"]}.items()]
    return _Wordings(
        fillers=re.compile("|".join(read["fillers"])),
        kinds=_compiled(read["kinds"]),
        same=_compiled(read["same"]),
        people=re.compile("|".join(people)),
        no=re.compile(read["not"]),
        past=re.compile(read["past"]),
        not_past=re.compile(read["not_past"]),
        whether=re.compile(read["whether"]),
        directed=re.compile(read["directed"]),
        today=re.compile(read["today"]),
    )


def _compiled(pairs: Iterable[tuple[str, str]]) -> list[tuple[str, re.Pattern[str]]]:
    return [(name, re.compile(said)) for name, said in pairs]
