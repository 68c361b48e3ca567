import pytest

from hippograph.memory.language import language
from hippograph.memory.sentences import sentences


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("用 FastAPI 写的 billing-svc v2.3", "zh"),
        ("call 李雷 back please", "en"),
        ("How do I say 你好吗 in English, please?", "en"),
        ("我喜欢 Rust", "zh"),
        ("猫", "zh"),
        ("12:30", "en"),
        ("", "en"),
    ],
)
def test_the_language_is_that_of_the_sentence_not_of_its_names(text: str, expected: str) -> None:
    assert language(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我喜欢它。因为“安全！”真的？", ["我喜欢它。", "因为“安全！”", "真的？"]),
        ("Version v2.3 costs $3.14 now. Really? Yes!", ["Version v2.3 costs $3.14 now.", "Really?", "Yes!"]),
        ('He said "Stop." Then left.', ['He said "Stop."', "Then left."]),
        ("one\n\ntwo", ["one", "two"]),
        ("  ", []),
    ],
)
def test_sentences_end_where_a_reader_would_end_them(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


def test_no_character_but_white_space_is_lost_between_sentences() -> None:
    text = "一。二！ Three. 3.5 four?\nfive… 六"
    assert "".join("".join(sentences(text)).split()) == "".join(text.split())
