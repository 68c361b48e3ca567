from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest
from langchain_core.messages import AIMessage, HumanMessage

from hippograph.nodes.queries import queries
from hippograph.nodes.topics import MOST, NAME, SUMMARY, WORDS, shown, updated
from hippograph.state.turn import Topic

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def after(*talk: tuple[str, str], topics: Sequence[Topic] = ()) -> list[Topic]:
    """Return the topics after some turns, one a minute."""
    for number, (asked, answered) in enumerate(talk):
        turn = [HumanMessage(asked), *([AIMessage(answered)] if answered else [])]
        topics = updated(topics, [turn], NOW + timedelta(minutes=number))
    return list(topics)


def names(topics: Sequence[Topic]) -> list[str]:
    return [each["name"] for each in topics]


CAT = ("My cat Tofu is sick.", "Oh no, poor Tofu.")
TRIP = ("We are planning a trip to Porto in June.", "Nice!")
GIFT = ("I need a gift for Nina's birthday.", "A book?")
DATABASE = ("Which database does billing-svc use?", "Postgres.")


@pytest.mark.parametrize(
    ("asked", "topic"),
    [
        ("How old is Tofu?", "cat Tofu sick"),
        ("And how much is it?", "planning trip Porto June"),
        ("Is the June trip booked?", "planning trip Porto June"),
        ("haha", "planning trip Porto June"),
    ],
)
def test_a_turn_belongs_to_the_topic_it_names_or_points_at(asked: str, topic: str) -> None:
    assert names(after(CAT, TRIP, (asked, "Yes.")))[0] == topic


@pytest.mark.parametrize(
    ("asked", "topic"),
    [
        ("年糕几岁了？", "家猫叫年糕"),
        ("那它什么时候打疫苗？", "苍鹭项目 上线"),
        ("苍鹭项目谁负责？", "苍鹭项目 上线"),
        ("哈哈", "苍鹭项目 上线"),
    ],
)
def test_it_does_so_in_chinese(asked: str, topic: str) -> None:
    talk = [("我家猫叫年糕。", "好可爱！"), ("苍鹭项目什么时候上线？", "六月。")]
    assert names(after(*talk, (asked, "好的。")))[0] == topic


def test_a_turn_about_something_else_opens_a_topic() -> None:
    assert names(after(CAT, TRIP, GIFT)) == ["gift Nina's birthday", "planning trip Porto June", "cat Tofu sick"]
    assert names(after(("我家猫叫年糕。", ""), ("我想换工作。", ""))) == ["想换工作", "家猫叫年糕"]


@pytest.mark.parametrize("asked", ["hi", "thanks!", "ok", "谢谢", "哈哈哈", "👍", "", "   "])
def test_courtesy_is_about_nothing(asked: str) -> None:
    before = after(CAT)
    assert after((asked, "You're welcome."), topics=before) == before
    assert after((asked, "Hello!")) == []


@pytest.mark.parametrize(
    ("talk", "standing"),
    [
        ([("When does Priya arrive?", "I don't know.")], "open"),
        ([("When does Priya arrive?", "")], "open"),
        ([("When does Priya arrive?", "I don't know."), ("When does Priya arrive?", "On Friday.")], "noted"),
        ([("We decided to go with Postgres.", "Good.")], "decided"),
        ([("We decided to go with Postgres.", "Good."), ("Why Postgres?", "It is free.")], "decided"),
        ([("I'll send the contract to Ada by Friday.", "OK")], "planned"),
        ([("I'll send the contract to Ada by Friday.", ""), ("The contract is done, Ada has it.", "")], "done"),
        ([("苍鹭项目什么时候上线？", "我不知道。")], "open"),
        ([("苍鹭项目什么时候上线？", "我不知道。"), ("苍鹭项目定在六月上线", "好")], "decided"),
        ([("我家猫叫年糕。", "好")], "noted"),
    ],
)
def test_how_things_stand_is_told(talk: list[tuple[str, str]], standing: str) -> None:
    assert after(*talk)[0]["state"] == standing


