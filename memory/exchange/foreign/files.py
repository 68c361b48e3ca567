"""What stands in another program's file, whatever it calls itself: JSON, JSON a line, or a zip of such."""

import json
import lzma
import zipfile
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from hippograph.memory.exchange.foreign import chatgpt, claude, langgraph, mem0
from hippograph.memory.exchange.foreign.taken import Taken
from hippograph.state import BadInput

Foreign = Literal["chatgpt", "claude", "mem0", "langgraph"]
FOREIGN: tuple[Foreign, ...] = get_args(Foreign)
MOST_BYTES = 2_000_000_000
"""Largest file, or sum of a zip's parts when unpacked, that is read."""
MOST_LINE = 10_000_000
"""Characters of the longest first line that is looked at."""
LISTS = ("results", "items", "memories", "conversations", "data")
"""Fields of an object whose list is what a file holds."""

ZIPPED = b"PK\x03\x04"
"""How a zip begins."""
_UNPACKABLE = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, RuntimeError, EOFError, ValueError)
"""What damaged, encrypted or unknown zips raise."""

_IS: Mapping[Foreign, Callable[[Sequence[Any]], bool]] = {
    "chatgpt": chatgpt.is_chatgpt,
    "claude": claude.is_claude,
    "langgraph": langgraph.is_langgraph,
    "mem0": mem0.is_mem0,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A file's records."""

    written: Foreign | None
    """Which program's they are; None where that cannot be told."""
    records: list[Any]
    bad: list[str]
    """Lines that are no JSON."""


def may_be(path: Path) -> bool:
    """Tell whether a file may be another program's by its name and, where it has records a line, by its first one."""
    suffix = path.suffix.lower()
    if suffix not in (".jsonl", ".ndjson"):
        return suffix in (".json", ".zip")
    try:
        with path.open(encoding="utf-8-sig", errors="replace") as file:
            first = next((line for line in iter(lambda: file.readline(MOST_LINE), "") if line.strip()), "")
    except OSError:
        return False
    return any(fits(_records(first.encode())[0]) for fits in _IS.values())


def foreign(path: Path) -> Found:
    """Return what a file of JSON, of lines of JSON, or a zip of such files holds.

    Raises:
        BadInput: It is none of these, holds no records, cannot be read, or is too large.
    """
    try:
        if zipfile.is_zipfile(path):
            return _unpacked(path)
        if path.stat().st_size > MOST_BYTES:
            raise BadInput(f"{path} is larger than {MOST_BYTES // 1_000_000_000} GB: import it in parts.")
        return _read(path)
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror or error}.") from error


def read(found: Found, written: Foreign, path: Path, user: str) -> Taken:
    """Read the records of a file.

    Args:
        found: What is in it.
        written: Which program's they are taken for.
        path: Where it is.
        user: Whose memories they become.

    Raises:
        BadInput: There is nothing in it that could be stored, or it is not told whose of several users' it is.
    """
    origin = str(path.resolve())
    if written == "mem0":
        taken = mem0.read(found.records, origin, user)
    elif written == "langgraph":
        taken = langgraph.read(found.records, origin, user)
    else:
        taken = (chatgpt if written == "chatgpt" else claude).read(found.records, origin)
    taken.bad[:0] = found.bad
    if taken.nothing():
        told = "".join(f"\n  {each}" for each in taken.told())
        raise BadInput(f"{path} holds nothing of {written} that can be stored.{told}")
    return taken


def _read(path: Path) -> Found:
    data = path.read_bytes()
    if data.startswith(ZIPPED):
        raise BadInput(f"{path} is a zip that was cut off, or damaged: download it again.")
    if not data.strip():
        raise BadInput(f"{path} is empty.")
    return _found(path, *_records(data))


def _unpacked(path: Path) -> Found:
    """Return what the conversations in a zip hold, else its other JSON."""
    records, bad = list[Any](), list[str]()
    try:
        with zipfile.ZipFile(path) as archive:
            every = [
                each for each in archive.infolist() if Path(each.filename).suffix in (".json", ".jsonl", ".ndjson")
            ]
            talks = [each for each in every if Path(each.filename).name.startswith("conversations")]
            if sum(each.file_size for each in talks or every) > MOST_BYTES:
                raise BadInput(f"{path} is larger than {MOST_BYTES // 1_000_000_000} GB unpacked: import it in parts.")
            for each in sorted(talks or every, key=lambda each: each.filename):
                more, wrong = _records(archive.read(each))
                records += more
                bad += [f"{each.filename}: {wrong_line}" for wrong_line in wrong]
    except BadInput:
        raise
    except _UNPACKABLE as error:
        raise BadInput(f"{path} cannot be unpacked ({error}): unpack it yourself and import what is in it.") from error
    return _found(path, records, bad)


def _records(data: bytes) -> tuple[list[Any], list[str]]:
    """Return the records of a file: of a list its elements, of lines one each; and what is no JSON."""
    text = data.decode("utf-8-sig", "replace")
    try:
        return _listed(json.loads(text)), []
    except (ValueError, RecursionError) as error:
        lines = [(number, each) for number, each in enumerate(text.split("\n"), 1) if each.strip()]
        if not lines or not lines[0][1].lstrip().startswith("{"):
            return [], [f"no JSON ({error})"]
    records, bad = list[Any](), list[str]()
    for number, line in lines:
        try:
            records.append(json.loads(line))
        except (ValueError, RecursionError) as error:
            bad.append(f"line {number}: no JSON ({error})")
    return records, bad


def _listed(found: Any) -> list[Any]:  # noqa: ANN401 - JSON
    if isinstance(found, list):
        return found
    if isinstance(found, dict):
        inside = next((found[name] for name in LISTS if isinstance(found.get(name), list)), None)
        return [found] if inside is None else inside
    return []


def _found(path: Path, records: list[Any], bad: list[str]) -> Found:
    if not records:
        raise BadInput(f"{path} holds no records{f': {bad[0]}' if bad else ''}.")
    written = next((name for name, fits in _IS.items() if fits(records)), None)
    return Found(written=written, records=records, bad=bad)
