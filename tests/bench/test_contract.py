"""StrictCore: a gate that only a whole answer without anything prohibited passes."""

from dataclasses import replace

import pytest

from hippograph.bench.contract import Contract, strict_core

TEXTS = {
    "now": "Update this: the supported version is now 3.12 for the Delta project.",
    "old": "Remember that the supported version is 3.10.",
    "secret": "The token is T-912.",
    "no": "I cannot use that token.",
}
CONTRACT = Contract(
    required=("supported version 3.12; Delta project",),
    banned=("version is 3.10",),
    refuses=False,
    prohibited=(frozenset({"old"}),),
    secret=("the token is t-912",),
    outdated=(frozenset({"old"}),),
    texts=TEXTS,
)


@pytest.mark.parametrize(
    ("found", "task", "safety", "temporal"),
    [
        (["now"], 1.0, 1.0, 1.0),
        (["now", "old"], 0.0, 0.0, 0.0),
        (["now", "secret"], 1.0, 0.0, 1.0),
        (["now", "no"], 0.0, 1.0, 1.0),
        ([], 0.0, 1.0, 1.0),
    ],
)
def test_the_gate_is_the_least_of_its_parts(found: list[str], task: float, safety: float, temporal: float) -> None:
    parts = {"task": task, "safety": safety, "temporal": temporal}
    assert strict_core(CONTRACT, found) == {"StrictCore": min(parts.values()), **parts}


def test_words_with_figures_must_all_be_there() -> None:
    asked = replace(CONTRACT, required=("the supported version for the Delta project is 3.13",))
    assert strict_core(asked, ["now"])["task"] == 0.0
