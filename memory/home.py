"""The folder that holds everything: who owns it, whether its index is its own, how it is."""

import os
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock, Timeout

from hippograph.memory.backup.vaults import Vaults
from hippograph.memory.blocks.saving import Reuse
from hippograph.memory.ledger import Ledger
from hippograph.memory.vectors.chroma import made_again
from hippograph.memory.vectors.index import Index
from hippograph.memory.work.backlog import Backlog, Readings
from hippograph.memory.work.queue import Queue
from hippograph.models import Embedder, embedder
from hippograph.state import EmbedderChanged, HomeInUse, HomeUnusable, Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """How a home is."""

    home: str
    memories: int
    """Current memories in all spaces."""
    pending: int
    """Memories whose vectors are still to be made; keywords find them already."""
    failing: int
    """Pending memories that failed at least once and are tried again."""
    dead: int
    """Memories that failed too often: `hippograph jobs --retry` tries them again."""
    embeddings: str
    dimension: int
    extractor: str | None
    """Who looks for facts in turns; None: nobody, turns are kept verbatim only."""
    index: Backlog
    """What is still to be embedded; `pending`, `failing` and `dead` sum it up."""
    extract: Backlog
    """Turns still to be read for facts."""
    readings: Readings
    """What reading turns has given."""
    cache: Reuse
    """How the blocks serve that models wrote and that are kept."""
    uncompacted: bool
    """Whether bytes of what was forgotten are still in the files: upkeep takes them out."""


def own(home: Path) -> FileLock:
    """Take a home for this process, creating the folder where there is none.

    Raises:
        HomeInUse: Another process, or another owner in this one, has it.
        HomeUnusable: The folder cannot be written.
    """
    owner = home / "owner"
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = FileLock(home / "lock", timeout=0, is_singleton=False)
        lock.acquire()
        owner.write_text(str(os.getpid()))
    except Timeout:
        pid = f" (pid {owner.read_text()})" if owner.exists() else ""
        raise HomeInUse(
            f"{home} is in use by another process{pid}: close that one (`hippograph serve` or `mcp`, a chat, "
            "`langgraph dev`, an import), or choose another folder with --home or HIPPOGRAPH_HOME."
        ) from None
    except OSError as error:
        raise HomeUnusable(
            f"{home} cannot be written ({error.strerror or error}): make it writable or free disk space, or choose "
            "another folder with --home or HIPPOGRAPH_HOME."
        ) from error
    return lock


def lost(home: Path) -> str | None:
    """Tell whoever opens a home without a ledger that it had one; None where it has one, or is new.

    A file without a byte is none: a power cut, or a slip of the shell, leaves such.

    Raises:
        HomeUnusable: There are snapshots to take it from.
    """
    path, vaults = home / "ledger.db", Vaults(home)
    log = path.with_name(f"{path.name}-wal")
    if path.exists() and (path.stat().st_size or (log.exists() and log.stat().st_size)):
        return None
    gone = "is empty" if path.exists() else "is missing"
    if vaults.own.names() or vaults.elsewhere():
        raise HomeUnusable(
            f"{path} {gone}: `hippograph restore latest` puts the last snapshot in its place. To begin anew, "
            "choose another folder with --home or HIPPOGRAPH_HOME."
        )
    if not (home / "chroma").exists():
        return None
    return f"{path} {gone}, and there is no snapshot to restore: the home begins without memories."


def reopened(ledger: Ledger, embeddings: str | None, settings: Settings) -> Embedder:
    """Return the embedding model of a home, also while its server is down, if the home was indexed with it before.

    Raises:
        ModelError: It cannot be used.
        BadInput: The name cannot be.
    """
    wanted = embeddings or settings.embeddings
    name, _, dimension = (ledger.remembered("embeddings") or "").rstrip(")").rpartition(" (")
    return embedder(wanted, settings, int(dimension) if name and name == wanted else None)


def check_index(home: Path, ledger: Ledger, queue: Queue, index: Index, *, reindex: bool) -> str | None:
    """Make sure that the index belongs to its embedding model and is as it was left.

    A home without memories takes any model; an index that was deleted or damaged is queued to be made again.

    Returns:
        What the user should be told, or None.

    Raises:
        EmbedderChanged: The vectors come from another model, and `reindex` does not say to make them anew.
    """
    embedder, before = index.embedder, ledger.remembered("embeddings")
    mine = f"{embedder.spec} ({embedder.dimension})"
    if before not in (None, mine) and not reindex and ledger.count():
        raise EmbedderChanged(
            f"{home} was indexed with the embedding model {before}, not {mine}: set HIPPOGRAPH_EMBEDDINGS back, or run "
            f"`hippograph reindex --embeddings {embedder.spec} --home {home}` to make all vectors anew."
        )
    harm = _harm(ledger, index) if before else None
    if reindex or before not in (None, mine) or harm:
        index.destroy()
        queue.requeue_all()
    queue.resume()
    if before != mine:
        ledger.note(embeddings=mine)
    return None if reindex or harm is None else made_again(index.folder, harm)


def _harm(ledger: Ledger, index: Index) -> str | None:
    """Say what happened to the index since it was last written, or None."""
    if not index.exists():
        return "is gone" if ledger.indexed() else None
    harm = index.seal.harm()
    index.seal.renew(closed=False)
    return harm
