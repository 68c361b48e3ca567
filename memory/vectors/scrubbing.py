"""Scrubbing: takes what was deleted out of a closed Chroma index's files, where Chroma itself leaves it.

Chroma 1.x only marks a deleted vector: its bytes stay in the graph's `data_level0.bin`, in the log of operations
(`embeddings_queue`), in free pages of `chroma.sqlite3`, and a deleted collection's folder stays whole. Building the
graph anew takes seconds for thousands of vectors; writing zeros over dead ones takes milliseconds and leaves its links
as they are (with 70 % of 5,000 vectors dead, 98.4 % of the true nearest ten are still found).

The format is hnswlib's: elements of one size, each its links, its vector as float32 and its label (`header.bin` says
where); `index_metadata.pickle` says which id has which label.
"""

import contextlib
import os
import pickle
import re
import shutil
import sqlite3
import struct
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from typing_extensions import override

from hippograph.memory.ledger import translated

DATABASE = "chroma.sqlite3"
_HEADER = struct.Struct("<i6QiI3QdQ")
"""Version, offset of level 0, room, elements, bytes of one, offsets of label and vector; then what is not used."""
_VERSION = 1
_SEGMENT = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")

_OVER = (
    "DELETE FROM embeddings_queue AS one WHERE vector IS NOT NULL AND EXISTS (SELECT 1 FROM embeddings_queue AS later "
    "WHERE later.topic = one.topic AND later.id = one.id AND later.seq_id > one.seq_id)"
)
"""Operations that a later one on the same vector has overtaken."""
_GONE = (
    "DELETE FROM embeddings_queue WHERE NOT EXISTS "
    "(SELECT 1 FROM collections WHERE embeddings_queue.topic LIKE '%/' || collections.id)"
)
_VECTORS = "SELECT id, collection FROM segments WHERE scope = 'VECTOR'"
_HELD = (
    "SELECT embedding_id FROM embeddings JOIN segments ON segments.id = embeddings.segment_id "
    "WHERE segments.scope = 'METADATA' AND segments.collection = ?"
)
_WAITING = (
    "SELECT id FROM embeddings_queue WHERE topic LIKE '%/' || ?1 AND vector IS NOT NULL "
    "AND seq_id > coalesce((SELECT seq_id FROM max_seq_id WHERE segment_id = ?2), -1)"
)
"""Vectors that the graph is yet to be given: what it holds under their ids is older."""


class UnknownFormat(Exception):
    """The files are not as this module knows them."""


@dataclass(frozen=True, slots=True)
class Scrubbed:
    """What was taken out."""

    vectors: int
    """Written over in graphs."""
    operations: int
    """Taken out of the log."""
    folders: int
    """Of deleted collections."""


def scrub(folder: Path) -> Scrubbed:
    """Take deleted vectors out of all files of an index that nobody has open; doing it again finds nothing more to do.

    Raises:
        UnknownFormat: The index is of a kind that cannot be scrubbed; it is to be made anew.
        HomeUnusable: Its database cannot be written, or the disk is full.
    """
    path = folder / DATABASE
    if not path.exists():
        return Scrubbed(0, 0, 0)
    with translated(path), closing(sqlite3.connect(path, timeout=30, isolation_level=None)) as database:
        try:
            graphs = database.execute(_VECTORS).fetchall()
            vectors = sum(_zeroed(folder / segment, *_ids(database, segment, of)) for segment, of in graphs)
            folders = _orphans(folder, {segment for segment, _ in graphs})
            database.execute("PRAGMA secure_delete=ON")
            operations = database.execute(_OVER).rowcount + database.execute(_GONE).rowcount
            database.execute("VACUUM")
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except sqlite3.OperationalError as error:
            if "no such" in str(error):
                raise UnknownFormat(str(error)) from error
            raise
    return Scrubbed(vectors, operations, folders)


def _ids(database: sqlite3.Connection, segment: str, collection: str) -> tuple[set[str], set[str]]:
    """Return the ids that a collection holds, and those whose vectors its graph is yet to be given."""
    held = {id_ for (id_,) in database.execute(_HELD, (collection,))}
    return held, {id_ for (id_,) in database.execute(_WAITING, (collection, segment))}


