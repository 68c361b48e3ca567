"""A memory's life through the public path: said, said again, replaced, told, undone, updated."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from hippograph.bench.hashed import hashed
from hippograph.memory import Memory
from hippograph.memory.extraction import Rules
from hippograph.state import BadInput, HomeUnusable, Turn


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory.open(tmp_path / "home", hashed(), extractor=Rules()) as opened:
        yield opened


def tell(memory: Memory, *said: str, space: str = "ann") -> list[str]:
    """Say some things, a day apart, each in a thread of its own; return the turns' ids."""
    ids = []
    for day, text in enumerate(said, 1):
        turn = Turn(role="user", text=text, said_at=f"2026-05-{day:02}")
        ids += memory.add_turns(space, f"t{day}", [turn])
        assert memory.flush(30)
    return ids


def facts(memory: Memory, attribute: str) -> list[str]:
    return [each.value for each in memory.list("ann", where={"attribute": attribute})]


def test_who_wants_another_name_has_one_name_and_a_history_of_two(memory: Memory) -> None:
    """Case U01."""
    first, second = tell(memory, "My name is Anna", "Actually call me Ana")
    (now,) = memory.list("ann", where={"attribute": "name"})
    assert now.value == "Ana"
    steps = memory.history(now.id)
    assert [step.what for step in steps] == ["stored", "stored", "superseded"]
    replaced = steps[-1]
    assert (replaced.turns, replaced.by, replaced.by_turns) == ((first,), now.id, (second,))
    assert replaced.because


def test_who_no_longer_likes_something_has_one_opinion_and_the_old_one_is_kept(memory: Memory) -> None:
    """Case U02."""
    tell(memory, "I love Sichuan food", "I can't stand Sichuan food any more")
    assert facts(memory, "opinion of sichuan food") == ["dislikes"]
    (now,) = memory.list("ann", where={"attribute": "opinion of sichuan food"})
    old = memory.history(now.id)[0]
    assert memory.get(old.memory).status == "superseded"
    assert memory.get(old.memory).value == "likes"


def test_the_same_attribute_of_someone_else_stays(memory: Memory) -> None:
    """Case U03."""
    tell(memory, "My favourite player is Messi", "My brother's favourite player is Ronaldo")
    assert sorted(facts(memory, "favourite player")) == ["Messi", "Ronaldo"]


def test_another_attribute_of_the_same_subject_stays(memory: Memory) -> None:
    """Case U04."""
    memory.remember("ann", "X works at the company", subject="X", attribute="employer", value="the company")
    memory.remember("ann", "X administers the GitHub organisation", subject="X", attribute="role")
    tell(memory, "Xia works at Siemens", "Xia administers the GitHub organisation")
    assert {"X", "Xia"} <= {each.subject for each in memory.list("ann", where={"attribute": "employer"})}
    assert len(memory.list("ann", where={"subject": "X"})) == 2


def test_of_two_undated_facts_the_later_said_wins(memory: Memory) -> None:
    """Case U05."""
    for city in ("Oslo", "Bergen"):
        memory.remember("ann", f"Ann lives in {city}", subject="Ann", attribute="residence")
    assert [each.text for each in memory.recall("ann", "Where does Ann live?")] == ["Ann lives in Bergen"]


def test_the_same_fact_said_in_two_threads_at_once_is_one_memory_with_two_sources(memory: Memory) -> None:
    """Case U06."""
    with ThreadPoolExecutor(2) as pool:
        turns = pool.map(
            lambda n: memory.add_turns("ann", f"t{n}", [Turn(role="user", text="I live in Oslo.")]), (1, 2)
        )
        ids = [id_ for added in turns for id_ in added]
    assert memory.flush(30)
    (live,) = memory.list("ann", where={"attribute": "residence"})
    assert sorted(live.source_ids) == sorted(ids)


def test_the_same_memory_given_at_once_by_two_writers_is_one(memory: Memory) -> None:
    """Case U06."""
    with ThreadPoolExecutor(4) as pool:
        ids = {*pool.map(lambda n: memory.remember("ann", "The spare key is under the fern"), range(8))}
    assert len(ids) == memory.count("ann") == 1


def test_a_new_address_takes_the_place_of_the_old_one(memory: Memory) -> None:
    """Case U07."""
    tell(memory, "我的地址是上城区平海路6号", "我搬家了，新地址是滨江区江南大道 88 号")
    (address,) = facts(memory, "address")
    assert "江南大道" in address
    assert "平海路" not in " ".join(each.text for each in memory.recall("ann", "我的地址是什么？", kinds=["profile"]))


def test_turns_are_never_merged_or_superseded(memory: Memory) -> None:
    tell(memory, "I live in Oslo.", "I live in Oslo.", "I live in Bergen.")
    turns = memory.list("ann", kinds=["turn"])
    assert [each.text for each in turns] == ["I live in Bergen.", "I live in Oslo.", "I live in Oslo."]


