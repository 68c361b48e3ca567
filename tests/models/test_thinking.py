import pytest

from hippograph.models.thinking import Thinking, conclusion, split, stream

ANSWERS = [
    ("Plain answer.", "Plain answer."),
    ("<think>Hmm, 17?</think>\n\nIt is 17 August.", "It is 17 August."),
    ("\n<THINK>\nHmm\n</THINK>\n是荔枝。", "是荔枝。"),
    ("<thinking>a</thinking>One.", "One."),
    ("First.\n<think>more</think>Second.", "First.\nSecond."),
    ("<think>no end", ""),
    ("Done.\n<think>no end", "Done.\n"),
    ("<think></think>", ""),
    ("a < b and <b>bold</b> <thin>", "a < b and <b>bold</b> <thin>"),
    ("In HTML there is no <think> tag.", "In HTML there is no <think> tag."),
    ("Write `<think>` and `</think>`.", "Write `<think>` and `</think>`."),
    ("```\n<think>\nx\n</think>\n```", "```\n<think>\nx\n</think>\n```"),
    ("", ""),
]


@pytest.mark.parametrize(("raw", "answer"), ANSWERS)
def test_thinking_is_taken_out_of_a_whole_answer(raw: str, answer: str) -> None:
    assert split(raw)[0].strip() == answer.strip()


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
@pytest.mark.parametrize(("raw", "answer"), ANSWERS)
def test_thinking_is_taken_out_of_a_stream_wherever_it_is_cut(raw: str, answer: str, size: int) -> None:
    pieces = [raw[at : at + size] for at in range(0, len(raw), size)]
    assert "".join(stream(pieces)) == answer


def test_an_answer_streams_on_while_it_comes() -> None:
    part = Thinking()
    assert part.feed("<think>hm</think> The ") == "The "
    assert part.feed("cat") == "cat"
    assert part.feed(" <t") == " "  # What may become a tag waits.
    assert part.feed("r>") == "<tr>"


def test_thinking_is_kept_apart() -> None:
    assert split("<think>one\n\ntwo</think>three") == ("three", "one\n\ntwo")


def test_a_closing_tag_alone_ends_thinking_that_the_prompt_began() -> None:
    assert split("Let me see.\n</think>\n\nOCaml.") == ("OCaml.", "Let me see.")
    part = Thinking(begun=True)
    assert part.feed("Let me see.\n</thi") + part.feed("nk>\nOC") + part.feed("aml.") + part.finish() == "OCaml."


@pytest.mark.parametrize(
    ("raw", "answer"), [("OCaml.", "OCaml."), ("<think>a</think>OCaml.", "OCaml."), ("<think>a", "")]
)
def test_an_answer_that_was_expected_to_think_need_not(raw: str, answer: str) -> None:
    part = Thinking(begun=True)
    assert part.feed(raw) + part.finish() == answer


def test_the_conclusion_is_the_last_paragraph() -> None:
    assert conclusion("First this.\n\nThen that.\n \nSo it is OCaml.\n") == "So it is OCaml."
    assert conclusion(" \n") == ""
