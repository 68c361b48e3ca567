"""What can be wrong with a home and the machine under it, found without opening it; each finding says the cure.

Nothing is changed, and a home that another process has open is looked at all the same.
"""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from hippograph.memory.home import lost
from hippograph.memory.ledger import CURES
from hippograph.models import prices
from hippograph.models.prices import FILE as PRICES
from hippograph.state import BadInput, HomeUnusable, Settings

TOKENS = "tokens.json"
"""Whom `hippograph serve` lets in, in the home."""
MEGABYTE = 1_000_000
LOW = 300 * MEGABYTE
"""Less free room than this may end a day of talk, a snapshot or a compaction half-way."""
AHEAD = timedelta(minutes=1)
"""Clocks that are set over the network are put back by less."""
FIRST_YEAR = 2025
"""A clock that says less was never set: this was not written then."""
OTHERS = 0o077
"""Permissions of anyone but the owner."""
NEWEST = "SELECT max(recorded_at) FROM (SELECT recorded_at FROM memories ORDER BY seq DESC LIMIT 1000)"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    name: str
    ok: bool
    text: str
    """What is there, or what is wrong and how to mend it."""


def diagnose(settings: Settings) -> list[Finding]:
    """Look at the disk, permissions, databases, clock and tables of a home, which need not exist yet."""
    home = settings.home
    looked = [
        _disk(home),
        *_access(home),
        _ledger(home),
        *_databases(home),
        _clock(home, datetime.now(UTC)),
        _prices(settings),
    ]
    return [found for found in looked if found is not None]


def _disk(home: Path) -> Finding:
    there = next(each for each in (home, *home.absolute().parents) if each.exists())
    free = shutil.disk_usage(there).free
    room = f"{free / MEGABYTE:,.0f} MB free"
    if free < LOW:
        text = f"Only {room} at {there}: free some space, or choose another folder with --home or HIPPOGRAPH_HOME."
        return Finding("disk", False, text)
    return Finding("disk", True, f"{room} at {there}")


def _access(home: Path) -> Iterator[Finding | None]:
    """Look at who may read and write: this user everything, others nothing."""
    if not home.exists():
        return
    if not home.is_dir():
        text = f"{home} is no folder: choose another with --home or HIPPOGRAPH_HOME."
        yield Finding("permissions", False, text)
        return
    paths = [home, *home.rglob("*")]
    shut = [path for path in paths if path.exists() and not os.access(path, os.R_OK | os.W_OK)]
    if shut:
        cure = f"`sudo chown -R $USER {home} && chmod -R u+rwX {home}` gives it back."
        yield Finding("permissions", False, f"{shut[0]} may not be read and written: {cure}")
    elif os.name == "posix" and home.stat().st_mode & OTHERS:
        text = f"Others on this machine may read what is in {home}: `chmod 700 {home}` keeps them out."
        yield Finding("permissions", False, text)
    else:
        yield Finding("permissions", True, "only you can read the home")
    tokens = home / TOKENS
    if os.name == "posix" and tokens.exists() and tokens.stat().st_mode & OTHERS:
        text = f"Others on this machine may read who is let in: `chmod 600 {tokens}` keeps them out."
        yield Finding("tokens", False, text)


def _ledger(home: Path) -> Finding | None:
    """Tell of a home that lost its ledger: opened, it would begin anew."""
    try:
        told = lost(home) if home.is_dir() else None
    except HomeUnusable as error:
        told = str(error)
    return Finding("ledger", False, told) if told else None


def _databases(home: Path) -> Iterator[Finding]:
    """Have SQLite look through its files: a bad block of the disk is found before what stands in it is asked for."""
    for path in sorted(home.glob("*.db")):
        if path.is_dir():
            cure = "move it away, then `hippograph restore latest` puts the last snapshot in its place"
            yield Finding(path.stem, False, f"{path} is a folder, no database: {cure}.")
            continue
        if not path.stat().st_size and _ledger(home):
            continue
        try:
            with closing(_read_only(path)) as connection:
                said = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        except sqlite3.Error as error:
            said = str(error)
        if said == "ok":
            yield Finding(path.stem, True, f"{path.stat().st_size / MEGABYTE:,.1f} MB, whole")
        else:
            cure = next((cure for word, cure in CURES.items() if word in said.lower()), CURES["malformed"])
            yield Finding(path.stem, False, f"{path} {cure}. ({said.splitlines()[-1]})")


def _clock(home: Path, present: datetime) -> Finding | None:
    said = f"The machine's clock says {present:%Y-%m-%d %H:%M} UTC"
    cure = "set it (`sudo timedatectl set-ntp true`), or what is told now is dated wrong and sorts as older."
    if present.year < FIRST_YEAR:
        return Finding("clock", False, f"{said}, which has been: {cure}")
    newest = _newest(home / "ledger.db")
    if newest is not None and newest > present + AHEAD:
        return Finding("clock", False, f"{said}, but something was stored at {newest:%Y-%m-%d %H:%M} already: {cure}")
    return Finding("clock", True, f"{present:%Y-%m-%d %H:%M} UTC")


def _newest(ledger: Path) -> datetime | None:
    """Return when the newest of what was stored last was stored; None where that cannot be told."""
    if not ledger.exists():
        return None
    try:
        with closing(_read_only(ledger)) as connection:
            found = connection.execute(NEWEST).fetchone()[0]
    except sqlite3.Error:
        return None
    return found and datetime.fromisoformat(found).replace(tzinfo=UTC)


def _prices(settings: Settings) -> Finding | None:
    if settings.prices is None and not (settings.home / PRICES).exists():
        return None
    try:
        prices(settings.home, settings.prices)
    except BadInput as error:
        return Finding("prices", False, f"{error} Until then the built-in table counts.")
    return Finding("prices", True, str(settings.prices or settings.home / PRICES))


def _read_only(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=5)
