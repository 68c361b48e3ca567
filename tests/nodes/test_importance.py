import pytest

from hippograph.nodes.importance import DETAIL, MATTER, PLAIN, TRIFLE, answer_weight, weight


@pytest.mark.parametrize(
    "text",
    [
        "I am allergic to lychee.",
        "We decided to go with Postgres.",
        "I'll send the contract by Friday.",
        "My rent is 850 euros.",
        "Remember that the door code is 4711.",
        "我对荔枝过敏。",
        "我们决定用 Postgres。",
        "我家猫叫豆腐。",
        "发布会改到六月三号了",
        "别忘了周五交报告",
    ],
)
def test_decisions_promises_and_what_one_says_of_oneself_matter(text: str) -> None:
    assert weight(text) == MATTER


@pytest.mark.parametrize(
    "text", ["hi", "Thanks a lot!", "haha", "谢谢", "哈哈哈", "好的", "今天天气真好", "How are you?"]
)
def test_courtesy_and_small_talk_are_trifles(text: str) -> None:
    assert weight(text) == TRIFLE


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("When does Priya arrive?", DETAIL),
        ("It takes 25 minutes.", DETAIL),
        ("Tell me a joke about cats.", PLAIN),
        ("给我讲个笑话", PLAIN),
    ],
)
def test_a_detail_is_worth_more_than_talk_without_one(text: str, expected: int) -> None:
    assert weight(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Noted, I will remember that.", TRIFLE),
        ("好的，我记住了。", TRIFLE),
        ("I love helping with that!", PLAIN),
        ("It is in Bergen.", DETAIL),
        ("I'll remind you on Friday at 10.", MATTER),
        ("", TRIFLE),
    ],
)
def test_of_an_assistants_words_only_details_and_promises_count(text: str, expected: int) -> None:
    assert answer_weight(text) == expected
