"""A space in one file: out of one home, into another with another embedding model, as it was."""

import json
import stat
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from typing_extensions import override

from hippograph.bench.hashed import DIMENSION, HashedEmbeddings, hashed
from hippograph.memory import Memory
from hippograph.memory.schema import changes, entities, mentions, relations, tombstones
from hippograph.models import Embedder
from hippograph.state import BadInput, HomeUnusable, Turn

Opened = Callable[..., Memory]


class Short(HashedEmbeddings):
    """An embedding model of another dimension."""

    @override
    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [vector[: DIMENSION // 2] for vector in super().embed_documents(texts)]


SHORT = Embedder(spec="short", dimension=DIMENSION // 2, embeddings=Short(), chunk_chars=300)


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Opened]:
    with ExitStack() as opened:
        yield lambda name, embedder=None: opened.enter_context(
            Memory.open(tmp_path / name, embedder or hashed(), extractor="none")
        )


LIFE = (
    "UPDATE memories SET status = 'superseded', superseded_by = 'new', superseded_because = 'moved' WHERE id = 'old'",
    "INSERT INTO changes (memory, at, what, because, by, before) "
    "VALUES (5, '2025-04-01 00:00:00', 'superseded', 'moved', 'D3', '{\"status\": \"current\"}')",
    "INSERT INTO extractions VALUES (1, '2025-04-01 00:00:00', 'rules', 2, 1, NULL)",
    "INSERT INTO entities VALUES (7, 'ann', 'ann', 'Ann', 'person'), (8, 'ann', 'oslo', 'Oslo', 'place')",
    "INSERT INTO mentions VALUES (7, 5), (8, 5)",
    "INSERT INTO relations VALUES (1, 7, 'lives in', 8, 5)",
    "INSERT INTO jobs (memory, kind, space, state, attempts, due_at) "
    "VALUES (3, 'extract', 'ann', 'queued', 0, '2025-04-01 00:00:00')",
)
OLD = {"subject": "Ann", "attribute": "residence", "value": "Oslo", "entities": ["Oslo"], "importance": 0.9}
OLD |= {"sentiment": -0.5, "pinned": True, "expires_at": "2099-01-01"}


def lived(memory: Memory) -> Memory:
    """Fill a space with all that a memory can be."""
    at = "2025-03-01T09:00:00+02:00"
    turns = [
        Turn(role="user", text="I live in Oslo. 我对荔枝过敏。", id="D1", speaker="Ann", said_at=at),
        Turn(role="assistant", text="Noted.", id="D2"),
        Turn(role="user", text="I moved to Bergen.", id="D3"),
        Turn(role="user", text="The safe opens with 7-19-44.", id="D4"),
    ]
    memory.add_turns("ann", "work", turns)
    memory.remember("ann", "Ann lives in Oslo.", id="old", sources=[("D1", "I live in Oslo.")], **OLD)
    memory.remember("ann", "Ann lives in Bergen.", id="new", sources=[("D3", ""), ("D1", "")], subject="Ann")
    with memory._ledger.write() as connection:
        for statement in LIFE:
            connection.exec_driver_sql(statement)
    return memory


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def rewritten(path: Path, change: Callable[[list[dict[str, Any]]], object]) -> Path:
    read = lines(path)
    change(read)
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in read), encoding="utf-8")
    return path


def test_a_space_is_the_same_in_another_home_with_another_embedding_model(home: Opened, tmp_path: Path) -> None:
    first, second = lived(home("a")), home("b", SHORT)
    done = first.export(tmp_path / "a.jsonl", "ann")
    assert (done.memories, stat.S_IMODE(done.path.stat().st_mode)) == (6, 0o600)
    loaded = second.load(tmp_path / "a.jsonl")
    assert (loaded.stored, loaded.known, loaded.forgotten, list(loaded.notes)) == (6, 0, 0, [])
    second.export(tmp_path / "b.jsonl", "ann")
    assert lines(tmp_path / "a.jsonl")[1:] == lines(tmp_path / "b.jsonl")[1:]
    assert second.list("ann") == first.list("ann")
    assert second.flush(30)
    assert second.status().dimension == DIMENSION // 2
    assert "D1" in second.recall("ann", "荔枝")[0].source_ids
    assert "Bergen" in second.recall("ann", "Where does Ann live?")[0].text


