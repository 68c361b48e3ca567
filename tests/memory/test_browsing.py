"""Looking around in a memory: what lists show, in which order, and what a forgetting would take."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from tended import derive, quiet, say

from hippograph.bench.hashed import hashed
from hippograph.memory import Memory
from hippograph.memory.listing import EXCERPT, STATUSES, Wanted
from hippograph.state import BadInput, Turn

MAY = datetime(2026, 5, 10, 12, tzinfo=UTC)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory.open(tmp_path / "home", hashed(), settings=quiet()) as opened:
        yield opened


def texts(memory: Memory, **wanted: object) -> list[str]:
    return [each.text for each in memory.browse("ann", Wanted(**wanted)).cards]  # type: ignore[arg-type]


def every(memory: Memory, limit: int, **wanted: object) -> list[str]:
    """All texts of a list, read in stretches."""
    found, after = list[str](), ""
    while True:
        leaf = memory.browse("ann", Wanted(**wanted), after=after, limit=limit)  # type: ignore[arg-type]
        found += [each.text for each in leaf.cards]
        after = leaf.more
        if not after:
            return found


@pytest.mark.parametrize("oldest_first", [False, True])
def test_stretches_of_a_list_have_each_memory_once_even_where_times_are_equal(
    memory: Memory, oldest_first: bool
) -> None:
    said = [f"note {n}" for n in range(11)]
    for n, text in enumerate(said):
        say(memory, text, said_at=MAY + timedelta(days=n // 4))
    expected = said if oldest_first else said[::-1]
    assert every(memory, 3, oldest_first=oldest_first) == expected
    assert every(memory, 11, oldest_first=oldest_first) == expected


def test_a_list_goes_on_where_it_was_although_something_newer_came(memory: Memory) -> None:
    say(memory, "one", "two", "three", said_at=MAY)
    leaf = memory.browse("ann", limit=2)
    say(memory, "four", said_at=MAY + timedelta(days=1))
    assert [each.text for each in memory.browse("ann", after=leaf.more).cards] == ["one"]


def test_filters_narrow_a_list(memory: Memory) -> None:
    say(memory, "I painted the shed.", thread="a", said_at=MAY)
    memory.remember("ann", "Ann likes tea.", kind="preference", topic="drinks", subject="Ann", said_at=MAY)
    memory.remember("ann", "A page of the manual.", kind="document", topic="Manual > Pumps > 3", said_at=MAY)
    memory.remember("ann", "Manuals are boring.", topic="Manual-free", pinned=True, said_at=MAY - timedelta(days=40))
    assert texts(memory, kinds=["preference"]) == ["Ann likes tea."]
    assert texts(memory, topic="Manual") == ["A page of the manual."]
    assert texts(memory, subject="Ann") == ["Ann likes tea."]
    assert texts(memory, thread="a") == ["I painted the shed."]
    assert texts(memory, pinned=True) == ["Manuals are boring."]
    assert texts(memory, until=MAY) == ["Manuals are boring."]
    assert len(texts(memory, since=MAY)) == 3


def test_words_find_what_has_all_of_them_and_begins_with_the_last(memory: Memory) -> None:
    say(memory, "The garden plan is late.", "The garden is green.", "我在昆明吃了米线。", "老唐去了大理。")
    assert texts(memory, words="garden pl") == ["The garden plan is late."]
    assert texts(memory, words="gard ") == []
    assert texts(memory, words="昆明") == ["我在昆明吃了米线。"]
    assert texts(memory, words='"') == []
    assert texts(memory, words="NEAR(garden OR plan*") == []


def test_another_space_is_neither_listed_nor_counted_nor_read(memory: Memory) -> None:
    [theirs] = say(memory, "Bob's secret garden", space="bob")
    say(memory, "Ann's garden")
    assert every(memory, 5, words="garden", statuses=()) == ["Ann's garden"]
    assert memory.tally("ann", Wanted(words="garden")).total == 1
    assert memory.cards("ann", [theirs], seqs=range(5)) == memory.browse("ann").cards
    with pytest.raises(BadInput, match="no memory"):
        memory.sheet("ann", theirs)


def test_a_tally_tells_what_another_choice_of_a_filter_would_give(memory: Memory) -> None:
    say(memory, "hello", "again", said_at=MAY)
    for city in ("Oslo", "Kiel"):
        said_at = MAY + timedelta(days=31 if city == "Kiel" else 0)
        memory.remember(
            "ann", f"Ann lives in {city}.", subject="Ann", attribute="residence", value=city, said_at=said_at
        )
    tally = memory.tally("ann", Wanted(kinds=["fact"]))
    assert tally.total == 1
    assert tally.kinds == {"turn": 2, "fact": 1}
    assert tally.statuses == {"current": 1, "superseded": 1}
    assert memory.tally("ann", Wanted(since=MAY + timedelta(days=20))).months == {"2026-05": 2, "2026-06": 1}


def test_what_is_not_known_is_refused_with_what_is(memory: Memory) -> None:
    with pytest.raises(BadInput, match=r"no status 'forgotten'.*current"):
        memory.browse("ann", Wanted(statuses=["forgotten"]))
    with pytest.raises(BadInput, match="no kind 'rumour'"):
        memory.tally("ann", Wanted(kinds=["rumour"]))
    for place in ("nowhere", "2026-05-01~", "2026-05-01~-1", "~1", "2026-05-01~" + "9" * 40):
        with pytest.raises(BadInput):
            memory.browse("ann", after=place)


def test_a_long_text_is_cut_in_a_list_and_whole_on_its_sheet(memory: Memory) -> None:
    [id_] = say(memory, "word " * EXCERPT)
    [card] = memory.browse("ann").cards
    assert (len(card.text), card.cut) == (EXCERPT, True)
    assert memory.sheet("ann", id_).memory.text == "word " * EXCERPT


def test_a_sheet_tells_where_a_fact_comes_from_and_what_took_its_place(memory: Memory) -> None:
    turns = [Turn(role="user", text=text, said_at=MAY) for text in ("Hi", "I live in Oslo now", "Really", "Yes")]
    ids = memory.add_turns("ann", "t", turns)
    about = {"subject": "Ann", "attribute": "residence"}
    old = memory.remember(
        "ann", "Ann lives in Oslo.", value="Oslo", sources=[(ids[1], "in Oslo")], said_at=MAY, **about
    )
    new = memory.remember("ann", "Ann lives in Kiel.", value="Kiel", said_at=MAY + timedelta(days=1), **about)
    sheet = memory.sheet("ann", old)
    [quote] = sheet.quotes
    assert quote.text[quote.source.start : quote.source.end] == "in Oslo"
    assert [each.id for each in sheet.line] == [old, new] == [each.id for each in memory.sheet("ann", new).line]
    assert "superseded" in sheet.because
    turn = memory.sheet("ann", ids[1])
    assert [each.id for each in turn.resting] == [old]
    assert [each.text for each in turn.before] == ["Hi"]
    assert [each.text for each in turn.after] == ["Really", "Yes"]
    assert turn.line == []


def test_topics_gather_the_pieces_of_a_document_and_subjects_tell_what_is_known(memory: Memory) -> None:
    for page in range(3):
        memory.remember("ann", f"Page {page} of it.", kind="document", topic=f"Manual > Pumps > {page}")
    memory.remember("ann", "Ann lives in Kiel.", subject="Ann", attribute="residence", value="Kiel", topic="people")
    found = {each.name: (each.memories, each.documents) for each in memory.topics("ann")}
    assert found == {"Manual": (3, 3), "people": (1, 0)}
    [ann] = memory.subjects("ann")
    assert (ann.name, ann.memories, ann.attributes) == ("Ann", 1, [("residence", 1)])


def test_what_a_forgetting_would_take_is_told_and_nothing_is_taken(memory: Memory) -> None:
    [turn] = say(memory, "I live in Kiel.")
    about = {"subject": "Ann", "attribute": "residence"}
    memory.remember("ann", "Ann lives in Oslo.", value="Oslo", said_at=MAY, **about)
    fact = derive(memory, "Ann lives in Kiel, the town.", turn, value="Kiel", **about)
    memory.flush(30)
    before = [memory.browse("ann", Wanted(statuses=status)).cards for status in [[each] for each in STATUSES]]
    taken, receipt = memory.foreseen("ann", ids=[turn])
    assert {each.id for each in taken} == {turn, fact}
    assert (receipt.kinds, receipt.derived) == ({"fact": 1, "turn": 1}, 1)
    assert before == [memory.browse("ann", Wanted(statuses=status)).cards for status in [[each] for each in STATUSES]]
    done = memory.forget("ann", ids=[turn])
    for name in ("ids", "kinds", "derived", "revived", "sources", "keywords", "tombstones", "vectors"):
        assert getattr(done, name) == getattr(receipt, name), name
    with pytest.raises(BadInput, match="nothing is forgotten"):
        memory.foreseen("ann", ids=["gone"])


async def test_every_look_has_an_async_twin(memory: Memory) -> None:
    [id_] = say(memory, "hello")
    assert (await memory.abrowse("ann")).cards == await memory.acards("ann", [id_])
    assert (await memory.atally("ann")).total == 1
    assert (await memory.asheet("ann", id_)).memory.id == id_
    assert await memory.atopics("ann") == await memory.asubjects("ann") == []
    assert (await memory.aforeseen("ann", ids=[id_]))[1].ids == (id_,)


def test_a_search_has_vectors_that_were_opened_ahead(memory: Memory) -> None:
    say(memory, "The spare key hangs in the shed.")
    memory.flush(30)
    memory.warm("ann")
    memory.warm("nobody")
    assert memory.recall("ann", "spare key", legs=["vector"])[0].text == "The spare key hangs in the shed."
