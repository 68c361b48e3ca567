"""A memory's life: its steps, newest first, and whether there is anything to take back."""

import re
from datetime import UTC, datetime
from typing import Any

import pytest

from hippograph.memory.erasure.reviving import BETWEEN, REVIVED
from hippograph.memory.life.retelling import SAID_ANEW
from hippograph.memory.life.undoing import PUT_BACK, UNMERGED
from hippograph.state import Step
from hippograph.web.lives import events, undoable
from hippograph.web.reasons import reason as said

HAN = re.compile("[一-鿿]")


def step(what: str, memory: str = "a", **fields: Any) -> Step:
    when = datetime(2026, 5, 10, tzinfo=UTC)
    return Step(at=when, what=what, memory=memory, text="t", status="current", said_at=when, turns=(memory,), **fields)


def test_steps_are_told_newest_first_with_what_an_update_changed() -> None:
    steps = [
        step("stored"),
        step("updated", because="updated: pinned, text", before={"text": "old", "topic": None, "version": 1}),
        step("superseded", "b", because="superseded: another value", by="a"),
    ]
    newest, update, stored = events(steps, "a")
    assert (newest.what, newest.because, newest.mine, newest.by) == ("superseded", "another value", False, "a")
    assert update.because == ""
    assert update.before == [("text", "old"), ("topic", "—")]
    assert (stored.what, stored.mine) == ("stored", True)


def test_there_is_something_to_undo_only_while_a_change_is_not_taken_back() -> None:
    stored, updated, undone = step("stored"), step("updated"), step("undone")
    assert not undoable([stored], "a", [])
    assert undoable([stored, updated], "a", [])
    assert not undoable([stored, updated, undone], "a", [])
    assert not undoable([stored, step("updated", "b")], "a", [])
    assert undoable([stored, step("superseded", "b")], "a", ["b"])


@pytest.mark.parametrize("because", [REVIVED, BETWEEN, PUT_BACK, UNMERGED, SAID_ANEW])
def test_reasons_of_the_ledger_are_told_in_chinese(because: str) -> None:
    assert HAN.search(said(because, language="zh"))
