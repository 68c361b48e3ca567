"""Documents as memories: found, joined by their neighbours, replaced by what they become."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from hippograph.bench.hashed import hashed
from hippograph.memory import Memory
from hippograph.memory.exchange.documents import files, read_document
from hippograph.state import BadInput

HANDBOOK = """# Handbook

## Keys
The safe opens with 7-19-44. The spare key hangs in the cellar.

## 会议
会议改到星期四下午三点，在杭州的滨江办公室。

## Travel
Trains are booked by Ann.
"""


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory.open(tmp_path / "home", hashed(), extractor="none") as opened:
        yield opened


def handbook(folder: Path, text: str = HANDBOOK) -> Path:
    path = folder / "handbook.md"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_document_is_found_by_what_stands_in_it_and_tells_where(memory: Memory, tmp_path: Path) -> None:
    path = handbook(tmp_path)
    os.utime(path, (1_700_000_000, 1_700_000_000))
    done = memory.add_document("ann", read_document(path))
    assert (done.stored, done.known, done.gone) == (3, 0, 0)
    assert memory.flush(30)
    for query, said in (("How does the safe open?", "7-19-44"), ("会议在什么时候？", "星期四下午三点")):
        best = memory.recall("ann", query)[0]
        assert said in best.text
        assert (best.kind, best.thread, best.source_ids) == ("document", str(path), [best.id])
        assert best.said_at.isoformat() == "2023-11-14T22:13:20+00:00"
    assert [each.position for each in memory.list("ann", newest_first=False)] == [1, 2, 3]
    assert memory.list("bo") == []


def test_a_document_imported_again_changes_nothing(memory: Memory, tmp_path: Path) -> None:
    path = handbook(tmp_path)
    memory.add_document("ann", read_document(path))
    before = memory.list("ann")
    path.touch()
    done = memory.add_document("ann", read_document(path, date="2025-01-01"))
    assert (done.stored, done.known, done.gone) == (0, 3, 0)
    assert memory.list("ann") == before


def test_of_a_changed_document_only_what_changed_is_replaced(memory: Memory, tmp_path: Path) -> None:
    path = handbook(tmp_path)
    memory.add_document("ann", read_document(path))
    old = {each.text: each for each in memory.list("ann")}
    handbook(tmp_path, HANDBOOK.replace("7-19-44", "1-2-3") + "\n## New\nA new part.\n")
    done = memory.add_document("ann", read_document(path))
    assert (done.stored, done.known, done.gone) == (2, 2, 1)
    now = memory.list("ann", newest_first=False)
    assert sorted(each.position for each in now) == [1, 2, 3, 4]
    (changed,) = (each for each in now if "1-2-3" in each.text)
    replaced = memory.get(next(each.id for text, each in old.items() if "7-19-44" in text))
    assert (replaced.status, replaced.superseded_by) == ("superseded", changed.id)
    assert memory.flush(30)
    assert not any("7-19-44" in each.text for each in memory.recall("ann", "How does the safe open?"))


def test_what_a_document_has_no_longer_is_archived_and_comes_back_with_it(memory: Memory, tmp_path: Path) -> None:
    path = handbook(tmp_path)
    memory.add_document("ann", read_document(path))
    (travel,) = (each for each in memory.list("ann") if "Trains" in each.text)
    handbook(tmp_path, HANDBOOK[: HANDBOOK.index("## Travel")])
    assert memory.add_document("ann", read_document(path)).gone == 1
    assert memory.get(travel.id).status == "archived"
    handbook(tmp_path)
    done = memory.add_document("ann", read_document(path))
    assert (done.stored, done.known, done.gone) == (1, 2, 0)
    back = memory.get(travel.id)
    assert (back.status, back.valid_until, back.superseded_by) == ("current", None, None)
    assert memory.flush(30)
    assert memory.recall("ann", "Who books trains?")[0].id == travel.id


def test_a_forgotten_piece_does_not_come_back_unasked(memory: Memory, tmp_path: Path) -> None:
    path = handbook(tmp_path)
    memory.add_document("ann", read_document(path))
    memory.forget("ann", query="7-19-44")
    done = memory.add_document("ann", read_document(path))
    assert (done.stored, done.known, done.forgotten) == (0, 2, 1)
    elsewhere = tmp_path / "copy.md"
    elsewhere.write_text(HANDBOOK, encoding="utf-8")
    assert memory.add_document("ann", read_document(elsewhere)).forgotten == 1
    assert memory.add_document("bo", read_document(path)).forgotten == 0
    done = memory.add_document("ann", read_document(path), restore_forgotten=True)
    assert (done.stored, done.forgotten) == (1, 0)


def test_a_document_is_forgotten_as_a_whole_by_its_origin(memory: Memory, tmp_path: Path) -> None:
    path = handbook(tmp_path)
    memory.add_document("ann", read_document(path))
    assert len(memory.forget("ann", source=str(path.resolve())).ids) == 3


def test_the_same_words_twice_in_a_document_are_two_pieces(memory: Memory, tmp_path: Path) -> None:
    path = tmp_path / "list.md"
    path.write_text("# A\nsame\n# A\nsame\n# A\nsame\n")
    document = read_document(path)
    assert len({piece.id for piece in document.pieces}) == 3
    assert memory.add_document("ann", document).stored == 3
    assert memory.add_document("ann", read_document(path)).known == 3


@pytest.mark.parametrize(
    "text", ["The weather stays fine, and Ann likes it. " * 400, "天气一直很好，安娜很喜欢。" * 400]
)
def test_the_pieces_of_a_long_document_hold_all_of_it(tmp_path: Path, text: str) -> None:
    numbered = "".join(f"{n}. {sentence}" for n, sentence in enumerate(text.replace("。", "。\0").split("\0")))
    path = tmp_path / "long.txt"
    path.write_text(numbered, encoding="utf-8")
    pieces = [piece.text for piece in read_document(path).pieces]
    assert len(pieces) > 10
    rest = numbered
    for piece in pieces:
        assert rest.find(piece[-20:]) >= 0
        rest = rest[rest.index(piece[-20:]) :]
    assert numbered.startswith(pieces[0])
    assert numbered.strip().endswith(pieces[-1])


def test_settings_of_pieces_out_of_range_are_refused_in_words(tmp_path: Path) -> None:
    path = handbook(tmp_path)
    with pytest.raises(BadInput, match="too small"):
        read_document(path, size=5)
    with pytest.raises(BadInput, match="0 to 80"):
        read_document(path, overlap=100)
    with pytest.raises(BadInput, match="not a time"):
        read_document(path, date="soon")


def test_a_folder_gives_its_documents_without_hidden_ones(tmp_path: Path) -> None:
    for name in ("b.md", "deep/a.TXT", ".git/x.md", "~$c.docx", "picture.png"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    assert [str(each.relative_to(tmp_path)) for each in files(tmp_path)] == ["b.md", "deep/a.TXT"]
    with pytest.raises(BadInput, match="has no documents"):
        list(files(tmp_path / ".git" / ".." / "deep", "pdf"))


def test_an_async_application_stores_a_document_too(tmp_path: Path) -> None:
    import asyncio

    with Memory.open(tmp_path / "home", hashed(), extractor="none") as memory:
        done = asyncio.run(memory.aadd_document("ann", read_document(handbook(tmp_path))))
    assert done.stored == 3
