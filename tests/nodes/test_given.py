import pytest

from hippograph.nodes.check_trigger import reason
from hippograph.nodes.given import without_given


@pytest.mark.parametrize(
    ("text", "todo"),
    [
        ("Fix the grammar: she don't like my apples", "Fix the grammar"),
        ("Summarise this in one sentence:\nI met Ada yesterday.", "Summarise this in one sentence"),
        ("用一句话概括：我昨天见了小周，她很好。", "用一句话概括"),
        ("I was late: my train stood still", "I was late: my train stood still"),
        ("Note: my locker is 42, please keep it", "Note: my locker is 42, please keep it"),
    ],
)
def test_a_text_that_is_handed_over_is_set_apart(text: str, todo: str) -> None:
    assert without_given(text) == todo


@pytest.mark.parametrize(
    "text",
    [
        'Is this sentence correct? "I seen him yesterday."',
        "判断情感：我很喜欢我的新手机。",
        "Shorten this: I told you about Ada.",
    ],
)
def test_what_stands_in_it_does_not_ask_for_memory(text: str) -> None:
    assert reason(text) == "no: given text"


@pytest.mark.parametrize(
    "text",
    ["Correct: I live in Leeds now", "Rewrite this like my last report: sales rose", "根据医生的建议：我不能吃海鲜"],
)
def test_what_is_to_be_done_still_may(text: str) -> None:
    assert not reason(text).startswith("no: ")
