"""LoCoMo's own F1, and what of an answer is judged."""

from dataclasses import replace

import pytest

from hippograph.bench.answers.asked import Asked
from hippograph.bench.answers.scores import judged, multiple_f1, shortened, token_f1

ASKED = Asked(set="locomo", id="1", space="s", text="?", gold="clarinet, violin", category="4", answerable=True)


def test_f1_counts_stems_without_articles_and_punctuation() -> None:
    assert token_f1("The pink violins!", "a pink violin") == 1
    assert token_f1("Painting and singing", "she sings, paints") == pytest.approx(0.8)
    assert token_f1("a gecko", "clarinet") == 0
    assert token_f1("clarinet", "clarinet and violin") == pytest.approx(2 / 3)
    assert token_f1("", "clarinet") == token_f1("the", "clarinet") == 0


def test_f1_of_chinese_counts_characters() -> None:
    assert token_f1("工具箱。", "工具箱") == 1
    assert token_f1("一个工具箱", "工具箱") == pytest.approx(0.75)


def test_of_several_golds_each_gets_its_best_part_of_the_answer() -> None:
    assert multiple_f1("violin, clarinet", "clarinet, violin") == 1
    assert multiple_f1("clarinet", "clarinet, violin") == 0.5
    assert multiple_f1("violin, a gecko, a kiln", "violin") == 1


def test_a_multi_hop_answer_is_judged_part_by_part() -> None:
    assert judged(replace(ASKED, category="1"), "violin, clarinet").f1 == 1
    assert judged(ASKED, "violin, clarinet").f1 == 1, "one bag of words"
    assert judged(replace(ASKED, category="1"), "clarinet").f1 == 0.5
    assert judged(ASKED, "clarinet").f1 == pytest.approx(2 / 3)


def test_of_an_open_domain_gold_the_reason_behind_the_semicolon_is_left_out() -> None:
    asked = replace(ASKED, category="3", gold="Florida; they went to Tampa")
    assert judged(asked, "Florida").contained
    assert not judged(replace(asked, category="4"), "Florida").contained


def test_the_whole_context_repeated_is_no_answer() -> None:
    words = " ".join(f"word{number}" for number in range(80))
    assert not judged(ASKED, f"{words} clarinet violin").contained
    assert judged(ASKED, f"clarinet violin {words}").contained
    assert len(shortened(words).split()) == 60
    assert shortened("工具" * 100) == "工具" * 60
    assert shortened("a short answer") == "a short answer"


def test_an_answer_that_abstains_holds_nothing() -> None:
    scores = judged(ASKED, "I don't know whether it was the clarinet or the violin.")
    assert scores.abstained
    assert not scores.contained


def test_a_question_without_an_answer_is_only_judged_by_abstention() -> None:
    asked = replace(ASKED, gold="", category="5", answerable=False)
    assert judged(asked, "我不知道。").abstained
    scores = judged(asked, "the clarinet")
    assert (scores.abstained, scores.contained, scores.f1) == (False, False, 0.0)
