"""What is searched for, as the node writes it into the state of a real thread."""

from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage

from hippograph.nodes import Resources, Run, check_trigger
from hippograph.nodes.queries import MOST, points_back, topic
from hippograph.state import Context
from hippograph.state.conversation import State

RUN = Run(context=Context(user_id="ann"))


def searched(resources: Resources, *said: str) -> list[str]:
    """Return the queries of the last of what user and assistant said in turn."""
    kinds: tuple[Any, Any] = (HumanMessage, AIMessage)
    messages = [kinds[index % 2](text, id=str(index)) for index, text in enumerate(said)]
    return check_trigger(State(messages=messages), RUN, resources)["trigger"]["queries"]


@pytest.mark.parametrize(
    ("said", "topics"),
    [
        (["When did Ada move to Bergen?", "In May.", "And when was that?"], "Ada move Bergen May"),
        (["When did Ada move to Bergen?", "In May.", "why?"], "Ada move Bergen May"),
        (["When did Ada move to Bergen?", "In May.", "How long?"], "Ada move Bergen May"),
        (["Where does Ada work?", "At the museum.", "What about her brother?"], "Ada work museum"),
        (["Where does Ada live?", "In Bergen.", "Is it far from there?"], "Ada live Bergen"),
        (
            ["Which hotels did we like?", "The Ribeira and the Grand.", "and the second one?"],
            "hotels like Ribeira Grand",
        ),
        (["年糕是谁的猫？", "小周的。", "那它呢？"], "年糕 猫 小周"),
        (["我们去年夏天去了哪里？", "去了大理。", "那里呢？"], "去年夏天去 大理"),
        (["苍鹭项目什么时候上线？", "六月。", "为什么？"], "苍鹭项目 上线 六月"),
        (["苍鹭项目什么时候上线？", "六月。", "那是谁负责的？"], "苍鹭项目 上线 六月"),
        (["妈妈做手术是哪天？", "周四。", "具体几点？"], "妈妈做手术 周四"),
    ],
)
def test_a_follow_up_is_searched_for_with_the_topic_it_points_at(
    said: list[str], topics: str, resources: Resources
) -> None:
    assert searched(resources, *said) == [said[-1], f"{topics}\n{said[-1]}"]


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        (
            ["When did Ada move to Bergen?", "In May.", "And why was that?", "For the museum.", "who said that?"],
            "museum",
        ),
        (["我们去年夏天去了哪里？", "去了大理。", "住了多久？", "五天。", "那里贵吗？"], "大理"),
        (
            ["Where does Ada work?", "At the museum.", "since when?", "Since June.", "why there?", "No idea.", "and?"],
            "Ada",
        ),
    ],
)
def test_a_chain_of_follow_ups_leads_back_to_the_question_it_began_with(
    said: list[str], kept: str, resources: Resources
) -> None:
    assert kept in searched(resources, *said)[-1].partition("\n")[0]


def test_a_courtesy_between_them_is_looked_through(resources: Resources) -> None:
    said = ["When did Ada move to Bergen?", "In May.", "thanks!", "You're welcome.", "why was that?"]
    assert searched(resources, *said)[-1] == "Ada move Bergen May\nwhy was that?"
    said = ["年糕几岁了？", "三岁。", "谢谢", "不客气。", "那它的生日呢？"]
    assert searched(resources, *said)[-1].startswith("年糕")


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (["When did Ada move to Bergen?", "In May.", "What about Bob?"], "move Bergen\nWhat about Bob?"),
        (["小周的猫叫什么名字？", "年糕。", "那老唐呢？"], "猫叫 名字\n那老唐呢？"),
    ],
)
def test_the_same_asked_of_another_leaves_the_first_and_its_answer_out(
    said: list[str], expected: str, resources: Resources
) -> None:
    assert searched(resources, *said)[-1] == expected


def test_of_a_long_answer_only_the_names_count(resources: Resources) -> None:
    long = "You went there with Nina in June and stayed at the Ribeira; it rained a lot, but we ate well."
    query = searched(resources, "Tell me about the trip to Porto", long, "why?")[-1]
    assert query == "trip Porto Nina Ribeira\nwhy?"


@pytest.mark.parametrize("answer", ["I don't know.", "我不知道。", "You haven't told me, so I do not know."])
def test_an_answer_that_knows_nothing_adds_nothing(answer: str, resources: Resources) -> None:
    assert searched(resources, "Where does Ada work?", answer, "since when?")[-1] == "Ada work\nsince when?"


@pytest.mark.parametrize("asked", ["What do I like to drink?", "我对什么过敏？", "为什么我们选了 Postgres？"])
def test_a_question_that_stands_by_itself_is_searched_for_alone(asked: str, resources: Resources) -> None:
    assert searched(resources, "When did Ada move to Bergen?", "In May.", asked) == [asked]


@pytest.mark.parametrize(
    ("asked", "parts"),
    [
        ("Where did Ann and Bob go?", ["Where did Ann go?", "Where did Bob go?"]),
        ("What do both Ann and Bob like?", ["What do Ann like?", "What do Bob like?"]),
        ("小周和老唐分别住在哪里？", ["小周住在哪里？", "老唐住在哪里？"]),
        ("小周、老唐和小李分别对什么过敏？", ["小周对什么过敏？", "老唐对什么过敏？"]),
        (
            "Where does Ada work? And what does she do there?",
            ["Where does Ada work?", "Ada work\nwhat does she do there?"],
        ),
        ("What is my rent? And when is my flight to Oslo?", ["What is my rent?", "when is my flight to Oslo?"]),
        ("我的房租是多少？牙医约在哪天？", ["我的房租是多少？", "牙医约在哪天？"]),
        (
            "What did I buy for Nina and where did I put it?",
            ["What did I buy for Nina", "buy Nina\nwhere did I put it?"],
        ),
        ("我什么时候去的大理，住在哪家酒店？", ["我什么时候去的大理", "去 大理\n住在哪家酒店？"]),
    ],
)
def test_a_question_for_several_things_is_searched_for_in_parts_and_whole(
    asked: str, parts: list[str], resources: Resources
) -> None:
    assert searched(resources, asked) == [*parts, asked]


@pytest.mark.parametrize(
    "asked",
    [
        "How do my Java and Python services differ?",
        "Which tool does my team prefer, and why?",
        "I like tea and Ada likes coffee.",
        "我和小周昨天去爬山了",
        "在五月底，我学了什么技能？",
    ],
)
def test_one_question_stays_one(asked: str, resources: Resources) -> None:
    assert searched(resources, asked) == [asked]


def test_no_turn_has_more_than_three_queries(resources: Resources) -> None:
    asked = "What is my rent? When is my flight? Where is my passport? Who is my dentist?"
    assert len(searched(resources, asked)) == MOST
    assert searched(resources, asked)[-1] == asked


def test_a_topic_has_no_question_words() -> None:
    assert topic("When did Ada's brother move to Bergen?") == "Ada's brother move Bergen"
    assert topic("小周的猫为什么不吃东西了？") == "小周 猫 吃东西"


@pytest.mark.parametrize("text", ["住了多久？", "贵吗？", "第二个呢", "离那儿远吗？", "who else?", "which of them?"])
def test_short_questions_that_name_nothing_point_back(text: str) -> None:
    assert points_back(text)


@pytest.mark.parametrize("text", ["房租多少？", "Where do I live?", "狗叫什么名字"])
def test_short_questions_that_name_something_do_not(text: str) -> None:
    assert not points_back(text)
