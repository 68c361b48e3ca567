"""One open agent for the command and for applications: memory, checkpoints and graph under one roof."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Event
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from langchain_core.messages import BaseMessage, HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.types import Command

from hippograph.graph.agent import Graph, build_graph
from hippograph.graph.caller import checked
from hippograph.graph.checkpoints import FILE, shared_checkpoints
from hippograph.graph.opened import Models
from hippograph.graph.steps import stoppable
from hippograph.models.breaker import Breakers, Standing
from hippograph.nodes.guarding import order
from hippograph.nodes.turns import INTERRUPTED, citations, words_of
from hippograph.nodes.upkeep import summarizer
from hippograph.state import BadInput, Context, Doubtful, Recollection, Review, Settings, space_hash, thread_key
from hippograph.state.turn import Block, Confidence, Cut, Stage, Structured, Topic, Trigger

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

    from hippograph.memory import Memory
    from hippograph.models import ChatModel

INTERRUPT = "__interrupt__"
"""Key under which LangGraph gives the questions that a run ended with."""
ENDINGS = ("finish_reason", "done_reason", "stop_reason")
"""Keys in an answer's `response_metadata` under which providers say why it ended."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turned:
    """What one turn came to."""

    answer: str
    memories: list[Recollection]
    """What survived reranking, best first."""
    cut: list[Cut]
    """The best of what did not, with the reason."""
    trigger: Trigger
    block: Block
    confidence: Confidence
    structured: Structured | None
    stages: dict[str, Stage]
    degraded: list[str]
    topics: list[Topic]
    """What the thread is about by now, the latest first."""
    interrupted: bool
    """Whether the answer was stopped before its end."""
    truncated: bool = False
    """Whether the answer ended because it had no more tokens."""


class Agent:
    """An open home to talk to."""

    def __init__(self, graph: Graph, memory: "Memory", settings: Settings, breakers: Breakers) -> None:
        """Use `open_agent`."""
        self._breakers = breakers
        self._threadless = graph.copy({"checkpointer": None})
        self.graph = graph
        self.memory = memory
        self.settings = settings

    def topics(self, user: str, thread: str) -> list[Topic]:
        """Return what a user's thread is about, the latest first; nothing for a thread that is not there."""
        config = RunnableConfig(configurable={"thread_id": thread_key(user, thread)})
        found: list[Topic] = self.graph.get_state(config).values.get("topics", [])
        return found

    def standings(self) -> dict[str, Standing]:
        """Return how the models stand that distil, those that were called so far; some may be left alone for now."""
        return self._breakers.standings()

    def ask(
        self,
        text: str | HumanMessage,
        *,
        user: str = "me",
        thread: str = "main",
        history: Sequence[BaseMessage] | None = None,
        recall: str = "auto",
        remember: bool = True,
        on_token: Callable[[str], None] | None = None,
        on_stage: Callable[[str, Stage], None] | None = None,
        stop: Event | None = None,
        on_review: Callable[[Doubtful], Review] | None = None,
        context: Mapping[str, Any] | None = None,
    ) -> Turned:
        """Take one turn.

        Args:
            text: What the user says; as a message it may have an id, under which retries store it once, and a name.
            user: Whose memories are read and written.
            thread: The user's conversation to go on with; two users' threads of one name are two threads.
            history: What was said before, where the caller keeps that: short-term memory is then neither read nor
                written, and nobody can be asked about doubtful memories.
            recall: "auto", "always" or "never".
            remember: Whether the turn is stored in long-term memory.
            on_token: Called with each piece of the answer as it comes, and no more once `stop` is set: all that it
                was called with is in the answer.
            on_stage: Called with each node's name and cost when it is done.
            stop: Ends the answer early when set; what was said until then is kept.
            on_review: Asked about each doubtful memory before it is injected; without it nobody is.
            context: More of `Context`'s fields.

        Raises:
            BadInput: No text, or settings that are not valid.
            HippographError: Anything else that went wrong, in one line.
        """
        run = checked(
            {**(context or {}), "user_id": user, "recall": recall, "remember": remember}
            | ({"review": True} if on_review else {})
        )
        if run.review and on_review is None:
            raise BadInput("review needs somebody to ask: give `on_review`, which is called with each doubtful memory.")
        named = {"thread": thread} if history is not None else {"thread_id": thread_key(user, thread), "thread": thread}
        config = RunnableConfig(configurable=named, metadata={"space": space_hash(user)})
        shown = list[str]()

        def show(piece: str) -> None:
            if on_token and not (stop and stop.is_set()):
                shown.append(piece)
                on_token(piece)

        message = text if isinstance(text, HumanMessage) else HumanMessage(text, id=str(uuid4()))
        given: Any = {"messages": [*(history or ()), message]}
        with stoppable(stop):
            final = self._run(given, config, run, show, on_stage)
            while on_review and (questions := final.get(INTERRUPT)):
                answer = on_review(questions[0].value)
                final = self._run(Command(resume=answer.model_dump()), config, run, show, on_stage)
        if (marks := citations(final["messages"][-1])) and marks[-1] not in "".join(shown):
            show(f" {''.join(marks)}")
        return turned(final)

    def _run(
        self,
        given: Any,  # noqa: ANN401 - the graph's input, or a command
        config: RunnableConfig,
        run: Context,
        on_token: Callable[[str], None],
        on_stage: Callable[[str, Stage], None] | None,
    ) -> dict[str, Any]:
        """Run the graph until it ends or asks; return the state it leaves, with its questions."""
        final = dict[str, Any]()
        graph = self.graph if "thread_id" in config["configurable"] else self._threadless
        parts: Any = graph.stream(given, config, context=run, stream_mode=["messages", "custom", "values"])
        for mode, part in parts:
            if mode == "values":
                final = {**final, **part} if INTERRUPT in part else part
            elif mode == "custom":
                _report(part, on_stage)
            elif piece := answer_piece(*part):
                on_token(piece)
        return final


