"""Hands what a turn cost to memory's account when it ends, with an answer or without."""

import logging
from collections.abc import Mapping
from datetime import UTC, datetime

from hippograph.memory.costs.round import Round
from hippograph.models import Prices
from hippograph.nodes import Resources, Run, Update
from hippograph.nodes.turns import asked, question, split, thread_of, turn_ids
from hippograph.state import HippographError
from hippograph.state.conversation import State
from hippograph.state.turn import Call, Stage

LAST = "write_back"
"""The node after which a turn has ended."""

log = logging.getLogger(__name__)


def staged(ms: float, update: Update, resources: Resources) -> Stage:
    """Return what a node cost that took `ms` milliseconds."""
    calls = update.get("spent", [])
    sent = [call for call in calls if not call["cached"]]
    read, written = sum(call["input"] for call in sent), sum(call["output"] for call in sent)
    block = update["block"]["tokens"] if "block" in update else 0
    money = _money(sent, resources) if sent else 0.0
    return Stage(ms=ms, tokens=read + written or block, input=read, output=written, money=money, calls=calls)


def _money(sent: list[Call], resources: Resources) -> float | None:
    try:
        memory = resources.there()  # a turn that asks nothing of memory opens none
        prices = memory.price_list if memory else Prices()
    except HippographError:
        prices = Prices()
    money = [prices.money(call["model"], call["input"], call["output"]) for call in sent]
    return None if None in money else sum(each or 0 for each in money) / 1e6


def record(
    state: State, run: Run, update: Update, stages: Mapping[str, Stage], resources: Resources, *, failed: bool = False
) -> None:
    """Note what a turn cost; where that cannot be noted, the turn is what it is."""
    try:
        if memory := resources.there():
            memory.spent(_round(state, run, update, stages, failed=failed))
    except Exception as error:  # whatever it is: the turn has its answer
        log.warning("What a turn cost is not recorded: %s", error)


def _round(state: State, run: Run, update: Update, stages: Mapping[str, Stage], *, failed: bool) -> Round:
    messages = state["messages"]
    thread = thread_of(run.thread, messages)
    human = asked([each for each in split(messages)[-1] if each.type == "human"])
    skipped = update.get("degraded")
    return Round(
        space=run.context.user_id,
        thread=thread,
        turn=turn_ids(thread, human[-1:])[0] if human else "",
        at=datetime.now(UTC),
        question=question(messages),
        stages=stages,
        block=state.get("block"),
        evidence=state.get("memories", []),
        degraded=bool(state.get("degraded") or skipped),
        failed=failed,
        remembered=run.context.remember and "block" not in update,  # else something it rests on was forgotten
    )
