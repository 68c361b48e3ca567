"""What the rules find in what people say, and what they leave alone."""

from datetime import UTC, datetime

import pytest

from hippograph.memory.extraction import Rules
from hippograph.memory.facts import Fact, Heard

SAID = datetime(2026, 5, 6, 12, tzinfo=UTC)  # a Wednesday


def told(text: str, *, before: str = "", role: str = "user", speaker: str = "") -> list[Fact]:
    turn = Heard(id="t", text=text, role=role, speaker=speaker, said_at=SAID)
    earlier = [Heard(id="b", text=before, role="user", speaker=speaker, said_at=SAID)] if before else []
    return list(Rules().extract([turn], earlier).facts)


def brief(fact: Fact) -> tuple[str, str, str]:
    return fact.subject, fact.attribute, ("not " if fact.negated else "") + fact.value


FOUND = [
    ("My name is Anna", [("user", "name", "Anna")]),
    ("Actually call me Ana", [("user", "name", "Ana")]),
    ("I moved to Oslo and work at Equinor.", [("user", "residence", "Oslo"), ("user", "employer", "Equinor")]),
    ("I love Sichuan food", [("user", "opinion of sichuan food", "likes")]),
    ("I can't stand Sichuan food any more", [("user", "opinion of sichuan food", "dislikes")]),
    ("My brother's favourite player is Ronaldo", [("user's brother", "favourite player", "Ronaldo")]),
    ("I don't work at Acme any more.", [("user", "employer", "not Acme")]),
    ("We switched from MySQL to PostgreSQL 16.",
     [("user", "uses postgresql", "PostgreSQL 16"), ("user", "uses mysql", "not MySQL")]),
    ("我叫张伟，今年32岁，在腾讯工作", [("user", "name", "张伟"), ("user", "age", "32"), ("user", "employer", "腾讯")]),
    ("我喜欢喝榛子拿铁和年糕汤", [("user", "opinion of 榛子拿铁", "likes"), ("user", "opinion of 年糕汤", "likes")]),
    ("我搬家了，新地址是滨江区江南大道 88 号", [("user", "address", "滨江区江南大道 88 号")]),
    ("李雷在腾讯工作", [("李雷", "employer", "腾讯")]),
]  # fmt: skip


MORE = [
    ("My wife's name is Lin.", [("user", "spouse", "Lin")]),
    ("My sister Mia lives in Bergen.", [("user", "sister mia", "Mia"), ("Mia", "residence", "Bergen")]),
    ("I have a dog named Rex.", [("user", "pet rex", "Rex")]),
    ("I sold my car.", [("user", "owns car", "not car")]),
    ("I used to work at IBM.", [("user", "employer", "not IBM")]),
    (
        "I'm allergic to peanuts and lychee.",
        [("user", "allergy peanuts", "peanuts"), ("user", "allergy lychee", "lychee")],
    ),
    (
        "Ann administers the GitHub organisation",
        [("Ann", "administers github organisation", "the GitHub organisation")],
    ),
    ("Ann works at the company", [("Ann", "employer", "the company")]),
    ("The deadline moved to Friday.", [("user", "deadline", "Friday")]),
    ("Our wifi password is hunter22.", [("user", "wifi password", "hunter22")]),
    ("我妹妹叫小雨，住在成都", [("user", "sister 小雨", "小雨"), ("小雨", "residence", "成都")]),
    ("我不在阿里工作了，跳槽到了美团。", [("user", "employer", "not 阿里"), ("user", "employer", "美团")]),
    ("我再也不喝白酒了", [("user", "eats 白酒", "not 白酒")]),
    ("我哥哥最喜欢的球队是利物浦", [("user's 哥哥", "favourite team", "利物浦")]),
    ("我会说粤语和法语", [("user", "language 粤语", "粤语"), ("user", "language 法语", "法语")]),
    ("截止日期改到周五了", [("user", "deadline", "周五")]),
]


