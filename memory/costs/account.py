"""One home's account, read from its ledger: what turns cost, what waits to be judged, and what people say of it."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from sqlalchemy import select

from hippograph.memory.costs import samples as kept
from hippograph.memory.costs.recorder import FAR
from hippograph.memory.costs.report import Asked, report
from hippograph.memory.intake import space_name
from hippograph.memory.ledger import Ledger
from hippograph.memory.schema import memories
from hippograph.memory.times import now, utc
from hippograph.models import Prices
from hippograph.state import BadInput, thread_key
from hippograph.state.costs import BYS, CRITERIA, By, Figures, Sample, Stats, Verdict

DAYS = 30
"""Days that are told of where nobody says which."""


class Account:
    """Reads and judges. A second process may do so beside the one that has the home."""

    def __init__(
        self,
        ledger: Ledger,
        prices: Prices,
        daily_usd: float | None = None,
        clock: Callable[[], datetime] = now,
    ) -> None:
        self._ledger = ledger
        self._prices = prices
        self._daily_usd = daily_usd
        self._clock = clock

    def stats(
        self,
        space: str | None = None,
        *,
        days: float = DAYS,
        since: str | datetime | None = None,
        until: str | datetime | None = None,
        by: By | None = None,
    ) -> Stats:
        """Return what turns cost; arguments and errors as those of `Memory.stats`."""
        if by is not None and by not in BYS:
            raise BadInput(f"Figures cannot be told apart by {by!r}: choose one of {', '.join(BYS)}.")
        end = self._clock() if until is None else utc(until)
        begin = end - timedelta(days=min(days, FAR)) if since is None else utc(since)
        if begin >= end:
            raise BadInput(f"The time asked about ends ({end:%Y-%m-%d}) before it begins ({begin:%Y-%m-%d}).")
        asked = Asked(
            space=None if space is None else space_name(space),
            since=begin,
            until=end + timedelta(microseconds=1),  # what was recorded in this very moment counts
            by=by,
            daily_usd=self._daily_usd,
        )
        told = report(self._ledger, self._prices, asked)
        return self._named(told) if by == "thread" else told

    def samples(self, space: str | None = None) -> Sequence[Sample]:
        """Return the summaries that wait to be judged, the oldest first."""
        with self._ledger.read() as connection:
            return kept.waiting(connection, None if space is None else space_name(space))

    def judged(self, sample: int, verdict: Verdict, by: str = kept.PERSON) -> bool:
        """Store a verdict; arguments and errors as those of `Memory.judged`."""
        if any(getattr(verdict, name) not in range(1, 6) for name in CRITERIA):
            raise BadInput(f"{verdict} has a grade that is not 1, 2, 3, 4 or 5.")
        with self._ledger.write() as connection:
            return kept.judged(connection, sample, verdict, by)

    def _named(self, told: Stats) -> Stats:
        """Give threads their names, as far as something that was said in them is remembered."""
        query = select(memories.c.thread, memories.c.space).where(memories.c.thread != "").distinct()
        with self._ledger.read() as connection:
            names = {thread_key(space, thread): thread for thread, space in connection.execute(query)}
        groups = dict[str, Figures]()
        for key, each in told.groups.items():  # two users may have a thread of one name
            name = names.get(key, key)
            groups[name if name not in groups else f"{name} ({key[:8]})"] = each
        return replace(told, groups=groups)
