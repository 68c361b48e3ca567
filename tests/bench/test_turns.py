"""Made-up conversations."""

from hippograph.bench.turns import PER_THREAD, conversations, sample


def test_the_same_seed_makes_the_same_conversations() -> None:
    assert conversations(200) == conversations(200)
    assert conversations(200) != conversations(200, seed=8)


def test_turns_alternate_in_threads_of_both_languages() -> None:
    said = conversations(1000)
    turns = [turn for thread in said.threads.values() for turn in thread]
    assert len(turns) == len({turn["id"] for turn in turns}) == 1000
    assert {len(thread) for thread in said.threads.values()} == {PER_THREAD}
    assert [turn["role"] for turn in turns[:4]] == ["user", "assistant", "user", "assistant"]
    assert all(turn["text"].strip() for turn in turns)
    chinese = [turn for turn in turns if any("\u4e00" <= letter <= "\u9fff" for letter in turn["text"])]
    assert len(chinese) == 500


def test_each_fact_is_told_once_and_its_answer_stands_in_its_turn() -> None:
    said = conversations(1000)
    texts = {turn["id"]: turn["text"] for thread in said.threads.values() for turn in thread}
    assert all(fact.answer in texts[fact.turn_id] for fact in said.facts)
    questions = [fact.question for fact in said.facts]
    assert len(questions) == len(set(questions)) > 100


def test_a_sample_is_half_chinese_and_spread_out() -> None:
    said = conversations(1000)
    facts = sample(said.facts, 20)
    assert [fact.language for fact in facts].count("zh") == 10
    assert len({fact.turn_id for fact in facts}) == 20
