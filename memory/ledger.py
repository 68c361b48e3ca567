"""The ledger: every memory, its sources and the queue, in one SQLite file; the truth all else is rebuilt from."""

import contextlib
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Self

from sqlalchemy import (
    Connection,
    Engine,
    Row,
    Select,
    create_engine,
    event,
    func,
    select,
    update,
)
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.exc import DatabaseError

from hippograph.memory import keywords
from hippograph.memory.about import noted, remembered
from hippograph.memory.erasure import tombstones
from hippograph.memory.schema import jobs, memories, sources
from hippograph.state import BadInput, HomeUnusable

HEAD = "0008"
"""The newest migration; a test compares it with the migrations folder."""

Fields = Mapping[str, Any]
"""A row to be: column name to value."""

DEBOUNCE = timedelta(seconds=2)
"""A turn is read for facts when its thread has been silent for so long."""
READERS_MAY_TAKE = (0.01, 0.1, 0.5, 1.0, 0.0)
"""Seconds between tries to empty the log, which a reader in another thread keeps from being emptied."""
BATCH = 500
"""Values in one IN (...): well under SQLite's limit of 32,766 variables."""


class Ledger:
    """One open ledger file. Safe to use from several threads."""

    def __init__(self, path: Path) -> None:
        """Open (creating or migrating it where needed) the ledger at `path`.

        Raises:
            HomeUnusable: The file cannot be read or written, is no ledger, or was written by a newer version.
        """
        self.path = path
        self.closed = False
        self._writing = threading.RLock()
        self._engine = _engine(path)
        try:
            with translated(path):
                self._migrate()
                path.chmod(0o600)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Let go of the file."""
        self.closed = True
        self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextlib.contextmanager
    def read(self) -> Iterator[Connection]:
        """Give a connection that reads one consistent state."""
        with translated(self.path), self._open().connect() as connection:
            yield connection

    @contextlib.contextmanager
    def write(self, *, lasting: bool = True) -> Iterator[Connection]:
        """Give a connection whose changes are made, all of them or none, when the block ends.

        Args:
            lasting: Whether they are on disk by then. If not, a killed process still loses none of them, a power cut
                may: for what can be done again.
        """
        with translated(self.path), self._writing, self._open().connect() as connection:
            writer = connection.execution_options(synchronous="FULL" if lasting else "NORMAL")
            with writer.begin():
                yield writer

    @contextlib.contextmanager
    def still(self) -> Iterator[None]:
        """Let nobody else write until the block ends; readers go on."""
        self._open()
        with self._writing:
            yield

    def add(
        self,
        rows: Sequence[Fields],
        quotes: Mapping[str, Sequence[tuple[str, str]]] | None = None,
        used: Sequence[str] = (),
        *,
        infer: bool = False,
        review: bool = False,
        first: Callable[[Connection], Mapping[str, int]] = lambda connection: {},
    ) -> list[bool]:
        """Store memories with their keywords and jobs in one transaction.

        Args:
            rows: Columns of `memories`; `space`, `id`, `thread`, `text`, `kind` and the times must be there.
            quotes: For a row's id, the (turn id, quote) pairs it rests on.
            used: Ids of memories of the rows' space that were used just now, if any row is new.
            infer: Whether facts are to be found in the turns of users and tools.
            review: Whether doubtful ones among them wait for a person.
            first: What else is to be done in the transaction, before; returns the places in their thread of rows whose
                ids begin so, which then took no new place, and whose `used` were counted with it.

        Returns:
            For each row, whether it was new; an id its space already has is left as it is, and so is a turn that was
            forgotten with this id and this text: it was sent again, not said anew.

        Raises:
            BadInput: An id is taken by another text, a source names a turn the space does not have, or a quote its
                turn does not contain; nothing is stored.
        """
        places = Places()
        with self.write() as connection:
            had = first(connection)
            rows = [_placed(row, had) for row in rows] if had else rows
            back = tombstones.resent(connection, [row for row in rows if row["kind"] == "turn"])
            seqs = [None if row["id"] in back else inserted(connection, row, places) for row in rows]
            fresh = [(seq, row) for seq, row in zip(seqs, rows, strict=True) if seq is not None]
            for seq, row in fresh:
                for turn_id, quote in (quotes or {}).get(row["id"], ()):
                    source = quoted(connection, row["space"], turn_id, quote)
                    connection.execute(sources.insert().values(memory=seq, **source))
            said = [(seq, row) for seq, row in fresh if row["text"].strip()]
            keywords.add(connection, [(seq, row["space"], keywords.searched(row)) for seq, row in said])
            if due := [job for seq, row in said for job in _jobs(seq, row, infer, review)]:
                connection.execute(jobs.insert(), due)
            if fresh and used and not had:
                row = fresh[0][1]
                again = update(memories).where(memories.c.space == row["space"], memories.c.id.in_(used))
                connection.execute(again.values(uses=memories.c.uses + 1, used_at=row["recorded_at"]))
        return [seq is not None for seq in seqs]

    def count(self, space: str | None = None) -> int:
        """Return how many current memories there are."""
        query = select(func.count()).select_from(memories).where(memories.c.status == "current")
        with self.read() as connection:
            return connection.scalar(query if space is None else query.where(memories.c.space == space)) or 0

    def indexed(self) -> bool:
        """Tell whether any memory has vectors."""
        with self.read() as connection:
            return connection.execute(select(1).where(memories.c.vectors > 0).limit(1)).first() is not None

    def remembered(self, name: str) -> str | None:
        """Return a fact about the home itself, such as its embedding model."""
        with self.read() as connection:
            return remembered(connection, name)

    def note(self, **values: str | None) -> None:
        """Remember facts about the home itself; None takes one away."""
        with self.write() as connection:
            noted(connection, **values)

    def compact(self) -> None:
        """Give the space of what was erased back, so that its bytes are nowhere in the files."""
        with translated(self.path), self._writing, self._engine.connect() as connection:
            raw = connection.connection.dbapi_connection
            assert raw is not None
            raw.execute("INSERT INTO keywords(keywords) VALUES ('optimize')")
            raw.execute("VACUUM")
            for wait in READERS_MAY_TAKE:
                busy, *_ = raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
                if not busy:
                    return
                time.sleep(wait)
        raise HomeUnusable(f"{self.path} is being read, so what was erased is still in its log.")

    def _open(self) -> Engine:
        if self.closed:
            raise HomeUnusable(f"{self.path.parent} was closed: open it again to use its memories.")
        return self._engine

    def _migrate(self) -> None:
        with self._engine.connect() as connection:
            revision = _revision(connection)
        if revision != HEAD:
            from hippograph.memory.migrations import upgrade

            with self.write() as connection:
                upgrade(connection, self.path)


def queue_again(connection: Connection, space: str, seqs: Sequence[int], at: datetime) -> None:
    """Queue memories whose vectors are to be made anew, at once, whatever became of an earlier job."""
    connection.execute(update(memories).where(memories.c.seq.in_(seqs)).values(vectors=0))
    for seq in seqs:
        job = {"state": "queued", "attempts": 0, "due_at": at, "leased_until": None, "error": None}
        statement = insert(jobs).values(memory=seq, kind="index", space=space, **job)
        connection.execute(statement.on_conflict_do_update(index_elements=["memory", "kind"], set_=job))


def sources_of(connection: Connection, seqs: Sequence[int]) -> dict[int, list[Row[Any]]]:
    """Return for each memory the quotes it rests on, with their turn's id, thread and time."""
    found: dict[int, list[Row[Any]]] = {}
    query = select(sources, memories.c.id, memories.c.thread, memories.c.said_at).join(
        memories, memories.c.seq == sources.c.turn
    )
    for start in range(0, len(seqs), BATCH):
        for row in connection.execute(query.where(sources.c.memory.in_(seqs[start : start + BATCH]))):
            found.setdefault(row.memory, []).append(row)
    return found


