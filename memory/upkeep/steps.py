"""The steps of upkeep over the spaces of one home, one run at a time."""

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial

from sqlalchemy import select

from hippograph.memory.costs.round import Metering, unmetered
from hippograph.memory.keywords import space_key
from hippograph.memory.schema import memories
from hippograph.memory.upkeep.cleaning import clean
from hippograph.memory.upkeep.distilling import distil
from hippograph.memory.upkeep.expiry import expire
from hippograph.memory.upkeep.fading import fade
from hippograph.memory.upkeep.lease import LeaseLost, Leases
from hippograph.memory.upkeep.matching import compact
from hippograph.memory.upkeep.merging import merge
from hippograph.memory.upkeep.sweeping import sweep
from hippograph.memory.upkeep.task import Done, Stores, Summarize, Task
from hippograph.state import BadInput
from hippograph.state.upkeep import STEPS, Policy, Step, StepReport

WORK: Mapping[Step, Callable[[Task], Done]] = {
    "expire": expire,
    "sweep": sweep,
    "decay": fade,
    "clean": clean,
    "merge": merge,
    "entities": distil,
    "compact": compact,
}
BUSY = "another run of upkeep is at work, so nothing was done: try again when it has ended"
LOST = (
    "this run lost its place, as another one took it or the home was restored meanwhile: what is left is done the "
    "next time"
)


class Upkeep:
    """Does the steps, one space after the other. Safe to use from several threads."""

    def __init__(self, stores: Stores) -> None:
        self.stores = stores
        self.leases = Leases(stores.ledger)
        self.metering: Metering = unmetered

    def spaces(self) -> list[str]:
        """Return all spaces that have memories."""
        with self.stores.ledger.read() as connection:
            query = select(memories.c.space).where(memories.c.status != "forgotten").distinct()
            return sorted(connection.scalars(query))

    def step(
        self,
        lease: str,
        name: Step,
        space: str | None,
        now: datetime,
        policy: Policy,
        *,
        dry_run: bool,
        summarize: Summarize | None,
        stopping: Callable[[], bool],
    ) -> StepReport:
        """Do one step on one space, or on all, while a lease lasts; returns what it did."""
        started = time.perf_counter()
        ids, counts, notes = list[str](), Counter[str](), dict[str, None]()
        for each in self.spaces() if space is None else [space]:
            if stopping():
                break
            if not self.leases.renew(lease):
                notes[LOST] = None
                break
            task = Task(
                stores=self.stores,
                space=each,
                now=now,
                policy=policy,
                dry_run=dry_run,
                summarize=summarize,
                stopping=stopping,
                held=partial(self.leases.check, lease=lease),
            )
            try:
                with self.leases.working(lease), self.metering(space_key(each), "upkeep"):
                    done = WORK[name](task)
            except LeaseLost:
                notes[LOST] = None
                break
            ids += done.ids
            counts.update(done.counts)
            notes |= {done.note: None} if done.note else {}
        return StepReport(
            step=name,
            counts={key: n for key, n in counts.items() if n},
            ids=ids,
            note="; ".join(notes),
            ms=round((time.perf_counter() - started) * 1000, 1),
        )


def chosen(steps: Sequence[str] | None) -> tuple[Step, ...]:
    """Return the wanted steps in the order in which they are done; None: all.

    Raises:
        BadInput: There is no such step.
    """
    if steps is None:
        return STEPS
    if isinstance(steps, str):
        raise BadInput(f"The steps of upkeep are {steps!r}, a text: give a list of some of {', '.join(STEPS)}.")
    if unknown := [each for each in steps if each not in STEPS]:
        raise BadInput(f"There is no step {unknown[0]!r} of upkeep: name some of {', '.join(STEPS)}.")
    return tuple(each for each in STEPS if each in steps)
