"""LifeBench: one person's phone, a year of records, and questions about it (Chinese, Apache-2.0).

A record is one turn of the day it is from. `summarized_info`, which no phone has, is never indexed, nor are numbers
that only a machine reads. Only records up to the end of the month in which a question is asked may be found.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from hippograph.bench.sets import files
from hippograph.bench.sets.dataset import Dataset, Question
from hippograph.memory.exchange.transfer import Told
from hippograph.state import BadInput, Turn

HIDDEN = frozenset("summarized_info event_id phone_id type date datetime 日期 image_size jump_path action".split())
"""Fields that are not for reading, or that say the record's time, which its turn has."""
NAMES = {
    "agent_chat": "与助手的对话",
    "calendar": "日历",
    "call": "通话",
    "contact": "联系人",
    "fitness_health": "运动健康",
    "note": "笔记",
    "photo": "照片",
    "push": "通知",
    "sms": "短信",
}
"""How a record's kind is called in its text."""
NOTHING = ("", "无", "None")
AGAIN = "#"
"""Stands before the number of a record whose id another has."""
ASKED, MONTHS = "QA/QA_clean.json", "%Y-%m"


def read(path: Path) -> Dataset:
    """Read one user's folder, or a folder of users; a space per user."""
    users = [path] if (path / ASKED).is_file() else sorted(each.parents[1] for each in path.glob(f"*/{ASKED}"))
    if not users:
        raise BadInput(f"{path} holds no {ASKED}: give a LifeBench user's folder, or the folder of users, with --data.")
    spaces = {user.name: list(_records(user)) for user in users}
    questions = [question for user in users for question in _questions(user, spaces[user.name])]
    return Dataset(
        name="lifebench",
        spaces=spaces,
        questions=questions,
        level="record",
        notes=("Records up to the end of the month in which a question is asked; questions with evidence only.",),
    )


def _records(user: Path) -> Iterator[Told]:
    """Return all records as turns, the oldest first; several records of one id get numbers after it."""
    found = [
        (file.stem, record) for file in sorted((user / "phone_data").glob("*.json")) for record in files.loaded(file)
    ]
    times = [_time(record) for _, record in found]
    first = min(time for time in times if time is not None)
    dated = [(time or first, kind, record) for time, (kind, record) in zip(times, found, strict=True)]
    seen = Counter[str]()
    for time, kind, record in sorted(dated, key=lambda each: each[0]):
        id_ = f"{kind}:{record['phone_id']}"
        seen[id_] += 1
        name = id_ if seen[id_] == 1 else f"{id_}{AGAIN}{seen[id_]}"
        yield Told(f"{time:%Y-%m-%d}", Turn(role="user", text=readable(kind, record), said_at=time, id=name))


def readable(kind: str, record: Mapping[str, Any]) -> str:
    """Return a record as text: what it is, then its fields as they stand on the screen."""
    return f"{NAMES.get(kind, kind)}：{' '.join(_parts(record))}"


def _parts(value: object) -> Iterator[str]:
    if isinstance(value, Mapping):
        for name, each in value.items():
            parts = [] if name in HIDDEN else list(_parts(each))
            yield from ([f"{name} {parts[0]}"] if len(parts) == 1 and not name.isascii() else parts)
    elif isinstance(value, list):
        for each in value:
            yield from _parts(each)
    elif str(value).strip() not in NOTHING:
        yield str(value).strip()


def _time(record: Mapping[str, Any]) -> datetime | None:
    written = record.get("datetime") or record.get("date") or record.get("日期")
    return datetime.fromisoformat(written).replace(tzinfo=UTC) if written else None


def _questions(user: Path, told: list[Told]) -> Iterator[Question]:
    known = defaultdict[str, set[str]](set)
    for each in told:
        known[each.turn["id"].partition(AGAIN)[0]].add(each.turn["id"])
    for number, asked in enumerate(files.loaded(user / ASKED)):
        ids = dict.fromkeys(f"{each['type']}:{each['id']}" for each in asked.get("evidence") or [])
        gold = tuple(frozenset(known[id_]) for id_ in ids if id_ in known)
        if gold:
            end = month_end(asked["ask_time"])
            yield Question(
                id=f"{user.name}:{number}",
                space=user.name,
                text=asked["question"],
                gold=gold,
                category=asked["question_type"],
                asked_at=end,
                at=end,
            )


def month_end(month: str) -> datetime:
    """Return the last second of a month written "2025-02", in UTC."""
    start = datetime.strptime(month, MONTHS).replace(tzinfo=UTC)
    return (start + timedelta(days=32)).replace(day=1) - timedelta(seconds=1)
