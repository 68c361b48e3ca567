"""Which snapshots are worth keeping: the last of each day, week and month, as far back as one cares."""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from datetime import datetime

from hippograph.memory.backup.manifests import Snapshot
from hippograph.state import BadInput


@dataclass(frozen=True, slots=True, kw_only=True)
class Retention:
    """How many days, weeks and months keep their last snapshot; only such that have one count."""

    daily: int = 7
    weekly: int = 5
    monthly: int = 12

    def __post_init__(self) -> None:
        if min(self.daily, self.weekly, self.monthly) < 0 or not self.daily + self.weekly + self.monthly:
            raise BadInput("Say how many snapshots to keep: daily, weekly and monthly at least 0, and not all 0.")

    def kept(self, snapshots: Iterable[Snapshot]) -> list[Snapshot]:
        """Return those that stay, the oldest first; the newest is always among them."""
        newest_first = sorted(snapshots, key=lambda each: (each.at, each.id), reverse=True)
        periods: tuple[tuple[int, Callable[[datetime], Hashable]], ...] = (
            (self.daily, lambda at: at.date()),
            (self.weekly, lambda at: at.isocalendar()[:2]),
            (self.monthly, lambda at: (at.year, at.month)),
        )
        stay = {each.id for each in newest_first[:1]}
        for number, period in periods:
            last = dict[Hashable, str]()
            for each in newest_first:
                last.setdefault(period(each.at.astimezone()), each.id)
            stay |= {*[*last.values()][:number]}
        return [each for each in reversed(newest_first) if each.id in stay]
