"""Case W08: a text of any length is kept whole, and answers with the passage that fits."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from hippograph.bench.hashed import hashed
from hippograph.memory import Memory
from hippograph.memory.search.excerpts import LONG, ROOM, excerpted
from hippograph.memory.vectors.passages import chunks, places_of
from hippograph.state import Recollection, Turn

FILLER = {
    "en": "The weather report for the coast speaks of wind and drizzle on day {n}. ",
    "zh": "第{n}天的天气预报说海边有风也有小雨。",
}
SECRET = {"en": "The safe opens with 7-19-44. ", "zh": "保险箱的密码是郁金香。"}
ASKED = {"en": "How does the safe open?", "zh": "保险箱的密码是什么？"}


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory.open(tmp_path / "home", hashed(), extractor="none") as opened:
        yield opened


def long_text(language: str, length: int, at: float) -> str:
    """A text with the secret somewhere in it."""
    parts = [FILLER[language].format(n=n) for n in range(length // len(FILLER[language]))]
    parts.insert(int(at * len(parts)), SECRET[language])
    return "".join(parts)


@pytest.mark.parametrize(
    ("language", "indexed", "at"), [("en", True, 0.0), ("zh", True, 0.5), ("en", False, 0.5), ("zh", False, 1.0)]
)
def test_a_message_of_sixty_thousand_characters_answers_with_its_passage(
    memory: Memory, language: str, indexed: bool, at: float
) -> None:
    text = long_text(language, 60_000, at)
    (id_,) = memory.add_turns("ann", "t", [Turn(role="user", text=text, speaker="Ann")])
    if indexed:
        assert memory.flush(60)
    found = memory.recall("ann", ASKED[language])[0]
    assert (found.id, found.text) == (id_, text)
    assert SECRET[language].strip() in found.excerpt
    assert len(found.excerpt) <= ROOM
    (source,) = found.sources
    assert (source.id, source.quote) == (id_, text[source.start : source.end])
    assert source.quote == found.excerpt
    assert len(str(found.excerpted().to_record())) < 3 * ROOM + 2000
    assert Recollection.from_record(found.to_record()) == found


def test_a_short_memory_is_given_whole(memory: Memory) -> None:
    memory.add_turns("ann", "t", [Turn(role="user", text="x" * LONG)])
    (found,) = memory.recall("ann", "x" * LONG)
    assert found.passage is None
    assert found.excerpted() == found


def test_what_is_left_out_shows() -> None:
    memory = Recollection(id="1", text="abcdef", kind="turn", said_at=None, passage=(2, 4))  # type: ignore[arg-type]
    assert (memory.excerpt, memory.excerpted().text, memory.excerpted().passage) == ("cd", "…cd…", None)


@pytest.mark.parametrize("seed", range(20))
def test_the_places_of_chunks_are_where_their_words_stand(seed: int) -> None:
    chance = random.Random(seed)
    atoms = ["Hello there. ", "你好。", "\n", "x" * 50, "a b ", "无" * 70, "？ "]
    text = "".join(chance.choice(atoms) for _ in range(chance.randint(0, 60)))
    pieces, places = [*chunks(text, 60)], places_of(text, 60)
    assert ["".join(piece.split()) for piece in pieces] == ["".join(text[slice(*each)].split()) for each in places]


def test_the_passage_is_chosen_by_vectors_where_no_word_fits() -> None:
    text = long_text("en", 10_000, 0.5)
    places = places_of(text, 700)
    memory = Recollection(id="1", text=text, kind="turn", said_at=None)  # type: ignore[arg-type]
    found = excerpted(memory, {}, {3: 0.9, 5: 0.4}, 700)
    assert found.passage is not None
    assert found.passage[0] <= places[3][0] < places[3][1] <= found.passage[1]
