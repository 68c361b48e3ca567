"""Errors as one line."""

import errno
import sqlite3

import pytest

from hippograph.cli.failure import explain
from hippograph.state import HomeInUse


def caused(error: Exception, cause: Exception) -> Exception:
    error.__cause__ = cause
    return error


def test_our_own_errors_are_said_as_they_are() -> None:
    assert explain(HomeInUse("Another process uses it: close that.")) == "Another process uses it: close that."


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG])
def test_a_full_disk_is_named_wherever_it_was_noticed(number: int) -> None:
    error = caused(ValueError("could not save"), OSError(number, "No space left", "/x/ledger.db"))
    assert explain(error).startswith("The disk is full.")


def test_a_denied_path_is_named_with_the_way_out() -> None:
    line = explain(PermissionError(errno.EACCES, "Permission denied", "/x/home"))
    assert "/x/home" in line
    assert "--home" in line


def test_a_file_that_cannot_be_there_is_named_with_the_way_out() -> None:
    line = explain(FileNotFoundError(errno.ENOENT, "No such file or directory", "/nope/x.jsonl"))
    assert line == "/nope/x.jsonl: no such file or directory. Name another file, or make its folder first."


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("database or disk is full", "disk is full"),
        ("attempt to write a readonly database", "read-only"),
        ("database is locked", "another program"),
        ("database disk image is malformed", "damaged"),
    ],
)
def test_what_sqlite_says_becomes_a_cure(said: str, expected: str) -> None:
    line = explain(sqlite3.OperationalError(said))
    assert expected in line
    assert "OperationalError" not in line


def test_the_unexpected_is_one_line_that_tells_how_to_see_more() -> None:
    line = explain(KeyError("a\nb"))
    assert "\n" not in line
    assert line.startswith("KeyError: ")
    assert "HIPPOGRAPH_DEBUG=1" in line
