"""LoCoMo: months-long conversations of two people, questions with the turns that answer them (English, CC BY-NC 4.0).

Categories by number: 1 multi-hop, 2 temporal, 3 open-domain, 4 single-hop; 5 adversarial has no answer and is kept out
of the headline. Evidence is written in several ways ("D8:6; D9:17", "D:11:26", "D30:05"); ids that no turn has are
dropped. The `query` of a photo is never indexed: answers leak from it.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hippograph.bench.sets import files
from hippograph.bench.sets.dataset import Dataset, Question, one
from hippograph.memory.exchange.transfer import Told, read_locomo

ADVERSARIAL = 5
"""The category of questions that have no answer in the conversation."""
TURN_ID = re.compile(r"D:?(\d+):(\d+)")


def read(path: Path) -> Dataset:
    """Read a LoCoMo file, or the one `locomo*.json` of a folder; a space per conversation."""
    file = files.only(path, "locomo*.json")
    samples = files.loaded(file)
    spaces = {sample["sample_id"]: read_locomo(file, sample["sample_id"]) for sample in samples}
    questions = [question for sample in samples for question in _questions(sample, spaces[sample["sample_id"]])]
    return Dataset(
        name="locomo",
        spaces=spaces,
        questions=questions,
        notes=("Categories 1-4; category 5 (adversarial) has a row of its own and is no part of the metrics.",),
    )


def evidence(found: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the turn ids of a question's evidence, whatever way they are written."""
    written = " ".join(map(str, found.get("evidence") or []))
    return tuple(dict.fromkeys(f"D{int(session)}:{int(turn)}" for session, turn in TURN_ID.findall(written)))


def _questions(sample: Mapping[str, Any], told: list[Told]) -> Iterator[Question]:
    known = {each.turn["id"] for each in told}
    for number, asked in enumerate(sample["qa"]):
        gold = [one(each) for each in evidence(asked) if each in known]
        if gold:
            category = int(asked["category"])
            yield Question(
                id=f"{sample['sample_id']}:{number}",
                space=sample["sample_id"],
                text=str(asked["question"]),
                gold=tuple(gold),
                category=str(category),
                scored=category != ADVERSARIAL,
            )
