import pytest

from hippograph.memory.proper import name, names


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("How is Priya doing?", "Priya"),
        ("What is Marcus's diet?", "Marcus"),
        ("Caroline's birthday is soon", "Caroline"),
        ("Is PRJ-4821 done?", "PRJ-4821"),
        ("the Heron project slips", "Heron project"),
        ("老唐什么时候去昆明", "老唐"),
        ("王老师最近怎么样", "王老师"),
        ("去年，陆明强在哪里工作？", "陆明强"),
    ],
)
def test_a_name_of_somebodys_own_life_is_found(text: str, expected: str) -> None:
    assert name(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "What's the capital of Norway?",
        "When did the Titanic sink?",
        "Write a Python script",
        "What does NATO stand for?",
        "What's in a Negroni?",
        "Who was Shakespeare?",
        "On Monday in May",
        "老挝和哪些国家接壤",
        "摩洛哥的首都是哪里",
        "每小时多少钱",
    ],
)
def test_what_the_whole_world_knows_is_no_such_name(text: str) -> None:
    assert name(text) is None


def test_all_names_of_a_text_are_those_with_a_capital_and_chinese_people() -> None:
    assert names("You met Nina in Porto with 老唐") == ["老唐", "Nina", "Porto"]
