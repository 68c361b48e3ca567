"""The graph's recall for a model that somebody else calls: the same trigger, search, ranking, guards, block and prompt.

The nodes are the graph's own; what is here is only their order, for where no graph runs.
"""

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import BaseMessage, HumanMessage
from langchain_core.outputs import ChatResult
from langgraph.types import Overwrite

from hippograph import nodes
from hippograph.graph.opened import Models
from hippograph.nodes import Run, Update
from hippograph.nodes.material import injected, material, room
from hippograph.nodes.prompt import assemble
from hippograph.nodes.review import is_due
from hippograph.state import Context, ModelError, Recollection, Settings
from hippograph.state.conversation import State, join_messages, merge_stages
from hippograph.state.turn import Block, Cut, Trigger

if TYPE_CHECKING:
    from hippograph.memory import Memory
    from hippograph.models import ChatModel

STAGE = "inject"
"""Under which what models cost here stands in memory's account."""
STEPS = ("retrieve", "rerank", "review", "summarize")
"""What a turn goes through until its block is written, once the trigger has fired."""
NODES = {name: getattr(nodes, name) for name in ("check_trigger", *STEPS)}
_REDUCERS: Mapping[str, tuple[Callable[[Any, Any], Any], Callable[[], Any]]] = {
    "messages": (join_messages, list),
    "degraded": (operator.add, list),
    "stages": (merge_stages, dict),
}

Take = Callable[[str, State], Mapping[str, Any]]
"""Runs a node by its name on a state; returns the keys it changes."""


def through(turn: State, run: Run, take: Take) -> State:
    """Return a turn once it has gone through the graph's nodes up to its block; what is stopping goes no further."""
    turn = applied(turn, take("check_trigger", turn))
    for name in STEPS if turn["trigger"]["fire"] else ():
        if not run.stopping() and (name != "review" or is_due(turn, run.context)):
            turn = applied(turn, take(name, turn))
    return turn


def applied(state: State, update: Mapping[str, Any]) -> State:
    """Return a state with a node's update, as the graph's reducers would have it."""
    changed = dict[str, Any]()
    for key, new in update.items():
        reducer, empty = _REDUCERS.get(key, (None, None))
        if isinstance(new, Overwrite):
            changed[key] = new.value
        else:
            changed[key] = new if reducer is None or empty is None else reducer(state.get(key, empty()), new)
    changed.pop("spent", None)
    return cast(State, {**state, **changed})


@dataclass(frozen=True, slots=True, kw_only=True)
class Injected:
    """A prompt, and where its memories come from."""

    messages: list[BaseMessage]
    """What the model is to be sent."""
    tokens: int
    """Of the prompt, without what the turn's tools gave."""
    trigger: Trigger
    block: Block
    """The memories as they stand in the prompt."""
    memories: list[Recollection]
    """What survived reranking, best first."""
    cut: list[Cut]
    degraded: list[str]
    """What was skipped or replaced, and why."""


class Elsewhere(BaseChatModel):
    """Stands for the model that somebody else calls: nothing is asked of it here, and its tokens are estimated."""

    @property
    def _llm_type(self) -> str:
        return "elsewhere"

    def _generate(self, messages: list[BaseMessage], *_: object, **__: object) -> ChatResult:
        raise NotImplementedError("This stands for a model that is called elsewhere.")


