from collections.abc import Callable

import pytest

from hippograph.nodes.whose import CLEAR, of_others
from hippograph.state import Recollection

Make = Callable[..., Recollection]

SWAPPED = [
    ("Why did Ann get into running?", "Ann: Wow! What got you into running?", "Bo: I run to clear my head."),
    ("What does Ann's bowl look like?", "Ann: That bowl is gorgeous, Bo!", "Bo: I made this bowl, it is blue."),
    ("What did Ann win in May?", "Bo: In May I won a medal.", "Ann: Congrats on what you won in May!"),
    ("安娜为什么开始跑步？", "安娜：哇，你怎么开始跑步的？", "小波：我跑步是为了清空脑子。"),
    ("安娜五月赢了什么？", "小波：我五月赢了一块奖牌。", "安娜：恭喜你五月赢了！"),
    ("安娜的碗是什么样子？", "小波：这个碗是我做的，蓝色的。", "安娜：这个碗真好看！"),
]
OWN = [
    ("Why did Bo get into running?", "Ann: Wow! What got you into running?", "Bo: I run to clear my head."),
    (
        "Why did Ann get into running?",
        "Bo: You got into running because of your knees, Ann, I remember.",
        "Ann: Hi Bo!",
    ),
    ("What did Ann win in May?", "Bo: Ann won a medal in May.", "Bo: I won nothing in May."),
    ("What is my cat called?", "Ann: My cat is called Tom.", "Bo: I have no cat."),
    ("What did Ann and Bo win in May?", "Bo: In May I won a medal.", "Ann: Congrats on what you won in May!"),
    ("小波为什么开始跑步？", "安娜：哇，你怎么开始跑步的？", "小波：我跑步是为了清空脑子。"),
    ("安娜为什么开始跑步？", "小波：你跑步是因为膝盖，我记得。", "安娜：你好！"),
    ("我的猫叫什么？", "安娜：我的猫叫汤姆。", "小波：我没有猫。"),
]


@pytest.fixture
def heard(found: Make) -> Callable[[str], Recollection]:
    def make(line: str) -> Recollection:
        speaker, _, text = line.replace("：", ":", 1).partition(":")
        return found(text.strip(), speaker=speaker, id=line)

    return make


@pytest.mark.parametrize(("question", "one", "other"), SWAPPED)
def test_what_another_says_of_themselves_is_noticed(
    heard: Callable[[str], Recollection], question: str, one: str, other: str
) -> None:
    assert of_others(question, [heard(one), heard(other)])


@pytest.mark.parametrize(("question", "one", "other"), OWN)
def test_what_is_told_of_the_one_asked_about_is_not(
    heard: Callable[[str], Recollection], question: str, one: str, other: str
) -> None:
    assert not of_others(question, [heard(one), heard(other)])


@pytest.mark.parametrize(
    ("question", "own", "other"),
    [
        ("Why did Ann quit running?", "I gave it up because of my knee.", "I love running and will never quit."),
        ("安娜为什么不跑步了？", "因为膝盖，我放弃了。", "我喜欢跑步，不会不跑。"),
    ],
)
def test_what_recall_clearly_prefers_answers_whatever_its_words(
    found: Make, question: str, own: str, other: str
) -> None:
    ann, bo = ("Ann", "Bo") if question.isascii() else ("安娜", "小波")
    other_one = found(other, speaker=bo, score=0.8)
    assert not of_others(question, [found(own, speaker=ann, score=0.8 + CLEAR), other_one])
    assert of_others(question, [found(own, speaker=ann, score=0.8), other_one])


def test_nothing_found_is_nobodys() -> None:
    assert not of_others("Why did Ann get into running?", [])
