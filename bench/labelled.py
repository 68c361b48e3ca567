"""Turns with a label: does an answer get better from knowing the one who asks?

Positives are the questions of public data sets, read where they lie, and our own; negatives are our own general
requests in bench/data/trigger.jsonl. A text's hash puts it into the dev or the test half, whatever file it comes from.
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Literal

from hippograph.bench.sets.locomo import ADVERSARIAL
from hippograph.memory.language import language
from hippograph.state import BadInput

Split = Literal["dev", "test"]
SEED = "hippograph-trigger-1"
_SAID = re.compile(r"^\s*<(?P<who>[^>]+)>\s*[:：]?\s*[\"“]?(?P<text>.*?)[\"”]?\s*$", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """One turn."""

    text: str
    fire: bool
    source: str
    """The data set; "own" for ours."""
    kind: str
    """What it is about: the data set's type of question, or our own heading."""

    @property
    def split(self) -> Split:
        """The half it belongs to."""
        return split(self.text)

    @property
    def language(self) -> str:
        """What it is written in, "zh" or "en"."""
        return language(self.text)


def split(text: str) -> Split:
    """Return the half a text belongs to: the same for ever."""
    return "test" if hashlib.sha256(f"{SEED}\0{text}".encode()).digest()[0] % 2 else "dev"


def own() -> list[Labelled]:
    """Return our own positives and negatives."""
    lines = files("hippograph.bench").joinpath("data", "trigger.jsonl").read_text("utf-8").splitlines()
    return [
        Labelled(text=row["text"], fire=row["fire"], source="own", kind=row["kind"]) for row in map(json.loads, lines)
    ]


def sets(data: Path) -> dict[str, list[Labelled]]:
    """Return the positives of the data sets that lie in a folder, by name; each text once.

    Raises:
        BadInput: None of them is there, or one is not what it should be.
    """
    found = {
        name: _distinct(name, reader(data / path)) for name, (path, reader) in SETS.items() if (data / path).exists()
    }
    if not found:
        wanted = ", ".join(path for path, _ in SETS.values())
        raise BadInput(f"{data} holds none of the data sets ({wanted}): give their folder with --data.")
    return found


def _distinct(name: str, read: Iterator[tuple[str, str]]) -> list[Labelled]:
    try:
        texts = {text.strip(): kind for kind, text in read if text.strip()}
    except (ValueError, KeyError, TypeError) as error:
        raise BadInput(f"The {name} file cannot be read ({type(error).__name__}: {error}): fetch it again.") from error
    return [Labelled(text=text, fire=True, source=name, kind=kind) for text, kind in texts.items()]


def _locomo(path: Path) -> Iterator[tuple[str, str]]:
    for sample in json.loads(path.read_text("utf-8")):
        for each in sample["qa"]:
            if each["category"] != ADVERSARIAL:
                yield f"category {each['category']}", each["question"]


def _longmemeval(path: Path) -> Iterator[tuple[str, str]]:
    for each in json.loads(path.read_text("utf-8")):
        yield each["question_type"], each["question"]


def _lifebench(path: Path) -> Iterator[tuple[str, str]]:
    for found in sorted(path.glob("*/QA/QA_clean.json")):
        for each in json.loads(found.read_text("utf-8")):
            yield each["question_type"], each["question"]


def _cri(path: Path) -> Iterator[tuple[str, str]]:
    for each in json.loads(path.read_text("utf-8"))["query_relevance_pairs"]:
        yield "query", each["query"]


def _madial(path: Path) -> Iterator[tuple[str, str]]:
    """Read what the user says right before the assistant should bring up a memory."""
    for line in path.read_text("utf-8").splitlines():
        dialogue = json.loads(line)
        before = [_SAID.match(each) for each in dialogue["dialogue"][: dialogue["test-turn"][0]]]
        said = list[str]()
        while before and (last := before.pop()) and last["who"] not in ("Assistant", "BOD"):
            said.insert(0, last["text"])
        yield "unasked", "\n".join(said)


SETS: dict[str, tuple[str, Callable[[Path], Iterator[tuple[str, str]]]]] = {
    "locomo": ("locomo/locomo_dev5.json", _locomo),
    "longmemeval": ("longmemeval/evidence_turns_dev250.json", _longmemeval),
    "lifebench_zh": ("lifebench_zh", _lifebench),
    "madial_zh": ("madial/ch/MADial-Bench-zh-dialogue.json", _madial),
    "cri": ("cri/ground_truth.json", _cri),
}
"""Data set to its place in the folder, and its reader, which gives (kind, text)."""
