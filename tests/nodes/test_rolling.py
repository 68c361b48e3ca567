import pytest
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

from hippograph.models import estimate
from hippograph.nodes.rolling import TOKENS, fold, parts


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


SMALL_TALK = {
    "en": [
        ("The weather is nice today", "Yes, lovely!"),
        ("haha", "Glad you like it."),
        ("Tell me a joke", "Why not."),
    ],
    "zh": [("今天天气真好", "是啊！"), ("哈哈哈", "嗯嗯。"), ("讲个笑话吧", "从前有座山。")],
}
MATTERS = {
    "en": ["I am allergic to lychee.", "We decided to go with Postgres.", "When does Priya arrive?"],
    "zh": ["我对荔枝过敏。", "我们决定用 Postgres。", "小李什么时候到？"],
}
SILENT = {"en": "I don't know.", "zh": "我不知道。"}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_matters_outlives_any_amount_of_small_talk(language: str) -> None:
    summary = fold("", [turn(each, SILENT[language]) for each in MATTERS[language]])
    for number in range(300):
        asked, answered = SMALL_TALK[language][number % 3]
        summary = fold(summary, [turn(f"{asked}, {'word ' * (number % 20)}", answered)])
        assert estimate(summary) <= TOKENS
    assert all(each in summary for each in MATTERS[language])
    assert "299" not in summary


def test_the_last_turns_stay_even_if_they_are_small_talk() -> None:
    summary = fold(
        "", [turn(f"I bought boat number {n} in harbour {n} for {n} euros, and I like it") for n in range(60)]
    )
    summary = fold(summary, [turn("The weather is nice today")])
    assert "weather" in summary.splitlines()[-1]
    summary = fold(summary, [turn(f"I sold boat {n} to a friend from Bergen for {n} euros") for n in range(60)])
    assert "weather" not in summary


def test_an_answered_question_is_kept_with_its_answer_or_not_at_all() -> None:
    summary = ""
    for number in range(100):
        summary = fold(summary, [turn(f"What is the code of door {number}?", f"The code is {number}{number}.")])
    assert all("→" in line for line in summary.splitlines()[1:])


def test_a_long_message_is_kept_by_what_matters_in_it() -> None:
    chat = "It was a long walk and we talked about this and that. " * 6
    assert "allergic to lychee" in fold("", [turn(f"{chat}By the way, I am allergic to lychee. {chat}")])
    talk = "路上走了很久，聊了很多有的没的。" * 20
    assert "荔枝" in fold("", [turn(f"{talk}对了，我对荔枝过敏。{talk}", "好的。")])


def test_what_is_said_again_is_one_line() -> None:
    summary = fold("", [turn("My cat is Tofu."), turn("I live in Oslo."), turn("My cat is Tofu.")])
    assert summary.count("Tofu") == 1
    assert summary.splitlines()[-1].startswith("user: My cat is Tofu.")


@pytest.mark.parametrize("nothing", [[], [[]], [[HumanMessage("")]], [[HumanMessage(" "), AIMessage("")]]])
def test_nothing_never_overwrites_something(nothing: list[list[BaseMessage]]) -> None:
    summary = fold("", [turn("My cat is Tofu.")])
    assert fold(summary, nothing) == summary


def test_a_line_that_looks_like_the_count_is_none() -> None:
    assert parts("(3 earlier meetings were moved)") == (0, ["(3 earlier meetings were moved)"])
    assert parts("(3 earlier turns left out)\nuser: a") == (3, ["user: a"])


def test_a_whole_conversation_at_once_is_quick_enough_to_be_folded_each_turn() -> None:
    turns = [turn(f"I bought boat number {n}, and I like it", f"It is boat {n}.") for n in range(600)]
    assert estimate(fold("", turns)) <= TOKENS