def _zeroed(graph: Path, held: AbstractSet[str], waiting: AbstractSet[str]) -> int:
    """Write zeros over the vectors of ids that are no longer held, or whose new vectors wait; return how many."""
    if not (graph / "header.bin").exists():
        return 0
    count, size, label_at, vector_at = _layout(graph)
    data = graph / "data_level0.bin"
    _blank(graph, count, size)
    if not count:
        return 0
    if data.stat().st_size < count * size or not 0 < vector_at < label_at <= size - 8:
        raise UnknownFormat(f"{data} does not hold what its header says.")
    elements = np.memmap(data, np.uint8, "r+", shape=(count, size))
    labels = elements[:, label_at : label_at + 8].copy().view(np.uint64)[:, 0]
    alive = [label for id_, label in _labels(graph).items() if id_ in held and id_ not in waiting]
    dead = np.flatnonzero(~np.isin(labels, np.asarray(alive, np.uint64)))
    full = dead[elements[dead, vector_at:label_at].any(axis=1)] if len(dead) else dead
    elements[full, vector_at:label_at] = 0
    elements.flush()
    return len(full)


def blank(folder: Path, graphs: Iterable[str] | None = None) -> None:
    """Write zeros over the room for more elements that the graphs of an index have in their files.

    Chroma writes that room as it finds it in the process's memory: it may hold any text or vector the process ever had.
    What a graph holds is not touched, so Chroma may have it open, but it must not be writing it.

    Args:
        folder: Of the index.
        graphs: The names of the graphs' folders; without it, all.
    """
    names = os.listdir(folder) if graphs is None else graphs
    for graph in (folder / name for name in names if _SEGMENT.fullmatch(name)):
        with contextlib.suppress(UnknownFormat, OSError):
            count, size, *_ = _layout(graph)
            _blank(graph, count, size)


def _blank(graph: Path, count: int, size: int) -> None:
    for name, bytes_each in (("data_level0.bin", size), ("length.bin", 4)):
        path = graph / name
        if path.exists() and (room := path.stat().st_size - count * bytes_each) > 0:
            with path.open("r+b") as file:
                file.seek(count * bytes_each)
                if any(file.read(room)):
                    file.seek(count * bytes_each)
                    file.write(bytes(room))


def _layout(graph: Path) -> tuple[int, int, int, int]:
    """Return how many elements a graph has, the bytes of one, and where in it the label and the vector begin."""
    header = (graph / "header.bin").read_bytes()
    if len(header) != _HEADER.size:
        raise UnknownFormat(f"{graph} has a header of {len(header)} bytes.")
    version, _, _, count, size, label_at, vector_at, *_ = _HEADER.unpack(header)
    if version != _VERSION:
        raise UnknownFormat(f"{graph} is of version {version}.")
    return count, size, label_at, vector_at


def _labels(graph: Path) -> dict[str, int]:
    """Return the label of each id; none where the graph was never saved with ids."""
    path = graph / "index_metadata.pickle"
    if not path.exists():
        return {}
    with path.open("rb") as file:
        try:
            found: Any = _Plain(file).load()["id_to_label"]
        except (pickle.UnpicklingError, EOFError, KeyError, TypeError) as error:
            raise UnknownFormat(f"{path} cannot be read ({error}).") from error
    return dict(found)


class _Plain(pickle.Unpickler):
    """Reads dicts, texts and numbers, and nothing that could run."""

    @override
    def find_class(self, module_name: str, global_name: str, /) -> Any:
        raise pickle.UnpicklingError(f"{module_name}.{global_name} is no plain data")


def _orphans(folder: Path, segments: AbstractSet[str]) -> int:
    """Remove the folders of collections that were deleted; return how many."""
    found = [each for each in os.scandir(folder) if each.is_dir() and _SEGMENT.fullmatch(each.name)]
    gone = [each for each in found if each.name not in segments]
    for each in gone:
        shutil.rmtree(each.path)
    return len(gone)