def test_a_text_given_twice_is_one_memory_with_the_sources_of_both(memory: Memory) -> None:
    turns = tell(memory, "The key is under the fern.", "It is under the fern, the key.")
    ids = [
        memory.remember("ann", f"Zoe's key: {end}", sources=[(id_, "")])
        for end, id_ in zip(("here", "HERE ."), turns, strict=True)
    ]
    assert ids[0] == ids[1]
    assert memory.get(ids[0]).source_ids == turns


def test_a_memory_given_with_an_id_is_stored_under_it_whatever_there_is(memory: Memory) -> None:
    for id_ in ("a", "b"):
        assert memory.remember("ann", "The key is under the fern.", id=id_) == id_
    assert memory.count("ann") == 2
    memory.remember("ann", "Ann lives in Oslo", id="oslo")
    memory.remember("ann", "Ann lives in Bergen", id="bergen")
    assert memory.get("oslo").superseded_by == "bergen"


def test_a_text_that_tells_one_fact_gets_its_subject_and_value(memory: Memory) -> None:
    found = memory.get(memory.remember("ann", "我对荔枝过敏"))
    assert (found.subject, found.value) == ("user", "荔枝")
    given = memory.get(memory.remember("ann", "I live in Oslo.", subject="Zoe", kind="procedure"))
    assert (given.subject, given.attribute, given.kind) == ("Zoe", "", "procedure")


def test_what_held_in_march_is_recalled_at_march(memory: Memory) -> None:
    for month, city in ((1, "Oslo"), (4, "Bergen")):
        memory.remember("ann", f"I live in {city}.", said_at=f"2026-0{month}-01")
    assert [each.value for each in memory.recall("ann", "Where do I live?", at="2026-03-10")] == ["Oslo"]
    assert [each.value for each in memory.recall("ann", "Where do I live?")] == ["Bergen"]


def test_undoing_a_supersession_puts_the_old_one_back_and_archives_the_new_one(memory: Memory) -> None:
    old, new = (memory.remember("ann", f"I live in {city}.") for city in ("Oslo", "Bergen"))
    assert memory.undo(old).status == "current"
    assert memory.get(old).valid_until is None
    assert memory.get(old).superseded_by is None
    assert memory.get(new).status == "archived"
    assert [step.what for step in memory.history(old)][-1] == "undone"
    assert [each.id for each in memory.recall("ann", "Where do I live?")] == [old]


def test_undoing_with_both_keeps_both(memory: Memory) -> None:
    old, new = (memory.remember("ann", f"I live in {city}.") for city in ("Oslo", "Bergen"))
    memory.undo(old, both=True)
    assert {memory.get(each).status for each in (old, new)} == {"current"}
    assert memory.remember("ann", "I live in Bergen!") == new
    memory.upkeep("ann")
    assert {memory.get(each).status for each in (old, new)} == {"current"}


def test_undoing_the_new_one_gives_the_place_back_and_undoing_that_takes_it_again(memory: Memory) -> None:
    old, new = (memory.remember("ann", f"I live in {city}.") for city in ("Oslo", "Bergen"))
    memory.undo(new)
    assert (memory.get(old).status, memory.get(new).status) == ("current", "archived")
    memory.undo(new)
    assert (memory.get(old).superseded_by, memory.get(new).status) == (new, "current")


def test_undoing_an_old_supersession_archives_what_stands_at_the_end_of_the_line(memory: Memory) -> None:
    ids = [memory.remember("ann", f"I live in {city}.") for city in ("Oslo", "Bergen", "Rome")]
    memory.undo(ids[0])
    assert [memory.get(each).status for each in ids] == ["current", "superseded", "archived"]


def test_undoing_a_merger_gives_what_went_in_its_own_life_again(memory: Memory) -> None:
    first, second = tell(memory, "I weigh 70 kg.", "I weigh 70 kilograms.")
    (merged,) = memory.list("ann", where={"attribute": "weight"})
    assert merged.source_ids == [first, second]
    memory.undo(merged.id)
    apart = memory.list("ann", where={"attribute": "weight"}, newest_first=False)
    assert [each.source_ids for each in apart] == [[first], [second]]
    assert apart[0].said_at < apart[1].said_at


def test_an_update_is_found_by_its_new_words_and_can_be_undone(memory: Memory) -> None:
    id_ = memory.remember("ann", "The spare key is under the fern.")
    assert memory.flush(30)
    now = memory.update(id_, text="The spare key is in the shed.", importance=0.9)
    assert (now.text, now.importance) == ("The spare key is in the shed.", 0.9)
    assert memory.flush(30)
    assert memory.recall("ann", "shed", legs=["keyword"])
    assert memory.recall("ann", "shed", legs=["vector"])
    assert not memory.recall("ann", "fern", legs=["keyword"])
    step = memory.history(id_)[-1]
    assert step.what == "updated"
    assert step.before["text"] == "The spare key is under the fern."
    assert memory.undo(id_).text == "The spare key is under the fern."
    assert memory.recall("ann", "fern", legs=["keyword"])


def test_an_update_of_a_long_text_leaves_no_vector_of_it(memory: Memory) -> None:
    id_ = memory.remember(
        "ann", " ".join(f"The heron number {n} nests by the weir." for n in range(80)), kind="document"
    )
    assert memory.flush(30)
    assert memory._index.size("ann") > 1
    memory.update(id_, text="Short.")
    assert memory.flush(30)
    assert memory._index.size("ann") == 1


