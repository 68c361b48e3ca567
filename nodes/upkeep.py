"""The steps of upkeep as nodes: state in, changed keys out; what they do to the stores is memory's own."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hippograph.memory.upkeep.steps import BUSY
from hippograph.nodes import prompts
from hippograph.nodes.distil import check
from hippograph.nodes.noting import Terms
from hippograph.state import ModelError, Recollection
from hippograph.state.upkeep import Policy, Step, UpkeepContext, UpkeepState

if TYPE_CHECKING:
    from hippograph.memory import Memory
    from hippograph.memory.upkeep.summing import Line
    from hippograph.memory.upkeep.task import Summarize
    from hippograph.models import ChatModel


@dataclass(frozen=True, slots=True, kw_only=True)
class Keeper:
    """What upkeep works with, opened when a node first asks for it."""

    memory: "Callable[[], Memory]"
    """Returns the one long-term memory of this process and home."""
    big: "Callable[[UpkeepContext], ChatModel | None]"
    """Returns the model that writes summaries; None where none is configured."""


def begin(state: UpkeepState, context: UpkeepContext, keeper: Keeper) -> UpkeepState:
    """Take the right to do upkeep, if no other run has it."""
    lease = keeper.memory().begin_upkeep()
    return UpkeepState(lease=lease or "", note="" if lease else BUSY)


def expire(state: UpkeepState, context: UpkeepContext, keeper: Keeper) -> UpkeepState:
    """Take what has outlived its time out of recall."""
    return _tended("expire", state, context, keeper)


def sweep(state: UpkeepState, context: UpkeepContext, keeper: Keeper) -> UpkeepState:
    """Resolve contradictions that were left over; quarantine junk."""
    return _tended("sweep", state, context, keeper)


def decay(state: UpkeepState, context: UpkeepContext, keeper: Keeper) -> UpkeepState:
    """Lower the importance of what is not used, raise that of what is."""
    return _tended("decay", state, context, keeper)


def clean(state: UpkeepState, context: UpkeepContext, keeper: Keeper) -> UpkeepState:
    """Archive what is of little value."""
    return _tended("clean", state, context, keeper)


def merge(state: UpkeepState, context: UpkeepContext, keeper: Keeper) -> UpkeepState:
    """Merge old memories of one topic into a cited summary, by the big model where one is configured."""
    return _tended("merge", state, context, keeper, summarizer(lambda: keeper.big(context), context.merge_prompt))


def entities(state: UpkeepState, context: UpkeepContext, keeper: Keeper) -> UpkeepState:
    """Distil new memories into the graph of entities."""
    return _tended("entities", state, context, keeper)


def compact(state: UpkeepState, context: UpkeepContext, keeper: Keeper) -> UpkeepState:
    """Make the index hold what the ledger says."""
    return _tended("compact", state, context, keeper)


def finish(state: UpkeepState, context: UpkeepContext, keeper: Keeper) -> UpkeepState:
    """Give the right to do upkeep back."""
    keeper.memory().end_upkeep(state["lease"])
    return UpkeepState(lease="")


def summarizer(opened: "Callable[[], ChatModel | None]", prompt: str = "") -> "Summarize":
    """Return what writes the lines of a summary with a model; no lines where there is none.

    Args:
        opened: Returns the model, when it is first needed.
        prompt: What it is asked, in place of the project's own; {topic} stands for what the memories are about.
    """

    def summarize(members: Sequence[Recollection], topic: str, language: str) -> "tuple[Sequence[Line], str]":
        from hippograph.memory.upkeep.summing import Line
        from hippograph.models import note

        big = opened()
        if big is None:
            return [], ""
        question = (prompt or prompts.load("merge", language)).replace("{topic}", topic or members[0].text)
        terms = Terms()
        try:
            noted = check(big, members, question, big.counter.text, language, terms).bullets
        finally:
            for call in terms.spent:
                note(call)
        if not noted:
            raise ModelError(f"{big.spec} wrote nothing usable")
        return [Line(text=each.text, memories=tuple(source.id for source in each.sources)) for each in noted], big.spec

    return summarize


def _tended(
    step: Step, state: UpkeepState, context: UpkeepContext, keeper: Keeper, summarize: "Summarize | None" = None
) -> UpkeepState:
    """Do a step, unless this run leaves it out."""
    if step not in context.steps:
        return UpkeepState()
    memory = keeper.memory()
    own = {name: getattr(context, name) for name in context.model_fields_set & Policy.model_fields.keys()}
    report = memory.tend(
        state["lease"],
        step,
        context.user_id or None,
        dry_run=context.dry_run,
        now=context.at,
        policy=memory.policy.model_copy(update=own),
        summarize=summarize,
    )
    return UpkeepState(reports=[report])
