"""Load an exported space: every line is checked before the first is stored, and all are stored or none."""

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import IO

from hippograph.memory.exchange.carried import Head, carried, head
from hippograph.memory.exchange.checking import Checking
from hippograph.memory.exchange.export import BATCH
from hippograph.memory.exchange.imported import Imported
from hippograph.memory.exchange.loading import Loading
from hippograph.memory.intake import space_name
from hippograph.memory.ledger import Ledger
from hippograph.state import BadInput

MOST_HEAD = 100_000_000
"""Characters of the longest first line that is read."""


def load(ledger: Ledger, path: Path, space: str | None = None, *, restore_forgotten: bool = False) -> Imported:
    """Store what `export` wrote; see `Memory.load`."""
    with _opened(path) as file:
        first = _head(path, file)
        space = space_name(first.space if space is None else space)
        begin = file.tell()
        with ledger.read() as connection:
            checking = Checking(connection, space, restore_forgotten=restore_forgotten)
            for batch in _batches(file):
                checking.take(batch)
            refused = checking.end(first.memories)
        if refused:
            raise BadInput(f"{path} was not loaded, nothing is stored:\n  " + "\n  ".join(refused))
        file.seek(begin)
        with ledger.write() as connection:
            loading = Loading(connection, space, checking.ids, checking.left_out, was=first.space)
            for batch in _batches(file):
                loading.take([(number, carried(line)) for number, line in batch])
            return loading.end(first)


def is_export(path: Path) -> bool:
    """Tell whether a file is an exported space, by its first line; raises as `load` does if it is of a newer form."""
    with _opened(path) as file:
        try:
            return head(file.readline(MOST_HEAD)) is not None
        except UnicodeDecodeError:
            return False


def _opened(path: Path) -> IO[str]:
    try:
        return path.open(encoding="utf-8-sig", newline="\n")
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror or error}.") from error


def _head(path: Path, file: IO[str]) -> Head:
    try:
        found = head(file.readline(MOST_HEAD))
    except UnicodeDecodeError:
        found = None
    except BadInput as error:
        raise BadInput(f"{path} cannot be loaded. {error}") from None
    if found is None:
        raise BadInput(f"{path} is no exported space: its first line would say so. `hippograph export` writes one.")
    return found


def _batches(file: IO[str]) -> Iterator[Sequence[tuple[int, str]]]:
    """Return the lines that follow with their numbers, some at a time."""
    lines = ((number, line) for number, line in enumerate(iter(file.readline, ""), 2) if line.strip())
    while batch := [*islice(lines, BATCH)]:
        yield batch
