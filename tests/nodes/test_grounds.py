from datetime import UTC, datetime

import pytest

from hippograph.nodes.grounds import ABSTAINS, Grounds, cite, uncited

EN = [
    "[1] (2025-11-02, user) My sister Ada lives in Lisbon since March.",
    "[2] (2025-11-03, user) Ada plays the cello and pays 1,250 euros rent.",
    "[3] (2025-11-09, user) The dentist is on 2025-12-12 at 10:30 am.",
]
ZH = [
    "[1] (2025-11-02, 用户) 我妹妹小美住在成都。",
    "[2] (2025-11-03, 用户) 小美会拉大提琴，房租三千五。",
    "[3] (2025-11-09, 用户) 牙医预约在12月12日上午10点半。",
]


def grounds(notes: list[str], question: str = "", *shown: str) -> Grounds:
    return Grounds(notes=notes, question=question, shown=shown, now=datetime(2025, 12, 1, tzinfo=UTC))


@pytest.mark.parametrize(
    ("answer", "cited"),
    [
        ("She lives in Lisbon. She plays the cello.", "She lives in Lisbon [1]. She plays the cello [2]."),
        ("The dentist is at 10:30", "The dentist is at 10:30 [3]"),
        ("Her rent is 1250 euros!", "Her rent is 1250 euros [2]!"),
        ("I don't know, you haven't told me yet.", "I don't know, you haven't told me yet."),
        ("Paris has a tower.", "Paris has a tower."),
        ("She lives in Lisbon [7].", "She lives in Lisbon [1]."),
    ],
)
def test_each_sentence_gets_the_notes_that_bear_it_out(answer: str, cited: str) -> None:
    assert cite(answer, grounds(EN))[0] == cited


@pytest.mark.parametrize(
    ("answer", "cited"),
    [
        ("小美住在成都。她会拉大提琴。", "小美住在成都[1]。她会拉大提琴[2]。"),
        ("房租是3500元。", "房租是3500元[2]。"),
        ("我不知道，你还没有告诉我。", "我不知道，你还没有告诉我。"),
    ],
)
def test_so_does_a_chinese_sentence(answer: str, cited: str) -> None:
    assert cite(answer, grounds(ZH))[0] == cited
    assert uncited(cite(answer, grounds(ZH))[0]) == answer


def test_two_notes_that_say_the_same_are_both_named() -> None:
    notes = [
        "[1] (2025-01-01, user) My cat is called Tofu.",
        "[2] (2025-02-01, user) My cat is called Tofu, she is grey.",
    ]
    assert cite("Your cat is called Tofu.", grounds(notes)) == ("Your cat is called Tofu [1][2].", [1, 2])


@pytest.mark.parametrize(
    ("answer", "unfounded"),
    [
        ("She moved to Lisbon in 2019.", ["2019"]),
        ("The dentist is on December 12 at 10:30.", []),
        ("The dentist is on 12/12/2025.", []),
        ("Her rent is 1,250 euros, she said to Berta.", ["Berta"]),
        ("She is one of seven sisters.", ["7"]),
        ("It is Monday, December 1, 2025.", []),
        ("She lives in Lisbon and loves Porto.", ["Porto"]),
    ],
)
def test_a_number_a_date_or_a_name_that_stands_nowhere_is_named(answer: str, unfounded: list[str]) -> None:
    assert grounds(EN).unfounded(answer) == unfounded


@pytest.mark.parametrize(
    ("answer", "unfounded"),
    [
        ("她2019年搬到成都。", ["2019"]),
        ("牙医预约在12月12日10:30。", []),
        ("房租是3500元。", []),
        ("房租是4500元。", ["4500"]),
        ("她喜欢《红楼梦》。", ["红楼梦"]),
    ],
)
def test_so_in_chinese(answer: str, unfounded: list[str]) -> None:
    assert grounds(ZH).unfounded(answer) == unfounded


def test_question_and_conversation_count_as_known() -> None:
    asked = grounds(EN, "Did she move in 2019?", "user: Berta was there")
    assert asked.unfounded("Yes, with Berta in 2019.") == []


def test_coverage_is_the_part_of_an_answer_that_the_notes_say() -> None:
    asked = grounds(EN, "Where does Ada live?")
    assert asked.coverage("Ada lives in Lisbon.") == 1.0
    assert asked.coverage("Ada lives in a purple castle.") == 0.0
    assert asked.coverage("") == 0.0


@pytest.mark.parametrize("answer", ["You do not have a garden.", "No, she plays the cello.", "你没有花园。"])
def test_a_no_is_an_answer(answer: str) -> None:
    assert not ABSTAINS.search(answer)


def test_a_note_fits_an_answer_that_says_both_it_and_what_was_asked() -> None:
    asked = grounds(EN, "Where does Ada live?")
    assert asked.fit("Ada lives in Lisbon.") == 1.0
    assert asked.fit("Ada plays the cello.") < 1.0
    assert grounds(ZH, "小美住在哪里？").fit("小美住在成都。") > grounds(ZH, "小美住在哪里？").fit("牙医预约在上午。")


@pytest.mark.parametrize(
    ("question", "answer", "missed"),
    [
        ("When did she move?", "She moved to Lisbon.", True),
        ("When did she move?", "She moved in March.", False),
        ("How many sisters do I have?", "Two.", False),
        ("Where does she live?", "In Lisbon.", False),
        ("牙医是什么时候？", "你要去看牙医。", True),
        ("牙医是什么时候？", "下周三。", False),
        ("房租多少？", "三千五。", False),
    ],
)
def test_an_answer_without_the_figure_that_was_asked_for_is_told(question: str, answer: str, missed: bool) -> None:
    assert grounds([], question).misses_figure(answer) is missed