@contextmanager
def open_agent(
    settings: Settings,
    *,
    small: "str | BaseChatModel | ChatModel | None" = None,
    big: "str | BaseChatModel | ChatModel | None" = None,
    backup: "str | BaseChatModel | ChatModel | None" = None,
    memory: "Memory | None" = None,
) -> Iterator[Agent]:
    """Open a home and yield the agent that talks to it; closed at the end of the context.

    Args:
        settings: Where it is, and which models are asked for.
        small: The model that answers, in place of the settings'.
        big: The model that distils, in place of the settings'.
        backup: The model that distils where the big one fails, in place of the settings'.
        memory: An open memory to use, which stays the caller's to close.

    Raises:
        HomeInUse: Another process has the home.
        HomeUnusable, EmbedderChanged, ModelError: As `Memory.open`.
    """
    from hippograph.memory import Memory

    owned = None if memory else Memory.open(settings.home, settings=settings)
    used = memory or owned
    assert used is not None
    if owned:
        owned.summarize = summarizer(lambda: Models(settings=settings, big_given=big).big(Context()))
        owned.suspect(order)
    try:
        with shared_checkpoints(used.home / FILE) as saver:
            breakers = Breakers()
            graph = build_graph(
                memory=used,
                small=small,
                big=big,
                backup=backup,
                checkpointer=saver,
                settings=settings,
                breakers=breakers,
            )
            yield Agent(graph, used, settings, breakers)
    finally:
        if owned:
            owned.close()


def _report(event: object, on_stage: Callable[[str, Stage], None] | None) -> None:
    if on_stage and isinstance(event, dict) and "stage" in event:
        stage: Any = {key: event[key] for key in Stage.__annotations__}
        on_stage(event["stage"], stage)


def answer_piece(message: Any, metadata: Mapping[str, Any]) -> str:  # noqa: ANN401 - any message type
    """Return the text of a streamed message, if it is part of the answer."""
    return str(message.text) if metadata.get("langgraph_node") == "respond" else ""


def turned(final: Mapping[str, Any]) -> Turned:
    """Return what a turn came to, from the state it left."""
    answer = final["messages"][-1]
    return Turned(
        answer=words_of(answer),
        memories=[Recollection.from_record(record) for record in final["memories"]],
        cut=final["cut"],
        trigger=final["trigger"],
        block=final["block"],
        confidence=final["confidence"],
        structured=final["structured"],
        stages=final["stages"],
        degraded=final["degraded"],
        topics=final.get("topics", []),
        interrupted=bool(answer.response_metadata.get(INTERRUPTED)),
        truncated=any(answer.response_metadata.get(name) in ("length", "max_tokens") for name in ENDINGS),
    )
