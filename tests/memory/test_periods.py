from datetime import UTC, datetime, timedelta, timezone
from random import Random

import pytest

from hippograph.memory.dates.periods import Window, windows

NOW = datetime(2025, 11, 26, 15, 30, tzinfo=UTC)  # A Wednesday.


def days(found: list[Window]) -> list[tuple[str, str]]:
    """Return first and last day of each window."""
    return [(each.start.date().isoformat(), (each.end - timedelta(days=1)).date().isoformat()) for each in found]


def read(text: str, asked_at: datetime = NOW) -> list[tuple[str, str]]:
    return days(windows(text, asked_at))


DAYS = [
    ("on 2023-05-07", "2023-05-07"),
    ("2023/5/7", "2023-05-07"),
    ("在2025-08-27，她去了哪里", "2025-08-27"),
    ("2023-05-07T13:56:00Z", "2023-05-07"),
    ("5/7/2023", "2023-05-07"),
    ("25/7/2023", "2023-07-25"),
    ("25.07.2023", "2023-07-25"),
    ("on 5/7", "2025-05-07"),
    ("on 8 May, 2023", "2023-05-08"),
    ("on May 8th, 2023", "2023-05-08"),
    ("on December 1,2023", "2023-12-01"),
    ("on May the 8th", "2025-05-08"),
    ("the 4th of July", "2025-07-04"),
    ("On Monday, June 9, what did she do?", "2025-06-09"),
    ("What did I eat on December 3?", "2024-12-03"),
    ("on the 7th?", "2025-11-07"),
    ("on the 30th of last month", "2025-10-30"),
    ("2023年5月8日", "2023-05-08"),
    ("2023 年 5 月 8 日", "2023-05-08"),
    ("二〇二三年五月八日", "2023-05-08"),
    ("23年5月8日", "2023-05-08"),
    ("去年5月8号", "2024-05-08"),
    ("５月８日", "2025-05-08"),
    ("12月3日吃了什么", "2024-12-03"),
    ("十二月三十一号", "2024-12-31"),
    ("7号那天", "2025-11-07"),
    ("上个月5号", "2025-10-05"),
    ("What happened yesterday?", "2025-11-25"),
    ("last night", "2025-11-25"),
    ("the day before yesterday", "2025-11-24"),
    ("today", "2025-11-26"),
    ("this morning", "2025-11-26"),
    ("tomorrow", "2025-11-27"),
    ("昨天聊了什么", "2025-11-25"),
    ("昨晚", "2025-11-25"),
    ("今早", "2025-11-26"),
    ("今天天气", "2025-11-26"),
    ("前天呢", "2025-11-24"),
    ("大前天", "2025-11-23"),
    ("明天", "2025-11-27"),
    ("后天", "2025-11-28"),
    ("last Friday", "2025-11-21"),
    ("last Wednesday", "2025-11-19"),
    ("this Friday", "2025-11-28"),
    ("next Friday", "2025-11-28"),
    ("the Friday before last", "2025-11-14"),
    ("Friday last week", "2025-11-21"),
    ("What did I do on Monday?", "2025-11-24"),
    ("上周五", "2025-11-21"),
    ("上个星期天", "2025-11-23"),
    ("上上周三", "2025-11-12"),
    ("下周三", "2025-12-03"),
    ("周一去哪儿了", "2025-11-24"),
    ("3 days ago", "2025-11-23"),
    ("三天前", "2025-11-23"),
    ("the Wednesday two months ago", "2025-09-24"),
    ("the Sunday before October 25, 2022", "2022-10-23"),
    ("the day before May 3", "2025-05-02"),
    ("10月17日前一天", "2025-10-16"),
    ("New Year's Eve", "2024-12-31"),
    ("on Halloween", "2025-10-31"),
    ("on Valentine's Day", "2025-02-14"),
    ("last Thanksgiving", "2024-11-28"),
    ("Thanksgiving 2023", "2023-11-23"),
    ("Mother's Day", "2025-05-11"),
    ("Memorial Day", "2025-05-26"),
    ("双十一", "2025-11-11"),
    ("元旦", "2025-01-01"),
    ("教师节", "2025-09-10"),
    ("平安夜", "2024-12-24"),
    ("元宵节", "2025-02-12"),
    ("端午", "2025-05-31"),
    ("去年中秋", "2024-09-17"),
    ("2023年除夕", "2023-01-21"),
    ("清明", "2025-04-04"),
    ("the last Friday in May", "2025-05-30"),
    ("Ash Wednesday", "2025-03-05"),
]


