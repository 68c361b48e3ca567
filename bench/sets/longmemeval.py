"""LongMemEval: questions over the evidence sessions of all questions together (English, MIT).

The sessions come without the original haystack: each question's own evidence has to be found among that of all the
others. Every question sees the whole pool, whatever its date, because a haystack of its own past would leave early
questions with hardly anything to choose from. Questions without evidence are left out.
"""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from hippograph.bench.sets import files
from hippograph.bench.sets.dataset import Dataset, Group, Pair, Question, one
from hippograph.memory.transfer import Told
from hippograph.state import Turn

POOL = "pool"
UPDATE = "knowledge-update"


def read(path: Path) -> Dataset:
    """Read a file of questions with their evidence sessions, or the one `*.json` of a folder; one space for all."""
    asked = files.loaded(files.only(path, "*.json"))
    sessions = {
        id_: session
        for each in asked
        for id_, session in zip(each["answer_session_ids"], each["evidence_sessions"], strict=True)
    }
    told = [turn for id_, session in sorted(sessions.items(), key=_when) for turn in _turns(id_, session)]
    ids = {id_: [turn.turn["id"] for turn in told if turn.thread == id_] for id_ in sessions}
    return Dataset(
        name="longmemeval",
        spaces={POOL: told},
        questions=[_question(each, ids) for each in asked if any(ids[id_] for id_ in each["answer_session_ids"])],
        notes=("One pool of all questions' evidence sessions, no haystack; gold: a question's own turns.",),
    )


def _when(session: tuple[str, Mapping[str, Any]]) -> datetime:
    return date(session[1]["date"])


def date(written: str) -> datetime:
    """Read "2023/05/21 (Sun) 19:50"; taken as UTC."""
    day, _, time = written.split()
    return datetime.strptime(f"{day} {time}", "%Y/%m/%d %H:%M").replace(tzinfo=UTC)


def _turns(session: str, found: Mapping[str, Any]) -> Iterator[Told]:
    for place, said in enumerate(found["turns"], 1):
        turn = Turn(role=said["role"], text=said["content"], said_at=date(found["date"]), id=f"{session}:{place}")
        yield Told(session, turn)


def _question(asked: Mapping[str, Any], ids: Mapping[str, list[str]]) -> Question:
    sessions = [frozenset(ids[id_]) for id_ in asked["answer_session_ids"] if ids[id_]]
    dates = [date(each["date"]) for each in asked["evidence_sessions"]]
    return Question(
        id=asked["question_id"],
        space=POOL,
        text=asked["question"],
        gold=tuple(one(id_) for session in asked["answer_session_ids"] for id_ in ids[session]),
        sessions=tuple(sessions),
        category=asked["question_type"],
        asked_at=date(asked["question_date"]),
        pairs=_pairs(sessions, dates) if asked["question_type"] == UPDATE else (),
    )


def _pairs(sessions: list[Group], dates: list[datetime]) -> tuple[Pair, ...]:
    """Return what a knowledge update told twice, on two days, must keep apart; nothing where it is not that clear."""
    if len(sessions) != 2 or len(set(dates)) != 2:
        return ()
    older, newer = (session for _, session in sorted(zip(dates, sessions, strict=True), key=lambda each: each[0]))
    return (Pair(newer=newer, older=older),)
