"""Queries of several kinds for made-up conversations."""

from collections import Counter
from datetime import timedelta

from hippograph.bench.probes import KINDS, WINDOWS, probes
from hippograph.bench.turns import START, conversations
from hippograph.memory.dates.periods import windows

FACTS = conversations(1000).facts


def test_kinds_and_languages_take_turns() -> None:
    made = probes(FACTS, 1000, 60)
    assert Counter((each.kind, each.language) for each in made) == {
        (kind, language): 6 for kind in KINDS for language in ("en", "zh")
    }
    assert len({each.text for each in made}) > 50
    assert probes(FACTS, 1000, 60) == made


def test_each_kind_is_what_it_says() -> None:
    answers, asked = {fact.answer for fact in FACTS}, {fact.question for fact in FACTS}
    for each in probes(FACTS, 1000, 40):
        assert (each.text in asked) == (each.kind == "planted fact")
        assert (each.text in answers) == (each.kind == "rare word")
        if each.kind == "follow-up":
            assert any(answer in each.text.replace(" ", "") or answer.split()[-1] in each.text for answer in answers)
            assert "when was that" in each.text or "那是什么时候" in each.text


def test_every_window_names_a_stretch_of_time_that_was_talked_about() -> None:
    made = [each for each in probes(FACTS, 2000, 60) if each.kind == "time window"]
    assert {each.text for each in made} == {*WINDOWS["en"], *WINDOWS["zh"]}
    for each in made:
        (window,) = windows(each.text, each.asked_at)
        assert window.start <= START + timedelta(hours=13 * 200)
        assert window.end > START


def test_few_facts_are_enough() -> None:
    made = probes(conversations(100).facts, 100, 200)
    assert len(made) == 200
