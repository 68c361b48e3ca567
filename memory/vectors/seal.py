"""The seal: what the index's files were when we last wrote them, so that harm done to them since is noticed.

Chroma's native code trusts its files: overwritten bytes, or a graph that was half written when the process was killed,
may end the process that loads them, or lose vectors without a word.
"""

import json
import zlib
from contextlib import suppress
from pathlib import Path

BLOCK = 1 << 20
"""Bytes read at once."""
GROWING = "chroma.sqlite3"
"""Written at every addition and guarded by a journal of its own, so it is sealed only when the index is closed."""

Files = dict[str, tuple[int, int, int | None]]
"""Path in the folder to size in bytes, time of change in ns, and CRC-32 where it was worked out."""


class Seal:
    """What is known of the files in one folder, kept in a file beside it."""

    def __init__(self, folder: Path) -> None:
        """Take what was noted when they were last written; nothing where that is not known."""
        self._folder = folder
        self._path = folder.with_suffix(".seal")
        self._files: Files = {}
        with suppress(OSError, ValueError):
            self._files = {name: (*rest,) for name, rest in json.loads(self._path.read_text()).items()}

    def forget(self) -> None:
        """Know nothing any more: the files will be others."""
        self._files = {}
        with suppress(OSError):
            self._path.unlink(missing_ok=True)

    def harm(self) -> str | None:
        """Say what happened to the files that we did not do, or None."""
        for name, (size, changed, crc) in self._files.items():
            path = self._folder / name
            if not path.is_file():
                return f"lost its file {name}"
            stat = path.stat()
            if (stat.st_size, stat.st_mtime_ns) != (size, changed) and (crc is None or crc != _crc(path)):
                return f"is damaged: its file {name} was changed by something else"
        return None

    def renew(self, *, closed: bool) -> set[str]:
        """Take the files as they are now, and note that where it is news; return which ones are others than before.

        Args:
            closed: Whether nobody writes them any more: then all are sealed, so that a copy of them is known as well.
        """
        before, self._files = self._files, {}
        for path in sorted(self._folder.rglob("*")):
            if path.is_file() and (closed or not path.name.startswith(GROWING)):
                stat, name = path.stat(), path.relative_to(self._folder).as_posix()
                now = stat.st_size, stat.st_mtime_ns
                size, changed, crc = before.get(name, (0, 0, None))
                known = crc if (size, changed) == now else None
                self._files[name] = (*now, _crc(path) if closed and known is None else known)
        if self._files != before:
            self._note()
        return {name for name, now in self._files.items() if before.get(name, ())[:2] != now[:2]}

    def _note(self) -> None:
        new = self._path.with_suffix(".seal.new")
        try:
            new.write_text(json.dumps(self._files))
            new.replace(self._path)
        except OSError:  # the disk is full: better no seal than an old one
            self.forget()


def _crc(path: Path) -> int:
    crc = 0
    with path.open("rb") as file:
        while block := file.read(BLOCK):
            crc = zlib.crc32(block, crc)
    return crc
