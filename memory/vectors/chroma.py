"""Chroma, as a library on disk: its client, what its errors mean, and what is said when its files are harmed."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

PASSING: Mapping[str, str] = {
    "full": "free disk space.",
    "no space": "free disk space.",
    "too large": "free disk space.",
    "locked": "close the other program that has it open.",
    "code: 8)": "make the folder writable.",
    "permission denied": "make the folder writable.",
}
"""What Chroma says when the index may be whole, and what helps."""


def client(folder: Path) -> Any:  # noqa: ANN401 - Chroma's client
    """Open the index in a folder, creating it where there is none."""
    import chromadb
    from chromadb.api.shared_system_client import SharedSystemClient
    from chromadb.config import Settings

    try:
        return chromadb.PersistentClient(str(folder), settings=Settings(anonymized_telemetry=False))
    except BaseException:
        # What could not be started would be given to whoever asks again.
        SharedSystemClient._identifier_to_system.pop(str(folder), None)
        raise


def cure(said: str) -> str | None:
    """Return what helps against an error of Chroma's that comes from outside; None where its files are broken."""
    return next((cure for word, cure in PASSING.items() if word in said.lower()), None)


def panic(error: BaseException) -> bool:
    """Tell whether Chroma's native code gave up, which raises no Exception."""
    return type(error).__name__ == "PanicException"


def made_again(folder: Path, harm: str) -> str:
    """Say what happened to an index, and what is done about it."""
    return f"The vector index {folder} {harm}: it is made again from the ledger. Meanwhile keywords find memories."
