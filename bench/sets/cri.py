"""A made-up persona's ten months of messages: what changed, what conflicts, what held when (English, MIT).

The persona is the user, so topics are asked as he would ask them ("What is my diet?").

Gold are the key messages the set itself names. Its query-relevance pairs name facts in words only; no message ids can
be had from them without guessing, so they are left out. Temporal facts take theirs from the change that began or ended
them, asked as of a day on which they held.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from hippograph.bench.sets import files
from hippograph.bench.sets.dataset import Dataset, Pair, Question, one
from hippograph.memory.exchange.transfer import Told
from hippograph.memory.times import utc
from hippograph.state import Turn

MESSAGES, TRUTH, PERSONA = "conversations.jsonl", "ground_truth.json", "metadata.json"


def read(path: Path) -> Dataset:
    """Read the persona's folder."""
    told = [_told(each) for each in files.lines(path / MESSAGES)]
    truth, persona = files.loaded(path / TRUTH), files.loaded(path / PERSONA)
    space = persona["persona_id"]
    questions = [
        *_changes(space, truth["changes"]),
        *_conflicts(space, truth["conflicts"]),
        *_temporal(space, truth["temporal_facts"], truth["changes"]),
    ]
    return Dataset(
        name="cri",
        spaces={space: told},
        questions=questions,
        notes=("Query-relevance pairs are left out: they name no messages.",),
    )


def _told(message: Mapping[str, Any]) -> Told:
    turn = Turn(
        role=message["role"], text=message["content"], said_at=utc(message["timestamp"]), id=str(message["message_id"])
    )
    return Told(message["session_id"], turn)


def _changes(space: str, changes: Sequence[Mapping[str, Any]]) -> Iterator[Question]:
    """Ask for each thing that changed; of one that changed twice, the last change counts as the present."""
    last = {each["fact"]: each for each in changes}
    for fact, each in last.items():
        if not each["key_messages"]:
            continue
        earlier = [
            id_ for other in changes if other["fact"] == fact and other is not each for id_ in other["key_messages"]
        ]
        yield Question(
            id=f"change:{fact}",
            space=space,
            text=f"What is my {each['query_topic']}?",
            gold=tuple(one(str(id_)) for id_ in each["key_messages"]),
            category="change",
            pairs=(Pair(newer=_ids(each["key_messages"]), older=_ids(earlier)),) if earlier else (),
        )


def _conflicts(space: str, conflicts: Sequence[Mapping[str, Any]]) -> Iterator[Question]:
    for each in conflicts:
        older, newer = sorted(each["introduced_at_messages"])
        yield Question(
            id=each["conflict_id"],
            space=space,
            text=f"What is my {each['topic']}?",
            gold=(one(str(newer)),),
            category="conflict",
            pairs=(Pair(newer=_ids([newer]), older=_ids([older])),),
        )


def _temporal(
    space: str, facts: Sequence[Mapping[str, Any]], changes: Sequence[Mapping[str, Any]]
) -> Iterator[Question]:
    """Ask for a fact as of a day on which it held, where a change of the set says which messages told it."""
    told = {each["new_value"]: each["key_messages"] for each in changes}
    for each in facts:
        if told.get(each["value"]):
            yield Question(
                id=each["fact_id"],
                space=space,
                text=f"What is my {each['query_topic']}?",
                gold=tuple(one(str(id_)) for id_ in told[each["value"]]),
                category="temporal",
                at=_last_day(each["valid_until"]),
                asked_at=_last_day(each["valid_until"]),
            )


def _last_day(until: str | None) -> datetime | None:
    """Return the end of the last day before a fact ended; None where it still holds."""
    return utc(until) - timedelta(seconds=1) if until else None


def _ids(ids: Sequence[int]) -> frozenset[str]:
    return frozenset(map(str, ids))