def test_a_merger_is_taken_back_in_another_home_as_it_would_be_in_its_own(home: Opened, tmp_path: Path) -> None:
    first, second = home("a"), home("b")
    second.add_turns("bo", "t", [Turn(role="user", text=f"other {n}") for n in range(5)])
    for number in ("1", "2"):
        first.add_turns("ann", "t", [Turn(role="user", text="I like tea.", id=number)])
        kept = first.remember("ann", "Ann likes tea.", sources=[(number, "I like tea.")])
    first.export(tmp_path / "a.jsonl", "ann")
    second.load(tmp_path / "a.jsonl")
    assert second.get(kept).source_ids == ["1", "2"]
    second.undo(kept)
    assert second.get(kept).source_ids == ["1"]
    told = [each.source_ids for each in second.list("ann") if each.kind != "turn"]
    assert sorted(told) == [["1"], ["2"]]


def test_history_entities_and_what_is_still_to_do_come_along(home: Opened, tmp_path: Path) -> None:
    lived(home("a")).export(tmp_path / "a.jsonl", "ann")
    second = home("b")
    second.add_turns("bo", "t", [Turn(role="user", text="first", id="x")])
    second.load(tmp_path / "a.jsonl")
    with second._ledger.read() as connection:
        (change,) = connection.execute(select(changes)).all()
        assert (change.what, change.by, change.before) == ("superseded", "D3", {"status": "current"})
        assert {row.name for row in connection.execute(select(entities))} == {"Ann", "Oslo"}
        assert len(connection.execute(select(mentions)).all()) == 2
        assert connection.execute(select(relations.c.relation)).scalars().all() == ["lives in"]
        assert connection.exec_driver_sql("SELECT count(*) FROM jobs WHERE kind = 'extract'").scalar() == 1


def test_loading_twice_stores_nothing_twice_and_a_longer_export_adds_what_is_new(home: Opened, tmp_path: Path) -> None:
    first, second = lived(home("a")), home("b")
    first.export(tmp_path / "a.jsonl", "ann")
    second.load(tmp_path / "a.jsonl")
    again = second.load(tmp_path / "a.jsonl")
    assert (again.stored, again.known) == (0, 6)
    first.add_turns("ann", "work", [Turn(role="user", text="A fifth turn.", id="D5")])
    first.export(tmp_path / "a.jsonl", "ann", overwrite=True)
    more = second.load(tmp_path / "a.jsonl")
    assert (more.stored, more.known) == (1, 6)
    assert second.get("D5") == first.get("D5")


def test_a_space_may_be_loaded_as_another_beside_what_is_there(home: Opened, tmp_path: Path) -> None:
    memory = lived(home("a"))
    memory.export(tmp_path / "a.jsonl", "ann")
    memory.add_turns("bo", "work", [Turn(role="user", text="mine", id="B1")])
    assert memory.load(tmp_path / "a.jsonl", "bo").stored == 6
    turns = memory.list("bo", thread="work", newest_first=False)
    assert sorted((each.position, each.id) for each in turns) == [(1, "B1"), (2, "D1"), (3, "D2"), (4, "D3"), (5, "D4")]


def test_what_was_forgotten_does_not_come_back_unasked(home: Opened, tmp_path: Path) -> None:
    memory = lived(home("a"))
    memory.export(tmp_path / "a.jsonl", "ann")
    memory.forget("ann", ids=["D1", "D4"])
    loaded = memory.load(tmp_path / "a.jsonl")
    assert (loaded.stored, loaded.known, loaded.forgotten) == (0, 2, 4)
    assert "7-19-44" not in "".join(each.text for each in memory.list("ann"))
    loaded = memory.load(tmp_path / "a.jsonl", restore_forgotten=True)
    assert (loaded.stored, loaded.known, loaded.forgotten) == (4, 2, 0)
    assert memory.get("D4").text == "The safe opens with 7-19-44."


