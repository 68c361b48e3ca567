"""Snapshots of a real home, and the way back: exact, in one step, and never half."""

import json
import os
import shutil
import sqlite3
import threading
from collections import namedtuple
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from typing_extensions import override

from hippograph.bench.hashed import HashedEmbeddings, hashed
from hippograph.bench.snapshots import Counted
from hippograph.memory import Memory
from hippograph.memory.backup import chunks, files, restoring, snapshots
from hippograph.memory.backup.restoring import ASIDE, READY
from hippograph.memory.backup.vault import Vault
from hippograph.state import BadInput, EmbedderChanged, HomeUnusable, Turn, space_hash, thread_key

TABLES = ("memories", "sources", "jobs", "changes", "keywords", "tombstones", "home")


@pytest.fixture
def embeddings() -> Counted:
    return Counted()


@pytest.fixture
def memory(tmp_path: Path, embeddings: Counted) -> Iterator[Memory]:
    """A memory with an embedder that costs nothing."""
    with Memory.open(tmp_path / "home", hashed(embeddings), reranker="fusion", extractor="none") as opened:
        yield opened


def tell(memory: Memory, *texts: str, space: str = "ann", thread: str = "t") -> None:
    memory.add_turns(space, thread, [Turn(role="user", text=text) for text in texts])


def rows(home: Path) -> dict[str, list[Any]]:
    """All that a ledger says, row by row."""
    with closing(sqlite3.connect(home / "ledger.db")) as connection:
        return {name: connection.execute(f"SELECT * FROM {name}").fetchall() for name in TABLES}


def found(memory: Memory, query: str = "Which lizard has Ada?") -> list[tuple[str, float]]:
    return [(each.text, each.score) for each in memory.recall("ann", query, k=5)]


def test_a_restored_home_is_the_same_row_for_row_and_finds_the_same_without_embedding(
    memory: Memory, embeddings: Counted
) -> None:
    tell(memory, *(f"Ada keeps {n} lizards." for n in range(12)), "我对荔枝过敏。")
    memory.remember("ann", "Ada likes lizards.", kind="preference")
    memory.flush()
    kept = memory.snapshot("before the birds")
    before, said = rows(memory.home), found(memory)
    tell(memory, *(f"Bo keeps {n} birds." for n in range(12)))
    memory.flush()
    embedded = embeddings.passages

    former = memory.restore(kept.id)

    assert rows(memory.home) == before
    assert found(memory) == said
    assert memory.flush()
    assert embeddings.passages == embedded
    assert memory._index.size("ann") == kept.counts["memories"] == 14
    assert former.note == f"before the restore of {kept.id}"
    memory.restore(former.id)
    assert found(memory, "How many birds has Bo?")[0][0].startswith("Bo keeps")


def test_what_was_not_embedded_yet_is_embedded_after_the_restore(memory: Memory) -> None:
    tell(memory, "Ada keeps a gecko.")
    memory.flush()
    memory._writer.close()
    tell(memory, "Bo keeps an axolotl.")
    kept = memory.snapshot()
    assert kept.counts["pending"] == 1
    with closing(sqlite3.connect(memory.home / "ledger.db")) as connection:
        pending = connection.execute("SELECT memory, state FROM jobs").fetchall()
    home = memory.home
    memory.close(timeout=0)
    with Memory.open(home, hashed(), reranker="fusion", extractor="none") as again:
        assert again.flush()
        again.restore(kept.id)
        assert again.flush()
        assert again._index.size("ann") == 2
    assert pending == [(2, "queued")]


def test_later_snapshots_take_only_what_changed(memory: Memory) -> None:
    tell(memory, *(f"Ada keeps {n} lizards of kind {n * n}." for n in range(60)))
    memory.flush()
    first = memory.snapshot()
    assert memory.snapshot().new_bytes == 0
    tell(memory, "One more.")
    memory.flush()
    third = memory.snapshot()
    assert 0 < third.new_bytes < first.new_bytes / 2
    assert first.new_bytes < first.bytes / 2
    listed = memory.snapshots()
    assert [each.at for each in listed] == sorted(each.at for each in listed)


