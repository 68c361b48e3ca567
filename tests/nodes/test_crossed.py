from collections.abc import Callable

import pytest

from hippograph.nodes.checks.questions import without
from hippograph.nodes.verify import fault, supported
from hippograph.state import Recollection

Make = Callable[..., Recollection]
ASKED: list[tuple[str, list[str]]] = [
    ("The user is allergic to nuts.", ["Are you allergic to nuts?"]),
    ("Ann married Bo.", ["Did Ann marry Bo?"]),
    ("The user should sell the car.", ["Should I sell my car?"]),
    ("The user is allergic to nuts.", ["Bo asked whether I am allergic to nuts."]),
    ("The user is allergic to nuts.", ["Bo asked if I am allergic to nuts."]),
    ("The user is allergic to nuts.", ["You are allergic to nuts, right?"]),
    ("用户对花生过敏。", ["你对花生过敏吗？"]),
    ("用户去过北京。", ["你去过北京吗？"]),
    ("用户对花生过敏。", ["小李问我是不是对花生过敏。"]),
    ("用户对花生过敏。", ["医生问我对花生过敏吗。"]),
    ("用户卖车。", ["我该不该卖车？"]),
    ("Ann moved to Berlin.", ["Is it true that Ann moved to Berlin?"]),
    ("安娜搬到了柏林。", ["安娜是不是搬到了柏林？"]),
    ("用户去过北京。", ["你去没去过北京？"]),
]
"""A sentence, and sources that only ask whether it is so."""
CROSSED: list[tuple[str, list[str]]] = [
    ("The user works at Bosch.", ["I work at Siemens.", "My brother works at Bosch."]),
    ("The user lives in Bremen.", ["I live in Berlin.", "My sister lives in Bremen."]),
    ("Ann lives in Bremen.", ["Ann lives in Berlin. Bo lives in Bremen."]),
    ("Ann lives in Bremen.", ["Ann lives in Berlin and Bo lives in Bremen."]),
    ("用户在阿里上班。", ["我在西门子上班。", "我哥哥在阿里上班。"]),
    ("用户在华为上班。", ["我在西门子上班，我哥哥在华为上班。"]),
    ("用户住在不来梅。", ["我住在柏林。我姐姐住在不来梅。"]),
    ("小王住在上海。", ["小王住在北京，小李住在上海。"]),
    ("The hotel cost the user 300.", ["The flight cost me 300 and the hotel 200."]),
    ("The hotel cost the user 300.", ["The flight cost 300, the hotel 200."]),
    ("The flight cost 200.", ["The flight cost 300, the hotel cost 200."]),
    ("酒店300元。", ["机票300元，酒店200元。"]),
    ("机票花了200元。", ["机票花了300元，酒店花了200元。"]),
    ("The meeting moved from Tuesday to Monday.", ["The meeting moved from Monday to Tuesday."]),
    ("用户从上海搬到北京。", ["我从北京搬到上海。"]),
    ("The user moved from Rome to Bremen.", ["I moved from Bremen to Rome."]),
    ("The user prefers coffee to tea.", ["I prefer tea to coffee."]),
    ("用户多吃盐。", ["我要少吃盐。"]),
    ("用户应该多吃盐。", ["医生说我应该少吃盐。"]),
    ("The user eats more salt.", ["I eat less salt now."]),
    ("The user's bike is red.", ["My car is red and my bike is blue."]),
    ("The user's car is blue.", ["My car is red, my bike is blue."]),
    ("用户的自行车是红色的。", ["我的车是红色的，自行车是蓝色的。"]),
    ("用户的自行车是红色的。", ["我的车是红色的，我的自行车是蓝色的。"]),
    ("Bo stole the money.", ["Ann thinks Bo stole the money."]),
    ("Bo stole the money.", ["Ann suspects that Bo stole the money."]),
    ("小李偷了钱。", ["小王觉得小李偷了钱。"]),
    ("小李偷了钱。", ["小王怀疑小李偷了钱。"]),
    ("The user missed the train.", ["I almost missed the train."]),
    ("The user bought milk.", ["I forgot to buy milk."]),
    ("用户误了火车。", ["我差点误了火车。"]),
    ("用户买了牛奶。", ["我忘了买牛奶。"]),
    ("用户带了护照。", ["我忘记带护照了。"]),
    ("The user was born in 1985.", ["I was born in 1980 and my sister in 1985."]),
    ("用户1985年出生。", ["我1980年出生，我妹妹1985年出生。"]),
    ("The user works in Bremen.", ["I live in Bremen and work in Hamburg."]),
    ("The exam is on Friday.", ["The exam is on Monday and the concert on Friday."]),
    ("考试在周五。", ["考试在周一，音乐会在周五。"]),
    ("The meeting moved to Monday.", ["The meeting moved from Monday to Tuesday."]),
    ("用户搬到了北京。", ["我从北京搬到上海。"]),
    ("用户的房间很小。", ["我的房间很大。"]),
    ("用户买了房。", ["我卖了房。"]),
    ("The user works in Bremen and lives in Hamburg.", ["I live in Bremen and work in Hamburg."]),
    ("The user's brother works at Siemens.", ["I work at Siemens.", "My brother works at Bosch."]),
    ("用户的妹妹1980年出生。", ["我1980年出生，我妹妹1985年出生。"]),
    ("The user won the race.", ["I nearly won the race."]),
    ("The user took the pills.", ["I forgot to take the pills this morning."]),
    ("小李比小王高。", ["小王比小李高。"]),
    ("咖啡比茶贵。", ["茶比咖啡贵。"]),
    ("Tea is cheaper than coffee.", ["Coffee is cheaper than tea."]),
    ("用户先吃药再吃饭。", ["我先吃饭再吃药。"]),
    ("用户在不来梅工作。", ["我住在不来梅，在汉堡工作。"]),
]
"""A sentence, and sources that say it of another one, the other way round, or not at all."""
SO: list[tuple[str, list[str]]] = [
    ("Ann and Bo live in Bremen.", ["Ann and Bo live in Bremen."]),
    ("The user lives in Bremen and works in Hamburg.", ["I live in Bremen and work in Hamburg."]),
    ("The user's sister was born in 1985.", ["I was born in 1980 and my sister in 1985."]),
    ("The user's bike is blue.", ["My car is red and my bike is blue."]),
    ("The hotel cost 200.", ["The flight cost me 300 and the hotel 200."]),
    ("酒店200元。", ["机票300元，酒店200元。"]),
    ("用户的自行车是蓝色的。", ["我的车是红色的，自行车是蓝色的。"]),
    ("用户从北京搬到上海。", ["我从北京搬到上海。"]),
    ("The meeting moved from Monday to Tuesday.", ["The meeting moved from Monday to Tuesday."]),
    ("The user asked whether nuts are healthy.", ["Are nuts healthy?"]),
    ("用户问花生健康吗。", ["花生健康吗？"]),
    ("The user lives in Bremen.", ["I live in Bremen, is that far from Hamburg?"]),
    ("用户住在不来梅。", ["我住在不来梅，去汉堡远吗？"]),
    ("The user's sister works at Bosch.", ["I work at Siemens.", "My sister works at Bosch."]),
    ("用户的哥哥在阿里上班。", ["我在西门子上班。", "我哥哥在阿里上班。"]),
    ("The user forgot to buy milk.", ["I forgot to buy milk."]),
    ("用户差点误了火车。", ["我差点误了火车。"]),
    ("用户应该少吃盐。", ["医生说我应该少吃盐。"]),
    ("Ann thinks Bo stole the money.", ["Ann thinks Bo stole the money."]),
    ("小王觉得小李偷了钱。", ["小王觉得小李偷了钱。"]),
    ("The user paid 300 for the hotel.", ["I booked 2 nights. The hotel in Rome cost 300."]),
    ("用户搬到了上海。", ["我从北京搬到上海。"]),
    ("The meeting moved to Tuesday.", ["The meeting moved from Monday to Tuesday."]),
    ("茶比咖啡贵。", ["茶比咖啡贵。"]),
    ("The user is turning 40 in May.", ["I am turning 40 in May, can you help me plan a party?"]),
    ("用户五月满四十岁。", ["我五月满四十岁，能帮我计划聚会吗？"]),
    ("The cello cost 500.", ["I bought a cello. It cost 500 and I love it."]),
]