def test_undo_goes_back_step_by_step(memory: Memory) -> None:
    id_ = memory.remember("ann", "Version one of it.")
    for number in ("two", "three"):
        memory.update(id_, text=f"Version {number} of it.")
    assert [memory.undo(id_).text for _ in range(2)] == ["Version two of it.", "Version one of it."]
    with pytest.raises(BadInput, match="nothing to undo"):
        memory.undo(id_)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"colour": 1}, "colour"),
        ({"importance": 7}, "importance"),
        ({"text": " "}, "empty"),
        ({"kind": "turn"}, "no kind"),
        ({"thread": "other"}, "'thread'"),
        ({"importance": None}, "cannot be empty"),
    ],
)
def test_a_bad_update_is_refused_in_words_and_changes_nothing(
    memory: Memory, fields: dict[str, object], words: str
) -> None:
    id_ = memory.remember("ann", "The key is under the fern.")
    with pytest.raises(BadInput, match=words):
        memory.update(id_, **fields)
    assert len(memory.history(id_)) == 1


def test_a_turn_keeps_its_words_but_may_be_pinned(memory: Memory) -> None:
    (turn,) = tell(memory, "The key is under the fern.")
    with pytest.raises(BadInput, match="kept as it was said"):
        memory.update(turn, text="The key is in the shed.")
    memory.update(turn, pinned=True)
    assert [step.what for step in memory.history(turn)] == ["stored", "updated"]


def test_what_is_unknown_or_in_several_spaces_is_said(memory: Memory) -> None:
    for space in ("ann", "bo"):
        memory.remember(space, "The key is under the fern.", id="key")
    for call in (memory.history, memory.undo, memory.update):
        with pytest.raises(BadInput, match="no memory 'nope'"):
            call("nope")
        with pytest.raises(BadInput, match="2 spaces"):
            call("key")
    assert memory.update("key", "bo", importance=0.9).importance == 0.9
    assert memory.get("key", "ann").importance == 0.5


def test_a_change_of_too_long_a_text_or_to_an_end_before_its_beginning_is_refused(memory: Memory) -> None:
    id_ = memory.remember("ann", "The boat is called Marlin.", valid_from="2026-05-01")
    with pytest.raises(BadInput, match="64,000 at most"):
        memory.update(id_, text="word " * 13_000)
    with pytest.raises(BadInput, match="is before valid_from"):
        memory.update(id_, valid_until="2026-04-01")
    with pytest.raises(BadInput, match="is before valid_from"):
        memory.remember("ann", "My door code is 99.", valid_from="2027-01-01", valid_until="2026-01-01")
    assert memory.get(id_).text == "The boat is called Marlin."


def test_a_change_that_is_stored_does_not_fail_for_its_old_vectors(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    id_ = memory.remember("ann", "The boat is called Marlin. " * 200)
    assert memory.flush(30)

    def unusable(*_: object) -> int:
        raise HomeUnusable("The vector index cannot be used.")

    monkeypatch.setattr(memory._index, "remove", unusable)
    assert memory.update(id_, text="The boat is called Orca.").text == "The boat is called Orca."


def test_a_name_that_differs_in_one_letter_is_another_and_takes_the_place_of_a_pinned_one_too(memory: Memory) -> None:
    old = memory.remember("ann", "I live in Hamburg.", pinned=True)
    new = memory.remember("ann", "I live in Homburg.")
    assert [each.id for each in memory.list("ann")] == [new]
    assert memory.get(old).status == "superseded"


def test_another_text_is_read_anew_so_what_it_said_before_is_no_duplicate(memory: Memory) -> None:
    boss = memory.remember("ann", "My boss is Carol.")
    assert memory.update(boss, text="My boss is Dave.").value == "Dave"
    again = memory.remember("ann", "My boss is Carol.")
    assert again != boss
    assert [each.value for each in memory.list("ann")] == ["Carol"]
    told_nothing = memory.update(again, text="The sea was rough.")
    assert (told_nothing.subject, told_nothing.attribute, told_nothing.value) == ("", "", "")


def test_another_text_leaves_what_a_caller_says_it_is_about(memory: Memory) -> None:
    boss = memory.remember("ann", "My boss is Carol.")
    assert memory.update(boss, text="My boss is Dave.", value="David").value == "David"
    job = memory.remember("ann", "Works at Acme", subject="Ann", attribute="employer", value="Acme")
    assert memory.update(job, text="Has long been at Acme").value == "Acme"


def test_after_undoing_one_value_of_a_line_is_current(memory: Memory) -> None:
    oslo, bergen, turku = (memory.remember("ann", f"I live in {each}.") for each in ("Oslo", "Bergen", "Turku"))
    for undone, stands in ((oslo, "Oslo"), (bergen, "Bergen"), (turku, "Turku"), (turku, "Bergen")):
        memory.undo(undone)
        assert [each.value for each in memory.list("ann")] == [stands]
    memory.undo(oslo, both=True)
    assert sorted(each.value or "" for each in memory.list("ann")) == ["Bergen", "Oslo"]
