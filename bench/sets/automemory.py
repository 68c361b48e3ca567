"""AutoMemoryBench: updates, deletions and scopes in made-up workspaces (English, Apache-2.0).

A space per case. Required memories count as R@k, forbidden ones (superseded, deleted, sensitive, of another workspace)
as the share of them in the top k. In update probes the new value has to rank above every stale one.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hippograph.bench.contract import Contract
from hippograph.bench.sets import files
from hippograph.bench.sets.dataset import Dataset, Group, Pair, Question
from hippograph.memory.exchange.transfer import Told
from hippograph.memory.times import utc
from hippograph.state import BadInput, Turn

UPDATE = "update_probe"
ASKED = ("delete_immediately", "do_not_store")
"""What the set calls memories that a user wants gone."""
PROHIBITED = ("forbidden_memory_ids", "deleted_memory_ids", "superseded_memory_ids", "restricted_memory_ids")
"""What of a state must not be used."""


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
        forgotten={case["case_id"]: _forgotten(case) for case in cases},
        notes=(
            "Required memories stand for the turns they come from.",
            "What its users ask to delete or not to keep is forgotten before anything is asked; the floors keep it.",
            "StrictCore, task, safety, temporal: over the questions that need memory; the turns found are the answer.",
        ),
    )


def _turns(case: Mapping[str, Any]) -> Iterator[Told]:
    for session in case["sessions"]:
        for said in session["turns"]:
            turn = Turn(role=said["role"], text=said["content"], said_at=utc(session["timestamp"]), id=said["turn_id"])
            yield Told(session["session_id"], turn)


def _questions(case: Mapping[str, Any]) -> Iterator[Question]:
    sources = {each["memory_id"]: frozenset(each["source_turn_ids"]) for each in case["gold_memory_units"]}
    texts = {turn["turn_id"]: turn["content"] for session in case["sessions"] for turn in session["turns"]}
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
                contract=_contract(case, asked, sources, texts) if asked["requires_memory"] else None,
                pairs=_pairs(asked, stale, sources) if asked["probe_type"] == UPDATE else (),
            )


def _forgotten(case: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the turns with what the user asked to delete, or not to keep, and with the asking, which repeats it."""
    asked = [each for each in case["gold_memory_units"] if each["forget_policy"] in ASKED]
    ids = {each["memory_id"] for each in asked} | {id_ for each in asked for id_ in each["invalidates"]}
    units = [each for each in case["gold_memory_units"] if each["memory_id"] in ids]
    return tuple(dict.fromkeys(id_ for each in units for id_ in each["source_turn_ids"]))


def _contract(
    case: Mapping[str, Any], asked: Mapping[str, Any], sources: Mapping[str, Group], texts: Mapping[str, str]
) -> Contract:
    """Return what an answer may be made of in the state of the case that the question names."""
    state = next(each for each in case["state_contracts"] if each["state_contract_id"] == asked["state_contract_id"])
    prohibited = {*asked["forbidden_memory_ids"], *(id_ for name in PROHIBITED for id_ in state[name])}
    behaviour, units = asked["expected_behavior"], case["gold_memory_units"]
    until = {each["memory_id"]: each["valid_until"] for each in units if each["valid_until"]}
    return Contract(
        required=tuple(behaviour["must_include"]),
        banned=tuple(behaviour["must_not_include"]),
        refuses=behaviour["should_refuse"],
        prohibited=_groups(sorted(prohibited), sources),
        secret=tuple(each["content"] for each in units if each["should_delete"] or each["sensitivity"] == "sensitive"),
        outdated=_groups([id_ for id_, end in until.items() if utc(end) < utc(asked["timestamp"])], sources),
        texts=texts,
    )


def _groups(ids: list[str], sources: Mapping[str, Group]) -> tuple[Group, ...]:
    return tuple(dict.fromkeys(sources[id_] for id_ in ids if sources.get(id_)))


def _pairs(asked: Mapping[str, Any], stale: Mapping[str, str], sources: Mapping[str, Group]) -> tuple[Pair, ...]:
    """Return each required update with the value it replaced."""
    updates = [(id_, stale[id_]) for id_ in asked["gold_memory_ids"] if id_ in stale]
    return tuple(Pair(newer=sources[new], older=sources[old]) for new, old in updates if old in sources)