@pytest.mark.parametrize(("text", "day"), DAYS)
def test_a_day_is_a_window_of_that_day(text: str, day: str) -> None:
    assert read(text) == [(day, day)]


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("last week", "2025-11-17", "2025-11-23"),
        ("this week", "2025-11-24", "2025-11-30"),
        ("next week", "2025-12-01", "2025-12-07"),
        ("上周的会", "2025-11-17", "2025-11-23"),
        ("上上周", "2025-11-10", "2025-11-16"),
        ("这个星期", "2025-11-24", "2025-11-30"),
        ("the week before last", "2025-11-10", "2025-11-16"),
        ("the week of 9 June", "2025-06-09", "2025-06-15"),
        ("the week before August 3, 2023", "2023-07-27", "2023-08-02"),
        ("6月9日那周", "2025-06-09", "2025-06-15"),
        ("this weekend", "2025-11-29", "2025-11-30"),
        ("the past weekend", "2025-11-22", "2025-11-23"),
        ("over the weekend?", "2025-11-22", "2025-11-23"),
        ("上周末", "2025-11-22", "2025-11-23"),
        ("the weekend before 12 July 2023", "2023-07-08", "2023-07-09"),
        ("last weekend before April 10, 2023", "2023-04-08", "2023-04-09"),
        ("the first weekend of August 2023", "2023-08-05", "2023-08-06"),
        ("the second week of November", "2025-11-08", "2025-11-14"),
        ("last month", "2025-10-01", "2025-10-31"),
        ("this month", "2025-11-01", "2025-11-30"),
        ("上个月花了多少", "2025-10-01", "2025-10-31"),
        ("上个月底", "2025-10-21", "2025-10-31"),
        ("月初", "2025-11-01", "2025-11-10"),
        ("in May", "2025-05-01", "2025-05-31"),
        ("in december", "2024-12-01", "2024-12-31"),
        ("last May", "2025-05-01", "2025-05-31"),
        ("last November", "2024-11-01", "2024-11-30"),
        ("next March", "2026-03-01", "2026-03-31"),
        ("in February 2024", "2024-02-01", "2024-02-29"),
        ("May last year", "2024-05-01", "2024-05-31"),
        ("in the month of February", "2025-02-01", "2025-02-28"),
        ("5月份", "2025-05-01", "2025-05-31"),
        ("五月", "2025-05-01", "2025-05-31"),
        ("十二月", "2024-12-01", "2024-12-31"),
        ("去年五月", "2024-05-01", "2024-05-31"),
        ("2023 年 2 月", "2023-02-01", "2023-02-28"),
        ("2023-02", "2023-02-01", "2023-02-28"),
        ("3月中旬", "2025-03-11", "2025-03-20"),
        ("三月上旬", "2025-03-01", "2025-03-10"),
        ("2月下旬", "2025-02-21", "2025-02-28"),
        ("七月底", "2025-07-21", "2025-07-31"),
        ("early March", "2025-03-01", "2025-03-10"),
        ("mid-March", "2025-03-11", "2025-03-20"),
        ("late March", "2025-03-21", "2025-03-31"),
        ("at the end of June", "2025-06-21", "2025-06-30"),
        ("the first half of September 2022", "2022-09-01", "2022-09-15"),
        ("in 2022", "2022-01-01", "2022-12-31"),
        ("2022年", "2022-01-01", "2022-12-31"),
        ("去年", "2024-01-01", "2024-12-31"),
        ("前年", "2023-01-01", "2023-12-31"),
        ("last year", "2024-01-01", "2024-12-31"),
        ("今年年初", "2025-01-01", "2025-03-31"),
        ("去年上半年", "2024-01-01", "2024-06-30"),
        ("late 2022", "2022-10-01", "2022-12-31"),
        ("2023年第三季度", "2023-07-01", "2023-09-30"),
        ("last quarter", "2025-07-01", "2025-09-30"),
        ("last summer", "2025-06-01", "2025-08-31"),
        ("summer 2021", "2021-06-01", "2021-08-31"),
        ("during the summer", "2025-06-01", "2025-08-31"),
        ("last winter", "2024-12-01", "2025-02-28"),
        ("去年夏天", "2024-06-01", "2024-08-31"),
        ("去年冬天", "2024-12-01", "2025-02-28"),
        ("2025年暑假", "2025-07-01", "2025-08-31"),
        ("夏天去了哪里", "2025-06-01", "2025-08-31"),
        ("国庆", "2025-10-01", "2025-10-07"),
        ("五一", "2025-05-01", "2025-05-05"),
        ("last Christmas", "2024-12-24", "2024-12-26"),
        ("圣诞节", "2024-12-24", "2024-12-25"),
        ("春节", "2025-01-28", "2025-02-04"),
        ("Chinese New Year 2023", "2023-01-21", "2023-01-28"),
        ("Easter 2024", "2024-03-29", "2024-04-01"),
        ("three weeks ago", "2025-11-02", "2025-11-08"),
        ("two months ago", "2025-09-11", "2025-10-11"),
        ("三个月前", "2025-08-11", "2025-09-10"),
        ("半年前", "2025-05-11", "2025-06-10"),
        ("half a year ago", "2025-05-11", "2025-06-10"),
        ("a couple of days ago", "2025-11-23", "2025-11-24"),
        ("几天前", "2025-11-19", "2025-11-25"),
        ("10 days ago", "2025-11-15", "2025-11-17"),
        ("两三天前", "2025-11-23", "2025-11-24"),
        ("the past two weeks", "2025-11-12", "2025-11-26"),
        ("in the last month", "2025-10-26", "2025-11-26"),
        ("over the past year", "2024-11-26", "2025-11-26"),
        ("in the last few months", "2025-05-26", "2025-11-26"),
        ("最近一周", "2025-11-19", "2025-11-26"),
        ("过去三个月里", "2025-08-26", "2025-11-26"),
        ("半年来", "2025-05-26", "2025-11-26"),
        ("这几天", "2025-11-20", "2025-11-26"),
        ("前几天", "2025-11-19", "2025-11-25"),
        ("two weeks before August 11, 2023", "2023-07-25", "2023-07-31"),
        ("between June 3 and June 9", "2025-06-03", "2025-06-09"),
        ("between August 11 and August 15 2023", "2023-08-11", "2023-08-15"),
        ("June 3-9, 2023", "2023-06-03", "2023-06-09"),
        ("3 to 9 June", "2025-06-03", "2025-06-09"),
        ("from May to July", "2025-05-01", "2025-07-31"),
        ("from December to February", "2024-12-01", "2025-02-28"),
        ("from 2020 to 2022", "2020-01-01", "2022-12-31"),
        ("1月6日至9日期间", "2025-01-06", "2025-01-09"),
        ("6月3日到7月2日", "2025-06-03", "2025-07-02"),
        ("5到7月", "2025-05-01", "2025-07-31"),
        ("去年12月到1月", "2024-12-01", "2025-01-31"),
        ("5月和7月之间", "2025-05-01", "2025-07-31"),
        ("since March", "2025-03-01", "2025-11-26"),
        ("7月以来", "2025-07-01", "2025-11-26"),
        ("after October 2025", "2025-11-01", "2025-11-26"),
        ("10月17日之后", "2025-10-18", "2025-11-26"),
        ("before 2023", "0002-01-01", "2022-12-31"),
        ("before the 7/22 trip", "0002-01-01", "2025-07-21"),
        ("by July 10, 2022", "0002-01-01", "2022-07-10"),
        ("2023年以前", "0002-01-01", "2022-12-31"),
        ("下周以后", "2025-12-08", "9997-12-31"),
    ],
)
def test_a_stretch_is_a_window_of_its_days(text: str, first: str, last: str) -> None:
    assert read(text) == [(first, last)]


