"""A store of pieces of files, each kept once under its SHA-256, compressed, in few large files ("packs").

A pack is written aside and renamed when it is complete, so that one that was killed is none. It consists of frames,
each of many pieces compressed together (pages of one database are alike: alone they would take half as much again), an
index of what lies where, and a footer with the index's place and digest.
"""

import contextlib
import os
import struct
import zlib
from collections.abc import Collection, Set
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, NamedTuple, Self

from hippograph.state import HomeUnusable

Digest = bytes
"""SHA-256 of a piece, 32 bytes."""

MAGIC = b"HIPPOPK1"
FRAME = 256 * 1024
"""Bytes compressed together; four times as much saves 2 % of space and makes reading one piece four times as dear."""
LEVEL = 6
"""zlib's; on pages of ledger, index and checkpoints, zstd takes 5 % less at level 3, too little for a dependency."""
WASTE = 0.3
"""Share of a pack's bytes that nobody needs from which on it is written anew without them."""

_ENTRY = struct.Struct(">32sQIII")
"""Digest; offset and length of the frame in the pack; offset and length of the piece in the frame."""
_FOOTER = struct.Struct(">QI32s")
"""Offset, length and digest of the index."""


class Place(NamedTuple):
    """Where a piece lies."""

    pack: Path
    frame: int
    frame_length: int
    start: int
    length: int


class Damaged(HomeUnusable):
    """A piece is not there, or not what it was."""


@dataclass(frozen=True, slots=True)
class Collected:
    """What was thrown away."""

    pieces: int
    bytes: int
    """By which the packs became smaller."""


class Chunks:
    """The pieces in one folder. For one thread at a time."""

    def __init__(self, folder: Path) -> None:
        """Look at the packs in `folder`; one that cannot be read holds nothing."""
        self.folder = folder
        self._places: dict[Digest, Place] = {}
        self._frame: tuple[tuple[Path, int], bytes] | None = None
        for pack in self.packs():
            bad = _bad(pack)
            self._places.update({digest: place for digest, place in _index(pack).items() if digest not in bad})

    def packs(self) -> list[Path]:
        """Return the packs, the oldest first."""
        return sorted(self.folder.glob("*.pack"), key=lambda pack: (pack.stat().st_mtime_ns, pack.name))

    def size(self) -> int:
        """Return the bytes that all packs take."""
        return sum(pack.stat().st_size for pack in self.packs())

    def __contains__(self, digest: Digest) -> bool:
        return digest in self._places

    def get(self, digest: Digest) -> bytes:
        """Return a piece, checked against its digest.

        Raises:
            Damaged: It is not there, or not what it was.
        """
        if (place := self._places.get(digest)) is None:
            raise Damaged(f"A piece ({digest.hex()[:12]}) is missing in {self.folder}.")
        with contextlib.suppress(OSError, zlib.error):
            piece = self._frame_of(place)[place.start : place.start + place.length]
            if sha256(piece).digest() == digest:
                return piece
        raise Damaged(f"A piece ({digest.hex()[:12]}) in {place.pack} is damaged.")

    def adding(self, *, anew: bool = False) -> "Adding":
        """Begin a pack; as a context, it is complete at the end, or, after an error, as if it had never been.

        Args:
            anew: Keep also what is there already: the pack takes another one's place.
        """
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return Adding(self, anew=anew)

    def verify(self) -> set[Digest]:
        """Read everything; return what is damaged, which is from now on stored anew where it comes up again."""
        bad = set[Digest]()
        for digest, place in sorted(self._places.items(), key=lambda each: (each[1].pack, each[1].frame)):
            try:
                self.get(digest)
            except Damaged:
                bad.add(digest)
                self._places.pop(digest)
                _add_bad(place.pack, digest)
        return bad

    def collect(self, needed: Set[Digest], *, wholly: bool = False) -> Collected:
        """Throw away what nobody needs.

        Args:
            needed: What stays.
            wholly: Leave not a byte of the rest; else packs that are needed for the most part stay as they are.
        """
        before, pieces = self.size(), len(self._places)
        for pack in self.packs():
            index = _index(pack)
            stay = [digest for digest, place in index.items() if digest in needed and self._places.get(digest) == place]
            whole, used = (sum(index[digest].length for digest in some) for some in (index, stay))
            if (wholly and used < whole) or (index and used <= whole * (1 - WASTE)) or (wholly and not index):
                self._rewrite(pack, stay)
        for leftover in self.folder.glob("*.part"):
            leftover.unlink()
        return Collected(pieces - len(self._places), before - self.size())

    def _rewrite(self, pack: Path, stay: Collection[Digest]) -> None:
        """Put what stays of a pack into a new one, and delete it; what turns out to be damaged is left out."""
        with self.adding(anew=True) as adding:
            for digest in stay:
                with contextlib.suppress(Damaged):
                    adding.put(self.get(digest))
        for digest in [digest for digest, place in self._places.items() if place.pack == pack]:
            del self._places[digest]
        pack.unlink()
        pack.with_suffix(".bad").unlink(missing_ok=True)

    def _frame_of(self, place: Place) -> bytes:
        key = place.pack, place.frame
        if self._frame is None or self._frame[0] != key:
            with place.pack.open("rb") as file:
                file.seek(place.frame)
                self._frame = key, zlib.decompress(file.read(place.frame_length))
        return self._frame[1]

    def _added(self, places: dict[Digest, Place]) -> None:
        self._places.update(places)


