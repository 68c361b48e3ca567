"""`hippograph stats`: what turns cost in tokens, time and money, and what their summaries are worth."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hippograph.cli.figures import stats_lines
from hippograph.cli.judging import judge
from hippograph.cli.lines import counted
from hippograph.cli.options import HomeOption, JsonOption, configured, named
from hippograph.cli.screen import note, say, say_json
from hippograph.state import BadInput
from hippograph.state.costs import BYS, By, Stats

if TYPE_CHECKING:
    from hippograph.memory.costs.account import Account
    from hippograph.models import Prices
    from hippograph.state import Settings


def stats(
    user: Annotated[str | None, typer.Option("--user", metavar="NAME", help="Only this user's. Default: all.")] = None,
    days: Annotated[float, typer.Option(min=0.01, help="Of the last so many days.")] = 30,
    since: Annotated[str | None, typer.Option(metavar="TIME", help="From this time on, instead.")] = None,
    by: Annotated[str | None, typer.Option(metavar="WHAT", help=f"A table by {', '.join(BYS)}.")] = None,
    plot: Annotated[Path | None, typer.Option(metavar="FILE.png", help="Draw it, too; needs matplotlib.")] = None,
    judging: Annotated[
        bool, typer.Option("--judge", help="Judge the sampled summaries, one after the other, by three keys each.")
    ] = False,
    judge_with: Annotated[
        str | None, typer.Option("--judge-with", metavar="MODEL", help="Let this model judge them, now.")
    ] = None,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show what turns cost, in tokens, time and money, and what their summaries are worth; also while a server runs.

    Nothing that was said is in it, but for summaries sampled by HIPPOGRAPH_SAMPLE, until they are judged.

    \b
    hippograph stats
    hippograph stats --days 7 --by model
    hippograph stats --user ann --by day --json
    hippograph stats --plot costs.png
    hippograph stats --judge
    """
    whose = None if user is None else named(user, "--user")
    if by is not None and by not in BYS:
        raise BadInput(f"Figures cannot be told apart by {by!r}: choose one of {', '.join(BYS)}.")
    settings = configured(home)
    if judge_with:
        _judge_with(settings, judge_with, whose, as_json=as_json)
        return
    with _opened(settings) as account:
        if judging:
            judge(account, whose)
            return
        told = account.stats(whose, days=days, since=since, by=_by(by))
    if plot:
        from hippograph.cli.picture import draw

        draw(told, plot, _of(whose))
        note(f"Drawn: {plot}")
    if as_json:
        say_json(stats_json(told))
    else:
        say("\n".join(stats_lines(told, _of(whose))))


def stats_json(told: Stats) -> dict[str, object]:
    """Return figures as `--json` prints them."""
    return {**asdict(told), "since": told.since.isoformat(), "until": told.until.isoformat()}


def _by(name: str | None) -> By | None:
    return next((each for each in BYS if each == name), None)


def _of(user: str | None) -> str:
    return "all users" if user is None else user


@contextmanager
def _opened(settings: "Settings") -> "Iterator[Account]":
    """Open the account alone: that another process has the home does not matter, nor do models."""
    from hippograph.memory.costs.account import Account
    from hippograph.memory.ledger import Ledger

    path = settings.home / "ledger.db"
    if not path.exists():
        raise BadInput(f"{settings.home} is no home yet: nothing was said there. `hippograph chat` begins one.")
    with Ledger(path) as ledger:
        yield Account(ledger, _prices(settings), settings.daily_usd)


def _prices(settings: "Settings") -> "Prices":
    """Return the prices that hold; a table that cannot be read is told, and does without."""
    from hippograph.models import Prices, prices

    try:
        return prices(settings.home, settings.prices)
    except BadInput as error:
        note(f"{error} Until then the built-in table counts.")
        return Prices()


def _judge_with(settings: "Settings", model: str, whose: str | None, *, as_json: bool) -> None:
    from hippograph.memory import Memory
    from hippograph.memory.costs.judge import judge as made

    with Memory.open(settings.home, settings=settings) as memory:
        done = memory.judge(by=made(settings.override(judge=model)), space=whose)
        left = len(memory.samples(whose))
    if as_json:
        say_json({"judged": done, "left": left, "by": model})
        return
    note(f"{counted(done, 'summary')} judged by {model}, {left:,} left.")
