"""A turn said anew, as when somebody goes back in a conversation: one version stands, none is lost."""

import pytest

from hippograph.memory import Memory
from hippograph.state import Recollection

Q, A = "stem-q", "stem-a"


def tell(memory: Memory, question: str, answer: str, *, space: str = "ann", thread: str = "t") -> None:
    """Store a turn; its versions are known by the first words of what was said."""
    turns = [
        {"role": "user", "text": question, "id": f"{Q}{question}"},
        {"role": "assistant", "text": answer, "id": f"{A}{answer}"},
    ]
    memory.add_turns(space, thread, turns, versions=[Q, A])  # type: ignore[arg-type]
    assert memory.flush(20)


def current(memory: Memory, space: str = "ann") -> set[str]:
    return {each.text for each in memory.list(space, kinds=["turn"])}


def facts(memory: Memory) -> set[str]:
    return {each.text for each in memory.list("ann") if each.kind != "turn"}


def archived(memory: Memory) -> list[Recollection]:
    return [each for each in memory.list("ann", archived=True) if each.status == "archived"]


def test_the_version_said_last_stands_and_the_others_are_archived_with_the_reason(memory: Memory) -> None:
    for answer in ("Fine.", "Well.", "Fine."):
        tell(memory, "How are you?", answer)
    assert current(memory) == {"How are you?", "Fine."}
    (other,) = archived(memory)
    assert other.text == "Well."
    steps = memory.history(other.id, "ann")
    assert [(each.what, each.because) for each in steps][-1] == ("archived", "the turn was said anew")
    assert [each.what for each in memory.history(f"{A}Fine.", "ann")] == ["stored", "archived", "undone"]


def test_recall_finds_no_version_that_does_not_stand(memory: Memory) -> None:
    tell(memory, "Where do otters sleep?", "Otters sleep in burrows.")
    tell(memory, "Where do otters sleep?", "Otters sleep on the water.")
    texts = {each.text for each in memory.recall("ann", "Where do otters sleep?")}
    assert "Otters sleep on the water." in texts
    assert "Otters sleep in burrows." not in texts


def test_facts_that_only_the_other_version_tells_leave_and_come_back_with_it(memory: Memory) -> None:
    tell(memory, "My dog is called Rex.", "Nice.")
    assert facts(memory) == {"The user's dog is called Rex."}
    tell(memory, "My cat is called Max.", "Nice.")
    assert facts(memory) == {"The user's cat is called Max."}
    tell(memory, "My dog is called Rex.", "Nice.")
    assert facts(memory) == {"The user's dog is called Rex."}


def test_what_a_fact_had_taken_the_place_of_is_so_again(memory: Memory) -> None:
    memory.add_turns("ann", "earlier", [{"role": "user", "text": "I live in Oslo."}])
    assert memory.flush(20)
    tell(memory, "I live in Bergen.", "Nice.")
    assert facts(memory) == {"The user lives in Bergen."}
    tell(memory, "I was in Bergen once.", "Nice.")
    assert "The user lives in Oslo." in facts(memory)
    tell(memory, "I live in Bergen.", "Nice.")
    assert facts(memory) == {"The user lives in Bergen."}


def test_a_fact_that_another_turn_tells_too_stays(memory: Memory) -> None:
    memory.add_turns("ann", "earlier", [{"role": "user", "text": "My dog is called Rex."}])
    assert memory.flush(20)
    tell(memory, "My dog is called Rex.", "Nice.")
    tell(memory, "我的猫叫小白。", "真好。")
    assert "The user's dog is called Rex." in facts(memory)


def test_other_threads_and_other_people_keep_their_versions(memory: Memory) -> None:
    tell(memory, "我住在北京。", "好的。")
    tell(memory, "我住在上海。", "好的。", thread="u")
    tell(memory, "我住在成都。", "好的。", space="bob")
    assert {"我住在北京。", "我住在上海。"} <= current(memory)
    assert current(memory, "bob") == {"我住在成都。", "好的。"}


def test_forgetting_the_conversation_takes_every_version(memory: Memory) -> None:
    tell(memory, "How are you?", "Fine.")
    tell(memory, "How are you?", "Well.")
    memory.forget("ann", thread="t")
    assert memory.list("ann", archived=True) == []
    with pytest.raises(Exception, match="no memory"):
        memory.get(f"{A}Fine.", "ann")
