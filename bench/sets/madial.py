"""MADial-Bench: dialogues that should bring a memory to mind, though nobody asks for one (Chinese, MIT).

The query is what was said before the first turn that recalls (`test-turn`). The pool is the memories of both users:
that comes nearer to the published R@5 of BM25, .345, than the user's own memories do (ours .442 against .528; with
single characters as words .370 against .406).
"""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from hippograph.bench.sets import files
from hippograph.bench.sets.dataset import Dataset, Fact, Question, one

POOL, CHINESE = "pool", "ch"
LINE = re.compile(r'^<(?P<speaker>[^>]*)>:\s*"?(?P<said>.*?)"?\s*$', re.DOTALL)


def read(path: Path) -> Dataset:
    """Read the folder that holds `*-memory.json` and `*-dialogue.json`, or the one that has it as its `ch`."""
    folder = path / CHINESE if (path / CHINESE).is_dir() else path
    memories = {id_: memory for line in files.lines(_file(folder, "memory")) for id_, memory in line.items()}
    dialogues = files.lines(_file(folder, "dialogue"))
    return Dataset(
        name="madial",
        spaces={POOL: [_fact(id_, memory) for id_, memory in memories.items()]},
        questions=[question for each in dialogues if (question := _question(each, memories)).gold],
        level="memory",
        notes=("All users' memories in one pool; the query is what was said before the turn that recalls.",),
    )


def _file(folder: Path, what: str) -> Path:
    return files.only(folder, f"*-{what}.json")


def _fact(id_: str, memory: Mapping[str, Any]) -> Fact:
    said_at = datetime.fromisoformat(memory["time"]).replace(tzinfo=UTC)
    return Fact(id=id_, text=f"{memory['event']}（{memory['scene']}，{memory['emotion']}）", said_at=said_at)


def _question(found: Mapping[str, Any], memories: Mapping[str, Any]) -> Question:
    before = found["dialogue"][: found["test-turn"][0]]
    gold = [str(each) for each in dict.fromkeys(found["relevant-id"]) if str(each) in memories]
    return Question(
        id=str(found["id"]),
        space=POOL,
        text="\n".join(filter(None, map(spoken, before))),
        gold=tuple(map(one, gold)),
        category=str(memories[gold[0]]["scene"]) if gold else "",
    )


def spoken(line: str) -> str:
    """Return what a line of a dialogue says, and who; empty where it only marks the beginning."""
    match = LINE.match(line.strip())
    return f"{match['speaker']}: {match['said']}" if match else ""
