from hippograph.memory.vectors.passages import passages


def test_a_short_turn_is_embedded_with_what_was_said_before() -> None:
    assert passages("Ann: On the 17th.", "Bo: When is it?", 200) == ["Bo: When is it?\nAnn: On the 17th."]


def test_a_long_text_is_cut_at_sentence_ends_and_loses_nothing() -> None:
    text = " ".join(f"Sentence number {n} says something." for n in range(200))
    pieces = passages(text, "", 300)
    assert all(len(piece) <= 300 for piece in pieces)
    assert all(f"number {n} " in " ".join(pieces) for n in range(200))


def test_a_text_without_sentence_ends_is_cut_all_the_same() -> None:
    assert [len(piece) for piece in passages("无" * 1000, "", 300)] == [300, 300, 300, 100]


def test_what_was_said_before_yields_to_the_text_itself() -> None:
    (piece,) = passages("x" * 90, "y" * 500, 100)
    assert len(piece) == 100
    assert piece.endswith("x" * 90)