def test_what_rests_on_nothing_but_the_forgotten_stays_away_too(home: Opened, tmp_path: Path) -> None:
    memory = lived(home("a"))
    memory.export(tmp_path / "a.jsonl", "ann")
    memory.forget("ann", ids=["D1"])
    rewritten(tmp_path / "a.jsonl", lambda read: read[5]["memory"].update(id="other", text="Lives up north."))
    assert memory.load(tmp_path / "a.jsonl").forgotten == 3
    assert not any("north" in each.text for each in memory.list("ann"))


def test_a_new_home_learns_what_was_forgotten_in_the_old_one(home: Opened, tmp_path: Path) -> None:
    first, second = lived(home("a")), home("b")
    first.export(tmp_path / "before.jsonl", "ann")
    first.forget("ann", ids=["D4"])
    assert first.export(tmp_path / "after.jsonl", "ann").tombstones == 4
    assert "7-19-44" not in (tmp_path / "after.jsonl").read_text()
    second.load(tmp_path / "after.jsonl")
    late = second.load(tmp_path / "before.jsonl")
    assert (late.stored, late.known, late.forgotten) == (0, 5, 1)
    other = home("c")
    assert "hold for the exported space" in other.load(tmp_path / "after.jsonl", "bo").notes[0]
    with other._ledger.read() as connection:
        assert connection.execute(select(tombstones)).all() == []


BAD: dict[str, Callable[[list[dict[str, Any]]], object]] = {
    "an unknown column 'colour'": lambda read: read[2]["memory"].update(colour="red"),
    "an unknown part 'extra'": lambda read: read[2].update(extra=[]),
    "kind is 'rumour'": lambda read: read[2]["memory"].update(kind="rumour"),
    "status is 'forgotten'": lambda read: read[2]["memory"].update(status="forgotten"),
    "importance is 7": lambda read: read[2]["memory"].update(importance=7),
    "said_at is 'soon'": lambda read: read[2]["memory"].update(said_at="soon"),
    "text is 3": lambda read: read[2]["memory"].update(text=3),
    "text is missing": lambda read: read[2]["memory"].update(text=None),
    "its id is empty": lambda read: read[2]["memory"].update(id=""),
    "another line has the id 'D1' too": lambda read: read[2]["memory"].update(id="D1"),
    "no JSON object with a memory": lambda read: read[2].pop("memory"),
    "sources must be a list of objects": lambda read: read[2].update(sources=[{"id": "D1"}]),
    "it rests on 'D9', which is not there": lambda read: read[5]["sources"][0].update(id="D9"),
    "should have 6 memories and has 5": lambda read: read.pop(),
}


@pytest.mark.parametrize("said", BAD)
def test_a_bad_line_is_named_and_nothing_is_stored(home: Opened, tmp_path: Path, said: str) -> None:
    lived(home("a")).export(tmp_path / "a.jsonl", "ann")
    second = home("b")
    with pytest.raises(BadInput, match="nothing is stored") as caught:
        second.load(rewritten(tmp_path / "a.jsonl", BAD[said]))
    assert said in str(caught.value)
    assert second.count() == 0


def test_ten_thousand_bad_lines_are_counted_not_listed(home: Opened, tmp_path: Path) -> None:
    lived(home("a")).export(tmp_path / "a.jsonl", "ann")
    with (tmp_path / "a.jsonl").open("a") as file:
        file.write("{not json\n" * 10_000 + "[" * 100_000)
    with pytest.raises(BadInput) as caught:
        home("b").load(tmp_path / "a.jsonl")
    assert "line 8: no JSON" in str(caught.value)
    assert "and 9,992 more" in str(caught.value)


