"""What a forgetting would take, counted without taking it."""

from collections import Counter

from hippograph.memory.costs.erasing import forget_costs
from hippograph.memory.erasure.choosing import Meant, checked, meant
from hippograph.memory.erasure.erasing import erase
from hippograph.memory.ledger import Ledger
from hippograph.memory.times import now
from hippograph.state import Choice, Receipt


class _TakenBackError(Exception):
    """Ends a transaction whose changes are not to be made."""


def foreseen(ledger: Ledger, space: str, choice: Choice) -> tuple[Meant, Receipt]:
    """Return what a choice takes, and the receipt: the ledger is asked by doing it all, and none of it is kept.

    Checkpoints and snapshots are not looked into, and count as 0. Nothing may be indexed meanwhile.

    Raises:
        BadInput: Not exactly one way of choosing is given, or an id is not there.
    """
    checked(choice)
    try:
        with ledger.write(lasting=False) as connection:
            taken = meant(connection, space, choice)
            everything, thread = bool(choice.get("all")), choice.get("thread")
            erased = erase(connection, space, taken, now())
            ids = [row.id for row in taken.rows]
            scrubbed = forget_costs(connection, space, ids, [thread] if thread else [], everything=everything)
            raise _TakenBackError
    except _TakenBackError:
        pass
    return taken, Receipt(
        space=space,
        ids=tuple(ids),
        threads=tuple(sorted({row.thread for row in taken.rows if row.thread})),
        kinds=dict(sorted(Counter(row.kind for row in taken.rows).items())),
        derived=len(taken.derived),
        revived=erased.revived,
        revised=tuple(row.id for row in taken.revised),
        sources=erased.sources,
        vectors=sum(row.vectors for row in taken.rows),
        keywords=erased.keywords,
        jobs=erased.jobs,
        blocks=erased.blocks,
        changes=erased.changes,
        entities=erased.entities,
        relations=erased.relations,
        tombstones=erased.tombstones,
        embedded_anew=len(erased.after),
        figures=scrubbed.figures,
        samples=scrubbed.samples,
        compacted=False,
    )