class Injection:
    """Recalls for whoever calls the model himself. Safe to use from several threads."""

    def __init__(
        self,
        *,
        memory: "Memory | None" = None,
        small: "str | BaseChatModel | ChatModel | None" = None,
        big: "str | BaseChatModel | ChatModel | None" = None,
        backup: "str | BaseChatModel | ChatModel | None" = None,
        settings: Settings | None = None,
    ) -> None:
        """Prepare; memory and models open when they are first needed.

        Args:
            memory: Long-term memory, which stays the caller's to close; None: this process's own.
            small: The model that will read the prompt, for its window and its way of counting tokens; None: any, with
                `context_tokens` and estimates.
            big: The model that distils evidence too long for the budget; None: the settings', else none.
            backup: The model that distils where the big one fails; None: the settings', else none.
            settings: Where things are; None: the environment.
        """
        settings = settings or Settings.from_env()
        self.models = Models(settings=settings, small_given=small or Elsewhere(), big_given=big, backup_given=backup)
        self.resources = self.models.resources(memory)

    @property
    def memory(self) -> "Memory":
        """The long-term memory, opened if it is not yet."""
        return self.resources.memory()

    def recall(self, messages: Sequence[BaseMessage], run: Run) -> State:
        """Return a turn up to its block.

        Args:
            messages: The conversation so far; what is asked is the last of it that a person said.
            run: Whose memories, and on what terms.

        Raises:
            BadInput: There is nothing to answer.
            HippographError: Memory or a model cannot be used; one line that says what to do.
        """

        def take(name: str, turn: State) -> Update:
            update: Update = NODES[name](turn, run, self.resources)
            self.memory.worked(run.context.user_id, STAGE, update.get("spent", []))
            return update

        before, asked, tail = parted(messages)
        answered = tail and tail[-1].type != "tool"  # then there is nothing to answer, as the trigger says
        said = join_messages([], [*before, *asked, *(tail if answered else ())])
        start = State(messages=said)
        try:
            with self.memory.talking():
                turn = through(start, run, take)
        except ModelError as error:
            self.models.forget()
            self.memory.worked(run.context.user_id, STAGE, [*error.spent])
            raise
        return cast(State, {**turn, "messages": [*turn["messages"], *tail]})

    def prompt(
        self,
        turn: State,
        run: Run,
        *,
        small: "ChatModel | None" = None,
        own: str = "",
        tools: int | None = None,
        whole: bool = False,
    ) -> Injected:
        """Return the prompt that the graph would send for a turn, and after it what tools gave in this turn.

        Args:
            turn: What `recall` returned.
            run: The same run.
            small: The model that will read it; None: the one this was made with.
            own: What takes the place of the prompt's first lines, beside the run's own `system_prompt`.
            tools: Tokens of the tools that the model is told of. With any, the notes stand beside the question, which
                stays as it was asked, and no example shows an answer without them. None: there are none.
            whole: Whether earlier turns stay as they are, whatever they take, in place of the last few and a summary.

        Raises:
            BadInput: The caller's own system prompt takes more than half of the room.
        """
        small = small or self.resources.small(run.context)
        before, asked, tail = parted(turn["messages"])
        lines = "\n\n".join(filter(None, [run.context.system_prompt, own]))
        context = run.context.model_copy(update={"system_prompt": lines}) if lines else run.context
        made = material(cast(State, {**turn, "messages": [*before, *asked]}), context, small)
        if tools is not None:
            made = replace(made, form="aside" if made.notes else "plain")
        if whole:
            made = replace(made, history=(), summary=turn.get("summary", ""))
        taken = (tools or 0) + (small.counter.messages(tail) if tail else 0)
        prompt = assemble(made, small.counter, free(context, small, taken))
        *first, question = prompt.messages
        kept = before if whole else []
        return Injected(
            messages=[*first, *kept, with_media(question, asked), *tail],
            tokens=prompt.tokens,
            trigger=turn["trigger"],
            block=injected(turn["block"], prompt),
            memories=[Recollection.from_record(each) for each in turn["memories"]],
            cut=turn["cut"],
            degraded=[*turn["degraded"], *prompt.degraded],
        )


def free(context: Context, small: "ChatModel", taken: int) -> int:
    """Return the tokens left for a prompt where something else takes some: first what the model has beyond its window.

    At least one: a prompt that does not fit at all is the shortest there can be.
    """
    beyond = max(0, (small.has.tokens or 0) - small.window)
    return max(1, room(context, small.window) - max(0, taken - beyond))


def parted(messages: Sequence[BaseMessage]) -> tuple[list[BaseMessage], list[BaseMessage], list[BaseMessage]]:
    """Return what was said before, what is asked, and what the turn's tools gave since then; without system lines."""
    said = [each for each in messages if each.type != "system"]
    end = len(said)
    while end and said[end - 1].type != "human":
        end -= 1
    begin = end
    while begin and said[begin - 1].type == "human":
        begin -= 1
    return said[:begin], said[begin:end], said[end:]


def with_media(question: BaseMessage, asked: Sequence[BaseMessage]) -> BaseMessage:
    """Return the prompt's question with the images and other media that came with it."""
    parts = [part for each in asked if isinstance(each.content, list) for part in each.content]
    media = [each for each in parts if isinstance(each, dict) and each.get("type") != "text"]
    return HumanMessage([{"type": "text", "text": question.text}, *media]) if media else question
