import json
from pathlib import Path

import pytest

from hippograph.memory import Memory
from hippograph.memory.exchange.transfer import import_turns, read_jsonl, read_locomo
from hippograph.state import BadInput, Turn

LOCOMO = Path(__file__).parents[2].parent / "shared/data/locomo/locomo_dev5.json"


def write(path: Path, *lines: object) -> Path:
    path.write_text(
        "\n".join(each if isinstance(each, str) else json.dumps(each, ensure_ascii=False) for each in lines)
    )
    return path


def test_a_transcript_is_stored_once_however_often_it_is_imported(memory: Memory, tmp_path: Path) -> None:
    path = write(
        tmp_path / "talk.jsonl",
        {"role": "user", "text": "我搬到了滨江区。", "said_at": "2026-05-01T00:30:00+08:00"},
        "",
        {"role": "assistant", "text": "ok", "thread": "other"},
        {"role": "user", "text": "same"},
        {"role": "user", "text": "same"},
    )
    first, again = (import_turns(memory, "ann", read_jsonl(path)) for _ in range(2))
    assert (first.stored, first.known, again.stored, again.known) == (4, 0, 0, 4)
    assert {each.thread for each in memory.list("ann")} == {"talk", "other"}
    assert memory.list("ann", newest_first=False)[0].said_at.isoformat() == "2026-04-30T16:30:00+00:00"


def test_an_imported_file_is_forgotten_as_a_whole_and_does_not_come_back_unasked(
    memory: Memory, tmp_path: Path
) -> None:
    path = write(tmp_path / "talk.jsonl", *({"role": "user", "text": f"line {n}"} for n in range(3)))
    import_turns(memory, "ann", read_jsonl(path))
    memory.add_turns("ann", "talk", [Turn(role="user", text="Something else.")])
    assert len(memory.forget("ann", source=str(path.resolve())).ids) == 3
    again = import_turns(memory, "ann", read_jsonl(path))
    assert (again.stored, again.known, again.forgotten) == (0, 0, 3)
    copy = write(tmp_path / "copy.jsonl", {"role": "user", "text": "Line 1", "id": "other", "thread": "talk"})
    assert import_turns(memory, "ann", read_jsonl(copy)).forgotten == 1
    asked = import_turns(memory, "ann", read_jsonl(path), restore_forgotten=True)
    assert (asked.stored, asked.known, asked.forgotten) == (3, 0, 0)
    assert memory.count("ann") == 4


def test_an_import_stores_a_turn_that_says_what_was_forgotten_elsewhere(memory: Memory, tmp_path: Path) -> None:
    yes = {"role": "user", "text": "Yes.", "said_at": "2026-05-01T09:00:00Z"}
    ids = memory.add_turns("ann", "old", [Turn(role="user", text="Yes.", said_at="2026-05-01T09:00:00Z")])
    memory.forget("ann", ids=ids)
    told = [yes, {"role": "user", "text": "Yes."}, {**yes, "said_at": "2026-05-02T09:00:00Z"}]
    done = import_turns(memory, "ann", read_jsonl(write(tmp_path / "talk.jsonl", *told)))
    assert (done.stored, done.forgotten) == (2, 1), "the same words at the same time are the same turn"


def test_lines_of_other_programs_that_say_content_and_timestamp_are_read(tmp_path: Path) -> None:
    path = write(tmp_path / "t.jsonl", {"role": "user", "content": "Hi.", "timestamp": "2026-05-01T10:00:00Z"})
    (told,) = read_jsonl(path)
    assert (told.turn["text"], str(told.turn["said_at"])) == ("Hi.", "2026-05-01 10:00:00+00:00")


def test_a_line_ends_only_at_a_line_end(tmp_path: Path) -> None:
    text = "one\u2028two\u0085three\x0cfour"
    (tmp_path / "t.jsonl").write_bytes(f'{{"role": "user", "text": "{text}"}}\r\n'.replace("\x0c", "\\f").encode())
    assert [each.turn["text"] for each in read_jsonl(tmp_path / "t.jsonl")] == [text]


def test_bad_lines_are_named_by_number_and_nothing_is_imported(tmp_path: Path) -> None:
    path = write(
        tmp_path / "t.jsonl",
        {"role": "user", "text": "fine"},
        "{not json",
        {"role": "boss", "text": "x"},
        {"role": "user"},
        [1],
        {"role": "user", "text": "x", "said_at": "soon"},
        "[" * 200_000,
        {"role": "user", "text": "x", "said_at": "0001-01-01T00:00:00+14:00"},
    )
    with pytest.raises(BadInput) as caught:
        read_jsonl(path)
    message = str(caught.value)
    assert "nothing is stored" in message
    assert all(f"line {n}:" in message for n in (2, 3, 4, 5, 6, 7, 8))
    assert "line 1:" not in message


def test_naive_and_aware_times_in_one_file_are_normalised(tmp_path: Path) -> None:
    """Case T04."""
    times = ["2026-05-01T10:00:00", "2026-05-01T10:00:00+02:00", "2026-05-01"]
    told = read_jsonl(write(tmp_path / "t.jsonl", *({"role": "user", "text": "x", "said_at": time} for time in times)))
    assert [str(each.turn["said_at"]) for each in told] == [
        "2026-05-01 10:00:00+00:00",
        "2026-05-01 08:00:00+00:00",
        "2026-05-01 00:00:00+00:00",
    ]


@pytest.mark.parametrize("content", [b"", b"\n\n", b"\xff\xfe\x00bad"])
def test_a_file_without_turns_or_not_utf_8_is_refused_in_words(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(content)
    with pytest.raises(BadInput, match=r"holds no turns|not UTF-8"):
        read_jsonl(path)


def test_a_missing_file_is_refused_in_words(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be read: No such file"):
        read_jsonl(tmp_path / "none.jsonl")


@pytest.mark.skipif(not LOCOMO.exists(), reason="the LoCoMo data is not beside the checkout")
def test_a_real_conversation_of_months_is_read_with_speakers_and_dates() -> None:
    told = read_locomo(LOCOMO, "conv-26")
    assert len(told) == 419
    third = told[2]
    assert (third.thread, third.turn["id"], third.turn["speaker"]) == ("conv-26/session_1", "D1:3", "Caroline")
    assert str(third.turn["said_at"]) == "2023-05-08 13:56:02+00:00"
    with pytest.raises(BadInput, match="conv-30"):
        read_locomo(LOCOMO, "conv-99")
