"""Gather what may answer the turn: the union of all legs over all queries."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from hippograph.memory.tokens import is_common, words
from hippograph.nodes.run import Resources, Run, Update
from hippograph.nodes.turns import split, spoken, stem, turn_ids, words_of
from hippograph.state import HippographError, Recollection
from hippograph.state.conversation import State

if TYPE_CHECKING:
    from hippograph.memory import Candidates

LIMIT = 40
"""Candidates of each leg and query."""
TELLING_WORDS = 3
"""A query with fewer is searched for only together with the turn it points back at."""


def retrieve(state: State, run: Run, resources: Resources) -> Update:
    """Search the user's memories for every query of the trigger; what the prompt shows verbatim anyway is left out."""
    memory, space, trigger = resources.memory(), run.context.user_id, state["trigger"]
    now = datetime.now().astimezone()
    found: dict[str, Recollection] = {}
    degraded: list[str] = []
    for query in _telling(trigger["queries"]):
        try:
            candidates = memory.candidates(space, query, limit=LIMIT, asked_at=now)
        except HippographError as error:
            degraded.append(f"retrieve: {error}")
            continue
        _merge(found, candidates)
        degraded += [f"retrieve: {each}" for each in candidates.degraded]
    shown, own = _shown(state, run), _own(state, run)
    fresh = [
        each
        for each in found.values()
        if not (_is_shown(each, shown) or _is_own(each, own) or _is_passed_over(each, run.passed_over))
    ]
    return Update(candidates=[each.to_record() for each in fresh], degraded=list(dict.fromkeys(degraded)))


def _telling(queries: Sequence[str]) -> list[str]:
    """Return the queries without those that say too little to search for ("and when was that?"), the last one kept."""
    enough = [query for query in queries[:-1] if sum(not is_common(word) for word in words(query)) >= TELLING_WORDS]
    return [*enough, *queries[-1:]]


def _merge(found: dict[str, Recollection], candidates: "Candidates") -> None:
    """Add candidates; one that several queries found keeps the best share of each leg."""
    for each in candidates.found:
        known = found.get(each.id)
        why = {leg: max(share, known.why.get(leg, share)) for leg, share in each.why.items()} if known else each.why
        found[each.id] = replace(each, why={**(known.why if known else {}), **why})


def _is_shown(memory: Recollection, shown: set[tuple[str, str]]) -> bool:
    """Tell whether some texts of threads hold a memory: the turn itself, or all that a fact was taken from."""
    if (memory.thread, memory.text.strip()) in shown:
        return True
    said = [(each.thread, each.quote.strip()) for each in memory.sources if each.id != memory.id and each.quote.strip()]
    return bool(said) and all(
        any(thread == within and quote in text for within, text in shown) for thread, quote in said
    )


def _own(state: State, run: Run) -> set[str]:
    """Return what the ids of this very turn have in common; there are memories of it where it is run again."""
    last = split(state["messages"])[-1]
    return {stem(id_) for id_ in turn_ids(run.thread, last)} if run.thread else set()


def _is_own(memory: Recollection, own: set[str]) -> bool:
    """Tell whether a memory is a version of this turn, or rests on nothing else."""
    return stem(memory.id) in own or (bool(memory.sources) and all(stem(each.id) in own for each in memory.sources))


def _is_passed_over(memory: Recollection, ids: frozenset[str]) -> bool:
    """Tell whether a memory is one of some, a part of one, or rests on nothing else."""
    if memory.id.partition("#")[0] in ids:
        return True
    return bool(ids and memory.sources) and all(each.id.partition("#")[0] in ids for each in memory.sources)


def _shown(state: State, run: Run) -> set[tuple[str, str]]:
    """Return thread and text of what the last turns show verbatim, and of the question itself."""
    last = split(state["messages"])[-run.context.last_turns - 1 :]
    return {(run.thread, words_of(each)) for turn in last for each in spoken(turn)}
