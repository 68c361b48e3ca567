from collections.abc import Sequence

import pytest
from sqlalchemy import select
from tended import derive, everything, later, run, say

from hippograph.memory import Memory
from hippograph.memory.schema import sources as quotes
from hippograph.memory.upkeep.summing import Line
from hippograph.state import ModelError, Recollection
from hippograph.state.upkeep import Policy

WALKS = ("Mount Tai", "the Harz", "Ben Nevis", "Etna")


def walks(memory: Memory, count: int = 4, **fields: object) -> list[str]:
    """Facts on one topic, one a week."""
    return [
        derive(
            memory,
            f"Ann walked up {WALKS[n % 4]} for {n + 2} hours.",
            **{"subject": "Ann", "topic": "hiking", "said_at": later(7 * n - 90), **fields},
        )
        for n in range(count)
    ]


def summaries(memory: Memory) -> list[Recollection]:
    return [each for each in everything(memory) if each.kind == "summary" and each.status == "current"]


def test_old_details_of_a_topic_go_into_one_summary_that_cites_the_turns(memory: Memory) -> None:
    facts = walks(memory)
    turns = [memory.get(each).source_ids[0] for each in facts]
    assert run(memory, "merge", 20)["counts"] == {}
    assert run(memory, "merge", 31)["counts"] == {"summaries": 1, "merged": 4}
    [summary] = summaries(memory)
    assert summary.source_ids == turns
    assert summary.text.startswith("Ann, hiking: 4 memories, ")
    for number, fact in enumerate(facts, 1):
        detail = memory.get(fact)
        assert (detail.status, detail.superseded_by) == ("archived", summary.id)
        assert f"- {detail.said_at:%Y-%m-%d}: {detail.text} [{number}]" in summary.text
    assert all(memory.get(each).status == "current" for each in turns)
    assert memory.recall("ann", "walked up Etna", kinds=["summary", "fact"])[0].id == summary.id


def test_details_are_listed_as_archived(memory: Memory) -> None:
    facts = walks(memory)
    run(memory, "merge", 31)
    listed = [each.id for each in memory.list("ann", kinds=["fact"], archived=True)]
    assert sorted(listed) == sorted(facts)
    assert memory.list("ann", kinds=["fact"]) == []


def test_a_chinese_topic_gets_a_chinese_summary(memory: Memory) -> None:
    for n in range(4):
        derive(memory, f"老唐第{n + 1}次去爬山。", subject="老唐", topic="爬山", said_at=later(n - 90))
    run(memory, "merge", 31)
    [summary] = summaries(memory)
    assert summary.text.startswith("老唐, 爬山：4条记忆，")
    assert "老唐第3次去爬山。" in summary.text


def test_without_a_topic_what_shares_a_name_or_is_alike_is_of_one(memory: Memory) -> None:
    about_piano = [derive(memory, f"Ann practised piano scales, lesson {n}.", subject="Ann") for n in range(4)]
    with_bob = [
        derive(memory, text, subject="Ann", entities=["Bob"])
        for text in ("Bob lent Ann a ladder.", "Ann cooked for Bob.", "Bob sold his van.", "Ann drove Bob home.")
    ]
    alone = derive(memory, "The boiler needs a new valve.", subject="Ann")
    memory.flush()
    report = run(memory, "merge", 31)
    assert report["counts"] == {"summaries": 2, "merged": 8}
    one, other = ({memory.get(each).superseded_by for each in group} for group in (about_piano, with_bob))
    assert len(one) == len(other) == 1
    assert one != other
    assert memory.get(alone).status == "current"


@pytest.mark.parametrize(
    "fields",
    [
        {"pinned": True},
        {"kind": "profile"},
        {"attribute": "residence", "value": "x"},
        {"valid_until": later(0)},
        {"expires_at": later(900)},
    ],
    ids=["pinned", "a profile", "one value at a time", "over", "to expire"],
)
def test_what_must_stay_as_it_is_is_never_merged(memory: Memory, fields: dict[str, object]) -> None:
    walks(memory, **fields)
    assert run(memory, "merge", 100)["counts"] == {}


def test_what_was_changed_or_took_anothers_place_is_never_merged(memory: Memory) -> None:
    changed = walks(memory)[0]
    fields = {"subject": "Ann", "attribute": "residence", "kind": "fact"}
    old = derive(memory, "Ann lives in Rome.", value="Rome", said_at=later(-80), **fields)
    derive(memory, "Ann lives in Oslo.", value="Oslo", said_at=later(-70), **fields)
    run(memory, "sweep")
    assert memory.get(old).status == "superseded"
    with memory._ledger.write() as connection:
        from sqlalchemy import text

        connection.execute(
            text(
                "INSERT INTO changes (memory, at, what, because, before) "
                "SELECT seq, recorded_at, 'updated', 'by hand', '{}' FROM memories WHERE id = :id"
            ),
            {"id": changed},
        )
    assert run(memory, "merge", 100)["counts"] == {}, "three are too few"


def test_turns_are_not_merged(memory: Memory) -> None:
    say(memory, *(f"I walked up hill number {n}." for n in range(20)))
    assert run(memory, "merge", 100)["counts"] == {}


