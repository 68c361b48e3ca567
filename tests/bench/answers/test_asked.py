"""Which questions are asked: every kind in proportion, the same for a seed."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from talks import locomo

from hippograph.bench.answers.asked import Asked, Numbers, choose, places, stratified
from hippograph.state import BadInput

DATA = Path(__file__).parents[3].parent / "shared" / "data"
POOL = [
    Asked(set="s", id=f"{category}{number}", space="x", text="?", gold="g", category=category, answerable=True)
    for category, size in {"a": 60, "b": 30, "c": 7, "d": 3}.items()
    for number in range(size)
]


def test_each_category_has_its_share() -> None:
    counted = Counter(each.category for each in stratified(POOL, 20, 1))
    assert counted == {"a": 12, "b": 6, "c": 1, "d": 1}
    assert len(stratified(POOL, 1000, 1)) == len(POOL)
    assert stratified(POOL, 0, 1) == []


def test_the_seed_alone_decides_what_is_drawn_and_more_keeps_what_less_drew() -> None:
    drawn = stratified(POOL, 20, 1)
    assert drawn == stratified(POOL[::-1], 20, 1)
    assert drawn != stratified(POOL, 20, 2)
    kept = {each.id for each in drawn} & {each.id for each in stratified(POOL, 50, 1)}
    assert len(kept) >= 19


def test_a_folder_of_sets_a_set_s_folder_and_a_file_are_all_taken(tmp_path: Path) -> None:
    file = locomo(tmp_path / "locomo")
    for data in (tmp_path, file.parent, file):
        chosen = choose(data, ["locomo", "longmemeval"], Numbers())
        assert len(chosen.questions) == 5
        assert chosen.notes == [f"longmemeval is not in {data} and was left out."]
    with pytest.raises(BadInput, match="--data"):
        places(tmp_path / "nowhere")
    with pytest.raises(BadInput, match="Nothing to ask"):
        choose(file, ["locomo"], Numbers(locomo=0, unanswerable=0))


def test_questions_carry_gold_evidence_and_whether_they_have_an_answer(tmp_path: Path) -> None:
    found = {each.id: each for each in choose(locomo(tmp_path), ["locomo"], Numbers()).questions}
    assert found["conv-0:1"].gold == "3 March 2023"
    assert found["conv-0:1"].evidence == (frozenset({"D1:3"}),)
    assert (found["conv-0:2"].gold, found["conv-0:2"].answerable) == ("", False)


def test_longmemeval_leaves_out_rubrics_and_knows_what_has_no_answer(tmp_path: Path) -> None:
    session = {"date": "2023/05/21 (Sun) 19:50", "turns": [{"role": "user", "content": "My hamster is called Bo."}]}
    asked = {
        "question_type": "single-session-user",
        "question": "What is my hamster called?",
        "question_date": "2023/05/30 (Tue) 10:00",
        "answer": "Bo",
        "answer_session_ids": ["s1"],
        "evidence_sessions": [session],
    }
    entries = [
        {**asked, "question_id": "q1"},
        {
            **asked,
            "question_id": "q2_abs",
            "answer": "You did not mention it.",
            "evidence_sessions": [],
            "answer_session_ids": [],
        },
        {**asked, "question_id": "q3", "question_type": "single-session-preference"},
    ]
    (tmp_path / "longmemeval").mkdir()
    (tmp_path / "longmemeval" / "some.json").write_text(json.dumps(entries))
    found = {each.id: each for each in choose(tmp_path, ["longmemeval"], Numbers()).questions}
    assert {*found} == {"q1", "q2_abs"}
    assert (found["q1"].gold, found["q1"].category) == ("Bo", "single-session-user")
    assert not found["q2_abs"].answerable


@pytest.mark.skipif(not DATA.is_dir(), reason=f"the data sets are not in {DATA}")
def test_the_real_sets_give_as_many_questions_as_are_wanted() -> None:
    chosen = choose(DATA, ["locomo", "longmemeval", "lifebench"], Numbers())
    counted = Counter((each.set, each.answerable) for each in chosen.questions)
    assert counted["locomo", True] == 100
    assert counted["locomo", False] == 30
    assert counted["longmemeval", True] + counted["longmemeval", False] == 60
    assert counted["lifebench", True] + counted["lifebench", False] == 50
    assert {each.category for each in chosen.questions if each.set == "locomo"} == set("12345")
    assert all(each.gold for each in chosen.questions if each.answerable)
    assert chosen.questions == choose(DATA, ["locomo", "longmemeval", "lifebench"], Numbers()).questions
    other = choose(DATA, ["locomo"], replace(Numbers(), seed=6)).questions
    assert {each.id for each in other} != {each.id for each in chosen.questions if each.set == "locomo"}
