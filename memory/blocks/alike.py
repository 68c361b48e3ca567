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
from hippograph.memory.proper import is_no_name, names
from hippograph.memory.tokens import STOP_CHARACTERS, is_cjk, is_common, words

_SPACE = re.compile(r"\s+")
_OWNED = re.compile(r"['’]s?$")
_DAY = re.compile("周[一二三四五六日天末]")
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
    """Where it matters what stands before and what behind a word."""
    turning: frozenset[str]
    """Small words that say who does what to whom, where that matters."""
    modal: re.Pattern[str]
    """Whether a thing is, will be or should be."""
    object: re.Pattern[str]
    """Where a person, or what is asked for, is not the one who acts."""
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
    how = [*dict.fromkeys(found.lastgroup for found in known.modal.finditer(text))]
    how += ["acted on"] if known.object.search(text) else []
    kind, text = _kind(text, known)
    directed = directed or kind in _ORDERED
    for name, wording in known.same:
        text = wording.sub(f" {name} ", text)
    people = _people(text, query, known)
    said = _telling(known.people.sub(_placed if directed else _kept, text), known.turning if directed else frozenset())
    if not directed:
        said = sorted({*said})
    return "|".join([lang, kind, f"{denied} {past} {directed}", " ".join(map(str, how)), " ".join(people), *said])


def _people(text: str, query: str, known: _Wordings) -> list[str]:
    """Return the persons, kin and names of a question, in their order: it tells who does what to whom."""
    named = sorted(
        {_OWNED.sub("", normalised(each)) for each in names(query) if not _no_party(each)}, key=len, reverse=True
    )
    anyone = "|".join([known.people.pattern, *(rf"(?<![a-z]){re.escape(each)}(?![a-z])" for each in named)])
    found = [_party(each) for each in re.finditer(anyone, text)]
    return [each for each, before in zip(found, ["", *found], strict=False) if each != before]


def _no_party(name: str) -> bool:
    """Tell whether what looks like a name is a word of the language, a day or a month."""
    return is_no_name(name) or bool(_DAY.match(name))


def _party(found: re.Match[str]) -> str:
    return found.lastgroup if found.lastgroup and found.lastgroup != "kin" else found.group()


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
            return name, asking.sub(" asked-who " if name == "who" else " ", text)
    return ("whether" if known.whether.search(text) else "what"), text


def _telling(text: str, turning: frozenset[str]) -> list[str]:
    found = list[str]()
    for each in re.split(rf"({'|'.join(_bounded(turning))})", text) if turning else [text]:
        found += [each] if each in turning else _words(each)
    return found


def _words(text: str) -> list[str]:
    found = [each for each in words(text) if not is_common(each) and not (is_cjk(each) and len(each) > 1)]
    return [each for each in found if each not in STOP_CHARACTERS and each not in _EMPTY]


def _bounded(said: Iterable[str]) -> list[str]:
    return [each if is_cjk(each) else rf"\b{each}\b" for each in sorted(said)]


_ORDERED = frozenset({"who"})
"""What is asked for by the order of the words: "Who likes my mother?", "Who does my mother like?"."""
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
        turning=frozenset(read["turning"].split()),
        modal=re.compile("|".join(f"(?P<{name}>{said})" for name, said in read["modal"].items())),
        object=re.compile(read["object"]),
        today=re.compile(read["today"]),
    )


def _compiled(pairs: Iterable[tuple[str, str]]) -> list[tuple[str, re.Pattern[str]]]:
    return [(name, re.compile(said)) for name, said in pairs]
