from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

from hippograph.models import estimate
from hippograph.nodes.rolling import TOKENS, fold


def turn(question: str, answer: str = "Fine.") -> list[BaseMessage]:
    return [HumanMessage(question), AIMessage(answer)]


def test_a_turn_becomes_one_line_in_its_own_language() -> None:
    summary = fold("", [turn("My cat is Tofu.", "Nice name."), turn("我住在卑尔根。", "好的。")])
    assert summary == "user: My cat is Tofu. → assistant: Nice name.\n用户：我住在卑尔根。 → 助手：好的。"


def test_folding_goes_on_where_it_stopped() -> None:
    turns = [turn(f"question {n}") for n in range(6)]
    assert fold(fold("", turns[:3]), turns[3:]) == fold("", turns)


def test_it_stays_bounded_for_ever_and_keeps_count_of_what_is_gone() -> None:
    summary = ""
    for number in range(300):
        summary = fold(summary, [turn(f"question {number} " + "word " * 40, "answer " * 40)])
        assert estimate(summary) <= TOKENS
    first, *lines = summary.splitlines()
    assert "question 299" in lines[-1]
    assert first == f"({300 - len(lines)} earlier turns left out)"


def test_the_count_is_kept_in_chinese_too() -> None:
    summary = ""
    for number in range(100):
        summary = fold(summary, [turn(f"第 {number} 个问题，" + "内容" * 30, "回答" * 30)])
    first, *lines = summary.splitlines()
    assert first == f"（更早的 {100 - len(lines)} 轮已略去）"


def test_old_answers_go_before_old_questions() -> None:
    summary = fold("", [turn(f"question {n} " + "a b " * 10, "answer " * 10) for n in range(12)])
    lines = [line for line in summary.splitlines() if "question" in line]
    assert "→" not in lines[0]
    assert "→" in lines[-1]


def test_a_very_long_message_is_one_short_line() -> None:
    assert len(fold("", [turn("x" * 60_000, "y" * 60_000)])) < 400


def test_silence_adds_nothing() -> None:
    assert fold("", [[HumanMessage("")]]) == ""
