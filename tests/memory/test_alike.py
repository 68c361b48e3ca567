"""Questions that use the same words for something else share no signature; rewordings of one question do."""

import pytest

from hippograph.memory.blocks.alike import signature

REVERSED = [
    ("What did Ann ask me?", "What did I ask Ann?"),
    ("When did Ann visit Bo?", "When did Bo visit Ann?"),
    ("when did ann visit bo", "when did bo visit ann"),
    ("Who likes my mother?", "Who does my mother like?"),
    ("Who is Ann visiting?", "Who is visiting Ann?"),
    ("What is my brother's wife called?", "What is my wife's brother called?"),
    ("Does my dog like my cat?", "Does my cat like my dog?"),
    ("When did I move from Bonn to Ulm?", "When did I move to Bonn from Ulm?"),
    ("Was Ann hit by Bo?", "Did Ann hit Bo?"),
    ("What does my cat fear?", "What fears my cat?"),
    ("安娜问了我什么？", "我问了安娜什么？"),
    ("小王什么时候来看小李？", "小李什么时候来看小王？"),
    ("我妈妈喜欢谁？", "谁喜欢我妈妈？"),
    ("谁给小王打了电话？", "小王给谁打了电话？"),
    ("小王被小李骗了吗？", "小王把小李骗了吗？"),
    ("我老婆的弟弟叫什么？", "我弟弟的老婆叫什么？"),
]
MODAL = [
    ("Where will I live?", "Where do I live?"),
    ("Where should I live?", "Where do I live?"),
    ("Where should I live?", "Where will I live?"),
    ("我会住在哪里？", "我住在哪里？"),
    ("我应该住在哪里？", "我住在哪里？"),
    ("我要住在哪里？", "我应该住在哪里？"),
]
REWORDED = [
    ("Where does my sister live?", "Which city does my sister live in?"),
    ("When is my dentist appointment?", "What time is my appointment at the dentist?"),
    ("Did I pay the rent for June?", "Have I paid June's rent?"),
    ("我姐姐住在哪里？", "我姐姐住在哪个城市？"),
]


@pytest.mark.parametrize(("one", "other"), [*REVERSED, *MODAL])
def test_a_reversed_question_and_one_about_what_will_or_should_be_is_another(one: str, other: str) -> None:
    assert signature(one) != signature(other)


@pytest.mark.parametrize(("one", "other"), REWORDED)
def test_other_words_for_the_same_are_the_same(one: str, other: str) -> None:
    assert signature(one) == signature(other)
