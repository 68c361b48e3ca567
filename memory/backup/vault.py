"""A folder of snapshots: their manifests, and the pieces of all their files.

Files are cut at every 4,096 bytes, the size of SQLite's pages: a page that did not change since the last snapshot is
the same piece. Lists of pieces are kept as pieces too, 64 to a block, so that a manifest stays short.
"""

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from uuid import uuid4

from hippograph.memory.backup.chunks import Chunks, Collected, Damaged, Digest, sync_folder
from hippograph.memory.backup.files import PART, put_text
from hippograph.memory.backup.manifests import Manifest, Stored, place
from hippograph.state import BadInput, HomeUnusable

PAGE = 4096
BLOCK = 64
"""Pieces in one block: a changed page costs a changed block of 2 KB, and a manifest 16 KB for each 100 MB."""
MARK = "vault.json"
"""Says that a folder holds snapshots, and of which home."""
PACKS = "packs"


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What a check of a vault found."""

    snapshots: int
    damaged: Mapping[str, list[str]]
    """Snapshot to its files that cannot be restored; a damaged manifest has none to name."""


class Vault:
    """The snapshots in one folder. For one thread at a time."""

    def __init__(self, folder: Path) -> None:
        """Look at a folder, which need not be there yet."""
        self.folder = folder
        self._chunks: Chunks | None = None

    @property
    def chunks(self) -> Chunks:
        """The pieces, whose places are read at first use."""
        if self._chunks is None:
            self._chunks = Chunks(self.folder / PACKS)
        return self._chunks

    def home(self) -> str | None:
        """Return the identity of the home whose snapshots these are; None where that was never written."""
        try:
            told = (self.folder / MARK).read_text()
            return str(json.loads(told)["home"]) if told else None
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise HomeUnusable(f"{self.folder / MARK} cannot be read ({error}): is the disk there?") from error

    def begin(self, home: str | None = None) -> str:
        """Make the folder a vault of a home, unless it is; returns the home's identity.

        Raises:
            BadInput: It holds something else, or another home's snapshots.
            HomeUnusable: It cannot be written.
        """
        known = self.home()
        if known is not None:
            if home not in (None, known):
                raise BadInput(f"{self.folder} holds snapshots of another home: choose an empty folder.")
            return known
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            there = {path.name for path in self.folder.iterdir()} - {MARK + PART}
            if there and MARK not in there:
                raise BadInput(f"{self.folder} is not empty and holds no snapshots: choose an empty folder.")
            home = home or uuid4().hex
            put_text(self.folder / MARK, json.dumps({"format": 1, "home": home}))
        except OSError as error:
            raise HomeUnusable(f"{self.folder} cannot be written ({error.strerror or error}).") from error
        return home

    def names(self) -> list[str]:
        """Return the snapshots' ids, the oldest first."""
        return sorted(path.stem for path in self.folder.glob("*.json") if path.name != MARK)

    def manifest(self, id: str) -> Manifest:  # noqa: A002
        """Return what a snapshot consists of; raises HomeUnusable where that is damaged."""
        return Manifest.read(place(self.folder, id))

    def manifests(self) -> list[Manifest]:
        """Return all that can be read, the oldest first."""
        return [each for each in map(self._readable, self.names()) if each is not None]

    def store(self, manifest: Manifest, files: Mapping[str, Path]) -> Manifest:
        """Keep files as a snapshot, in place of what it consisted of before; returns it as it is kept.

        Raises:
            HomeUnusable: The disk is full or cannot be written; nothing is kept.
        """
        try:
            with self.chunks.adding() as adding:
                stored = {name: _stored(path, adding.put) for name, path in files.items()}
            manifest = replace(manifest, files=stored, new_bytes=manifest.new_bytes or adding.bytes)
            manifest.write(self.folder)
        except OSError as error:
            self._chunks = None
            raise HomeUnusable(
                f"The snapshot cannot be written to {self.folder} ({error.strerror or error}): free some space there. "
                "Nothing was changed."
            ) from error
        return manifest

    def unpack(self, manifest: Manifest, folder: Path) -> None:
        """Write a snapshot's files into an empty folder, as they were.

        Raises:
            Damaged: A piece is damaged; the message says which snapshots that hurts.
            HomeUnusable: The disk is full.
        """
        try:
            for name, stored in manifest.files.items():
                _write(folder / name, self._pieces(stored), stored)
        except Damaged as error:
            raise Damaged(f"{error} {_told(self.hurt())} Nothing was changed.") from error
        except OSError as error:
            raise HomeUnusable(f"{folder} cannot be written ({error.strerror or error}): free some space.") from error

    def hurt(self) -> dict[str, list[str]]:
        """Read everything; return the snapshots that are damaged, with the files that cannot be restored."""
        self.chunks.verify()
        damaged: dict[str, list[str]] = {}
        for id_ in self.names():
            if (manifest := self._readable(id_)) is None:
                damaged[id_] = []
            elif bad := [name for name, stored in manifest.files.items() if not self._whole(stored)]:
                damaged[id_] = bad
        return damaged

    def check(self) -> Checked:
        """Read everything, and tell what is damaged."""
        return Checked(snapshots=len(self.names()), damaged=self.hurt())

    def delete(self, ids: Iterable[str]) -> Collected:
        """Delete snapshots, and what none of the others needs."""
        for id_ in ids:
            place(self.folder, id_).unlink(missing_ok=True)
        sync_folder(self.folder)
        return self.collect()

    def collect(self, *, wholly: bool = False) -> Collected:
        """Throw away what no snapshot needs; `wholly`: to the last byte.

        A snapshot whose manifest is damaged keeps nothing: it cannot be restored.
        """
        needed = {
            digest
            for manifest in self.manifests()
            for stored in manifest.files.values()
            for digest in self._needed(stored)
        }
        return self.chunks.collect(needed, wholly=wholly)

    def size(self) -> int:
        """Return the bytes that the vault takes on disk."""
        return sum(path.stat().st_size for path in self.folder.rglob("*") if path.is_file())

    def _readable(self, id: str) -> Manifest | None:  # noqa: A002
        try:
            return self.manifest(id)
        except Damaged:
            return None

    def _pieces(self, stored: Stored) -> Iterator[bytes]:
        for block in stored.blocks:
            yield from (self.chunks.get(digest) for digest in _digests(self.chunks.get(bytes.fromhex(block))))

    def _needed(self, stored: Stored) -> Iterator[Digest]:
        """Give the digests of a file's blocks and pieces, as far as they can be read."""
        for block in map(bytes.fromhex, stored.blocks):
            yield block
            try:
                yield from _digests(self.chunks.get(block))
            except Damaged:
                continue

    def _whole(self, stored: Stored) -> bool:
        return all(digest in self.chunks for digest in self._needed(stored))


def _stored(path: Path, put: Callable[[bytes], Digest]) -> Stored:
    """Cut a file into pieces and keep them."""
    whole, digests = sha256(), list[Digest]()
    with path.open("rb") as file:
        while piece := file.read(PAGE):
            whole.update(piece)
            digests.append(put(piece))
    blocks = [put(b"".join(digests[start : start + BLOCK])).hex() for start in range(0, len(digests), BLOCK)]
    return Stored(bytes=path.stat().st_size, sha256=whole.hexdigest(), blocks=blocks)


def _write(path: Path, pieces: Iterable[bytes], stored: Stored) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    whole = sha256()
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        for piece in pieces:
            whole.update(piece)
            file.write(piece)
    if whole.hexdigest() != stored.sha256:
        raise Damaged(f"{path.name} is not what it was.")


def _digests(block: bytes) -> list[Digest]:
    return [block[start : start + 32] for start in range(0, len(block), 32)]


def _told(damaged: Mapping[str, list[str]]) -> str:
    each = "; ".join(f"{id_} ({', '.join(files) or 'its list of files'})" for id_, files in damaged.items())
    return f"Damaged snapshots: {each}." if each else "Read again, nothing is damaged: look at the disk."
