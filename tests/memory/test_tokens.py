import pytest

from hippograph.memory.tokens import words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I was running late", ["run", "late"]),
        ("车险", ["车", "车险", "险"]),
        ("猫", ["猫"]),
        ("ticket PRJ-4821", ["ticket", "prj-4821", "prj", "4821"]),
        (
            "用 FastAPI 写的 billing-svc v2.3",
            ["用", "fastapi", "写", "写的", "billing-svc", "bill", "svc", "v2.3", "v2", "3"],
        ),
        ("The Who", ["the", "who"]),
        ("I write C#", ["c", "c#", "write"]),
        ("C++ is fast", ["c", "c++", "fast"]),
        ("😀🎉", ["😀", "🎉"]),
        ("ＡＢＣ　１２３", ["abc", "123"]),
        ("。？！ NEAR( *", ["near"]),
        ("", []),
        ("Привет, мир", ["привет", "мир"]),
    ],
)
def test_words_are_cut_the_same_way_in_every_script(text: str, expected: list[str]) -> None:
    assert sorted(words(text)) == sorted(expected)


def test_an_inflected_question_meets_the_inflected_text() -> None:
    assert set(words("Which agencies did she research?")) <= set(words("Researching an agency: which one")) | {"did"}