def test_an_id_taken_by_another_text_is_told_and_nothing_is_stored(home: Opened, tmp_path: Path) -> None:
    lived(home("a")).export(tmp_path / "a.jsonl", "ann")
    second = home("b")
    second.add_turns("ann", "t", [Turn(role="user", text="other", id="D3")])
    with pytest.raises(BadInput, match=r"line 4: there is a memory 'D3' already, with another text"):
        second.load(tmp_path / "a.jsonl")
    assert second.count() == 1


def test_a_file_of_a_newer_version_is_refused_in_words(home: Opened, tmp_path: Path) -> None:
    lived(home("a")).export(tmp_path / "a.jsonl", "ann")
    with pytest.raises(BadInput, match=r"written by a newer Hippograph.*pip install --upgrade"):
        home("b").load(rewritten(tmp_path / "a.jsonl", lambda read: read[0].update(hippograph=3)))


@pytest.mark.parametrize("content", [b"", b"\n", b"{}\n", b'{"role": "user", "text": "hi"}\n', b"\xff\xfe\0", b"[1]"])
def test_a_file_that_is_no_exported_space_is_refused_in_words(home: Opened, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x.jsonl").write_bytes(content)
    with pytest.raises(BadInput, match="is no exported space"):
        home("a").load(tmp_path / "x.jsonl")
    with pytest.raises(BadInput, match="cannot be read: No such file"):
        home("b").load(tmp_path / "none.jsonl")


def test_an_export_replaces_a_file_only_if_told_and_leaves_none_half_written(home: Opened, tmp_path: Path) -> None:
    memory = lived(home("a"))
    (tmp_path / "a.jsonl").write_text("mine")
    with pytest.raises(BadInput, match="exists already"):
        memory.export(tmp_path / "a.jsonl", "ann")
    assert (tmp_path / "a.jsonl").read_text() == "mine"
    with pytest.raises(BadInput, match="'nobody' has no memories"):
        memory.export(tmp_path / "b.jsonl", "nobody")
    with pytest.raises(HomeUnusable, match="cannot be written"):
        memory.export(tmp_path / "no" / "folder.jsonl", "ann")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a", "a.jsonl"]


async def test_an_async_application_carries_a_space_too(home: Opened, tmp_path: Path) -> None:
    await lived(home("a")).aexport(tmp_path / "a.jsonl", "ann")
    assert (await home("b").aload(tmp_path / "a.jsonl")).stored == 6


@pytest.mark.parametrize(
    ("changes_made", "said"),
    [
        ({"old": "old"}, "line 6: it is superseded by itself"),
        ({"old": "nowhere"}, "line 6: it is superseded by 'nowhere', which is not there"),
        ({"old": "new", "new": "old"}, "it is superseded by what it superseded itself"),
    ],
)
def test_a_line_that_leads_nowhere_is_refused(
    home: Opened, tmp_path: Path, changes_made: dict[str, str], said: str
) -> None:
    lived(home("a")).export(tmp_path / "a.jsonl", "ann")

    def change(read: list[dict[str, Any]]) -> None:
        for line in read[1:]:
            if line["memory"]["id"] in changes_made:
                line["memory"]["superseded_by"] = changes_made[line["memory"]["id"]]

    second = home("b")
    with pytest.raises(BadInput, match=said):
        second.load(rewritten(tmp_path / "a.jsonl", change))
    assert second.count() == 0


def test_a_quote_that_its_turn_does_not_have_is_refused(home: Opened, tmp_path: Path) -> None:
    lived(home("a")).export(tmp_path / "a.jsonl", "ann")

    def change(read: list[dict[str, Any]]) -> None:
        next(line for line in read[1:] if line["memory"]["id"] == "old")["sources"][0]["quote"] = "I live in Rome."

    second = home("b")
    with pytest.raises(BadInput, match="line 6: its quote is not in the turn"):
        second.load(rewritten(tmp_path / "a.jsonl", change))
    assert second.count() == 0
