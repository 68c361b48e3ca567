"""The index deleted or overwritten, under a closed home and under an open one: it is made again, with a message."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from hippograph.bench.hashed import hashed
from hippograph.memory import Memory
from hippograph.memory.vectors.seal import Seal
from hippograph.state import Turn

TEXTS = [f"The {thing} number {n} is kept in room {n * 7}." for n in range(6) for thing in ("lamp", "kite", "drum")]
Harm = Callable[[Path], None]


def deleted(chroma: Path) -> None:
    shutil.rmtree(chroma)


def overwritten(name: str, start: float = 0.0, share: float = 1.0) -> Harm:
    """Random bytes in place of a share of every file of a name."""

    def harm(chroma: Path) -> None:
        for path in chroma.rglob(name):
            data = bytearray(path.read_bytes())
            first, many = int(len(data) * start), int(len(data) * share)
            data[first : first + many] = os.urandom(many)
            path.write_bytes(data)

    return harm


def emptied(chroma: Path) -> None:
    (chroma / "chroma.sqlite3").write_bytes(b"")


def without_graph(chroma: Path) -> None:
    for path in chroma.rglob("*.bin"):
        path.unlink()


def opened(home: Path) -> Memory:
    return Memory.open(home, hashed(), reranker="fusion", extractor="none")


def filled(home: Path) -> Path:
    with opened(home) as memory:
        memory.add_turns("ann", "t", [Turn(role="user", text=text, id=text) for text in TEXTS])
        assert memory.flush(30)
    return home / "chroma"


def check_whole(memory: Memory) -> None:
    assert memory.flush(30)
    assert memory._index.size("ann") == len(TEXTS)
    candidates = memory.candidates("ann", TEXTS[4], legs=["vector"])
    assert candidates.degraded == []
    assert TEXTS[4] in [each.text for each in candidates.found]


CLOSED = {
    "deleted": deleted,
    "without its graph": without_graph,
    "empty database": emptied,
    "database's head": overwritten("chroma.sqlite3", share=0.01),
    "database's middle": overwritten("chroma.sqlite3", 0.5, 0.3),
    "graph's vectors": overwritten("data_level0.bin"),
    "graph's lengths": overwritten("length.bin"),
    "everything": overwritten("*.*"),
}


@pytest.mark.parametrize("harm", CLOSED.values(), ids=CLOSED)
def test_an_index_harmed_while_its_home_was_closed_is_made_again(home: Path, harm: Harm) -> None:
    """The graph's files among them, which Chroma's native code would load unchecked and die of."""
    harm(filled(home))
    with opened(home) as memory:
        (notice,) = memory.notices
        assert "made again from the ledger" in notice
        assert memory.recall("ann", "kite number 3")
        check_whole(memory)
    with opened(home) as memory:
        assert memory.notices == []
        check_whole(memory)


OPEN = {name: CLOSED[name] for name in ("deleted", "empty database", "database's head", "everything")}


@pytest.mark.parametrize("harm", OPEN.values(), ids=OPEN)
def test_an_index_harmed_while_its_home_is_open_is_made_again(
    home: Path, harm: Harm, caplog: pytest.LogCaptureFixture
) -> None:
    chroma = filled(home)
    with opened(home) as memory:
        memory.recall("ann", "kite")
        harm(chroma)
        assert memory.recall("ann", "kite number 3"), "keywords go on"
        memory.add_turns("bob", "t", [Turn(role="user", text="I have a boat.")])
        assert memory.flush(30)
        assert "made again from the ledger" in caplog.text
        assert memory.recall("bob", "boat")[0].text == "I have a boat."
        check_whole(memory)


def test_a_graph_harmed_while_its_home_is_open_is_not_sealed_as_if_it_were_ours(home: Path) -> None:
    """Chroma holds it in memory and notices nothing; the next opening must."""
    chroma = filled(home)
    with opened(home) as memory:
        memory.recall("ann", "kite")
        overwritten("data_level0.bin")(chroma)
    with opened(home) as memory:
        assert len(memory.notices) == 1
        check_whole(memory)


def test_a_copied_home_keeps_its_index(home: Path, tmp_path: Path) -> None:
    filled(home)
    shutil.copytree(home, tmp_path / "copy", copy_function=shutil.copyfile)
    with opened(tmp_path / "copy") as memory:
        assert memory.notices == []
        assert memory.status().pending == 0
        check_whole(memory)


def test_a_seal_tells_what_we_wrote_from_what_others_did(tmp_path: Path) -> None:
    folder = tmp_path / "index"
    (folder / "part").mkdir(parents=True)
    (folder / "part" / "graph.bin").write_bytes(b"graph")
    (folder / "chroma.sqlite3").write_bytes(b"data")
    Seal(folder).renew(closed=False)
    (folder / "chroma.sqlite3").write_bytes(b"more data")
    assert Seal(folder).harm() is None, "an open index is written"
    Seal(folder).renew(closed=True)
    os.utime(folder / "part" / "graph.bin", (1, 1))
    assert Seal(folder).harm() is None, "only its time is another"
    (folder / "part" / "graph.bin").write_bytes(b"grapf")
    assert "graph.bin" in str(Seal(folder).harm())
    (folder / "chroma.sqlite3").unlink()
    assert "chroma.sqlite3" in str(Seal(folder).harm())
    Seal(folder).forget()
    assert Seal(folder).harm() is None


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"
