import pytest

from hippograph.memory.entities import key
from hippograph.memory.upkeep.distilling import relation
from hippograph.memory.upkeep.naming import named


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I met Ann Lee in Berlin.", [("Ann Lee", "person"), ("Berlin", "place")]),
        ("Dr. Okafor moved to Lagos", [("Okafor", "person"), ("Lagos", "place")]),
        (
            "She joined Acme and works at Stanford University now.",
            [("Acme", "organisation"), ("Stanford University", "organisation")],
        ),
        ("We walked along Baker Street with Marcus.", [("Baker Street", "place"), ("Marcus", "person")]),
        ("Caroline's birthday is in May", [("Caroline", "person")]),
        ("The Heron project slips", [("Heron", "thing")]),
        ("Today I am at home. However, I'm fine.", []),
        ("我和老唐去了杭州。", [("老唐", "person"), ("杭州", "place")]),
        ("王老师在昆明的云南大学上班", [("王老师", "person"), ("昆明", "place"), ("云南大学", "organisation")]),
        ("读了《活着》，很好", [("活着", "thing")]),
        ("我的老师说这个项目不错", []),
        ("他来自哈尔滨，现在住在深圳市", [("哈尔滨", "place"), ("深圳", "place")]),
    ],
)
def test_names_are_found_with_what_they_are(text: str, expected: list[tuple[str, str]]) -> None:
    assert [(each.name, each.kind) for each in named(text)] == expected


def test_a_known_name_counts_at_the_beginning_of_a_sentence() -> None:
    assert [each.name for each in named("Priya fainted.")] == []
    assert [each.name for each in named("Priya fainted.", {"priya"})] == ["Priya"]
    assert [each.name for each in named("Priya called.")] == ["Priya"], "who calls is a person"


@pytest.mark.parametrize(
    ("one", "other"), [("Ann Lee", "ann  lee"), ("Ann's", "Ann"), ("ＡＣＭＥ", "acme"), ("I", "我"), ("user", "me")]
)
def test_one_name_has_one_key_however_it_is_written(one: str, other: str) -> None:
    assert key(one) == key(other)


@pytest.mark.parametrize(
    ("attribute", "value", "expected"),
    [
        ("employer", "Acme", "employer"),
        ("sister ann lee", "Ann Lee", "sister"),
        ("daughter 小雨", "小雨", "daughter"),
        ("event went hiking with bob", "went hiking with Bob", "event"),
        ("pet rex", "Rex", "pet"),
    ],
)
def test_a_relation_is_the_attribute_without_the_value(attribute: str, value: str, expected: str) -> None:
    assert relation(attribute, value) == expected


def test_names_in_latin_letters_end_where_chinese_begins() -> None:
    assert [each.name for each in named("我和Ann Lee在Kiel聊了签证。")] == ["Ann Lee", "Kiel"]
    assert [each.name for each in named("Omar Haddad喜欢吃饺子")] == ["Omar Haddad"]


def test_what_follows_a_chinese_name_is_none_of_it() -> None:
    assert [each.name for each in named("陈晨住在昆明。")] == ["陈晨", "昆明"]
    assert "张伟" in [each.name for each in named("张伟现在在杭州上班。")]
