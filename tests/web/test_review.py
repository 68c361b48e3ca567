from hippograph.web.review import doubts


def test_the_reasons_of_a_held_fact_are_told_apart() -> None:
    because = (
        "held for review: it was not said for sure (confidence 0.60); it gives orders; it disagrees with what is known"
    )
    assert [(each.name, each.text) for each in doubts(because)] == [
        ("unsure", "0.60"),
        ("other", "it gives orders"),
        ("disagrees", ""),
    ]
