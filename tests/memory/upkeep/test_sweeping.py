import pytest
from tended import derive, everything, history, later, run, say

from hippograph.memory import Memory


def lives(memory: Memory, place: str, days: float, **fields: object) -> str:
    return derive(
        memory,
        f"Ann lives in {place}.",
        **{"subject": "Ann", "attribute": "residence", "value": place, "said_at": later(days), **fields},
    )


def test_of_two_values_where_one_can_be_true_the_later_said_stands(memory: Memory) -> None:
    new = lives(memory, "Munich", -10)
    old = lives(memory, "Berlin", -300)
    report = run(memory, "sweep")
    assert (report["counts"], report["ids"]) == ({"superseded": 1}, [old])
    superseded = memory.get(old)
    assert (superseded.status, superseded.superseded_by) == ("superseded", new)
    assert superseded.valid_until == memory.get(new).valid_from
    assert memory.get(new).status == "current"
    assert [what for what, _ in history(memory, old)] == ["superseded"]


def test_a_line_of_changes_is_kept_step_by_step(memory: Memory) -> None:
    first, second, third = (lives(memory, each, days) for each, days in (("Rome", -9), ("Oslo", -6), ("Bern", -3)))
    run(memory, "sweep")
    assert [memory.get(each).superseded_by for each in (first, second, third)] == [second, third, None]


def test_chinese_facts_are_compared_as_well(memory: Memory) -> None:
    fields = {"subject": "老唐", "attribute": "residence"}
    old = derive(memory, "老唐住在杭州。", value="杭州", said_at=later(-90), **fields)
    new = derive(memory, "老唐住在昆明。", value="昆明", said_at=later(-2), **fields)
    assert run(memory, "sweep")["ids"] == [old]
    assert memory.get(new).status == "current"


@pytest.mark.parametrize(
    "other",
    [
        {"subject": "Bob"},
        {"attribute": "plan"},
        {"value": "berlin"},
        {"kind": "event"},
        {"space": "bob"},
    ],
    ids=["another subject", "an attribute of many values", "the same value", "an event", "another user"],
)
def test_what_does_not_contradict_stays(memory: Memory, other: dict[str, str]) -> None:
    lives(memory, "Berlin", -300)
    lives(memory, "Munich", -10, **{**({"attribute": "plan"} if "attribute" in other else {}), **other})
    if "attribute" in other:
        lives(memory, "Paris", -5, attribute="plan")
    assert "superseded" not in run(memory, "sweep")["counts"]


def test_what_is_pinned_is_never_superseded(memory: Memory) -> None:
    lives(memory, "Berlin", -300, pinned=True)
    lives(memory, "Munich", -10)
    assert run(memory, "sweep")["counts"] == {}


@pytest.mark.parametrize(
    ("text", "because"),
    [
        ("荔枝", "single word"),
        ("Lychee!", "single word"),
        ("[1] (2025-01-02, user) I like tea.", "repeats a prompt"),
        ('{"facts": []}', "repeats a prompt"),
        ("No facts found.", "repeats a prompt"),
        ("Here are the facts I found in the text", "repeats a prompt"),
        ("没有新的事实。", "repeats a prompt"),
    ],
)
def test_junk_is_quarantined_with_the_reason(memory: Memory, text: str, because: str) -> None:
    turn = say(memory, "We talked about fruit.")[0]
    junk = derive(memory, text, turn)
    assert run(memory, "sweep")["counts"] == {"junk": 1}
    assert memory.get(junk).status == "quarantined"
    [(what, why)] = history(memory, junk)
    assert what == "quarantined"
    assert because in why
    assert memory.get(turn).status == "current"


def test_what_was_derived_and_rests_on_nothing_is_junk(memory: Memory) -> None:
    made_up = memory.remember("ann", "Ann owns three yachts.", model="rules")
    given = memory.remember("ann", "Ann owns a boat.")
    assert run(memory, "sweep")["ids"] == [made_up]
    assert memory.get(given).status == "current"


@pytest.mark.parametrize(
    "text", ["Ann designed the JSON schema.", "Ann 喜欢喝茶。", "Bob knows no one in Oslo.", "我爱你"]
)
def test_sound_facts_are_no_junk(memory: Memory, text: str) -> None:
    derive(memory, text)
    assert run(memory, "sweep")["counts"] == {}


def test_turns_and_what_was_given_directly_are_never_junk(memory: Memory) -> None:
    say(memory, "荔枝", "[1] (2025-01-02, user) I like tea.")
    memory.remember("ann", "荔枝")
    assert run(memory, "sweep")["counts"] == {}


def test_a_double_leaves_and_its_sources_go_to_the_one_that_stays(memory: Memory) -> None:
    first, second = say(memory, "I like tea.", "Did I say that I like tea?")
    kept = derive(memory, "Ann likes tea.", first, subject="Ann")
    double = derive(memory, "ann likes  TEA", second, subject="Ann")
    assert run(memory, "sweep")["counts"] == {"doubles": 1}
    assert memory.get(kept).source_ids == [first, second]
    assert (memory.get(double).status, memory.get(double).superseded_by) == ("quarantined", kept)


def test_a_second_run_and_a_dry_run_change_nothing(memory: Memory) -> None:
    for place, days in (("Rome", -9), ("Oslo", -6)):
        lives(memory, place, days)
    turn = say(memory, "I like tea.")[0]
    derive(memory, "tea", turn)
    for _ in range(2):
        derive(memory, "Ann likes tea.", turn)
    before = everything(memory)
    assert run(memory, "sweep", dry_run=True)["counts"] == {"superseded": 1, "junk": 1, "doubles": 1}
    assert everything(memory) == before
    run(memory, "sweep")
    done = everything(memory)
    assert run(memory, "sweep")["counts"] == {}
    assert everything(memory) == done


def test_what_happened_on_several_days_is_no_double(memory: Memory) -> None:
    days = -15, -8, -1
    went = [
        derive(memory, "I went to the dentist today.", kind="event", said_at=later(each), valid_from=later(each))
        for each in days
    ]
    again = derive(memory, "I went to the dentist today.", kind="event", said_at=later(-8), valid_from=later(-8))
    assert run(memory, "sweep")["ids"] == [again]
    assert memory.get(again).superseded_by == went[1]
    assert {memory.get(each).status for each in went} == {"current"}


def test_the_same_words_of_another_attribute_are_no_double(memory: Memory) -> None:
    for attribute in ("colleague", "sister"):
        derive(memory, "Lee is kind.", subject="Ann", attribute=attribute, value="Lee")
    assert run(memory, "sweep")["counts"] == {}


def test_junk_and_doubles_that_were_put_back_stay(memory: Memory) -> None:
    derive(memory, "Ann owns a canoe.")
    taken = [derive(memory, "Ann owns a canoe."), derive(memory, "Lychee!")]
    assert sorted(run(memory, "sweep")["ids"]) == sorted(taken)
    for each in taken:
        memory.undo(each)
    assert run(memory, "sweep")["counts"] == {}
    assert [memory.get(each).status for each in taken] == ["current", "current"]
