"""Turns that cost something, and an account to keep of them: what the tests of costs share."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from hippograph.memory.costs.account import Account
from hippograph.memory.costs.recorder import Recorder
from hippograph.memory.costs.round import Round
from hippograph.memory.ledger import Ledger
from hippograph.models import Prices
from hippograph.state.costs import Figures
from hippograph.state.turn import Block, Call, Stage, no_block

NOON = datetime(2026, 5, 14, 10, tzinfo=UTC)
"""A Thursday."""
DAY = timedelta(days=1)
HOSTED = "openai:gpt-5-mini"
"""0.25 USD per million tokens of prompt, 2 of answer."""


class Clock:
    """The present, which stands still unless moved."""

    def __init__(self) -> None:
        self.time = NOON

    def __call__(self) -> datetime:
        return self.time


class Book:
    """A ledger of its own, what records in it, and what reads it."""

    def __init__(self, folder: Path, days: int = 0) -> None:
        self.clock = Clock()
        self.ledger = Ledger(folder / "ledger.db")
        self.recorder = Recorder(self.ledger)
        self.recorder.clock, self.recorder.days = self.clock, days

    @property
    def account(self) -> Account:
        return Account(self.ledger, self.recorder.prices, clock=self.clock)

    def enter(self, *rounds: Round) -> None:
        for each in rounds:
            self.recorder.note(each)
        assert self.recorder.flush()

    def total(self, space: str | None = None, **asked: Any) -> Figures:
        return self.account.stats(space, **asked).total

    def column(self, table: str, name: str) -> list[Any]:
        with self.ledger.read() as connection:
            return [row[0] for row in connection.exec_driver_sql(f"SELECT {name} FROM {table} ORDER BY 1")]


def call(model: str = HOSTED, role: Any = "big", read: int = 1000, written: int = 100, *, cached: bool = False) -> Call:
    return Call(role=role, model=model, input=read, output=written, ms=50.0, cached=cached)


def stage(ms: float = 10.0, *calls: Call) -> Stage:
    return Stage(ms=ms, tokens=0, input=0, output=0, money=None, calls=[*calls])


def block(text: str = "[1] (2026-05-01, user) The cello cost 1,250 euros.", **more: Any) -> Block:
    given: Any = {**no_block(), "text": text, "tokens": 20, "cited": ["m1"], "by": "big", **more}
    return Block(**given)


def taken(turn: str = "t1", **more: Any) -> Round:
    """A turn of Ann's, with one call of the big model for its block."""
    given: dict[str, Any] = {
        "space": "ann",
        "thread": "main",
        "turn": turn,
        "at": NOON,
        "question": "What did the cello cost?",
        "stages": {"summarize": stage(60.0, call()), "respond": stage(40.0)},
        "block": block(),
        "evidence": [{"id": "m1", "text": "The cello cost 1,250 euros."}],
        "degraded": False,
        "failed": False,
        "remembered": True,
    }
    return Round(**(given | more))


def priced(**models: float) -> Prices:
    from hippograph.models import Price

    return Prices({name.replace("_", ":"): Price(each, each) for name, each in models.items()})