def living(space: str | None) -> Select[Any]:
    """Select what is not forgotten, in one space or in all, in the order of storing."""
    query = select(memories).where(memories.c.status != "forgotten").order_by(memories.c.seq)
    return query if space is None else query.where(memories.c.space == space)


Places = dict[tuple[str, str], int]
"""Last position of each (space, thread) that a transaction adds to."""


_NEW = insert(memories).on_conflict_do_nothing().returning(memories.c.seq)


def _placed(row: Fields, places: Mapping[str, int]) -> Fields:
    """Return a row with the place that others had whose ids begin as its does, if there were any."""
    place = next((place for beginning, place in places.items() if row["id"].startswith(beginning)), None)
    return row if place is None else {**row, "position": place}


def inserted(connection: Connection, row: Fields, places: Places) -> int | None:
    """Insert a row at the end of its thread, or where it says; return its number, None where its id is taken."""
    thread = row["space"], row["thread"]
    if thread not in places:
        same = memories.c.space == thread[0], memories.c.thread == thread[1]
        places[thread] = connection.scalar(select(func.max(memories.c.position)).where(*same)) or 0
    place = row.get("position") or places[thread] + 1
    seq: int | None = connection.scalar(_NEW, {**row, "position": place})
    if seq is None:
        _same(connection, row)
    places[thread] = max(places[thread], place if seq is not None else 0)
    return seq


