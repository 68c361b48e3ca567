"""Values compared by what they say."""

import pytest

from hippograph.memory.life.values import Likeness, is_misspelt, likeness, value


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("1.5 kg", "1500 g", "same"),
        ("¥3,000", "三千块钱", "same"),
        ("$1.2m", "1.2 million dollars", "same"),
        ("an hour and a half", "90分钟", "same"),
        ("fifteen", "15", "same"),
        ("31 years old", "31", "same"),
        ("180厘米", "一米八", "same"),
        ("5 ft 11", "1.8034 m", "same"),
        ("Friday at 3 pm", "周五下午三点", "same"),
        ("15:00 on Monday", "Monday at 3pm", "same"),
        ("5 May", "5月5号", "same"),
        ("138 0013 8000", "+86 138-0013-8000", "same"),
        ("Acme Inc.", "ACME", "same"),
        ("上海市", "上海", "same"),
        ("Grunerlokka", "Grünerløkka", "same"),
        ("Oslo", "Grünerløkka, Oslo", "finer"),
        ("周五", "周五下午三点", "finer"),
        ("杭州", "杭州市滨江区", "finer"),
        ("about 70 kg", "71.2 kg", "finer"),
        ("5 May", "5 May 1990", "finer"),
        ("green tea", "tea", "coarser"),
        ("Anna", "Ana", "other"),
        ("1.5 kg", "1.6 kg", "other"),
        ("3 kg", "3 km", "other"),
        ("南京", "南京路", "other"),
        ("York", "New York", "other"),
        ("engineer", "senior engineer", "other"),
        ("吃素", "不吃素", "other"),
        ("coffee", "tea, not coffee", "other"),
        ("3 am", "3 pm", "other"),
        ("5月5日", "5月15日", "other"),
    ],
)
def test_values_are_compared_by_what_they_say(old: str, new: str, expected: Likeness) -> None:
    assert likeness(value(old), value(new)) == expected
    back: dict[Likeness, Likeness] = {"finer": "coarser", "coarser": "finer"}
    assert likeness(value(new), value(old)) == back.get(expected, expected)


def test_a_literal_value_has_no_amounts() -> None:
    assert likeness(value("5.1"), value("5.10")) == "same"
    assert likeness(value("5.1", literal=True), value("5.10", literal=True)) == "other"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [("Microsoft", "Microsfot", True), ("Anna", "Ana", False), ("Slovakia", "Slovenia", False), ("42", "43", False)],
)
def test_only_one_letter_of_a_long_word_may_be_wrong(old: str, new: str, expected: bool) -> None:
    assert is_misspelt(value(old), value(new)) is expected


@pytest.mark.parametrize("name", ["三里屯", "万科", "五道口", "十堰", "iphone15", "v2.3.1", "prj-4821", "192.168.0.1"])
def test_what_only_looks_like_a_number_stays_a_name(name: str) -> None:
    assert not value(name).amounts
