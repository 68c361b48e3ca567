import math
from datetime import UTC, datetime
from typing import Any

import pytest

from hippograph.memory import Memory
from hippograph.memory.search.explain import Explanation, explain, parts
from hippograph.memory.search.fuse import fuse
from hippograph.memory.search.second import blend
from hippograph.memory.search.understanding import understand
from hippograph.state import Recollection

NOW = datetime(2026, 6, 1, tzinfo=UTC)


def memory_of(name: str, score: float = 0.5, **why: float) -> Recollection:
    return Recollection(id=name, text=name, kind="turn", said_at=NOW, score=score, why=why)


def explained(ranked: list[Recollection], k: int = 8, doubts: dict[str, str] | None = None) -> Explanation:
    return explain(understand("query", (), NOW), ranked, k, doubts or {}, [])


def test_the_parts_of_a_fused_memory_add_up_to_its_score() -> None:
    found = [memory_of(str(n), vector=n / 5, keyword=n / 10, context=n / 10, hop=n / 5, time=1.0) for n in range(1, 5)]
    for each in fuse("What did she say?", found, NOW):
        made_of = parts(each)
        assert made_of.later == {}
        assert made_of.lifts
        assert made_of.fused == pytest.approx(each.score, abs=1e-3)
        total = sum(leg.adds for leg in made_of.legs) + sum(made_of.lifts.values())
        assert 1 - math.exp(-total) == pytest.approx(each.score, abs=1e-3)


def test_a_leg_ranks_a_memory_among_those_it_speaks_for_and_ties_share_a_place() -> None:
    ranked = [memory_of("a", vector=0.5), memory_of("b", vector=0.5), memory_of("c", vector=0.2), memory_of("d")]
    places = [[(leg.rank, leg.of) for leg in shown.parts.legs] for shown in explained(ranked).shown]
    assert places == [[(1, 3)], [(1, 3)], [(3, 3)], []]


def test_a_rank_counts_the_candidates_that_were_cut() -> None:
    ranked = [memory_of("a", 0.9, vector=0.1), memory_of("b", 0.8, vector=0.7), memory_of("c", 0.7, vector=0.3)]
    (shown,) = explained(ranked, k=1).shown
    assert [(leg.rank, leg.of) for leg in shown.parts.legs] == [(3, 3)]


def test_without_the_candidates_ranks_are_not_known() -> None:
    (leg,) = parts(memory_of("a", vector=0.5)).legs
    assert (leg.rank, leg.of) == (None, None)
    assert leg.adds == pytest.approx(0.5 * leg.weight)


def test_what_was_cut_has_the_turns_reason_or_is_below_the_best() -> None:
    ranked = [memory_of("a", 0.9), memory_of("b", 0.8), memory_of("c", 0.1), memory_of("d", 0.05)]
    doubts = {"b": "too alike", "d": "too weak: below 0.10"}
    explanation = explained(ranked, 2, doubts)
    assert [(each.memory.id, each.doubt) for each in explanation.shown] == [("a", None), ("b", "too alike")]
    cut = [(each.memory.id, each.reason) for each in explanation.cut]
    assert cut == [("c", "below the best 2"), ("d", "too weak: below 0.10")]


def test_lifts_and_what_came_after_fusion_are_told_apart() -> None:
    why: dict[str, Any] = {"vector": 0.5, "speaker": 0.3, "asking": -0.05, "newest": 0.02}
    made_of = parts(memory_of("a", **why))
    assert list(made_of.lifts) == ["speaker", "asking"]
    assert made_of.later == {"newest": 0.02}


def test_what_a_reranker_did_not_read_counts_as_scored_0() -> None:
    fused = [memory_of("a", 0.6, vector=0.8), memory_of("b", 0.5, vector=0.6)]
    shown = explained(blend("query", fused, [0.9])).shown
    assert [each.parts.later for each in shown] == [{"reranker": 0.9}, {"reranker": 0.0}]
    assert [each.parts.later for each in explained(fused).shown] == [{}, {}]


def test_a_real_search_in_chinese_and_english_is_explained_whole(memory: Memory) -> None:
    for number, text in enumerate(["I am allergic to lychee", "我对荔枝过敏", "The dashboard is broken"]):
        memory.add_turns("ann", f"t{number}", [{"role": "user", "text": text}])
    for query in ("What am I allergic to, lychee?", "我对什么过敏，荔枝吗？"):
        found = memory.candidates("ann", query).found
        ranked = memory.rank(query, found, len(found)).found  # facts and their turns take one place
        explanation = explained(ranked, 1)
        (best,) = explanation.shown
        assert {"vector", "keyword"} <= {leg.name for leg in best.parts.legs}
        assert all(leg.rank == 1 for leg in best.parts.legs if leg.name in ("vector", "keyword"))
        assert len(explanation.cut) == len(ranked) - 1