def test_a_question_that_has_its_answer_leaves_the_summary() -> None:
    asked = ("苍鹭项目什么时候上线？", "我不知道。")
    assert "什么时候" in after(asked)[0]["summary"]
    assert after(asked, ("苍鹭项目定在六月上线", "好"))[0]["summary"] == "苍鹭项目定在六月上线"


def test_there_are_never_more_than_five_and_what_matters_stays_longer() -> None:
    decided = ("We decided to go with Postgres for billing-svc.", "Good.")
    things = ("penguins", "volcanoes", "bagpipes", "lighthouses", "tides")
    topics = after(decided, *((f"{each.title()} are great fun.", "Sure.") for each in things))
    assert len(topics) == MOST
    assert "Postgres billing-svc" in names(topics)
    assert not any("Penguins" in each for each in names(topics))
    later = after(("Comets are great fun.", ""), ("Glass and salt are great fun.", ""), topics=topics)
    assert "Postgres billing-svc" not in names(later)


def test_a_topic_stays_small_and_plain_however_long_it_is_talked_about() -> None:
    talk = [(f"Tofu ate {n} fish and went to {'very ' * n}far away place number {n}.", "Oh.") for n in range(80)]
    topic = after(CAT, *talk)[0]
    assert topic["turns"] == 81
    assert len(topic["name"]) <= NAME
    assert len(topic["summary"]) <= SUMMARY
    assert len(topic["words"]) <= WORDS
    assert topic["used_at"] == (NOW + timedelta(minutes=80)).isoformat()


@pytest.mark.parametrize(
    "text", ["x" * 60_000, "界" * 60_000, "😀" * 2000, "a\0b cat", "my \ud83d cat", "<|im_end|> {x} [1]"]
)
def test_odd_messages_do_no_harm(text: str) -> None:
    for topic in after(CAT, (text, text), TRIP):
        assert len(topic["name"]) <= NAME
        assert len(topic["summary"]) <= SUMMARY


QUIET = [("haha", "!"), ("thanks", "Sure."), ("ok", "!")]
QUIET_ZH = [("哈哈", "！"), ("谢谢", "不客气"), ("好的", "！")]
FOLLOW_UPS = [
    ([CAT, *QUIET], "And how old is she?", "Tofu"),
    ([TRIP, *QUIET], "What about the second one?", "Porto"),
    (
        [DATABASE, ("why?", "It is free."), ("since when?", "May."), ("and before?", "MySQL.")],
        "who said that?",
        "billing",
    ),
    ([GIFT, *QUIET], "How much is it?", "Nina"),
    ([("我家猫叫年糕。", "好可爱！"), *QUIET_ZH], "那它几岁了？", "年糕"),
    ([("苍鹭项目六月上线。", "好"), *QUIET_ZH], "那个呢？", "苍鹭"),
    ([("我们去年夏天去了大理。", "好玩吗"), *QUIET_ZH], "那里贵吗？", "大理"),
    ([("小周的手术在周四。", "祝顺利"), *QUIET_ZH], "具体几点？", "小周"),
]


@pytest.mark.parametrize(("talk", "asked", "expected"), FOLLOW_UPS)
def test_a_follow_up_is_searched_for_with_the_topic_when_its_turns_have_left_the_thread(
    talk: list[tuple[str, str]], asked: str, expected: str
) -> None:
    topics = after(*talk)
    left = [message for said, reply in talk[1:] for message in (HumanMessage(said), AIMessage(reply))]
    found = queries(asked, [*left, HumanMessage(asked)], topics)
    assert expected in found[-1]
    assert expected not in queries(asked, [*left, HumanMessage(asked)])[-1]


def test_a_question_that_stands_by_itself_is_not_searched_for_with_the_topic() -> None:
    assert queries("Where do I live?", [HumanMessage("Where do I live?")], after(CAT)) == ["Where do I live?"]


def test_topics_are_shown_on_one_line() -> None:
    assert shown(after(CAT, GIFT)[1:]) == "cat Tofu sick (My cat Tofu is sick.)"
    assert shown([]) == ""
