"""AutoMemoryBench: updates, deletions and scopes in made-up workspaces (English, Apache-2.0).

A space per case. Required memories count as R@k, forbidden ones (superseded, deleted, sensitive, of another workspace)
as the share of them in the top k. In update probes the new value has to rank above every stale one.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hippograph.bench.sets import files
from hippograph.bench.sets.dataset import Dataset, Group, Pair, Question
from hippograph.memory.times import utc
from hippograph.memory.transfer import Told
from hippograph.state import BadInput, Turn

UPDATE = "update_probe"


def read(path: Path) -> Dataset:
    """Read a domain's file, or all files with cases in a folder."""
    found = [files.loaded(file) for file in ([path] if path.is_file() else sorted(path.glob("*.json")))]
    cases = [case for each in found for case in each.get("cases", [])]
    if not cases:
        raise BadInput(f"{path} holds no cases: give an AutoMemoryBench file or folder with --data.")
    return Dataset(
        name="automemory",
        spaces={case["case_id"]: list(_turns(case)) for case in cases},
        questions=[question for case in cases for question in _questions(case)],
        notes=("Required memories stand for the turns they come from; nothing is deleted or superseded beforehand.",),
    )


def _turns(case: Mapping[str, Any]) -> Iterator[Told]:
    for session in case["sessions"]:
        for said in session["turns"]:
            turn = Turn(role=said["role"], text=said["content"], said_at=utc(session["timestamp"]), id=said["turn_id"])
            yield Told(session["session_id"], turn)


def _questions(case: Mapping[str, Any]) -> Iterator[Question]:
    sources = {each["memory_id"]: frozenset(each["source_turn_ids"]) for each in case["gold_memory_units"]}
    stale = {each["memory_id"]: each["update_of"] for each in case["gold_memory_units"] if each["update_of"]}
    for asked in case["queries"]:
        gold = _groups(asked["gold_memory_ids"], sources)
        forbidden = _groups(asked["forbidden_memory_ids"], sources)
        if gold or forbidden:
            asked_at = utc(asked["timestamp"])
            yield Question(
                id=asked["query_id"],
                space=case["case_id"],
                text=asked["prompt"],
                gold=gold,
                forbidden=forbidden,
                category=asked["probe_type"],
                asked_at=asked_at,
                pairs=_pairs(asked, stale, sources) if asked["probe_type"] == UPDATE else (),
            )


def _groups(ids: list[str], sources: Mapping[str, Group]) -> tuple[Group, ...]:
    return tuple(dict.fromkeys(sources[id_] for id_ in ids if sources.get(id_)))


def _pairs(asked: Mapping[str, Any], stale: Mapping[str, str], sources: Mapping[str, Group]) -> tuple[Pair, ...]:
    """Return each required update with the value it replaced."""
    updates = [(id_, stale[id_]) for id_ in asked["gold_memory_ids"] if id_ in stale]
    return tuple(Pair(newer=sources[new], older=sources[old]) for new, old in updates if old in sources)