@pytest.mark.parametrize(
    ("text", "firsts"),
    [
        ("在6月3日、6月6日和6月28日这三天中", ["2025-06-03", "2025-06-06", "2025-06-28"]),
        ("在6月9日、12日和14日分别", ["2025-06-09", "2025-06-12", "2025-06-14"]),
        ("2023年9月和10月", ["2023-09-01", "2023-10-01"]),
        ("the novels I finished in January and March", ["2025-01-01", "2025-03-01"]),
        ("in July and August 2023", ["2023-07-01", "2023-08-01"]),
        ("yesterday or last week", ["2025-11-25", "2025-11-17"]),
        ("Which came first, Christmas 2022 or 春节", ["2022-12-24", "2023-01-21"]),
    ],
)
def test_several_times_are_several_windows_in_the_order_of_their_words(text: str, firsts: list[str]) -> None:
    assert [first for first, _ in read(text)] == firsts


@pytest.mark.parametrize(
    "text",
    [
        "",
        "What is my cat called?",
        "我的猫叫什么",
        "May I ask you something?",
        "You may 5 times try",
        "Did May say so?",
        "since April told me",
        "a gift from June",
        "March on!",
        "wait a second",
        "第一天到底几点",
        "一天到晚",
        "买了5月饼",
        "三个月亮",
        "version 3.11.7",
        "at 10:30",
        "half past 5/7",
        "1/2 cup of sugar",
        "10.0.0.1",
        "call 138-2023-0512",
        "24/7",
        "an essay of 2000 words",
        "on 2023-02-31",
        "2023年2月30日",
        "十三月",
        "99999999 years ago",
        "2 pm",
        "以前天天下雨",
        "以前年轻的时候",
        "晚上周围很安静",
        "每周五做什么",
        "I usually rest on Sundays",
        "When do I wake up on Saturday mornings?",
        "in the Spring Fling Market",
        "中山路25号",
        "地铁3号线",
        "十五一起吃饭",
        "三年前端开发经验",
        "How many days a week do I run?",
    ],
)
def test_what_only_looks_like_a_time_is_no_window(text: str) -> None:
    assert windows(text, NOW) == []


