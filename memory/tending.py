"""Upkeep as part of `Memory`: by hand, step by step for the graph, and in the background."""

from collections.abc import Callable, Sequence
from datetime import datetime

from hippograph.memory.intake import space_name
from hippograph.memory.times import now as present
from hippograph.memory.times import utc
from hippograph.memory.twin import twin
from hippograph.memory.upkeep.steps import BUSY, LOST, Upkeep, chosen
from hippograph.memory.upkeep.task import Summarize, never
from hippograph.memory.upkeep.tender import Tender
from hippograph.state.upkeep import Outcome, Policy, Step, StepReport


class Tending:
    """The part of `Memory` that keeps it in order."""

    policy: Policy
    """How far upkeep goes where a call does not say."""
    summarize: Summarize | None
    """Writes the summaries of memories that are merged; without it, the memories' own words do."""
    _upkeep: Upkeep
    _tender: Tender

    def upkeep(
        self,
        space: str | None = None,
        *,
        steps: Sequence[str] | None = None,
        dry_run: bool = False,
        now: str | datetime | None = None,
        policy: Policy | None = None,
        summarize: Summarize | None = None,
        stopping: Callable[[], bool] = never,
    ) -> Outcome:
        """Expire, sweep, fade, clean, merge, distil and compact; a second run at once does nothing, and says so.

        Args:
            space: Whose memories; None: everybody's.
            steps: Only these of `hippograph.state.upkeep.STEPS`.
            dry_run: Only tell what would be done: each step as if it were the only one.
            now: As if it were this time.
            policy: How far it goes; None: the memory's own.
            summarize: Writes summaries, in place of the memory's own.
            stopping: Tells whether to end early.

        Returns:
            A report for each step, or a note why there is none.

        Raises:
            BadInput: An unknown step, an empty space, or a time that is none.
        """
        wanted = chosen(steps)
        lease = self.begin_upkeep()
        if lease is None:
            return Outcome(reports=[], note=BUSY)
        try:
            reports = [
                self.tend(
                    lease,
                    step,
                    space,
                    dry_run=dry_run,
                    now=now,
                    policy=policy,
                    summarize=summarize,
                    stopping=stopping,
                )
                for step in wanted
                if not stopping()
            ]
        finally:
            self.end_upkeep(lease)
        return Outcome(reports=reports, note="")

    def begin_upkeep(self) -> str | None:
        """Return the right to do steps, to be given back by `end_upkeep`; None while another run has it."""
        return self._upkeep.leases.take()

    def tend(
        self,
        lease: str,
        step: Step,
        space: str | None = None,
        *,
        dry_run: bool = False,
        now: str | datetime | None = None,
        policy: Policy | None = None,
        summarize: Summarize | None = None,
        stopping: Callable[[], bool] = never,
    ) -> StepReport:
        """Do one step under a lease; arguments and errors as those of `upkeep`."""
        return self._upkeep.step(
            lease,
            step,
            None if space is None else space_name(space),
            present() if now is None else utc(now),
            policy or self.policy,
            dry_run=dry_run,
            summarize=summarize or self.summarize,
            stopping=stopping,
        )

    def end_upkeep(self, lease: str) -> None:
        """Give the right to do steps back."""
        self._upkeep.leases.give_back(lease)

    def _tended(self, stopping: Callable[[], bool]) -> bool:
        """Do upkeep for the background; returns whether all of it was done."""
        reports = self.upkeep(stopping=stopping)["reports"]
        lost = any(LOST in each["note"] for each in reports)
        return len(reports) == len(chosen(None)) and not lost and not stopping()

    aupkeep = twin(upkeep)
    abegin_upkeep = twin(begin_upkeep)
    atend = twin(tend)
    aend_upkeep = twin(end_upkeep)
