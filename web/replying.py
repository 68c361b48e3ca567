"""A chat completion as a turn with memory: which conversation it is, what is new in it, what is recalled and kept."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from threading import Event
from typing import Any

from hippograph.graph import Agent, Turned
from hippograph.memory import Memory
from hippograph.nodes.grounds import uncited
from hippograph.nodes.turns import turn_ids, versions, words_of
from hippograph.nodes.write_back import said
from hippograph.state import BadInput, ModelUnavailable
from hippograph.web.completions import WITHOUT, Request
from hippograph.web.errands import is_errand
from hippograph.web.histories import AGAIN, History, Threads, history, latest, occasions, without
from hippograph.web.shapes import Finish, usage
from hippograph.web.stops import Stops

MOST_EARLIER = 200
"""Earlier messages that a turn looks at, the last ones: summing up more of them with each request takes long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What a request came to."""

    text: str
    finish: Finish
    usage: dict[str, Any]
    ours: dict[str, Any]
    """What only this server tells: whose memory, which thread, what was recalled, what was skipped."""


class Replying:
    """Answers requests with one agent."""

    def __init__(self, agent: Agent) -> None:
        self.agent = agent
        self._threads = Threads()

    def reply(
        self,
        request: Request,
        space: str,
        thread: str | None = None,
        on_text: Callable[[str], None] = lambda text: None,
        stop: Event | None = None,
    ) -> Reply:
        """Take the turn that a request ends with.

        Args:
            request: The request.
            space: Whose memories are read and written.
            thread: The conversation's name, where the client tells it.
            on_text: Called with each piece of the answer.
            stop: Ends the answer early when set; what was said until then is kept.

        Raises:
            HippographError: As `Agent.ask`; ModelUnavailable if `stop` was set before it began: nobody waits for an
                answer any more, and what was said is kept.
        """
        thread, told = self._conversation(request, space, thread)
        quiet = request.model == WITHOUT or is_errand(request.system, str(told.asked[-1].text))
        remember = request.hippograph.remember and request.store is not False and not quiet
        if stop and stop.is_set():
            if remember:
                turns = said(told.asked, thread)
                kept = [versions(turn["id"]) for turn in turns]
                self.agent.memory.add_turns(space, thread, turns, versions=kept)
            raise ModelUnavailable(
                "The server ends, or its client has left: there is no answer; what was said is kept."
            )
        shown = _Shown(request.stops, on_text, stop or Event())
        turned = self.agent.ask(
            told.asked[-1],
            user=space,
            thread=thread,
            history=[*told.earlier, *told.asked[:-1]],
            recall="never" if quiet else request.hippograph.recall,
            remember=remember,
            on_token=shown.token,
            stop=shown.stop,
            context=request.settings(),
        )
        text = shown.end(turned.answer)
        self._threads.answered(space, told, text, thread)
        return Reply(
            text=text,
            finish="length" if turned.truncated and not shown.stops.met else "stop",
            usage=usage(turned.stages),
            ours=_ours(turned, request, space, thread, remembered=remember),
        )

    def _conversation(self, request: Request, space: str, named: str | None) -> tuple[str, History]:
        """Return a request's thread and its conversation, without what was forgotten of it."""
        told = history(request.messages)
        if told.opening:
            return self._opening(request, space, named)
        thread = named or self._threads.known(space, told)
        left = without(told, self._forgotten(space, thread, told))
        return thread or self._threads.of(space, left), latest(left, MOST_EARLIER)

    def _forgotten(self, space: str, thread: str | None, told: History) -> set[str]:
        """Return the ids of a conversation's messages that were forgotten, whatever id they were stored with.

        A history may be cut at its beginning, and another may have begun alike. So they are known by their words too,
        but for those that the thread, if that is known, still has: they were said again, or forgotten elsewhere.
        """
        memory, before = self.agent.memory, [*told.earlier, *told.asked[:-1]]
        ids = [str(each.id) for each in before]
        stored = dict(zip(turn_ids(thread or self._threads.of(space, told), before), ids, strict=True))
        gone = {stored[each] for each in memory.forgotten(space, stored)}
        words = {id_: uncited(words_of(each)) for id_, each in zip(ids, before, strict=True)}
        if (again := memory.coming_back(space, words) - gone) and thread:
            kept = memory.list(space, thread=thread, kinds=["turn"], limit=None, archived=True)
            again = {each for each in again if words[each] not in {uncited(turn.text) for turn in kept}}
        return gone | again

    def _opening(self, request: Request, space: str, named: str | None) -> tuple[str, History]:
        """Return what opens a conversation as the same one where it comes again at once, else as another."""
        now = datetime.now(UTC)
        marked = [history(request.messages, mark) for mark in occasions(now)]
        threads = [named or self._threads.of(space, each) for each in marked]
        first, before, present = zip(threads, marked, strict=True)
        ages = [_age(self.agent.memory, space, *each, now) for each in (first, before)]
        thread, told = first
        if ages[0] is not None and ages[0] >= AGAIN:
            thread, told = before if ages[1] is not None and ages[1] < AGAIN else present
        unanswered = dict(zip(turn_ids(thread, told.asked[:-1]), (str(each.id) for each in told.asked), strict=False))
        return thread, without(told, {unanswered[each] for each in self.agent.memory.forgotten(space, unanswered)})


class _Shown:
    """What of an answer was shown so far."""

    def __init__(self, stops: list[str], on_text: Callable[[str], None], stop: Event) -> None:
        self.stops = Stops(stops)
        self.stop = stop
        self._on_text = on_text
        self._said = ""

    def token(self, piece: str) -> None:
        self._show(self.stops.feed(piece))
        if self.stops.met:
            self.stop.set()

    def end(self, answer: str) -> str:
        """Return all that was shown, once what was held back is; of an answer that did not stream, all of it."""
        if not self._said and not self.stops.met:
            self.stops.rest()
            self.token(answer)
        self._show(self.stops.rest())
        return self._said.strip()

    def _show(self, text: str) -> None:
        if text:
            self._said += text
            self._on_text(text)


def _age(memory: Memory, space: str, thread: str, told: History, now: datetime) -> timedelta | None:
    """Return how long ago a conversation was opened so; None if it never was."""
    (id,) = turn_ids(thread, told.asked[-1:])  # noqa: A001
    with suppress(BadInput):
        return now - memory.get(id, space).said_at
    return timedelta.max if memory.forgotten(space, [id]) else None  # forgotten, it would not be stored again


def _ours(turned: Turned, request: Request, space: str, thread: str, *, remembered: bool) -> dict[str, Any]:
    found = {memory.id: memory for memory in turned.memories}
    cited = [found[each] for each in turned.block["cited"] if each in found]
    return {
        "user": space,
        "thread": thread,
        "remembered": remembered,
        "memories": [
            {"id": each.id, "text": each.excerpt, "said_at": each.said_at.isoformat(), "score": round(each.score, 3)}
            for each in cited
        ],
        "confidence": turned.confidence,
        "stages": {name: {"ms": stage["ms"], "tokens": stage["tokens"]} for name, stage in turned.stages.items()},
        "degraded": turned.degraded,
        "ignored": request.ignored,
    }
