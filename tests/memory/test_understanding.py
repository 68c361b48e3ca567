from datetime import UTC, datetime

import pytest

from hippograph.memory.search.understanding import MOST_LINES, names, understand

NOW = datetime(2026, 5, 6, 12, tzinfo=UTC)


def texts(query: str, *speakers: str) -> list[str]:
    return [part.text for part in understand(query, speakers, NOW).parts]


@pytest.mark.parametrize(
    ("query", "speakers", "left"),
    [
        ("When did Ann paint the sunrise?", ["Ann"], "When did paint the sunrise?"),
        ("When is ANN's birthday?", ["Ann"], "When is birthday?"),
        ("When is Ann’s birthday?", ["Ann"], "When is birthday?"),
        ("Is the annual meeting in Annecy?", ["Ann"], "Is the annual meeting in Annecy?"),
        ("Did Joanne call?", ["Ann", "Jo"], "Did Joanne call?"),
        ("What did Mary-Jane buy?", ["Mary-Jane"], "What did buy?"),
        ("Was hat Jürgen gekauft?", ["Jürgen"], "Was hat gekauft?"),
        ("What does C++ (bot) say?", ["C++ (bot)"], "What does say?"),
        ("李雷去年去了哪里？", ["李雷"], "去年去了哪里？"),
        ("我和李雷、韩梅梅一起去的", ["李雷", "韩梅梅"], "我和 、 一起去的"),
    ],
)
def test_speakers_are_taken_out_as_whole_words_only(query: str, speakers: list[str], left: str) -> None:
    assert texts(query, *speakers) == [left]


@pytest.mark.parametrize(("query", "speaker"), [("Ann", "Ann"), ("Ann?!", "Ann"), ("李雷？", "李雷")])
def test_a_query_that_is_only_a_name_keeps_it(query: str, speaker: str) -> None:
    assert texts(query, speaker) == [query]
    assert understand(query, [speaker], NOW).speakers == {speaker}


@pytest.mark.parametrize("name", ["", " ", "\t"])
def test_an_empty_name_is_named_by_nothing(name: str) -> None:
    assert not names("Who is it?", name)
    assert texts("Who is it?", name) == ["Who is it?"]


def test_several_lines_are_searched_for_each_and_together_the_last_weighing_most() -> None:
    parts = understand("Ann: I was in Oslo.\n\n  ...  \nBo: When was that?", ["Ann", "Bo"], NOW).parts
    assert {part.text for part in parts if part.is_line} == {": I was in Oslo.", ": When was that?"}
    weights = {part.text: part.weight for part in parts}
    assert 0 < weights[": I was in Oslo."] < weights[": When was that?"] == 1
    (whole,) = (part for part in parts if not part.is_line)
    assert whole.text.splitlines() == [": I was in Oslo.", ": When was that?"]
    assert whole.weight == 1


def test_of_five_hundred_lines_the_last_few_are_searched_for() -> None:
    lines = [
        part.text for part in understand("\n".join(f"line {n}" for n in range(500)), [], NOW).parts if part.is_line
    ]
    assert lines == [f"line {n}" for n in range(500 - MOST_LINES, 500)]


@pytest.mark.parametrize("query", ["", "  ", "\n\n"])
def test_nothing_is_searched_for_nothing(query: str) -> None:
    assert understand(query, ["Ann"], NOW).parts == ()


def test_signs_alone_are_still_searched_for() -> None:
    assert texts("？！") == ["？！"]


def starts(query: str) -> list[str]:
    return [each.start.date().isoformat() for each in understand(query, [], NOW).windows]


def test_times_to_come_give_way_to_times_that_have_begun() -> None:
    assert starts("Was the trip yesterday or is it tomorrow?") == ["2026-05-05"]
    assert starts("是昨天还是明天去？") == ["2026-05-05"]


def test_a_time_to_come_alone_is_meant() -> None:
    assert starts("What did I plan for tomorrow?") == ["2026-05-07"]
    assert starts("明天我有什么安排？") == ["2026-05-07"]


def test_a_word_is_not_taken_for_a_name_that_is_spelt_like_it() -> None:
    speakers = {"Ann", "Will", "李", "王芳"}
    assert understand("When will Ann's flight land?", speakers, NOW).speakers == {"Ann"}
    assert understand("what did ann say", speakers, NOW).speakers == {"Ann"}
    assert understand("我的行李在哪？", speakers, NOW).speakers == frozenset()
    assert understand("王芳的行李在哪？", speakers, NOW).speakers == {"王芳"}
