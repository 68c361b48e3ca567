import time
from collections.abc import Callable
from typing import Any

import pytest

from hippograph.nodes.deciding import clutter, decide, noise
from hippograph.state import Recollection

Make = Callable[..., Recollection]


def decided(memories: list[Recollection], **given: Any) -> Any:
    usual = {"configured": True, "needed": 300, "budget": 700}
    mode = given.pop("mode", "auto")
    return decide(mode, memories, "What about the cello?", **{**usual, **given})


def test_what_fits_and_is_clean_needs_no_model(found: Make) -> None:
    decision = decided([found("The cello is old."), found("Priya tunes pianos.")])
    assert (decision.call, decision.why) == (False, "fits and is clean: 300 of 700 tokens")


def test_what_does_not_fit_needs_one(found: Make) -> None:
    decision = decided([found("The cello is old.")], needed=1240)
    assert (decision.call, decision.why) == (True, "does not fit: 1,240 of 700 tokens")


def test_the_context_has_the_last_word_but_no_model_is_called_that_is_not_there(found: Make) -> None:
    memories = [found("The cello is old.")]
    assert decided(memories, mode="always").call
    assert not decided(memories, mode="never", needed=9000).call
    assert not decided(memories, mode="always", configured=False).call
    assert decided(memories, configured=False).why == "no big model is configured; 300 of 700 tokens"


def fact(found: Make, value: str, **fields: Any) -> Recollection:
    told = {"kind": "fact", "subject": "user", "attribute": "residence", "value": value}
    return found(f"The user lives in {value}.", **{**told, **fields})


def test_two_values_of_one_property_are_a_contradiction(found: Make) -> None:
    assert decided([fact(found, "Porto"), fact(found, "Kiel")]).call
    assert "contradict each other about user's residence" in clutter([fact(found, "Porto"), fact(found, "Kiel")], "?")
    assert clutter([fact(found, "Porto"), fact(found, "Kiel", status="superseded")], "?") == ""
    assert clutter([fact(found, "Porto"), fact(found, "Kiel", subject="Ann")], "?") == ""
    languages = [fact(found, each, attribute="language") for each in ("Dutch", "Thai")]
    assert clutter(languages, "?") == ""  # One may speak several.


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I bought a red bicycle in Kiel on Sunday.", "On Sunday I bought a red bicycle in Kiel!"),
        ("我周日在成都买了一辆红色自行车。", "周日我在成都买了一辆红色自行车！"),
    ],
)
def test_near_repeats_are_told(found: Make, one: str, other: str) -> None:
    assert clutter([found(one), found(other)], "?") == "a memory is said twice"
    assert clutter([found(one), found("The cello is old and dear.")], "?") == ""


def test_long_memories_mostly_about_something_else_are_noise(found: Make) -> None:
    long = found("The cello is old. " + "It rained all day in town. Nobody came to the fair. We ate soup again. " * 3)
    assert noise([long], "What about the cello?") > 0.5
    assert "hardly about the question" in clutter([long], "What about the cello?")
    assert noise([found("It rained."), found("The cello is old.")], "What about the cello?") == 0.0


def test_deciding_is_cheap(found: Make) -> None:
    memories = [found(f"Memory {n} about the cello, its bow and case number {n}.", id=str(n)) for n in range(50)]
    began = time.process_time()
    clutter(memories, "What about the cello?")
    assert time.process_time() - began < 5
