"""LongMemEval: questions over the evidence sessions of all questions together (English, MIT).

The sessions come without the original haystack: each question's own evidence has to be found among that of all the
others. Every question sees the whole pool, whatever its date, because a haystack of its own past would leave early
questions with hardly anything to choose from. Questions without evidence are left out.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from hippograph.bench.sets import files
from hippograph.bench.sets.dataset import Dataset, Group, Pair, Question, one
from hippograph.memory.exchange.transfer import Told
from hippograph.memory.times import utc
from hippograph.state import Turn

POOL = "pool"
UPDATE = "knowledge-update"
Pool = dict[str, dict[str, Told]]
"""Session to its turns by their text."""


def read(path: Path) -> Dataset:
    """Read a file of questions with their evidence sessions, or the one `*.json` of a folder; one space for all."""
    asked = files.loaded(files.only(path, "*.json"))
    pool = _pool(asked)
    turns = [each for session in pool.values() for each in session.values()]
    told = sorted(turns, key=lambda each: utc(each.turn["said_at"]))
    questions = [_question(each, pool) for each in asked if any(found["turns"] for found in each["evidence_sessions"])]
    return Dataset(
        name="longmemeval",
        spaces={POOL: told},
        questions=questions,
        notes=("One pool of all questions' evidence sessions, no haystack; gold: a question's own turns.",),
    )


def _pool(asked: Sequence[Mapping[str, Any]]) -> Pool:
    """Return the turns of all sessions; questions that share a session may each bring some of its turns."""
    pool: Pool = {}
    for session, found in (each for question in asked for each in _sessions(question)):
        turns = pool.setdefault(session, {})
        for said in found["turns"]:
            said_at, id_ = date(found["date"]), f"{session}:{len(turns) + 1}"
            turn = Turn(role=said["role"], text=said["content"], said_at=said_at, id=id_)
            turns.setdefault(said["content"], Told(session, turn))
    return pool


def _sessions(asked: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    return list(zip(asked["answer_session_ids"], asked["evidence_sessions"], strict=True))


def date(written: str) -> datetime:
    """Read "2023/05/21 (Sun) 19:50"; taken as UTC."""
    day, _, time = written.split()
    return datetime.strptime(f"{day} {time}", "%Y/%m/%d %H:%M").replace(tzinfo=UTC)


def _question(asked: Mapping[str, Any], pool: Pool) -> Question:
    told = [(date(found["date"]), _own(pool[session], found)) for session, found in _sessions(asked) if found["turns"]]
    return Question(
        id=asked["question_id"],
        space=POOL,
        text=asked["question"],
        gold=tuple(one(id_) for _, ids in told for id_ in ids),
        sessions=tuple(_whole(pool[session]) for session, found in _sessions(asked) if found["turns"]),
        category=asked["question_type"],
        asked_at=date(asked["question_date"]),
        pairs=_pairs(told) if asked["question_type"] == UPDATE else (),
    )


def _whole(turns: Mapping[str, Told]) -> Group:
    return frozenset(each.turn["id"] for each in turns.values())


def _own(turns: Mapping[str, Told], found: Mapping[str, Any]) -> list[str]:
    """Return the ids of a question's own turns of a session."""
    return list(dict.fromkeys(turns[said["content"]].turn["id"] for said in found["turns"]))


def _pairs(told: list[tuple[datetime, list[str]]]) -> tuple[Pair, ...]:
    """Return what a knowledge update told twice, at two times, must keep apart; nothing where it is not that clear."""
    if len(told) != 2 or told[0][0] == told[1][0]:
        return ()
    older, newer = (frozenset(ids) for _, ids in sorted(told))
    return (Pair(newer=newer, older=older),)
