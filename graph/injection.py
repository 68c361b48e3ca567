"""The graph's recall for a model that somebody else calls: the same trigger, search, ranking, guards, block and prompt.

The nodes are the graph's own; what is here is only their order, for where no graph runs.
"""

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import BaseMessage
from langchain_core.outputs import ChatResult
from langgraph.graph.message import add_messages
from langgraph.types import Overwrite

from hippograph import nodes
from hippograph.graph.opened import Models
from hippograph.nodes import Run, Update
from hippograph.nodes.material import material, room
from hippograph.nodes.prompt import Prompt, assemble
from hippograph.nodes.review import is_due
from hippograph.state import ModelError, Settings
from hippograph.state.conversation import State, merge_stages

if TYPE_CHECKING:
    from hippograph.memory import Memory
    from hippograph.models import ChatModel

STAGE = "inject"
"""Under which what models cost here stands in memory's account."""
STEPS = ("retrieve", "rerank", "review", "summarize")
"""What a turn goes through until its block is written, once the trigger has fired."""
NODES = {name: getattr(nodes, name) for name in ("check_trigger", *STEPS)}
_REDUCERS: Mapping[str, tuple[Callable[[Any, Any], Any], Callable[[], Any]]] = {
    "messages": (add_messages, list),
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
            messages: The conversation so far; the last one is what is asked.
            run: Whose memories, and on what terms.

        Raises:
            BadInput: There is nothing to answer.
            HippographError: Memory or a model cannot be used; one line that says what to do.
        """

        def take(name: str, turn: State) -> Update:
            update: Update = NODES[name](turn, run, self.resources)
            self.memory.worked(run.context.user_id, STAGE, update.get("spent", []))
            return update

        start = State(messages=add_messages([], [*messages]))  # type: ignore[typeddict-item, arg-type]
        try:
            with self.memory.talking():
                return through(start, run, take)
        except ModelError as error:
            self.models.forget()
            self.memory.worked(run.context.user_id, STAGE, [*error.spent])
            raise

    def prompt(self, turn: State, run: Run, *, small: "ChatModel | None" = None, taken: int = 0) -> Prompt:
        """Return the prompt that the graph would send for a turn.

        Args:
            turn: What `recall` returned.
            run: The same run.
            small: The model that will read it; None: the one this was made with.
            taken: Tokens of the room that something else needs: tools, and what they gave in this turn.

        Raises:
            BadInput: The caller's own system prompt takes more than half of the room.
        """
        small = small or self.resources.small(run.context)
        free = max(1, room(run.context, small.window) - taken)
        return assemble(material(turn, run.context, small), small.counter, free)
