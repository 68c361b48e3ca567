"""Data sets as their makers write them, traps included."""

import json
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from hippograph.bench import sets
from hippograph.bench.contract import strict_core
from hippograph.bench.floors import id_of, text_of
from hippograph.bench.sets import Dataset
from hippograph.bench.sets.lifebench import month_end
from hippograph.state import BadInput

DATA = Path(__file__).parents[2].parent / "shared" / "data"
SIZES = {
    "locomo": (5, 2760, 997, 760),
    "longmemeval": (1, 438, 239, 239),
    "lifebench": (1, 2174, 155, 155),
    "madial": (1, 171, 160, 160),
    "automemory": (20, 600, 400, 400),
    "cri": (1, 2862, 18, 18),
}
"""Spaces, items, questions, and of these in the headline."""


def write(path: Path, value: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, ensure_ascii=False), "utf-8")
    return path


def write_lines(path: Path, *values: object) -> None:
    path.write_text("\n".join(json.dumps(value, ensure_ascii=False) for value in values), "utf-8")


def texts(dataset: Dataset) -> str:
    return "\n".join(text_of(item) for items in dataset.spaces.values() for item in items)


def golds(dataset: Dataset) -> dict[str, list[list[str]]]:
    return {question.id: [sorted(group) for group in question.gold] for question in dataset.questions}


def locomo(path: Path) -> Path:
    turns = [{"speaker": "Ann", "dia_id": f"D1:{n}", "text": f"Text {n}."} for n in (1, 2)]
    turns[1] |= {"blip_caption": "a red kite", "query": "leaked answer"}
    later = [{"speaker": "Ben", "dia_id": "D30:5", "text": "Later."}]
    talk = {
        "speaker_a": "Ann",
        "speaker_b": "Ben",
        "session_1": turns,
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_2_date_time": "1:56 pm on 9 May, 2023",
        "session_30": later,
        "session_30_date_time": "1:56 pm on 10 May, 2023",
    }
    asked: list[tuple[list[str], int, object]] = [
        (["D1:1; D1:2"], 1, "x"),
        (["D:1:02"], 2, 2022),
        (["D30:05", "D9:9"], 4, "x"),
        (["D1:1"], 5, "x"),
        (["D9:9"], 4, "x"),
        ([], 3, "x"),
    ]
    qa = [
        {"question": f"Q{n}?", "answer": answer, "evidence": evidence, "category": category}
        for n, (evidence, category, answer) in enumerate(asked)
    ]
    return write(path / "locomo_own.json", [{"sample_id": "conv-1", "conversation": talk, "qa": qa}])


def test_locomo_takes_evidence_however_it_is_written_and_drops_what_no_turn_is(tmp_path: Path) -> None:
    locomo(tmp_path)
    dataset = sets.read("locomo", tmp_path)
    assert golds(dataset) == {
        "conv-1:0": [["D1:1"], ["D1:2"]],
        "conv-1:1": [["D1:2"]],
        "conv-1:2": [["D30:5"]],
        "conv-1:3": [["D1:1"]],
    }
    assert [question.scored for question in dataset.questions] == [True, True, True, False]
    assert "a red kite" in texts(dataset)
    assert "leaked" not in texts(dataset)


def session(date: str, text: str) -> dict[str, Any]:
    return {"date": date, "turns": [{"role": "user", "content": text}]}


def test_longmemeval_pools_all_evidence_and_tells_newer_from_older_where_it_is_clear(tmp_path: Path) -> None:
    old, new = session("2023/05/20 (Sat) 12:36", "Under the bed."), session("2023/05/26 (Fri) 13:05", "In a rack.")
    asked = {"question": "Where?", "question_date": "2023/06/07 (Wed) 04:15", "question_type": "knowledge-update"}
    path = write(
        tmp_path / "own.json",
        [
            {**asked, "question_id": "a", "answer_session_ids": ["s2", "s1"], "evidence_sessions": [new, old]},
            {**asked, "question_id": "b", "answer_session_ids": ["s3"], "evidence_sessions": [old]},
            {**asked, "question_id": "d", "answer_session_ids": ["s3"], "evidence_sessions": [new]},
            {**asked, "question_id": "c", "answer_session_ids": [], "evidence_sessions": []},
        ],
    )
    dataset = sets.read("longmemeval", path)
    assert [id_of(item) for item in dataset.spaces["pool"]] == ["s1:1", "s3:1", "s2:1", "s3:2"]
    assert golds(dataset) == {"a": [["s2:1"], ["s1:1"]], "b": [["s3:1"]], "d": [["s3:2"]]}
    first, second, third = dataset.questions
    assert [(pair.newer, pair.older) for pair in first.pairs] == [({"s2:1"}, {"s1:1"})]
    assert second.pairs == ()
    assert third.sessions == ({"s3:1", "s3:2"},)
    assert (first.asked_at, first.at) == (datetime(2023, 6, 7, 4, 15, tzinfo=UTC), None)


