"""What a snapshot consists of: one JSON file each, written last, so that a snapshot that was killed is none."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, Self

from hippograph.memory.backup.chunks import Damaged
from hippograph.memory.backup.files import put_text
from hippograph.state import HomeUnusable

FORMAT = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """A home as it was at one instant."""

    id: str
    at: datetime
    note: str
    counts: Mapping[str, int]
    """What it holds: `memories` (current), `turns`, `pending` jobs, `threads` that have short-term memory."""
    bytes: int
    """Of all its files, as they were."""
    new_bytes: int
    """That it took on disk when it was made: what earlier snapshots held already took none."""
    automatic: bool
    """Whether it is what a home was before a restore."""
    embeddings: str
    """The embedding model of its vectors."""
    folder: Path
    """Where it is kept."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A file in a snapshot."""

    bytes: int
    sha256: str
    blocks: list[str]
    """Digests of pieces that are lists of the digests of the file's pieces."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """A snapshot with its files."""

    id: str
    at: str
    note: str
    automatic: bool
    embeddings: str
    counts: dict[str, int]
    new_bytes: int
    files: dict[str, Stored]
    """By their path in the home."""
    format: int = FORMAT

    def snapshot(self, folder: Path) -> Snapshot:
        """Return it without its files."""
        return Snapshot(
            id=self.id,
            at=datetime.fromisoformat(self.at),
            note=self.note,
            automatic=self.automatic,
            counts=self.counts,
            bytes=sum(file.bytes for file in self.files.values()),
            new_bytes=self.new_bytes,
            embeddings=self.embeddings,
            folder=folder,
        )

    def write(self, folder: Path) -> None:
        """Keep it, whole or not at all, in place of an earlier one of its id."""
        body = asdict(self)
        put_text(place(folder, self.id), json.dumps({**body, "checksum": _checksum(body)}, indent=1))

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read one.

        Raises:
            Damaged: It is not what was written.
            HomeUnusable: It cannot be read, or is of a newer version.
        """
        try:
            body: dict[str, Any] = json.loads(path.read_bytes())
            checksum = body.pop("checksum")
            if body["format"] > FORMAT:
                raise HomeUnusable(f"{path} was written by a newer Hippograph: update this one to use it.")
            if checksum != _checksum(body):
                raise ValueError("its checksum is wrong")
            files = {name: Stored(**file) for name, file in body.pop("files").items()}
            return cls(**body, files=files)
        except OSError as error:
            raise HomeUnusable(f"{path} cannot be read ({error.strerror or error}).") from error
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise Damaged(
                f"The snapshot {path.stem} is damaged ({error}): take it away with `hippograph snapshots --delete "
                f"{path.stem}`."
            ) from error


def place(folder: Path, id: str) -> Path:  # noqa: A002
    """Return where a snapshot's manifest is."""
    return folder / f"{id}.json"


def _checksum(body: Mapping[str, Any]) -> str:
    return sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()
