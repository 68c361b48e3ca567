"""A person looks at doubtful memories before they are injected: approve, edit, reject."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from hippograph.nodes.doubts import doubts
from hippograph.nodes.run import Ask, Resources, Run, Update
from hippograph.nodes.turns import question
from hippograph.state import BadInput, Context, Doubtful, HippographError, Recollection, Review, space_hash
from hippograph.state.conversation import State
from hippograph.state.turn import Cut

if TYPE_CHECKING:
    from hippograph.memory import Memory

REJECTED = "rejected in review"


def is_due(state: State, context: Context) -> bool:
    """Tell whether a person is to be asked about any of the turn's memories."""
    return context.review and bool(_reasons(state))


def review(state: State, run: Run, resources: Resources) -> Update:
    """Ask about each doubtful memory, in order, and do what was said; without anybody to ask, they are left out.

    All is asked before anything is done: after each answer the node begins anew, with the answers so far.

    Raises:
        BadInput: The turn is another user's: it was resumed with another context.
    """
    if state.get("owner", "") != space_hash(run.context.user_id):
        raise BadInput("This turn is another user's: resume it with the context it began with (user_id, review).")
    reasons = _reasons(state)
    memories = [Recollection.from_record(each) for each in state.get("memories", [])]
    if not reasons:
        return Update()
    if run.ask is None:
        kept = [each for each in memories if each.id not in reasons]
        left = f"review: nobody can be asked without a checkpointer; doubtful memories left out: {len(reasons)}"
        return _update(state, memories, kept, [left])
    said = _asked(run.ask, [each for each in memories if each.id in reasons], reasons, question(state["messages"]))
    kept, degraded = _done(resources.memory(), run.context.user_id, memories, said)
    return _update(state, memories, kept, degraded)


def _reasons(state: State) -> dict[str, list[str]]:
    memories = [Recollection.from_record(each) for each in state.get("memories", [])]
    return doubts(memories, question(state["messages"]))


def _asked(ask: Ask, memories: list[Recollection], reasons: Mapping[str, list[str]], asked: str) -> dict[str, Review]:
    """Ask about memories one by one, until one answer is meant for the rest."""
    said = dict[str, Review]()
    for number, each in enumerate(memories, start=1):
        answer = ask(
            Doubtful(
                id=each.id,
                text=each.text,
                kind=each.kind,
                said_at=each.said_at.isoformat(),
                score=round(each.score, 3),
                reasons=reasons[each.id],
                question=asked,
                number=number,
                of=len(memories),
            )
        )
        said[each.id] = answer
        if answer.rest:
            return said | {other.id: answer for other in memories[number:]}
    return said


def _done(
    memory: "Memory", space: str, memories: list[Recollection], said: Mapping[str, Review]
) -> tuple[list[Recollection], list[str]]:
    """Do what was said; return the memories to inject, and what could not be done."""
    kept: list[Recollection] = []
    degraded: list[str] = []
    for each in memories:
        answer = said.get(each.id)
        try:
            now = each if answer is None else _decided(memory, space, each, answer)
        except HippographError as error:  # such as forgotten meanwhile
            degraded.append(f"review: {error}")
            continue
        if now is not None:
            kept.append(now)
    return kept, degraded


def _decided(memory: "Memory", space: str, each: Recollection, answer: Review) -> Recollection | None:
    """Do what was said of one memory, which may be done again; return it as it is to be injected."""
    if answer.action == "edit":
        return _edited(memory, space, each, answer.text.strip())
    if answer.action == "reject":
        if answer.scope == "always" and memory.get(each.id, space).status == "current":
            memory.reject(each.id, space)
        return None
    now = memory.get(each.id, space)
    if now.status != each.status or (each.passage is None and now.text != each.text):
        raise BadInput(f"{each.id} was changed while you were asked about it, and is left out: ask again.")
    if answer.scope == "always" and each.confidence < 1 and each.kind != "turn":
        memory.update(each.id, space, confidence=1.0)
    return each


def _edited(memory: "Memory", space: str, each: Recollection, text: str) -> Recollection:
    """Change a memory; what was said stays as it was said: another memory tells what is so, with the turn as source."""
    if each.kind != "turn":
        memory.update(each.id, space, text=text)
        return replace(each, text=text, passage=None)
    corrected = memory.remember(space, text, sources=[(each.id, "")])
    now = memory.get(corrected, space)
    return replace(now, score=each.score, why=each.why)


def _update(state: State, before: list[Recollection], kept: list[Recollection], degraded: list[str]) -> Update:
    ids = {each.id for each in kept}
    cut = [Cut(id=each.id, reason=REJECTED, score=round(each.score, 4)) for each in before if each.id not in ids]
    return Update(memories=[each.to_record() for each in kept], cut=[*cut, *state.get("cut", [])], degraded=degraded)