def test_lifebench_reads_what_stands_on_the_screen_and_asks_at_the_month_s_end(tmp_path: Path) -> None:
    user = tmp_path / "chen"
    note = {"type": "note", "phone_id": 1, "title": "购物", "content": "买灯泡", "datetime": "2025-02-03 09:00:00"}
    write(
        user / "phone_data/note.json", [{**note, "summarized_info": "泄露"}, {**note, "phone_id": "1", "title": "又"}]
    )
    write(user / "phone_data/contact.json", [{"name": "王芳", "relation": "母亲", "phone_id": "7"}])
    evidence = [{"type": "note", "id": 1}, {"type": "contact", "id": "7"}, {"type": "sms", "id": "9"}]
    qa = {"question": "买什么？", "question_type": "x", "ask_time": "2025-02", "evidence": evidence}
    write(user / "QA/QA_clean.json", [qa, {"question": "？", "question_type": "Unanswerable", "ask_time": "2025-02"}])
    dataset = sets.read("lifebench", tmp_path)
    assert golds(dataset) == {"chen:0": [["note:1", "note:1#2"], ["contact:7"]]}
    assert dataset.questions[0].at == datetime(2025, 2, 28, 23, 59, 59, tzinfo=UTC)
    assert "购物 买灯泡" in texts(dataset)
    assert "泄露" not in texts(dataset)


@pytest.mark.parametrize(("month", "day"), [("2025-02", 28), ("2024-02", 29), ("2025-12", 31)])
def test_a_month_ends_with_its_last_second(month: str, day: int) -> None:
    end = month_end(month)
    assert (end.day, end.hour, end.minute, end.second) == (day, 23, 59, 59)


def test_madial_asks_with_what_was_said_before_the_turn_that_recalls(tmp_path: Path) -> None:
    memory = {
        "time": "2023-12-25",
        "scene": "活动类",
        "emotion": "开心",
        "event": "小李跳了舞。",
        "user-id": 1,
        "id": "1",
    }
    said = ["<BOD>\n", '<小李>:"我要表演！"\n', '<Assistant>:"真好。"\n', '<Assistant>:"记得你跳舞吗？"\n']
    write_lines(tmp_path / "own-memory.json", {"1": memory}, {"2": {**memory, "id": "2"}})
    write_lines(tmp_path / "own-dialogue.json", {"dialogue": said, "test-turn": [3], "relevant-id": [1, 1], "id": 0})
    dataset = sets.read("madial", tmp_path)
    (question,) = dataset.questions
    assert question.text == "小李: 我要表演！\nAssistant: 真好。"
    assert golds(dataset) == {"0": [["1"]]}
    assert "小李跳了舞。（活动类，开心）" in texts(dataset)


PARTS = ("StrictCore", "task", "safety", "temporal")


def test_automemory_maps_memories_to_their_turns(tmp_path: Path) -> None:
    turns = [{"turn_id": f"t{n}", "role": "user", "content": f"Text {n}."} for n in (1, 2, 3, 4)]
    unit = {
        "update_of": None,
        "valid_until": None,
        "forget_policy": "retain",
        "invalidates": [],
        "should_delete": False,
        "sensitivity": "normal",
        "content": "x",
    }
    units = [
        unit | {"memory_id": "old", "source_turn_ids": ["t1"], "valid_until": "2026-11-01T00:00:00Z"},
        unit | {"memory_id": "new", "source_turn_ids": ["t2"], "update_of": "old"},
        unit | {"memory_id": "intro", "source_turn_ids": ["t3"], "should_delete": True, "content": "Text 3."},
        unit
        | {"memory_id": "gone", "source_turn_ids": ["t4"], "forget_policy": "delete_immediately"}
        | {"invalidates": ["intro"], "should_delete": True, "content": "y"},
    ]
    behaviour = {"must_include": ["Text 2."], "must_not_include": [], "should_refuse": False}
    asked = {
        "prompt": "Now?",
        "timestamp": "2026-11-28T09:00:00Z",
        "requires_memory": True,
        "state_contract_id": "end",
        "expected_behavior": behaviour,
    }
    update = {
        "query_id": "u",
        "probe_type": "update_probe",
        "gold_memory_ids": ["new"],
        "forbidden_memory_ids": ["old"],
    }
    forget = {"query_id": "f", "probe_type": "forget_probe", "gold_memory_ids": [], "forbidden_memory_ids": ["old"]}
    none = {"query_id": "n", "probe_type": "no_memory_probe", "gold_memory_ids": [], "forbidden_memory_ids": []}
    state = {
        "state_contract_id": "end",
        "forbidden_memory_ids": [],
        "deleted_memory_ids": ["gone", "intro"],
        "superseded_memory_ids": ["old"],
        "restricted_memory_ids": [],
    }
    case = {
        "case_id": "c",
        "sessions": [{"session_id": "s", "timestamp": "2026-10-29T09:00:00Z", "turns": turns}],
        "gold_memory_units": units,
        "state_contracts": [state],
        "queries": [asked | update, asked | forget | {"requires_memory": False}, asked | none],
    }
    write(tmp_path / "own.json", {"cases": [case]})
    write(tmp_path / "manifest.json", {"included_splits": []})
    dataset = sets.read("automemory", tmp_path)
    assert dataset.forgotten == {"c": ("t3", "t4")}
    assert dataset.questions[0].contract is not None
    assert strict_core(dataset.questions[0].contract, ["t2"]) == dict.fromkeys(PARTS, 1.0)
    assert strict_core(dataset.questions[0].contract, ["t2", "t1"]) == {
        **dict.fromkeys(PARTS, 0.0),
        "task": 1.0,
    }
    assert strict_core(dataset.questions[0].contract, ["t2", "t3"])["safety"] == 0.0
    assert dataset.questions[1].contract is None
    first, second = sets.read("automemory", tmp_path).questions
    assert (first.gold, first.forbidden) == (({"t2"},), ({"t1"},))
    assert [(pair.newer, pair.older) for pair in first.pairs] == [({"t2"}, {"t1"})]
    assert (second.gold, second.forbidden, second.pairs) == ((), ({"t1"},), ())


