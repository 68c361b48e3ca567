"""The first command a newcomer runs, with the real small model."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from hippograph.cli.comparing import table
from hippograph.cli.samples import CONVERSATIONS, GOLD

if TYPE_CHECKING:
    from tests.cli.conftest import Command

FACTS = {
    "zh": [r"OCaml", r"6\s*月\s*30\s*日", r"paid_at", r"GitLab"],
    "en": [r"OCaml", r"30 June|June 30", r"paid_at", r"GitLab"],
}
"""What each of the four answers must hold; without memory nobody knows it."""


def known(answers: list[str], lang: str) -> int:
    """How many of the four answers hold their fact."""
    return sum(bool(re.search(fact, answer)) for fact, answer in zip(FACTS[lang], answers, strict=True))


def test_the_demo_answers_from_memory_in_chinese_as_json(command: "Command", new_home: Callable[[], Path]) -> None:
    home = new_home()
    shown = command.json("demo", "--home", home)
    assert set(shown) == {"lang", "with_memory", "without_memory"}
    assert shown["lang"] == "zh"
    for answered in (*shown["with_memory"], *shown["without_memory"]):
        assert set(answered) == {"question", "answer", "used", "ms"}
    for answered in shown["with_memory"]:
        assert answered["used"]
        assert {"check_trigger", "retrieve", "rerank", "summarize", "respond", "write_back"} <= set(answered["ms"])
    assert all(answered["used"] == [] for answered in shown["without_memory"])
    assert known([answered["answer"] for answered in shown["with_memory"]], "zh") >= 3
    assert known([answered["answer"] for answered in shown["without_memory"]], "zh") <= 1
    memories = command.json("memories", "--user", "demo", "--home", home)
    assert sum(memory["kind"] == "turn" for memory in memories) == 12
    stored = {memory["id"] for memory in memories}
    assert all(set(answered["used"]) <= stored for answered in shown["with_memory"])


def test_the_demo_shows_answers_sources_and_stages_in_english(command: "Command") -> None:
    done = command("demo", "--lang", "en")
    assert done.returncode == 0, done.stderr
    first, _, second = done.stdout.partition("Without memory")
    answers = [re.split(r"\n\n", part)[0] for part in first.split("?\n")[1:]]
    assert known(answers, "en") >= 3
    assert known([re.split(r"\n\n", part)[0] for part in second.split("?\n")[1:]], "en") <= 1
    assert re.search(r"memory used: .*\(\d{4}-\d\d-\d\d \d\d:\d\d, thread \w+, user\)", done.stderr)
    assert re.search(r"retrieve [\d.]+ ms .* respond [\d.]+ ms, \d+ tokens", done.stderr)


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_demo_s_messages_keep_their_ids_so_that_a_second_demo_stores_nothing_twice(lang: str) -> None:
    first, later = (
        [turn["id"] for conversation in CONVERSATIONS[lang] for turn in conversation.turns(lang, now)]
        for now in (datetime(2026, 11, 1, tzinfo=UTC), datetime(2026, 12, 1, tzinfo=UTC))
    )
    assert first == later
    assert len(set(first)) == len(first) == 12


def test_the_comparison_measures_three_ways_of_asking_and_shows_them_side_by_side(command: "Command") -> None:
    shown = command.json("demo", "--compare", "--lang", "en", timeout=900)
    arms = shown["arms"]
    assert [*arms] == ["alone", "rag", "injection"]
    assert (arms["alone"]["remembered"], arms["rag"]["remembered"], arms["injection"]["remembered"]) == (0, 12, 12)
    assert all(arm["n"] == len(arm["answers"]) == 4 for arm in arms.values())
    assert arms["injection"]["right"] >= 3
    assert arms["alone"]["right"] <= 1
    assert arms["alone"]["memory_tokens_p50"] == 0 < arms["injection"]["memory_tokens_p50"]
    assert arms["rag"]["tokens_p50"] > arms["alone"]["tokens_p50"] > 0
    assert all(arm["ms_p50"] > 0 and arm["money"] == 0 for arm in arms.values()), "a local model costs nothing"
    lines = table(arms, "zh")
    assert "记忆注入" in lines[0]
    assert re.search(r"12 / 12 +12 / 12", "\n".join(lines))


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_every_question_of_the_comparison_has_an_answer_that_the_samples_tell(lang: str) -> None:
    told = "\n".join(text for each in CONVERSATIONS[lang] for text in each.messages)
    assert all(gold.replace(" ", "") in told.replace(" ", "") for gold in GOLD[lang])
