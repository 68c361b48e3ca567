"""Everyday ways of saying that something is so now, is so no more, or was changed."""

from datetime import UTC, datetime

import pytest

from hippograph.memory.extraction import Rules
from hippograph.memory.facts import Heard

SAID = datetime(2026, 5, 6, 12, tzinfo=UTC)


def brief(text: str) -> list[tuple[str, str]]:
    heard = Heard(id="t", text=text, role="user", said_at=SAID)
    facts = Rules().extract([heard]).facts
    return [(fact.attribute, ("not " if fact.negated else "") + fact.value) for fact in facts]


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("My favourite author these days is Ted Chiang.", "favourite author", "Ted Chiang"),
        ("Green is my favorite color now.", "favourite colour", "Green"),
        ("I'm forty-one now.", "age", "forty-one"),
        ("We renamed it: our mascot is called Otto.", "name of mascot", "Otto"),
        ("They moved the deadline to Monday.", "deadline", "Monday"),
        ("I changed my password to xyz789.", "password", "xyz789"),
        ("My exam has been postponed to 10 June.", "date of exam", "10 June"),
        ("The meeting is at 4pm instead.", "time of meeting", "4pm"),
        ("Our API listens on port 4000.", "port of api", "4000"),
        ("My son is in fourth grade now.", "school year", "fourth grade"),
        ("I was promoted to head of sales.", "occupation", "head of sales"),
        ("I drive a Tesla now.", "car", "Tesla"),
        ("I cancelled my Hulu subscription.", "subscription hulu", "not Hulu"),
        ("I gave up learning Czech.", "learning czech", "not Czech"),
        ("I've stopped using Trello.", "uses trello", "not Trello"),
        ("I stopped drinking coffee.", "eats coffee", "not coffee"),
        ("Turns out I'm not allergic to dust.", "allergy dust", "not dust"),
        ("The doctor says I'm not allergic to dust.", "allergy dust", "not dust"),
        ("医生说我对花生不过敏。", "allergy 花生", "not 花生"),
        ("我身高一米七五。", "height", "一米七五"),
        ("我的预算是¥4,500。", "budget", "¥4,500"),
        ("预算提高到五千了。", "budget", "五千"),
        ("交稿时间是周三16:30。", "date of 交稿时间", "周三16:30"),
        ("我离婚了。", "marital status", "离婚"),
        ("我女儿上五年级了。", "school year", "五年级"),
        ("我升为经理了。", "occupation", "经理"),
        ("会议提前到下午两点。", "time of 会议", "下午两点"),
        ("老板把会议改到周五了。", "date of 会议", "周五"),
        ("我们项目改名叫雄鹰了。", "name of project", "雄鹰"),
        ("我们不用钉钉了。", "uses 钉钉", "not 钉钉"),
        ("我现在开特斯拉。", "car", "特斯拉"),
        ("我戒烟了。", "eats 烟", "not 烟"),
        ("我放弃学德语了。", "learning 德语", "not 德语"),
        ("我最喜欢的小说是活着。", "favourite novel", "活着"),
    ],
)
def test_a_change_is_read_however_it_is_put(text: str, attribute: str, value: str) -> None:
    assert brief(text) == [(attribute, value)]


@pytest.mark.parametrize(
    "text",
    [
        "The doctor says I should rest.",
        "We moved the sofa to the window.",
        "I'm ten minutes late.",
        "My team is called in on Sundays.",
        "A coffee costs a lot.",
        "大家在周六聚餐。",
        "我吃海鲜会过敏。",
        "我今天喝咖啡。",
        "项目提到了很多问题。",
        "我下个月结婚。",
        "我同学说他在银行上班。",
    ],
)
def test_what_only_sounds_like_a_change_gives_nothing(text: str) -> None:
    assert brief(text) == []


def test_what_is_named_after_a_pet_is_the_pets_name() -> None:
    assert brief("我养了一只橘猫，叫年糕。") == [("number of 橘猫", "一只橘猫"), ("pet 年糕", "年糕")]