def test_a_large_topic_becomes_several_summaries_of_about_one_size(memory: Memory) -> None:
    walks(memory, 13)
    assert run(memory, "merge", 100, policy=Policy(merge_at_most=5))["counts"] == {"summaries": 3, "merged": 13}
    assert sorted(len(each.source_ids) for each in summaries(memory)) == [4, 4, 5]


def test_a_second_run_and_a_dry_run_change_nothing(memory: Memory) -> None:
    walks(memory)
    before = everything(memory)
    assert run(memory, "merge", 31, dry_run=True)["counts"] == {"summaries": 1, "merged": 4}
    assert everything(memory) == before
    run(memory, "merge", 31)
    done = everything(memory)
    assert run(memory, "merge", 31)["counts"] == {}
    assert run(memory, "merge", 90)["counts"] == {}
    assert everything(memory) == done


def test_a_merger_can_be_taken_back_and_is_not_made_again(memory: Memory) -> None:
    facts = walks(memory)
    run(memory, "merge", 31)
    [summary] = summaries(memory)
    memory.undo(summary.id)
    assert [memory.get(each).status for each in facts] == ["current"] * 4
    assert memory.get(summary.id).status == "archived"
    assert run(memory, "merge", 31)["counts"] == {}
    memory.flush()
    assert memory.recall("ann", "walked up Etna", kinds=["fact"])[0].id == facts[3]


def test_a_models_summary_takes_the_place_of_the_memories_own_words(memory: Memory) -> None:
    facts = walks(memory)

    def summarize(members: Sequence[Recollection], topic: str, language: str) -> tuple[Sequence[Line], str]:
        assert [each.id for each in members] == facts
        assert (topic, language) == ("Ann, hiking", "en")
        return [Line(text="Ann walked up four mountains.", memories=(facts[0], facts[3]))], "test:big"

    run(memory, "merge", 31, summarize=summarize)
    [summary] = summaries(memory)
    assert summary.text.splitlines()[1:] == [
        f"- {memory.get(facts[3]).said_at:%Y-%m-%d}: Ann walked up four mountains. [1][4]"
    ]


@pytest.mark.parametrize("away", [True, False])
def test_where_the_model_is_away_or_writes_nothing_the_memories_own_words_stand(memory: Memory, away: bool) -> None:
    walks(memory)

    def summarize(*_: object) -> tuple[Sequence[Line], str]:
        if away:
            raise ModelError("test:big does not answer")
        return [Line(text=" ", memories=())], "test:big"

    report = run(memory, "merge", 31, summarize=summarize)
    assert report["counts"] == {"summaries": 1, "merged": 4}
    assert ("does not answer" in report["note"]) is away
    [summary] = summaries(memory)
    assert "Ann walked up Etna for 5 hours." in summary.text


def test_nothing_empty_overwrites_anything(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    walks(memory)
    monkeypatch.setattr("hippograph.memory.upkeep.merging.own_words", lambda *_: [])
    before = everything(memory)
    report = run(memory, "merge", 31)
    assert (report["counts"], report["ids"]) == ({}, [])
    assert "empty" in report["note"]
    assert everything(memory) == before


def test_what_changes_while_its_summary_is_written_stays_as_it_is(memory: Memory) -> None:
    facts = walks(memory)

    def summarize(members: Sequence[Recollection], *_: str) -> tuple[Sequence[Line], str]:
        memory.forget("ann", ids=[facts[0]])
        return [Line(text="Ann walked.", memories=(facts[0],))], "test:big"

    assert run(memory, "merge", 31, summarize=summarize)["counts"] == {}
    assert summaries(memory) == []
    assert [memory.get(each).status for each in facts[1:]] == ["current"] * 3


def test_forgetting_a_detail_takes_the_summary_and_brings_the_others_back(memory: Memory) -> None:
    facts = walks(memory)
    run(memory, "merge", 31)
    memory.forget("ann", ids=[facts[1]])
    assert summaries(memory) == []
    assert [memory.get(each).status for each in (facts[0], facts[2], facts[3])] == ["current"] * 3
    assert all("the Harz" not in each.text for each in everything(memory) if each.kind == "summary")


def test_what_is_forgotten_while_a_summary_is_written_is_not_in_it(memory: Memory) -> None:
    """A member that stays, as it rests on another turn too, is not merged with the quote it had."""
    secret, whole = say(memory, "Ann likes figs and marzipan.", "Ann likes figs, plums and pears.")
    for number in range(4):
        sources = [(whole, "")] if number else [(secret, ""), (whole, "")]
        text = ("Ann likes figs.", "Ann likes plums.", "Ann likes pears.", "Ann likes figs and pears.")[number]
        memory.remember("ann", text, subject="Ann", topic="fruit", sources=sources, said_at=later(number - 90))

    def write(members: Sequence[Recollection], topic: str, language: str) -> tuple[list[Line], str]:
        assert len(memory.forget("ann", ids=[secret], secure=False).revised) == 1
        return [Line(text="Ann likes fruit.", memories=tuple(each.id for each in members))], "written"

    run(memory, "merge", 31, summarize=write)
    assert summaries(memory) == []
    with memory._ledger.read() as connection:
        assert not [each for each in connection.scalars(select(quotes.c.quote)) if "marzipan" in each]