def test_a_weekday_that_may_be_any_yields_to_a_time_that_is_certain() -> None:
    assert read("8月的周五") == [("2025-08-01", "2025-08-31")]


def test_a_window_says_by_which_words_it_was_named() -> None:
    found = windows("What did I do the week before May 3, and 去年？", NOW)
    assert [each.text for each in found] == ["the week before May 3", "去年"]


def test_a_month_that_has_begun_is_this_years_and_one_to_come_last_years() -> None:
    assert read("in March", datetime(2024, 3, 1, tzinfo=UTC)) == [("2024-03-01", "2024-03-31")]
    assert read("in March", datetime(2024, 2, 29, tzinfo=UTC)) == [("2023-03-01", "2023-03-31")]


def test_january_looks_back_over_the_new_year() -> None:
    asked = datetime(2024, 1, 1, 9, tzinfo=UTC)
    assert read("昨天", asked) == [("2023-12-31", "2023-12-31")]
    assert read("last month", asked) == [("2023-12-01", "2023-12-31")]
    assert read("last week", asked) == [("2023-12-25", "2023-12-31")]


def test_the_leap_day_is_the_last_there_was() -> None:
    assert read("2月29日") == [("2024-02-29", "2024-02-29")]
    assert read("a year ago", datetime(2024, 2, 29, tzinfo=UTC)) == [("2022-08-29", "2023-08-30")]
    assert read("on February 29", datetime(1903, 5, 1, tzinfo=UTC)) == [("1896-02-29", "1896-02-29")]


@pytest.mark.parametrize("text", ["今天", "大前天说的", "前天", "the day before yesterday", "yesterday"])
def test_days_are_those_of_the_asker(text: str) -> None:
    """Case T02: half past midnight in UTC+8 is still the day before in UTC."""
    zone = timezone(timedelta(hours=8))
    back = {"今天": 0, "大前天说的": 3, "前天": 2, "the day before yesterday": 2, "yesterday": 1}[text]
    (found,) = windows(text, datetime(2026, 5, 1, 0, 30, tzinfo=zone))
    assert found.start == datetime(2026, 5, 1, tzinfo=zone) - timedelta(days=back)
    assert found.end - found.start == timedelta(days=1)


def test_without_a_zone_days_are_those_of_utc() -> None:
    (found,) = windows("yesterday", datetime(2026, 5, 1, 0, 30))
    assert found.start == datetime(2026, 4, 30, tzinfo=UTC)


PIECES = (
    "may May last week before the after two ago of 2023 5 月 年 日 上 个 周 三 天 前 后 初 底 - / 至 to and 31 since "
    "by 2月29日 until 春节 清明 Easter first weekend 季度 半 几 99 0 9999 1900年 winter 9月 Q3 😀 ½ Ⅻ ٣ \x00 \ud800"
).split(" ")
AT_THE_EDGES = [
    datetime.min,
    datetime.max,
    datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=14))),
    datetime(9999, 12, 31, 23, 59, tzinfo=timezone(-timedelta(hours=12))),
    datetime(2, 1, 1, tzinfo=UTC),
    datetime(9998, 5, 5, tzinfo=UTC),
    NOW,
]


@pytest.mark.parametrize("asked_at", AT_THE_EDGES)
def test_any_text_asked_at_any_time_gives_windows_that_exist_in_utc(asked_at: datetime) -> None:
    random = Random(7)
    for _ in range(300):
        text = random.choice(["", " "]).join(random.choices(PIECES, k=random.randint(1, 12)))
        text += "".join(chr(random.randrange(0x110000)) for _ in range(random.randint(0, 3)))
        for each in windows(text, asked_at):
            assert each.start.astimezone(UTC) < each.end.astimezone(UTC)


def test_of_a_long_text_the_beginning_and_the_end_are_read() -> None:
    assert read(f"yesterday {'x' * 100_000} last week") == [("2025-11-25", "2025-11-25"), ("2025-11-17", "2025-11-23")]