SOURCES = ("user", "tool")
"""Whose turns facts are looked for in: an assistant echoes, and what it recalled would be learned again."""


def _jobs(seq: int, row: Fields, infer: bool, review: bool) -> Iterator[Fields]:
    """Give what is to be done for a new memory; reading it waits for its thread to be silent."""
    job = {"memory": seq, "space": row["space"], "due_at": row["recorded_at"], "review": review}
    yield {**job, "kind": "index"}
    if infer and row["kind"] == "turn" and row["role"] in SOURCES:
        yield {**job, "kind": "extract", "due_at": row["recorded_at"] + DEBOUNCE}


def _same(connection: Connection, row: Fields) -> None:
    """Make sure that what has a row's id already says the same: to leave another text out would lose it."""
    known = select(memories.c.text).where(memories.c.space == row["space"], memories.c.id == row["id"])
    if connection.scalar(known) != row["text"]:
        raise BadInput(
            f"There is a memory {row['id']!r} already, with another text, so nothing is stored: give an id of its own, "
            "none, or another user."
        )


def quoted(connection: Connection, space: str, turn_id: str, quote: str) -> dict[str, str | int]:
    """Return the row of `sources` for a quote, an empty one standing for the whole turn; BadInput if none."""
    turn = connection.execute(
        select(memories.c.seq, memories.c.text).where(memories.c.space == space, memories.c.id == turn_id)
    ).one_or_none()
    if turn is None:
        raise BadInput(f"There is no turn {turn_id!r} in this space: a source must name one that is stored.")
    start = turn.text.find(quote)
    if start < 0:
        raise BadInput(f"Turn {turn_id!r} does not contain the quote {quote!r}.")
    quote = quote or turn.text
    return {"turn": turn.seq, "quote": quote, "start": start, "end": start + len(quote)}


def _revision(connection: Connection) -> str | None:
    tables = connection.exec_driver_sql("SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'").scalar()
    return connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar() if tables else None


def _engine(path: Path) -> Engine:
    engine = create_engine(f"sqlite:///{path}", connect_args={"timeout": 30})

    @event.listens_for(engine, "connect")
    def configure(connection: Any, _: object) -> None:  # noqa: ANN401
        connection.isolation_level = None  # SQLAlchemy begins and ends transactions itself, below
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "secure_delete=ON"):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        synchronous = connection.get_execution_options().get("synchronous")
        if synchronous:
            connection.exec_driver_sql(f"PRAGMA synchronous={synchronous}")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if synchronous else "BEGIN")

    return engine


CURES: Mapping[str, str] = {
    "readonly": "is read-only: allow writing to it, or choose another folder with --home or HIPPOGRAPH_HOME",
    "unable to open": "cannot be opened: check that its folder may be written, or choose another with --home",
    "full": "cannot be written, the disk is full: free some space and try again; nothing that was stored is lost",
    "disk i/o": "cannot be written, the disk is full or failing: free some space and try again",
    "locked": "is locked by another program: close it and try again",
    "not a database": "is not a Hippograph ledger or is damaged: `hippograph restore latest` puts the last snapshot in "
    "its place, or choose another --home",
    "malformed": "is damaged: `hippograph restore latest` puts the last snapshot in its place, or choose another "
    "--home",
}


@contextlib.contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turn what the database says about a disk or a file into an error that names the cure."""
    try:
        yield
    except (DatabaseError, sqlite3.Error) as error:
        said = str(error.orig if isinstance(error, DatabaseError) else error)
        cure = next((cure for word, cure in CURES.items() if word in said.lower()), None)
        if cure is None:
            raise
        raise HomeUnusable(f"{path} {cure}. ({said})") from error
    except PermissionError as error:
        raise HomeUnusable(f"{path} may not be written: {error.strerror}.") from error
