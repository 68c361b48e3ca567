"""What a copy of a home holds, in numbers."""

import sqlite3
from contextlib import closing
from pathlib import Path

from sqlalchemy import func, select

from hippograph.memory.backup.restoring import LEDGER
from hippograph.memory.erasure.pruning import FILE as CHECKPOINTS
from hippograph.memory.ledger import Ledger
from hippograph.memory.schema import jobs, memories


def described(folder: Path) -> tuple[dict[str, int], str]:
    """Return how much of what there is, and which embedding model the vectors come from."""
    rows = select(func.count()).select_from(memories)
    with Ledger(folder / LEDGER) as ledger, ledger.read() as connection:
        counts = {
            "memories": connection.scalar(rows.where(memories.c.status == "current")) or 0,
            "turns": connection.scalar(rows.where(memories.c.kind == "turn", memories.c.status != "forgotten")) or 0,
            "pending": connection.scalar(select(func.count()).select_from(jobs)) or 0,
        }
        return {**counts, "threads": _threads(folder / CHECKPOINTS)}, ledger.remembered("embeddings") or ""


def _threads(path: Path) -> int:
    if not path.exists():
        return 0
    with closing(sqlite3.connect(path)) as connection:
        try:
            return int(connection.execute("SELECT count(DISTINCT thread_id) FROM checkpoints").fetchone()[0])
        except sqlite3.OperationalError:
            return 0
