"""A restore into a home that cannot be opened: its ledger is damaged, or its vectors are of another embedding model."""

import logging
from contextlib import ExitStack
from pathlib import Path

from hippograph.memory.backup import restoring
from hippograph.memory.backup.databases import SIDES, set_aside
from hippograph.memory.backup.manifests import Snapshot
from hippograph.memory.backup.restoring import LEDGER
from hippograph.memory.backup.snapshots import Snapshots
from hippograph.memory.home import own
from hippograph.memory.ledger import Ledger
from hippograph.models.embeddings import DEFAULT
from hippograph.state import HippographError, HomeUnusable

log = logging.getLogger(__name__)


def restore_closed(
    home: Path,
    id: str,  # noqa: A002
    embeddings: str | None,
    *,
    reindex: bool,
    because: HippographError,
) -> Snapshot:
    """Restore a snapshot into a home that nobody has open; what it is now becomes a snapshot as far as it can be read.

    A ledger that cannot be read at all is kept beside the new one, as `ledger.db.damaged-1`, until something is
    forgotten.

    Args:
        home: The folder.
        id: The snapshot's id, the beginning of it, or "latest".
        embeddings: The name of the embedding model that the home is going to be opened with; None: the default one.
        reindex: Make all vectors anew.
        because: Why it could not be opened.

    Raises:
        HippographError: As `because`, where a restore cannot help; as `Memory.restore` otherwise.
    """
    with ExitStack() as opened:
        lock = own(home)
        opened.callback(lock.release)
        restoring.finish(home)
        missing = not (home / LEDGER).exists()
        try:
            ledger = Ledger(home / LEDGER)
        except HomeUnusable as error:
            if "damaged" not in str(error):
                raise because from error
            log.warning("The damaged ledger is kept as %s.", set_aside(home / LEDGER))
            ledger = Ledger(home / LEDGER)
        opened.callback(ledger.close)
        try:
            return Snapshots(home, ledger).restore(id, (embeddings or DEFAULT).removeprefix("local:"), reindex=reindex)
        except BaseException:
            if missing and not restoring.pending(home):  # else the next opening would find a home without memories
                ledger.close()
                for side in SIDES:
                    (home / f"{LEDGER}{side}").unlink(missing_ok=True)
            raise
