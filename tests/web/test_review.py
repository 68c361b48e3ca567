from hippograph.web.reasons import reason
from hippograph.web.review import doubts

REASONS = [
    "it was not said for sure (confidence 0.60)",
    "it speaks to the assistant",
    "it disagrees with what is known",
]


def test_the_reasons_of_a_held_fact_are_told_apart_and_in_chinese_too() -> None:
    assert doubts(f"held for review: {'; '.join(REASONS)}") == REASONS
    assert all(reason(each, language="zh") != each for each in REASONS)
