from hippograph.web.reasons import reason
from hippograph.web.review import doubts


def test_the_reasons_of_a_held_fact_are_told_apart() -> None:
    because = "held for review: it was not said for sure (confidence 0.60); it speaks to the assistant; it disagrees with what is known"
    told = [
        "it was not said for sure (confidence 0.60)",
        "it speaks to the assistant",
        "it disagrees with what is known",
    ]
    assert doubts(because) == told
    assert all(reason(each, language="zh") != each for each in told)
