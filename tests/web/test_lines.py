"""Lines of a list: by day, with what was searched for marked."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hippograph.memory.listing import Card
from hippograph.state import Recollection
from hippograph.web.lines import in_time, marked, quoted, ranked

NOON = datetime(2026, 5, 10, 12).astimezone(UTC)
CARD = Card(
    seq=1,
    id="a",
    kind="turn",
    status="current",
    text="We met in Kiel.",
    cut=False,
    role="user",
    speaker="",
    thread="t",
    position=1,
    subject="",
    topic="",
    said_at=NOON,
    valid_until=None,
    pinned=False,
    uses=0,
    importance=0.5,
    superseded_by=None,
)


def shown(text: str, query: str) -> str:
    return "".join(f"[{piece.text}]" if piece.marked else piece.text for piece in marked(text, query))


def test_words_of_a_query_are_marked_whatever_their_case_and_never_inside_others() -> None:
    assert shown("We met in Kiel, kiel.", "where is KIEL") == "We met in [Kiel], [kiel]."
    assert shown("The mistake", "take") == "The mistake"
    assert shown("The taker", "take") == "The [take]r"  # as search finds what begins so
    assert shown("我在昆明吃米线。", "昆明") == "我在[昆明]吃米线。"
    assert shown("a (b) c", "(b) .*") == "a ([b]) c"
    assert shown("what is it", "what is it") == "what is it"


def test_what_is_marked_is_the_whole_text() -> None:
    text = "<b>Kiel</b> & İstanbul ẞ ﬁ"
    assert "".join(piece.text for piece in marked(text, "kiel b i ss fi")) == text


def test_lines_stand_by_day_and_a_day_may_go_on() -> None:
    cards = [replace(CARD, said_at=NOON - timedelta(days=n // 2), seq=n) for n in range(4)]
    days = in_time(cards, "", after=NOON.astimezone().date())
    assert [(len(day.lines), day.goes_on) for day in days] == [(2, True), (2, False)]


def test_what_recall_found_keeps_its_order_and_says_why() -> None:
    cards = [CARD, replace(CARD, id="b", seq=2)]
    found = [
        Recollection(id=id_, text="", kind="turn", said_at=NOON, score=0.5, why={"keyword": 0.1, "vector": 0.4})
        for id_ in ("b", "gone", "a")
    ]
    lines = ranked(cards, found, "kiel")
    assert [line.card.id for line in lines] == ["b", "a"]
    assert [share.name for share in lines[0].why] == ["vector", "keyword"]
    assert lines[0].why[0].adds == 0.32


def test_a_quote_stands_in_a_little_of_what_was_said() -> None:
    text = "x" * 500 + "quote" + "y" * 10
    pieces = quoted(text, 500, 505, around=20)
    assert [piece.text for piece in pieces] == ["…" + "x" * 20, "quote", "y" * 10]
    assert [piece.marked for piece in pieces] == [False, True, False]
    assert [piece.text for piece in quoted("all", 0, 3)] == ["all"]
