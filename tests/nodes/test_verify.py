from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from hippograph.nodes.verify import supported
from hippograph.state import Recollection

Make = Callable[..., Recollection]
EN = "We paid 1,250 euros for the cello; Dr Okafor's bill for PRJ-4821 comes at 9:40 on the 17th, two kids came along."
ZH = "小周下个月去成都出差，让我照顾她的猫年糕，房租四千二，8 月 17 日到期，王磊也来。"


@pytest.mark.parametrize(
    "text",
    [
        "The cello cost 1250 euros.",
        "Dr Okafor sends a bill on the 17th at 9:40.",
        "The user paid for the cello on 2025-11-02.",
        "Two kids came in November 2025.",
        "PRJ-4821 is billed.",
    ],
)
def test_what_stands_in_the_source_is_supported(found: Make, text: str) -> None:
    assert supported(text, [found(EN)])


@pytest.mark.parametrize(
    "text",
    [
        "The cello cost 1300 euros.",
        "Dr Osei sends a bill.",
        "It is due on 18 August.",
        "Three kids came along.",
        "PRJ-4822 is billed.",
        "The bill comes at 9:45.",
        "They live in Berlin.",
        "Marta paid for the cello.",
        "It cost 12 500 euros.",
    ],
)
def test_a_number_date_or_name_that_is_not_in_the_source_is_not(found: Make, text: str) -> None:
    assert not supported(text, [found(EN)])


@pytest.mark.parametrize(
    "text", ["小周去成都出差。", "房租四千二，8月17日到期。", "王磊也来。", "用户 2025 年 11 月 2 日说到年糕。"]
)
def test_chinese_that_stands_in_the_source_is_supported(found: Make, text: str) -> None:
    assert supported(text, [found(ZH)])


@pytest.mark.parametrize(
    "text", ["小李去成都出差。", "房租五千二。", "8月18日到期。", "李雷也来。", "Anna 去成都出差。"]
)
def test_chinese_that_does_not_is_not(found: Make, text: str) -> None:
    assert not supported(text, [found(ZH)])


def test_any_of_several_sources_may_hold_it_and_without_one_nothing_is_supported(found: Make) -> None:
    sources = [found("Ada lives in Porto"), found("Ada is 36", said_at=datetime(2024, 5, 1, tzinfo=UTC))]
    assert supported("Ada lives in Porto and was 36 in May 2024.", sources)
    assert not supported("Ada lives in Porto.", [])
