from datetime import UTC, datetime

import pytest

from hippograph.nodes.dating import dated

SAID = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)  # a Monday


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I went there yesterday!", "I went there on 7 May 2023!"),
        ("Yesterday was fun, yesterday's trip too", "7 May 2023 was fun, 7 May 2023's trip too"),
        ("Last night and this morning", "On the night of 7 May 2023 and the morning of 8 May 2023"),
        ("We met last week.", "We met in the week of 1 May 2023."),
        ("since last week", "since the week of 1 May 2023"),
        ("this past weekend", "on the weekend of 6 May 2023"),
        ("last Friday", "on 5 May 2023"),
        ("on last Monday", "on 1 May 2023"),
        ("next Monday", "on 15 May 2023"),
        ("next Tuesday", "on 9 May 2023"),
        ("two weeks ago", "around 24 April 2023"),
        ("three days ago", "on 5 May 2023"),
        ("three months ago", "in about February 2023"),
        ("10 years ago", "in about 2013"),
        ("last year, next month", "in 2022, in June 2023"),
        ("last summer, last June", "in the summer of 2022, in June 2022"),
        ("early last year", "early last year (2022-01-01 - 2022-03-31)"),
        ("昨天我去了，很好", "2023年5月7日我去了，很好"),
        ("昨晚和今早", "2023年5月7日晚上和2023年5月8日早上"),
        ("大前天和后天", "2023年5月5日和2023年5月10日"),
        ("上周五开会", "2023年5月5日开会"),
        ("下周日", "2023年5月21日"),
        ("上周开会", "2023年5月1日那一周开会"),
        ("上周末去爬山", "2023年5月6日那个周末去爬山"),
        ("三天前", "2023年5月5日"),
        ("三年前，两个月前", "2020年前后，2023年3月前后"),
        ("去年，上个月，今年3月", "2022年，2023年4月，2023年3月"),
        ("去年夏天", "2022年夏天"),
        ("four months now", "four months now (since about January 2023)"),
        ("Seven years now", "Seven years now (since about 2016)"),
        ("I have had them for 3 years", "I have had them for 3 years (since about 2020)"),
        ("两天了，结婚五年了", "两天了 (约从2023年5月6日起)，结婚五年了 (约从2018年起)"),
        ("今年底", "今年底 (2023-10-01 - 2023-12-31)"),
        ("明年春节，去年圣诞节", "明年春节 (2024-02-09 - 2024-02-16)，去年圣诞节 (2022-12-24 - 2022-12-25)"),
        ("今年的计划", "2023年的计划"),
        ("今年的5月1日，去年十二月", "2023年5月1日，2022年12月"),
    ],
)
def test_the_date_that_was_meant_stands_in_place_of_a_relative_one(text: str, expected: str) -> None:
    """Case T01."""
    assert dated(text, SAID) == expected


@pytest.mark.parametrize(
    "text",
    [
        "It lasted yesterdays' week on Monday, 2023-05-01.",
        "In 2022 we moved, on May 7.",
        "in the past two weeks, over the last week, for the last ten years",
        "a few years ago, the other day, I've had a few years now, I waited for 3 hours",
        "a year ago today, last year today",
        "去年的今天，去年今天，上个月的今天",
        "等了好几天了，学了半年了，我三十五岁了",
        "nothing here",
        "最近三天，前几天，这两天很忙",
        "2021年去的",
        "",
    ],
)
def test_what_is_no_relative_date_or_too_vague_stays_as_it_is(text: str) -> None:
    assert dated(text, SAID) == text


def test_january_looks_back_over_the_new_year() -> None:
    assert dated("last month", datetime(2024, 1, 3, tzinfo=UTC)) == "in December 2023"


def test_characters_that_unicode_would_rewrite_do_not_move_the_date() -> None:
    assert dated("㈱ﬁｙｅｓ：昨天，ﬃ昨天", SAID) == "㈱ﬁｙｅｓ：2023年5月7日，ﬃ2023年5月7日"