def test_a_snapshot_taken_while_four_threads_write_is_of_one_instant(memory: Memory) -> None:
    def write(thread: str) -> None:
        for n in range(8):
            tell(memory, f"{thread} says {n}.", f"{thread} says it again, {n}.", thread=thread)

    writers = [threading.Thread(target=write, args=(f"t{n}",)) for n in range(4)]
    for each in writers:
        each.start()
    taken = [memory.snapshot() for _ in range(2)]
    for each in writers:
        each.join()
    memory.flush()
    for kept in taken:
        memory.restore(kept.id)
        with closing(sqlite3.connect(memory.home / "ledger.db")) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            indexed = connection.execute("SELECT count(*) FROM memories WHERE vectors > 0").fetchone()[0]
        assert memory.count() == kept.counts["turns"]
        assert memory.count() % 2 == 0
        assert memory.flush()
        assert memory._index.size("ann") == memory.count() >= indexed
    memory.restore(next(each.id for each in memory.snapshots() if each.note))
    assert memory.count() == 64


def test_turns_told_while_a_restore_runs_are_kept_in_one_of_the_two_states(memory: Memory) -> None:
    tell(memory, "Ada keeps a gecko.")
    kept, done, told = memory.snapshot(), threading.Event(), list[str]()

    def write() -> None:
        while not done.is_set():
            tell(memory, f"Bo says {len(told)}.")
            told.append(f"Bo says {len(told)}.")

    writer = threading.Thread(target=write)
    writer.start()
    former = memory.restore(kept.id)
    done.set()
    writer.join()
    after = {each.text for each in memory.list("ann", limit=100_000)}
    memory.restore(former.id)
    before = {each.text for each in memory.list("ann", limit=100_000)}
    assert before | after == {*told, "Ada keeps a gecko."}
    assert before & after == {"Ada keeps a gecko."}


