"""What a list of memories is narrowed by, as the query string of its page says it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Literal
from urllib.parse import urlencode

from hippograph.memory.filters import Where
from hippograph.memory.listing import Wanted
from hippograph.state import BadInput

Order = Literal["", "new", "old"]
"""How a list is ordered: "" by how well it fits what is searched for, the newest first where nothing is."""
ALL = "all"
"""What stands for every status."""
CURRENT = "current"


@dataclass(frozen=True, slots=True, kw_only=True)
class Narrowing:
    """Filters of the list of memories; what is empty narrows nothing."""

    q: str = ""
    """What is searched for."""
    order: Order = ""
    kind: Sequence[str] = ()
    status: str = CURRENT
    """One, or ALL."""
    topic: str = ""
    about: str = ""
    """A subject."""
    thread: str = ""
    since: date | None = None
    """A day in this machine's zone."""
    until: date | None = None
    """A day, which is included."""
    pinned: bool = False

    @classmethod
    def read(cls, pairs: Iterable[tuple[str, str]]) -> "Narrowing":
        """Return what the pairs of a query string say; names that mean nothing are passed over.

        Raises:
            BadInput: A day is none, or the last one is before the first.
        """
        given = dict[str, list[str]]()
        for name, value in pairs:
            if value.strip():
                given.setdefault(name, []).append(value.strip())
        last = {name: values[-1] for name, values in given.items()}
        since, until = _day(last.get("since")), _day(last.get("until"))
        if since and until and until < since:
            raise BadInput(f"The time ends ({until}) before it begins ({since}): give a later end.")
        order: Order = "old" if last.get("order") == "old" else "new" if last.get("order") == "new" else ""
        return cls(
            q=last.get("q", ""),
            order=order,
            kind=tuple(dict.fromkeys(given.get("kind", ()))),
            status=last.get("status", CURRENT),
            topic=last.get("topic", ""),
            about=last.get("about", ""),
            thread=last.get("thread", ""),
            since=since,
            until=until,
            pinned=last.get("pinned") == "1",
        )

    @property
    def by_fit(self) -> bool:
        """Whether recall ranks the list; it knows only what is current."""
        return bool(self.q) and not self.order and self.status == CURRENT and not self.pinned

    @property
    def narrow(self) -> bool:
        """Whether anything but the search narrows the list."""
        return replace(self, q="", order="") != Narrowing()

    def wanted(self) -> Wanted:
        """Return the same as memory is asked it."""
        return Wanted(
            words=self.q,
            kinds=self.kind,
            statuses=() if self.status == ALL else (self.status,),
            topic=self.topic,
            subject=self.about,
            thread=self.thread,
            since=_begin(self.since) if self.since else None,
            until=_begin(self.until + timedelta(days=1)) if self.until else None,
            pinned=self.pinned,
            oldest_first=self.order == "old",
        )

    def where(self) -> Where:
        """Return the same as recall's conditions, but for what recall is told in other ways."""
        wanted = self.wanted()
        said = {"$gte": wanted.since, "$lt": wanted.until}
        found: dict[str, Any] = {"topic": self.topic, "subject": self.about, "thread": self.thread}
        found["said_at"] = {operator: when for operator, when in said.items() if when is not None}
        return {name: value for name, value in found.items() if value}

    def query(self, **changes: object) -> str:
        """Return the query string that says the same with some changes, "?…"; empty where it says nothing."""
        pairs = replace(self, **changes).pairs()  # type: ignore[arg-type]
        return f"?{urlencode(pairs)}" if pairs else ""

    def pairs(self) -> list[tuple[str, str]]:
        """Return the pairs of a query string that say the same; `read` undoes it."""
        usual = Narrowing()
        found = list[tuple[str, str]]()
        for each in fields(self):
            value = getattr(self, each.name)
            if value != getattr(usual, each.name):
                values = value if isinstance(value, tuple) else (value,)
                found += [(each.name, "1" if value is True else str(one)) for one in values]
        return found

    def with_kind(self, kind: str) -> str:
        """Return the query string with a kind chosen, or not any more where it was."""
        kinds = [each for each in self.kind if each != kind] if kind in self.kind else [*self.kind, kind]
        return self.query(kind=tuple(kinds))


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """A stretch of time with the number of memories said in it."""

    since: date
    until: date
    """Its last day."""
    label: str
    """"2026-05", "2026 Q2", "2026"."""
    memories: int
    height: float
    """In [0, 1], of the tallest bar; what has any has at least LOW."""
    chosen: bool


LOW = 0.06
MOST_BARS = 60


def bars(months: Mapping[str, int], narrowing: Narrowing) -> list[Bar]:
    """Return the bars of a timeline, from the first month that has any memory to the last, without gaps.

    Of more than MOST_BARS months quarters are made, of more quarters years.

    Args:
        months: The number of memories by month ("2026-05"), as `Memory.tally` tells it.
        narrowing: Says which of them are chosen.
    """
    if not months:
        return []
    first, last = _number(min(months)), _number(max(months))
    step = next((size for size in (1, 3) if (last - first) // size < MOST_BARS), 12)
    starts = range(first - first % step, last + 1, step)
    counts = [sum(months.get(_name(n), 0) for n in range(start, start + step)) for start in starts]
    tallest = max(counts)
    return [_bar(start, step, count, tallest, narrowing) for start, count in zip(starts, counts, strict=True)]


def _bar(start: int, step: int, count: int, tallest: int, narrowing: Narrowing) -> Bar:
    since, until = _first_day(start), _first_day(start + step) - timedelta(days=1)
    labels = {1: _name(start), 3: f"{since.year} Q{since.month // 3 + 1}", 12: str(since.year)}
    begun = narrowing.since is None or narrowing.since <= until
    chosen = begun and (narrowing.until is None or since <= narrowing.until)
    height = max(LOW, count / tallest) if count else 0.0
    return Bar(since=since, until=until, label=labels[step], memories=count, height=height, chosen=chosen)


def _number(month: str) -> int:
    year, _, number = month.partition("-")
    return int(year) * 12 + int(number) - 1


def _name(number: int) -> str:
    return f"{number // 12:04}-{number % 12 + 1:02}"


def _first_day(number: int) -> date:
    return date(number // 12, number % 12 + 1, 1)


def _day(text: str | None) -> date | None:
    if not text:
        return None
    try:
        found = date.fromisoformat(text)
        _begin(found)
        _begin(found + timedelta(days=1))
    except (ValueError, OverflowError):
        raise BadInput(f"{text!r} is no day: write it as 2026-05-31.") from None
    return found


def _begin(day: date) -> datetime:
    """Return the instant at which a day begins in this machine's zone, in UTC."""
    return datetime.combine(day, time()).astimezone().astimezone(UTC)
