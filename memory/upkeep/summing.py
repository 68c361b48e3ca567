"""The text of a summary: dated lines, each with the numbers of the sources it rests on."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row

from hippograph.memory.sentences import sentences
from hippograph.memory.tokens import words
from hippograph.state import Recollection

LINE = 200
"""Most characters of a memory's own words in a line."""
_HEAD = {"en": "{about}: {count} memories, {first} to {last}.", "zh": "{about}：{count}条记忆，{first}至{last}。"}
_ABOUT = {"en": "One topic", "zh": "同一话题"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A sentence of a summary, and the ids of the memories that bear it out."""

    text: str
    memories: tuple[str, ...]


def own_words(members: Sequence[Recollection], topic: str) -> list[Line]:
    """Return for each memory its sentence that says most of the topic, shortened where it is very long."""
    common = Counter(word for each in members for word in {*words(each.text)})
    asked = {*words(topic)} | {word for word, count in common.items() if count > 1}
    lines = dict[str, Line]()
    for each in members:
        pieces = sentences(each.text) or [each.text]
        best = max(pieces, key=lambda piece: len(asked & {*words(piece)}))
        text = best if len(best) <= LINE else f"{best[: LINE - 1]}…"
        before = lines.get(text)
        lines[text] = Line(text=text, memories=(*(before.memories if before else ()), each.id))
    return [*lines.values()]


def written(
    lines: Sequence[Line],
    members: Sequence[Recollection],
    cited: Mapping[str, Sequence[int]],
    topic: str,
    language: str,
) -> str:
    """Return the summary's text: what it is of, then a line for each sentence.

    Args:
        lines: What it says; empty: the text is empty too.
        members: All memories that go into it, oldest first.
        cited: Id of a member to the numbers of its sources, from 1.
        topic: What it is about, in words.
        language: "zh" or "en".
    """
    said = {each.id: each.said_at for each in members}
    shown = [_line(line, said, cited) for line in lines if line.text.strip()]
    if not shown:
        return ""
    first, last = (f"{each.said_at:%Y-%m-%d}" for each in (members[0], members[-1]))
    about = topic or _ABOUT[language]
    return "\n".join([_HEAD[language].format(about=about, count=len(members), first=first, last=last), *shown])


def topic_of(rows: Sequence[Row[Any]]) -> str:
    """Return what memories of one group are about: their subject, then their topic or the name most of them share."""
    subject = rows[0].subject or ""
    names = Counter(each for row in rows for each in dict.fromkeys(row.entities or ()) if each != subject)
    shared = next((name for name, count in names.most_common(1) if count > 1), "")
    attribute = rows[0].attribute if len({row.attribute for row in rows}) == 1 else ""
    return ", ".join(part for part in (subject, rows[0].topic or shared or attribute) if part)


def _line(line: Line, said: Mapping[str, Any], cited: Mapping[str, Sequence[int]]) -> str:
    numbers = sorted({number for id_ in line.memories for number in cited[id_]})
    day = max(said[id_] for id_ in line.memories)
    return f"- {day:%Y-%m-%d}: {line.text} {''.join(f'[{number}]' for number in numbers)}"