@pytest.mark.parametrize(("text", "sources"), ASKED)
def test_a_question_bears_out_nothing(found: Make, text: str, sources: list[str]) -> None:
    assert not supported(text, [found(each) for each in sources])


@pytest.mark.parametrize(("text", "sources"), CROSSED)
def test_what_is_said_of_one_is_not_said_of_another_one(found: Make, text: str, sources: list[str]) -> None:
    assert not supported(text, [found(each) for each in sources])


@pytest.mark.parametrize(("text", "sources"), SO)
def test_what_its_source_says_so_passes(found: Make, text: str, sources: list[str]) -> None:
    assert fault(text, [found(each) for each in sources]) is None


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("I live in Bremen, is that far?", "I live in Bremen,"),
        ("You live in Bremen, right?", ""),
        ("我住在不来梅，去汉堡远吗？", "我住在不来梅,"),
        ("The lesson is at 9:40. Is that 1.5 hours long?", "The lesson is at 9:40."),
        ("My job? I am a nurse.", "My job? I am a nurse."),
        ("It weighs 1.5 kg. Is it heavy?", "It weighs 1.5 kg."),
        ("Nothing is asked here; it is 1,250 euros.", "Nothing is asked here; it is 1,250 euros."),
    ],
)
def test_only_what_asks_is_taken_out_of_a_text(text: str, left: str) -> None:
    assert without(text) == left