class Adding:
    """A pack that is being written."""

    def __init__(self, chunks: Chunks, *, anew: bool) -> None:
        """Use `Chunks.adding`."""
        self._anew = anew
        self.bytes = 0
        """That the finished pack takes; 0 where nothing was new."""
        self._chunks = chunks
        self._part = chunks.folder / f"{os.urandom(16).hex()}.part"
        self._file: BinaryIO | None = None
        self._entries: list[tuple[Digest, int, int, int, int]] = []
        self._pending: dict[Digest, bytes] = {}
        self._written = set[Digest]()

    def put(self, piece: bytes) -> Digest:
        """Keep a piece, unless it is there already; returns its digest."""
        digest = sha256(piece).digest()
        known = not self._anew and digest in self._chunks
        if not (known or digest in self._written or digest in self._pending):
            self._pending[digest] = piece
            if sum(map(len, self._pending.values())) >= FRAME:
                self._write_frame()
        return digest

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None) -> None:
        try:
            if kind is None:
                self._finish()
        finally:
            if self._file is not None:
                self._file.close()
            self._part.unlink(missing_ok=True)

    def _write_frame(self) -> None:
        if self._file is None:
            self._file = os.fdopen(os.open(self._part, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600), "wb")
            self._file.write(MAGIC)
        frame, offset, start = zlib.compress(b"".join(self._pending.values()), LEVEL), self._file.tell(), 0
        for digest, piece in self._pending.items():
            self._entries.append((digest, offset, len(frame), start, len(piece)))
            start += len(piece)
        self._file.write(frame)
        self._written |= self._pending.keys()
        self._pending.clear()

    def _finish(self) -> None:
        if self._pending:
            self._write_frame()
        if self._file is None:
            return
        index, offset = b"".join(_ENTRY.pack(*entry) for entry in self._entries), self._file.tell()
        self._file.write(index + _FOOTER.pack(offset, len(index), sha256(index).digest()))
        synced(self._file)
        self.bytes = self._file.tell()
        pack = self._part.with_suffix(".pack")
        self._part.rename(pack)
        sync_folder(pack.parent)
        self._chunks._added({digest: Place(pack, *rest) for digest, *rest in self._entries})


def synced(file: BinaryIO) -> None:
    """Bring a file's bytes to disk."""
    file.flush()
    os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Bring names that were made or removed in a folder to disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _index(pack: Path) -> dict[Digest, Place]:
    """Return what a pack holds; nothing where it cannot be read."""
    try:
        with pack.open("rb") as file:
            if file.read(len(MAGIC)) != MAGIC:
                return {}
            file.seek(-_FOOTER.size, os.SEEK_END)
            offset, length, digest = _FOOTER.unpack(file.read(_FOOTER.size))
            if offset + length + _FOOTER.size != pack.stat().st_size:
                return {}
            file.seek(offset)
            index = file.read(length)
    except (OSError, struct.error):
        return {}
    if sha256(index).digest() != digest:
        return {}
    return {digest: Place(pack, *rest) for digest, *rest in _ENTRY.iter_unpack(index)}


def _bad(pack: Path) -> set[Digest]:
    """Return what of a pack was found to be damaged."""
    path = pack.with_suffix(".bad")
    held = path.read_bytes() if path.exists() else b""
    return {held[start : start + 32] for start in range(0, len(held), 32)}


def _add_bad(pack: Path, digest: Digest) -> None:
    with pack.with_suffix(".bad").open("ab") as file:
        file.write(digest)