def test_nothing_of_a_snapshot_that_was_killed_counts(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    tell(memory, "Ada keeps a gecko.")

    class Killed(BaseException):
        """What a kill looks like from inside."""

    def kill(*_: object) -> None:
        raise Killed

    monkeypatch.setattr(snapshots.Manifest, "write", kill)
    with pytest.raises(Killed):
        memory.snapshot()
    monkeypatch.undo()
    assert memory.snapshots() == []
    (left,) = memory._snapshots.vaults.own.chunks.packs()
    kept = memory.snapshot()
    assert kept.counts["turns"] == 1
    assert not memory._snapshots.vaults.own.hurt()
    memory._snapshots.vaults.delete([kept.id])
    (memory.home / "snapshots" / "packs" / "killed.part").write_bytes(left.read_bytes() if left.exists() else b"half")
    memory.forget("ann", all=True)
    assert not [*(memory.home / "snapshots" / "packs").iterdir()]


@pytest.mark.parametrize("step", ["unpacked", "marked", "ledger", "checkpoints", "index"])
def test_a_restore_killed_at_any_step_is_undone_or_finished_by_the_next_opening(
    memory: Memory, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = memory.home
    tell(memory, "Ada keeps a gecko.")
    short_term(home, "old")
    memory.flush()
    kept, old = memory.snapshot(), rows(home)
    tell(memory, "Bo keeps an axolotl.")
    short_term(home, "new")
    memory.flush()
    new = rows(home)
    kill_at(step, monkeypatch)
    with pytest.raises(KeyboardInterrupt):
        memory.restore(kept.id)
    monkeypatch.undo()
    memory.close(timeout=0)

    with Memory.open(home, hashed(), reranker="fusion", extractor="none") as again:
        undone = step in ("unpacked", "marked")
        assert rows(home) == (new if undone else old)
        assert threads(home) == [("new" if undone else "old")]
        assert again._index.size("ann") == again.count() == (2 if undone else 1)
        assert not (home / ASIDE).exists()
        assert len(again.snapshots()) == (1 if step == "unpacked" else 2)


def kill_at(step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stop a restore before one of its steps."""
    module, name, before = {
        "unpacked": (restoring, "keep_forgotten", 1),
        "marked": (restoring, "mark", 1),
        "ledger": (restoring, "put_database", 1),
        "checkpoints": (restoring, "put_database", 2),
        "index": (restoring, "_swap", 1),
    }[step]
    if step == "unpacked":
        module, name = snapshots.Snapshots, "_copied"
    whole, calls = getattr(module, name), list[object]()

    def killed(*args: Any, **options: Any) -> Any:
        calls.append(args)
        if len(calls) == before:
            raise KeyboardInterrupt
        return whole(*args, **options)

    monkeypatch.setattr(module, name, killed)


def short_term(home: Path, thread: str) -> None:
    """Leave a home with the short-term memory of one thread."""
    with closing(sqlite3.connect(home / "checkpoints.db")) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("CREATE TABLE IF NOT EXISTS checkpoints (thread_id TEXT, checkpoint BLOB)")
        connection.execute("DELETE FROM checkpoints")
        connection.execute("INSERT INTO checkpoints VALUES (?, 'state')", (thread,))
        connection.commit()


def threads(home: Path) -> list[str]:
    with closing(sqlite3.connect(home / "checkpoints.db")) as connection:
        return [thread for (thread,) in connection.execute("SELECT thread_id FROM checkpoints")]


def test_a_disk_without_room_is_noticed_before_anything_is_written(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    tell(memory, "Ada keeps a gecko.")
    kept, before = memory.snapshot(), sorted(memory.home.rglob("*.json"))
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(10, 9, 1))
    for refused in (lambda: memory.snapshot(), lambda: memory.restore(kept.id)):
        with pytest.raises(HomeUnusable, match="free some space"):
            refused()
    assert sorted(memory.home.rglob("*.json")) == before
    assert not (memory.home / ASIDE).exists()


def test_a_disk_that_fills_up_on_the_way_leaves_all_as_it_was(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    tell(memory, "Ada keeps a gecko.")
    kept = memory.snapshot()
    tell(memory, "Bo keeps an axolotl.")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    for module, name in ((chunks.Adding, "_write_frame"), (files.shutil, "copyfile"), (snapshots.Manifest, "write")):
        monkeypatch.setattr(module, name, full)
        with pytest.raises(HomeUnusable, match="No space left"):
            memory.snapshot()
        with pytest.raises(HomeUnusable, match="No space left"):
            memory.restore(kept.id)
        monkeypatch.undo()
        assert [each.id for each in memory.snapshots()] == [kept.id]
        assert memory.count() == 2
    memory.restore(memory.snapshot().id)
    assert memory.count() == 2


def test_damage_is_told_with_the_snapshots_it_hurts_and_changes_nothing(memory: Memory) -> None:
    tell(memory, "Ada keeps a gecko.")
    kept = memory.snapshot()
    (pack,) = memory._snapshots.vaults.own.chunks.packs()
    held = bytearray(pack.read_bytes())
    held[40] ^= 1
    pack.write_bytes(held)
    tell(memory, "Bo keeps an axolotl.")
    checked = Vault(memory.home / "snapshots").check()
    assert checked.snapshots == 1
    assert "ledger.db" in checked.damaged[kept.id]
    with pytest.raises(HomeUnusable, match=kept.id):
        memory.restore(kept.id)
    assert memory.count() == 2


def test_a_damaged_manifest_is_told_and_can_be_taken_away(memory: Memory) -> None:
    tell(memory, "Ada keeps a gecko.")
    bad, good = memory.snapshot(), memory.snapshot()
    path = memory.home / "snapshots" / f"{bad.id}.json"
    path.write_text(path.read_text().replace('"turns": 1', '"turns": 2'))
    assert [each.id for each in memory.snapshots()] == [good.id]
    with pytest.raises(HomeUnusable, match="--delete"):
        memory.restore(bad.id)
    assert Vault(memory.home / "snapshots").check().damaged == {bad.id: []}
    memory._snapshots.vaults.delete([bad.id])
    assert not Vault(memory.home / "snapshots").check().damaged


def test_a_snapshot_of_a_newer_version_is_neither_used_nor_collected(memory: Memory) -> None:
    tell(memory, "Ada keeps a gecko.")
    kept = memory.snapshot()
    path = memory.home / "snapshots" / f"{kept.id}.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "format": 99}))
    with pytest.raises(HomeUnusable, match="newer"):
        memory.restore(kept.id)
    with pytest.raises(HomeUnusable, match="newer"):
        memory._snapshots.vaults.own.collect(wholly=True)


def test_deleting_a_snapshot_frees_what_no_other_needs(memory: Memory) -> None:
    tell(memory, *(f"Ada keeps {n} lizards of kind {os.urandom(8).hex()}." for n in range(40)))
    first = memory.snapshot()
    tell(memory, "Bo keeps an axolotl.")
    memory.flush()
    second = memory.snapshot()
    vaults = memory._snapshots.vaults
    with pytest.raises(BadInput, match="none is deleted"):
        vaults.delete([first.id, "nonsense"])
    assert vaults.delete([first.id]).pieces or vaults.own.collect(wholly=True).pieces
    assert [each.id for each in memory.snapshots()] == [second.id]
    memory.restore(second.id)
    assert memory.count() == 41
    vaults.delete([each.id for each in memory.snapshots()])
    assert not [*(memory.home / "snapshots").rglob("*.pack")]


def test_ids_may_be_shortened_while_they_are_clear(memory: Memory) -> None:
    one = memory.snapshot()
    assert memory.restore(one.id[:-2]).id
    for wrong, why in (("2", "more of the id"), ("nonsense", "no snapshot"), ("", "no snapshot")):
        with pytest.raises(BadInput, match=why):
            memory.restore(wrong)
    with pytest.raises(BadInput, match="note"):
        memory.snapshot("x" * 501)


def test_another_embedding_model_is_told_to_reindex(memory: Memory, tmp_path: Path) -> None:
    tell(memory, "Ada keeps a gecko.")
    memory.flush()
    kept, home = memory.snapshot(), memory.home
    memory.close()
    other = hashed()
    other = type(other)(spec="other", dimension=8, embeddings=Small(), chunk_chars=700)
    with Memory.open(home, other, reranker="fusion", extractor="none", reindex=True) as again:
        with pytest.raises(EmbedderChanged, match="--reindex"):
            again.restore(kept.id)
        again.restore(kept.id, reindex=True)
        assert again.flush()
        assert again._index.size("ann") == 1
        assert again._ledger.remembered("embeddings") == "other (8)"


class Small(HashedEmbeddings):
    """Vectors of eight numbers."""

    @override
    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [[float(len(text) % (n + 2) + 1) for n in range(8)] for text in texts]


def test_snapshots_elsewhere_are_listed_restored_and_remembered(memory: Memory, tmp_path: Path) -> None:
    tell(memory, "Ada keeps a gecko.")
    disk = tmp_path / "disk"
    kept = memory.snapshot(to=disk)
    assert kept.folder == disk
    tell(memory, "Bo keeps an axolotl.")
    home = memory.home
    memory.close()
    with Memory.open(home, hashed(), reranker="fusion", extractor="none") as again:
        assert [each.id for each in again.snapshots()] == [kept.id]
        again.restore(kept.id)
        assert again.count() == 1
        disk.rename(tmp_path / "unplugged")
        with pytest.raises(HomeUnusable, match="--disown"):
            again.snapshots()
        again._snapshots.vaults.disown(disk)
        assert len(again.snapshots()) == 1
    with Memory.open(tmp_path / "other", hashed(), reranker="fusion", extractor="none") as other:
        for folder, why in ((tmp_path / "unplugged", "another home"), (home, "not empty")):
            with pytest.raises(BadInput, match=why):
                other.snapshot(to=folder)


def test_a_power_cut_that_emptied_what_names_the_home_ends_no_snapshots(memory: Memory, tmp_path: Path) -> None:
    tell(memory, "Ada keeps a gecko.")
    disk = tmp_path / "disk"
    kept = [memory.snapshot().id, memory.snapshot(to=disk).id]
    own = memory.home / "snapshots" / "vault.json"
    home = own.read_text()
    own.write_text("")
    kept.append(memory.snapshot().id)
    assert own.read_text() == home, "the other disk knows which home this is"
    (disk / "vault.json").write_text("")
    kept.append(memory.snapshot(to=disk).id)
    assert {each.id for each in memory.snapshots()} == {*kept}


@pytest.mark.parametrize("name", ["vault.json", "elsewhere.txt"])
def test_what_names_the_home_and_its_disks_is_written_whole_or_not_at_all(
    memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    tell(memory, "Ada keeps a gecko.")
    path = memory.home / "snapshots" / name
    if name == "elsewhere.txt":
        memory.snapshot(to=tmp_path / "one")
    before = path.read_text() if path.exists() else None
    monkeypatch.setattr(Path, "replace", fail)  # as if the power went before the rename
    with pytest.raises((OSError, HomeUnusable)):
        memory.snapshot(to=tmp_path / "two")
    assert (path.read_text() if path.exists() else None) == before
    monkeypatch.undo()
    memory.snapshot(to=tmp_path / "two")


def fail(*_: object) -> None:
    raise OSError("the power went")


def test_files_are_for_their_owner_alone(memory: Memory) -> None:
    tell(memory, "Ada keeps a gecko.")
    memory.restore(memory.snapshot().id)
    private = [memory.home / name for name in ("snapshots", "ledger.db")] + [*(memory.home / "snapshots").rglob("*")]
    assert all(path.stat().st_mode & 0o077 == 0 for path in private)
    assert not (memory.home / "snapshots" / snapshots.WORK).exists()
    assert not (memory.home / ASIDE / READY).exists()


def test_what_is_forgotten_is_in_no_snapshot_any_more_and_in_no_file(memory: Memory, tmp_path: Path) -> None:
    """Promise 9: promised of the home, so of its snapshots, on whatever disk."""
    secret = "zanzibarquokka"
    tell(memory, "Ada keeps a gecko.", "Ada is forty.")
    before = memory.snapshot("before it was told")
    tell(memory, f"Ada's password is {secret}.", "Ada likes tea.")
    said = memory.list("ann", limit=2)[1]
    memory.remember("ann", f"The password: {secret}", sources=[(said.id, "")])
    tell(memory, "Bo knows nothing.", space="bo")
    memory.flush()
    short_term(memory.home, "t")
    told = [memory.snapshot("told"), memory.snapshot("told", to=tmp_path / "disk")]
    vectors = memory._index._read("ann", [3]).of([3]).tobytes()
    assert secret.encode() in everything(memory, told, tmp_path)

    receipt = memory.forget("ann", ids=[said.id])

    assert receipt.snapshots == 2
    assert memory.flush(), "Chroma writes its graph anew for the turn that is embedded again"
    held = everything(memory, told, tmp_path)
    assert secret.encode() not in held
    assert said.id.encode() not in held
    assert vectors not in held
    assert memory._snapshots.vaults.own.hurt() == {}
    assert {each.id for each in memory.snapshots()} == {before.id, *(each.id for each in told)}
    for kept, left in ((told[0], 3), (before, 2), (told[1], 3)):
        memory.restore(kept.id)
        memory.flush()
        assert memory.count("ann") == memory._index.size("ann") == left
        assert memory.recall("ann", secret, k=1)[:1] == [] or secret not in memory.recall("ann", secret, k=1)[0].text
        assert memory.add_turns("ann", "t", [Turn(role="user", text=said.text, id=said.id)])
        assert memory.count("ann") == left


def everything(memory: Memory, taken: list[snapshots.Snapshot], folder: Path) -> bytes:
    """All bytes of all files, and of all files that the snapshots hold, unpacked."""
    held = [path.read_bytes() for path in folder.rglob("*") if path.is_file()]
    for n, each in enumerate(taken):
        vault, manifest = memory._snapshots.vaults.find(each.id)
        vault = Vault(vault.folder)
        held += [vault.chunks.get(digest) for digest in vault.chunks._places]
        vault.unpack(manifest, folder.with_name(f"{folder.name}-{n}-{len(held)}"))
        unpacked = folder.with_name(f"{folder.name}-{n}-{len(held)}")
        held += [path.read_bytes() for path in unpacked.rglob("*") if path.is_file()]
        shutil.rmtree(unpacked)
    return b"\0".join(held)


def test_forgetting_all_of_a_space_leaves_the_others_in_the_snapshots(memory: Memory) -> None:
    tell(memory, "Ada keeps a gecko.")
    tell(memory, "Bo keeps an axolotl.", space="bo")
    memory.flush()
    kept = memory.snapshot()
    assert memory.forget("ann", all=True).snapshots == 1
    memory.restore(kept.id)
    assert (memory.count("ann"), memory.count("bo")) == (0, 1)
    assert memory._index.size("bo") == 1


def test_a_snapshot_that_holds_nothing_of_it_is_left_as_it_is(memory: Memory) -> None:
    tell(memory, "Ada keeps a gecko.")
    kept = memory.snapshot()
    path = memory.home / "snapshots" / f"{kept.id}.json"
    written = path.read_bytes()
    tell(memory, "Bo keeps an axolotl.")
    assert memory.forget("ann", ids=[memory.list("ann", limit=1)[0].id]).snapshots == 0
    assert path.read_bytes() == written


def test_forgetting_reaches_snapshots_on_a_disk_that_was_away_when_it_is_back(memory: Memory, tmp_path: Path) -> None:
    tell(memory, "Ada keeps a gecko.")
    kept, disk, away = memory.snapshot(to=tmp_path / "disk"), tmp_path / "disk", tmp_path / "away"
    disk.rename(away)
    memory.forget("ann", all=True)
    assert memory.count() == 0
    away.rename(disk)
    with closing(sqlite3.connect(memory.home / "ledger.db")) as connection:
        assert connection.execute("SELECT count(*) FROM home WHERE name = 'forgetting'").fetchone() == (1,)
    former = memory.restore(kept.id)
    assert memory.count() == 0
    assert former.counts["turns"] == 0


def checkpoints(home: Path) -> int:
    """Keep a checkpoint of ann's thread "t"; return how many there are."""
    with closing(sqlite3.connect(home / "checkpoints.db")) as connection:
        for table in ("checkpoints", "writes"):
            columns = "thread_id TEXT, checkpoint_ns TEXT, checkpoint_id TEXT, checkpoint BLOB, value BLOB"
            connection.execute(f"CREATE TABLE IF NOT EXISTS {table} ({columns})")
        state = space_hash("ann").encode()
        connection.execute("INSERT INTO checkpoints VALUES (?, '', '1', ?, NULL)", (thread_key("ann", "t"), state))
        connection.commit()
        return int(connection.execute("SELECT count(*) FROM checkpoints").fetchone()[0])


def test_what_a_disk_that_is_away_leaves_undone_takes_nothing_that_was_told_since(
    memory: Memory, tmp_path: Path
) -> None:
    """A forgetting of all of a space that is finished later."""
    home, disk, away = memory.home, tmp_path / "disk", tmp_path / "away"
    tell(memory, "Ada keeps a gecko.")
    assert memory.flush()
    memory.snapshot(to=disk)
    disk.rename(away)
    assert checkpoints(home) == 1
    receipt = memory.forget("ann", all=True)
    assert (receipt.vectors, receipt.checkpoints, receipt.compacted) == (1, 1, True), "told of what was done"
    tell(memory, "Bo keeps an axolotl.")
    assert memory.flush()
    assert checkpoints(home) == 1
    memory.close()
    with Memory.open(home, hashed(), reranker="fusion", extractor="none") as again:
        assert again._index.size("ann") == 1
        since = again.snapshot()
        away.rename(disk)
        again.restore(since.id)
        assert again._ledger.remembered("forgetting") is None
        assert again.count("ann") == again._index.size("ann") == 1
        assert checkpoints(home) == 2


def test_vectors_are_made_and_snapshots_wait_while_forgetting_goes_through_snapshots(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    tell(memory, "Ada keeps a gecko.")
    memory.snapshot()
    true, seen = memory._snapshots._purged, list[bool]()
    taking = threading.Thread(target=memory.snapshot)

    def purged(*args: Any) -> int:
        tell(memory, "Bo keeps an axolotl.", space="bo")
        taking.start()
        seen.append(memory.flush(10))
        seen.append(taking.is_alive())
        return true(*args)

    monkeypatch.setattr(memory._snapshots, "_purged", purged)
    memory.forget("ann", all=True)
    taking.join()
    assert seen == [True, True]


def test_a_damaged_snapshot_goes_with_what_is_forgotten(memory: Memory) -> None:
    tell(memory, "Ada keeps a gecko.")
    kept = memory.snapshot()
    (pack,) = memory._snapshots.vaults.own.chunks.packs()
    held = bytearray(pack.read_bytes())
    held[40] ^= 1
    pack.write_bytes(held)
    memory._snapshots.vaults.own._chunks = None
    assert memory.forget("ann", all=True).snapshots == 1
    assert kept.id not in {each.id for each in memory.snapshots()}
    assert not [*(memory.home / "snapshots" / "packs").iterdir()]