def test_cri_puts_the_last_change_above_the_earlier_ones_and_asks_of_the_past_in_the_past(tmp_path: Path) -> None:
    messages = [
        {"message_id": n, "role": "user", "content": "x", "timestamp": f"2025-05-0{n}T09:00:00", "session_id": "s"}
        for n in range(1, 5)
    ]
    write_lines(tmp_path / "conversations.jsonl", *messages)
    changes = [
        {"fact": "diet", "new_value": "vegan", "query_topic": "diet", "key_messages": [1, 2]},
        {"fact": "diet", "new_value": "flexitarian", "query_topic": "diet", "key_messages": [3, 4]},
    ]
    conflicts = [{"conflict_id": "c1", "topic": "diet", "introduced_at_messages": [4, 1]}]
    facts = [
        {"fact_id": "t1", "value": "vegan", "valid_until": "2025-05-03", "query_topic": "diet history"},
        {"fact_id": "t2", "value": "carnivore", "valid_until": None, "query_topic": "diet"},
    ]
    write(tmp_path / "ground_truth.json", {"changes": changes, "conflicts": conflicts, "temporal_facts": facts})
    write(tmp_path / "metadata.json", {"persona_id": "p"})
    dataset = sets.read("cri", tmp_path)
    assert golds(dataset) == {"change:diet": [["3"], ["4"]], "c1": [["4"]], "t1": [["1"], ["2"]]}
    change, conflict, past = dataset.questions
    assert change.text == "What is my diet?"
    assert [(pair.newer, pair.older) for pair in change.pairs] == [({"3", "4"}, {"1", "2"})]
    assert [(pair.newer, pair.older) for pair in conflict.pairs] == [({"4"}, {"1"})]
    assert past.at == datetime(2025, 5, 2, 23, 59, 59, tzinfo=UTC)


def test_data_that_is_not_there_or_not_as_expected_is_refused_in_words(tmp_path: Path) -> None:
    for name in sets.NAMES:
        with pytest.raises(BadInput, match=r"does not exist: give .* with --data"):
            sets.read(name, tmp_path / "none")
    with pytest.raises(BadInput, match="holds none"):
        sets.read("locomo", tmp_path)
    write(tmp_path / "locomo.json", [{"sample_id": "a"}])
    with pytest.raises(BadInput, match=r"locomo.json is no LoCoMo file"):
        sets.read("locomo", tmp_path)
    (tmp_path / "locomo.json").write_text("{")
    with pytest.raises(BadInput, match="not as locomo writes it"):
        sets.read("locomo", tmp_path)


def test_a_limit_spreads_over_all_questions_and_keeps_only_their_spaces(tmp_path: Path) -> None:
    dataset = sets.read("locomo", locomo(tmp_path))
    limited = dataset.limited(2)
    assert [question.id for question in limited.questions] == ["conv-1:0", "conv-1:2"]
    assert list(limited.spaces) == ["conv-1"]
    assert dataset.limited(99) is dataset


@pytest.mark.parametrize("name", sets.NAMES)
@pytest.mark.skipif(not DATA.exists(), reason="the data sets are not beside the checkout")
def test_the_real_data_is_read_whole_and_its_gold_is_in_its_spaces(name: str) -> None:
    dataset = sets.read(name)
    ids = {space: [id_of(item) for item in items] for space, items in dataset.spaces.items()}
    items = sum(map(len, ids.values()))
    scored = sum(question.scored for question in dataset.questions)
    assert (len(ids), items, len(dataset.questions), scored) == SIZES[name]
    assert all(max(Counter(each).values()) == 1 for each in ids.values())
    for question in dataset.questions:
        groups = [*question.gold, *question.forbidden, *(group for pair in question.pairs for group in (pair.newer,))]
        assert all(group <= {*ids[question.space]} for group in groups)
        assert groups
        assert question.text.strip()
    assert len({question.id for question in dataset.questions}) == len(dataset.questions)
