"""What a failed command tells its user: one line that says what happened and what to do next.

A traceback is printed only with HIPPOGRAPH_DEBUG=1.
"""

import errno
import sqlite3
from collections.abc import Iterator

from hippograph.state import HippographError

FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
DENIED = {errno.EROFS, errno.EACCES, errno.EPERM}
MISNAMED = {errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.ENAMETOOLONG}


def explain(error: BaseException) -> str:
    """Say what went wrong and what to do next: one line, unless the error lists several things."""
    if isinstance(error, HippographError):
        return str(error)
    for cause in _causes(error):
        line = _storage(cause)
        if line is not None:
            return line
    return f"{type(error).__name__}: {_line(error)} Run with HIPPOGRAPH_DEBUG=1 for the traceback."


def _storage(error: BaseException) -> str | None:
    """Explain what the disk or a database of the home says; Chroma passes SQLite's texts on in its own errors."""
    if isinstance(error, OSError) and error.errno in FULL:
        return "The disk is full. Free some space and try again; what was stored before is kept."
    if isinstance(error, OSError) and error.errno in DENIED and error.filename is not None:
        return f"No permission to use {error.filename}. Give access to it or choose another folder with --home."
    if isinstance(error, OSError) and error.errno in MISNAMED and error.filename is not None:
        return f"{error.filename}: {(error.strerror or '').lower()}. Name another file, or make its folder first."
    if isinstance(error, sqlite3.Error) or type(error).__module__.partition(".")[0] in ("chromadb", "sqlalchemy"):
        from hippograph.memory.ledger import CURES

        said = str(error).lower()
        return next((f"A database of the home {cure}." for word, cure in CURES.items() if word in said), None)
    return None


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    seen = set[int]()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__


def _line(error: BaseException) -> str:
    text = " ".join(str(error).split()) or "no message."
    return text if text[-1] in ".!?。！？" else f"{text}."
