from collections.abc import Callable
from typing import Any

import pytest
from scripted import Scripted, chat

from hippograph.models import Breaker, Breakers, ChatModel, estimate
from hippograph.nodes import Resources
from hippograph.nodes.distil import distil
from hippograph.nodes.ladder import Patience, climb
from hippograph.nodes.noting import Terms
from hippograph.nodes.run import Run, Rung
from hippograph.state import Context, ModelError, NothingNoted, Recollection

Make = Callable[..., Recollection]
NOTHING: dict[str, Any] = {"bullets": []}
UNCITED: dict[str, Any] = {"bullets": [{"text": "It sings.", "sources": []}]}


def ask(memory: Recollection, reply: object, language: str = "en") -> object:
    big = chat(Scripted(structured=lambda prompt: reply))
    return distil(big, [memory], "Who sings?", 300, estimate, language, Terms())


@pytest.mark.parametrize("language", ["zh", "en"])
def test_an_empty_list_of_notes_is_an_answer(found: Make, language: str) -> None:
    with pytest.raises(NothingNoted, match="found nothing worth noting in 1 memories"):
        ask(found("The cello is old. 大提琴很旧。"), NOTHING, language)


def test_notes_without_a_source_are_a_failure(found: Make) -> None:
    with pytest.raises(ModelError, match="noted nothing usable") as raised:
        ask(found("The cello is old."), UNCITED)
    assert not isinstance(raised.value, NothingNoted)


def test_a_model_that_notes_nothing_is_not_left_alone() -> None:
    breaker = Breaker("given:scripted")
    for _ in range(9):
        with pytest.raises(NothingNoted), breaker.guard():
            raise NothingNoted("given:scripted found nothing worth noting")
    assert (breaker.standing.state, breaker.standing.failures) == ("closed", 0)


def climbed(found: Make, reply: object) -> tuple[list[str], Any]:
    """Return which of three models were asked, whose first one gives a reply, and what came of it."""
    asked: list[str] = []
    memory = found("The cello is old.")
    big, backup = (Rung(role=role, spec=role, open=lambda: chat(Scripted())) for role in ("big", "backup"))

    def use(model: ChatModel, patience: Patience) -> object:
        asked.append(patience.role)
        return ask(memory, reply)

    resources = Resources(
        memory=lambda: None,
        small=lambda context: chat(Scripted()),
        big=lambda context: None,
        ladder=lambda context: [big, backup],
        breakers=Breakers(),
    )
    return asked, climb(Run(context=Context()), resources, use)


def test_the_next_model_is_not_asked_what_one_found_nothing_about(found: Make) -> None:
    asked, came = climbed(found, NOTHING)
    assert (asked, came.got) == (["big"], None)
    assert "big: given:scripted found nothing worth noting" in came.failures[0]


def test_the_next_model_is_asked_where_one_failed(found: Make) -> None:
    asked, _ = climbed(found, UNCITED)
    assert asked == ["big", "backup"]
