"""What daily snapshots of a growing home cost, beside full copies of it, and whether they give it back as it was."""

import hashlib
import sqlite3
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from langchain_core.language_models.fake_chat_models import FakeListChatModel
from typing_extensions import override

from hippograph.bench import machine
from hippograph.bench.hashed import SPEC, HashedEmbeddings, hashed
from hippograph.bench.report import Report, median, percentile
from hippograph.bench.turns import conversations
from hippograph.graph import Agent, open_agent
from hippograph.memory import Memory, Snapshot
from hippograph.memory.backup.vault import Vault
from hippograph.state import Settings

USER = "bench"
THREADS_A_DAY = 3
LEVEL = 6
"""zlib's, of the compressed full copies: the one that snapshots use."""
ASKED = 8
"""Queries whose answers are compared before and after a restore."""
TABLES = {"ledger.db": ("memories", "sources", "jobs", "keywords"), "checkpoints.db": ("checkpoints", "writes")}
"""What is compared row by row."""
GOALS = {"saved_share": 0.6}
NOTES = [
    "Each day a scripted model takes its turns in three conversations, as the real graph stores them: ledger, vectors, "
    "checkpoints. Turns are made up from few sentences, and embeddings are hashed bags of words of the default model's "
    "dimension: vectors of alike turns compress better than real ones would, for all three ways of copying.",
    "full_mb: every day all files, as they are. full_compressed_mb: each of these files by zlib at level 6. "
    "differential_mb: the folder of snapshots, lists of files included. saved_share is against the first, "
    "saved_share_compressed against the second.",
    "restore_p50_s: the snapshot of what was before included. exact_share: restores after which every row of the "
    f"ledger, each of {ASKED} searches with its scores and the state of all conversations are as they were, and "
    "nothing was embedded.",
    "after_forgetting_mb: differential_mb once a memory of the first day was forgotten, which rewrites and compacts "
    "all snapshots, so that they have fewer pages in common; forgetting_s is how long that took.",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """A day's snapshot, and what the home was then."""

    snapshot: Snapshot
    seconds: float
    state: str


class Counted(HashedEmbeddings):
    """Embeddings that count the passages they are given."""

    passages = 0

    @override
    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        self.passages += len(texts)
        return super().embed_documents(texts)

    @override
    def embed_query(self, text: str) -> list[float]:
        made: list[float] = super().embed_documents([text])[0]
        return made


def run(days: int, turns: int, progress: Callable[[str], None]) -> Report:
    """Let a home grow for some days, take a snapshot of each, and restore some.

    Args:
        days: How many.
        turns: Questions, each with an answer, a day.
        progress: Told what is being done.
    """
    where, embeddings = machine.describe(), Counted()
    said = [turn["text"] for thread in conversations(2 * days * turns + 100).threads.values() for turn in thread]
    with tempfile.TemporaryDirectory(prefix="hippograph-snapshots-") as folder:
        home = Path(folder) / "home"
        settings = Settings.from_env().override(home=home)
        model = FakeListChatModel(responses=said[1::2])
        with (
            Memory.open(home, hashed(embeddings), reranker="fusion", extractor="none") as memory,
            open_agent(settings, small=model, memory=memory) as agent,
        ):
            kept = [*_live(agent, iter(said[::2]), days, turns, progress)]
            vault = Vault(home / "snapshots")
            ours, full, compressed = vault.size(), sum(each.snapshot.bytes for each in kept), _compressed(vault, kept)
            progress("Restoring ...")
            restored = [_restored(memory, each, embeddings) for each in (kept[0], kept[days // 2], kept[-1])]
            memory._snapshots.vaults.delete([each.id for each in memory.snapshots() if each.note.startswith("before")])
            progress("Forgetting a memory of the first day ...")
            began = time.perf_counter()
            memory.forget(USER, ids=[memory.list(USER, newest_first=False, limit=1)[0].id])
            forgetting = time.perf_counter() - began
            after = Vault(home / "snapshots").size()
    seconds = [each.seconds for each in kept]
    return Report(
        metrics={
            "saved_share": round(1 - ours / full, 4),
            "saved_share_compressed": round(1 - ours / compressed, 4),
            "full_mb": _mb(full),
            "full_compressed_mb": _mb(compressed),
            "differential_mb": _mb(ours),
            "home_mb": _mb(kept[-1].snapshot.bytes),
            "last_day_mb": _mb(kept[-1].snapshot.new_bytes),
            "snapshot_p50_s": median(seconds),
            "snapshot_p95_s": percentile(seconds, 0.95),
            "restore_p50_s": median([took for took, _ in restored]),
            "exact_share": round(sum(exact for _, exact in restored) / len(restored), 4),
            "after_forgetting_mb": _mb(after),
            "forgetting_s": round(forgetting, 2),
        },
        machine=where,
        models={"embeddings": SPEC, "small": "scripted"},
        n=days,
        notes=NOTES,
    )


def _live(agent: Agent, said: Iterator[str], days: int, turns: int, progress: Callable[[str], None]) -> Iterator[Kept]:
    """Talk every day, and take a snapshot at its end."""
    for day in range(days):
        progress(f"Day {day + 1} of {days} ...")
        for n, text in enumerate(islice(said, turns)):
            agent.ask(text, user=USER, thread=f"{day}-{n * THREADS_A_DAY // turns}")
        agent.memory.flush()
        state, began = _state(agent.memory), time.perf_counter()
        snapshot = agent.memory.snapshot(f"day {day + 1}")
        yield Kept(snapshot=snapshot, seconds=time.perf_counter() - began, state=state)


def _restored(memory: Memory, kept: Kept, embeddings: Counted) -> tuple[float, bool]:
    """Restore a snapshot; return how long it took, and whether all is as it was."""
    embedded, began = embeddings.passages, time.perf_counter()
    memory.restore(kept.snapshot.id)
    seconds = time.perf_counter() - began
    return seconds, memory.flush() and _state(memory) == kept.state and embeddings.passages == embedded


def _state(memory: Memory) -> str:
    """Return a digest of all that a home holds and finds."""
    whole = hashlib.sha256()
    for file, tables in (
        ("ledger.db", ("memories", "sources", "jobs", "keywords")),
        ("checkpoints.db", ("checkpoints",)),
    ):
        with closing(sqlite3.connect(memory.home / file)) as connection:
            for table in tables:
                for row in connection.execute(f"SELECT * FROM {table}"):
                    whole.update(repr(row).encode())
    for found in memory.list(USER, limit=ASKED, newest_first=False):
        for each in memory.recall(USER, found.text, asked_at="2030-01-01"):
            whole.update(f"{each.id} {each.score}".encode())
    return whole.hexdigest()


def _compressed(vault: Vault, kept: Sequence[Kept]) -> int:
    """Return what full copies take when each of their files is compressed."""
    total = 0
    for each in kept:
        with tempfile.TemporaryDirectory(prefix="hippograph-snapshots-") as folder:
            vault.unpack(vault.manifest(each.snapshot.id), Path(folder))
            files = [path for path in Path(folder).rglob("*") if path.is_file()]
            total += sum(len(zlib.compress(path.read_bytes(), LEVEL)) for path in files)
    return total


def _mb(number: int) -> float:
    return round(number / 1e6, 2)