@pytest.mark.parametrize(("text", "expected"), FOUND + MORE)
def test_a_statement_gives_its_facts(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert [brief(fact) for fact in told(text)] == expected


@pytest.mark.parametrize(
    "text",
    [
        "What is my name?",
        "If I lived in Tokyo I would eat ramen every day.",
        "He said he likes skiing.",
        "Translate into German: My name is Peter and I live in Hull.",
        "I wish I had a dog.",
        "Just kidding, I'm a dragon.",
        "ok thanks",
        "My day was great.",
        "I like it.",
        "我住在哪里？",
        "如果我住在北京就好了",
        "他说他喜欢爬山",
        "听说老王要去深圳了。",
        "翻译成英文：我叫小明，今年十岁。",
        "今天的公交车又晚点了。",
        "哈哈哈",
        "",
        "\x00",
    ],
)
def test_questions_suppositions_and_other_peoples_words_give_nothing(text: str) -> None:
    assert told(text) == []


@pytest.mark.parametrize("role", ["assistant", "system"])
def test_only_users_and_tools_are_sources(role: str) -> None:
    assert told("I live in Oslo.", role=role) == []


def test_a_tool_tells_of_others_but_never_of_the_user() -> None:
    facts = told("Ann works at Nestlé. I live in Oslo.", role="tool")
    assert [brief(fact) for fact in facts] == [("Ann", "employer", "Nestlé")]


def test_a_speaker_with_a_name_is_the_subject() -> None:
    fact = told("I moved to Porto and my brother plays chess.", speaker="Ines")[0]
    assert (fact.subject, fact.text) == ("Ines", "Ines moved to Porto.")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("I can't stand my boss Karen's jokes", "The user can't stand their boss Karen's jokes."),
        ("Last week I moved to Oslo", "Last week, the user moved to Oslo."),
        ("We have lived in Bonn since 2019", "The user has lived in Bonn since 2019."),
        ("Ann gave me her bike last week", "Ann gave the user her bike last week."),
        ("我昨天参加了女儿的家长会", "用户昨天参加了女儿的家长会。"),
        ("我妈妈住在绵阳", "用户的妈妈住在绵阳。"),
    ],
)
def test_a_facts_sentence_is_understood_alone_and_in_its_language(text: str, sentence: str) -> None:
    assert [fact.text for fact in told(text)][-1] == sentence


@pytest.mark.parametrize(
    ("text", "since"),
    [
        ("I moved to Oslo last month", (2026, 4, 1)),
        ("The deadline moved to Friday", (2026, 5, 8)),
        ("I'm flying to Lisbon on May 12", (2026, 5, 12)),
        ("Next Tuesday I have a dentist appointment", (2026, 5, 12)),
        ("我下周五要去上海出差", (2026, 5, 15)),
        ("我三天后要去西安出差", (2026, 5, 9)),
    ],
)
def test_relative_dates_count_from_when_it_was_said(text: str, since: tuple[int, int, int]) -> None:
    assert [fact.valid_from for fact in told(text)] == [datetime(*since, tzinfo=UTC)]


def test_a_correction_gives_the_fact_before_another_value() -> None:
    corrections = [
        ("We upgraded to PostgreSQL 15.", "No, I meant PostgreSQL 16.", "PostgreSQL 16"),
        ("My flight is on Tuesday.", "Sorry, I meant Thursday.", "Thursday"),
        ("截止日期改到周五了", "不对，是周四", "周四"),
    ]
    for said, correction, value in corrections:
        corrected = told(correction, before=said)
        assert [fact.value for fact in corrected] == [value]
        assert corrected[0].attribute.split()[0] == told(said)[0].attribute.split()[0]
    assert told("No, I meant Thursday.") == []


def test_rules_of_conduct_are_kept_as_they_were_said() -> None:
    for text in ("Never push to main on Fridays.", "每次上线前先跑一遍冒烟测试。"):
        (fact,) = told(text)
        assert (fact.kind, fact.text) == ("procedure", text)


def test_what_is_to_be_remembered_is_kept_whatever_it_is() -> None:
    (fact,) = told("Please remember that the spare key is under the blue flowerpot.")
    assert "under the blue flowerpot" in fact.value
    (fact,) = told("记住，备用钥匙放在鞋柜第二层。")
    assert "鞋柜第二层" in fact.value


def test_every_quote_stands_in_the_turn_as_it_is() -> None:
    text = "Hi there!  I’m Priya — I live in  “Little India”, and I love chai.\n我对芒果过敏；我住在３号楼附近。"
    facts = told(text)
    assert len(facts) >= 3
    assert all(text[fact.start : fact.end] == fact.quote for fact in facts)
    assert all(0 <= fact.importance <= 1 and 0 < fact.confidence <= 1 for fact in facts)
