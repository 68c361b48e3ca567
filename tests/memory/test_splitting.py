import random
from itertools import pairwise

import pytest

from hippograph.memory.exchange.splitting import BYTES, Heading, split

ATOMS = ["a", "bc ", "Hello there. ", "It costs 3.14 or v2.3! ", "你好。", "我们去北京！", "\n", "\n\n", " \n\t\n"]
ATOMS += ["😀", "x" * 90, "无" * 60, "？”", " ", "- item\n", "word " * 30]


def cut(text: str, headings: list[Heading], size: int, overlap: int) -> list[str]:
    """Cut, and check what holds for every text: nothing is lost, nothing too long, and neighbours share little."""
    cuts = split(text, headings, size, overlap)
    covered = bytearray(len(text))
    for one in cuts:
        covered[one.start : one.end] = b"\1" * (one.end - one.start)
    assert "".join(letter for letter, there in zip(text, covered, strict=True) if not there).strip() == ""
    pieces = [text[one.start : one.end] for one in cuts]
    assert all(piece == piece.strip() != "" for piece in pieces)
    assert all(len(piece.encode()) <= size * BYTES for piece in pieces)
    shared = [text[after.start : one.end] for one, after in pairwise(cuts)]
    assert all(len(each.encode()) <= overlap * BYTES for each in shared)
    return pieces


@pytest.mark.parametrize("seed", range(40))
def test_pieces_together_hold_all_of_any_text(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(40):
        text = "".join(chance.choice(ATOMS) for _ in range(chance.randint(0, 120)))
        places = sorted(chance.sample(range(len(text) + 1), min(len(text), chance.randint(0, 4))))
        headings = [Heading(place, place, chance.randint(1, 3), f"H{place}") for place in places]
        size = chance.choice([20, 40, 160])
        cut(text, headings, size, chance.choice([0, 5, size // 2]))


@pytest.mark.parametrize(
    ("sentence", "end"),
    [("This is sentence number {n} of a long story. ", "story."), ("这是长篇故事里的第{n}句话。", "句话。")],
)
def test_a_long_text_is_cut_behind_sentences_and_neighbours_share_one(sentence: str, end: str) -> None:
    text = "".join(sentence.format(n=n) for n in range(300))
    pieces = cut(text, [], 160, 24)
    assert len(pieces) > 20
    assert all(piece.endswith(end) for piece in pieces)
    assert all(after.split(end)[0] in piece for piece, after in pairwise(pieces))


def test_a_piece_ends_at_a_paragraph_rather_than_within_it() -> None:
    paragraphs = [f"Paragraph {n}. " + "It has several sentences. " * 12 for n in range(20)]
    pieces = cut("\n\n".join(paragraphs), [], 160, 0)
    assert [piece.startswith("Paragraph") for piece in pieces] == [True] * 20


def test_what_stands_under_a_heading_is_never_mixed_with_the_next_and_knows_its_path() -> None:
    text = "Preface.\n# One\n## Sub\nFirst.\n# Two\nSecond."
    places = [(text.index(mark), mark, level) for mark, level in (("# One\n", 1), ("## Sub\n", 2), ("# Two\n", 1))]
    headings = [Heading(place, place + len(mark), level, mark.strip("# \n")) for place, mark, level in places]
    assert [(text[one.start : one.end], one.titles) for one in split(text, headings)] == [
        ("Preface.", ()),
        ("# One\n## Sub\nFirst.", ("One", "Sub")),
        ("# Two\nSecond.", ("Two",)),
    ]


@pytest.mark.parametrize("sentence", ["Line {n} tells of {n} different things. ", "第{n}行讲了{n}件不同的事。"])
def test_an_edit_at_the_beginning_leaves_most_pieces_as_they_are(sentence: str) -> None:
    text = "".join(sentence.format(n=n) for n in range(1000))
    before, after = ({*cut(each, [], 160, 24)} for each in (text, "Something new. 新的。" + text))
    assert len(before - after) <= 3
    assert len(before) > 40


def test_a_million_characters_without_an_end_are_cut() -> None:
    assert len(split("无" * 1_000_000)) > 5000
    assert len(split("The weather is fine today, and I like it. " * 20_000)) > 1000
