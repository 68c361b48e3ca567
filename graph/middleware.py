"""Memory for LangChain's `create_agent`: recalled before the agent, injected before each model call, kept after it.

The nodes, and so trigger, search, ranking, guards, block and what is stored, are the conversation graph's own. What a
turn found stands in the agent's state under one key, `hippograph`.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any, Literal, NotRequired, cast

from langchain.agents.middleware import AgentMiddleware, AgentState, ModelRequest, ModelResponse
from langchain.agents.middleware.types import ExtendedModelResponse, OmitFromSchema
from langchain_core.messages import AIMessage, BaseMessage, RemoveMessage, SystemMessage
from langchain_core.utils.function_calling import convert_to_openai_tool
from langgraph.runtime import Runtime
from langgraph.types import Command

from hippograph.graph.arguments import ToolName
from hippograph.graph.caller import caller, checked
from hippograph.graph.injection import NODES, Injected, Injection, applied, parted, through
from hippograph.graph.recording import LAST, staged
from hippograph.graph.steps import taken
from hippograph.graph.thread import forgotten, is_summary, said, summary
from hippograph.graph.tools import memory_tools
from hippograph.graph.unended import BEGUN, begun, keep
from hippograph.nodes import Run, Update, write_back
from hippograph.nodes.turns import words_of
from hippograph.state import Settings, space_hash
from hippograph.state.conversation import State
from hippograph.state.turn import Call, Stage

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

    from hippograph.memory import Memory
    from hippograph.models import ChatModel

LASTING = ("owner", "summary", "topics")
"""What of a state lasts from turn to turn beside the messages."""
FOUND = (*LASTING, "trigger", "memories", "cut", "block", "stages", "degraded")
ANSWERS = "respond"
"""Under which stage the agent's model calls stand in memory's account, as the graph's answer does."""


def merged(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """Add the keys that a step changed to those before."""
    return {**(old or {}), **(new or {})}


class MemoryState(AgentState[Any]):
    """The agent's state, with what memory found for its turn."""

    hippograph: NotRequired[Annotated[dict[str, Any], OmitFromSchema(input=True, output=False), merged]]
    """Keys as in the conversation graph's state: trigger, memories, cut, block, stages, degraded, owner; `begun`."""


class HippographMiddleware(AgentMiddleware[MemoryState, Any, Any]):
    """Gives an agent long-term memory."""

    state_schema = MemoryState

    def __init__(
        self,
        memory: "Memory | None" = None,
        *,
        user: str | None = None,
        small: "str | BaseChatModel | ChatModel | None" = None,
        big: "str | BaseChatModel | ChatModel | None" = None,
        history: Literal["short", "whole"] = "short",
        tools: Sequence[ToolName] = (),
        settings: Settings | None = None,
        **fields: Any,  # noqa: ANN401
    ) -> None:
        """Prepare; memory and models open when they are first needed.

        Args:
            memory: Long-term memory, which stays the caller's to close; None: this process's own.
            user: Whose memories; None: the run says so, by `user_id` in its context or in its config's `configurable`.
            small: The model that reads the prompts, where it is named for its window and tokenizer; None: the agent's.
            big: The model that distils evidence too long for the budget; None: the settings', else none.
            history: "short": the model sees earlier turns as the graph's does, the last few verbatim and a summary,
                within its window. "whole": it sees all messages that the agent has.
            tools: Memory's own tools that the agent gets as well.
            settings: Where things are; None: the environment.
            fields: More of `Context`'s fields, such as remember=False or memory_tokens=300.
        """
        super().__init__()
        self.tools = memory_tools(memory, user=user, only=tools, settings=settings) if tools else []
        self._injection = Injection(memory=memory, small=small, big=big, settings=settings)
        self._named = small is not None
        self._fields = {**fields, "user_id": user}
        checked(self._fields)
        self._whole = history == "whole"

    @property
    def name(self) -> str:
        """What its nodes are called: "hippograph.before_agent"."""
        return "hippograph"

    def before_agent(self, state: MemoryState, runtime: Runtime[Any]) -> dict[str, Any] | None:
        """Recall for what the user says; a run without new words of theirs goes on with what was found.

        Raises:
            BadInput: Nobody says whose memories.
            HippographError: Memory cannot be used; one line that says what to do.
        """
        before, asked, tail = parted(said(state["messages"]))
        if tail:
            return None
        run = self._run(runtime)
        if (since := _of(state).get(BEGUN)) and before and _of(state).get("owner") == space_hash(run.context.user_id):
            keep(before, since, run, self._injection.memory)
        if not any(map(words_of, asked)):  # an image alone, say: there is nothing to search for
            return {"hippograph": {"trigger": None, BEGUN: ""}}
        gone = forgotten(state["messages"], run, self._injection.memory)
        changed = list[Any]()

        def take(name: str, turn: State) -> Mapping[str, Any]:
            update = self._taken(name, NODES[name], turn, run, runtime)
            changed.extend(update.get("messages", []))
            return update

        turn = through(_turn(state, ("owner",) if gone else LASTING, gone), run, take)
        if _of(state).get("owner", turn["owner"]) != turn["owner"]:  # The thread changed hands: no summary of it stays.
            gone = [*gone, *filter(is_summary, state["messages"])]
        left = {str(each.id): RemoveMessage(id=str(each.id)) for each in gone}
        return {
            "messages": [*left.values(), *changed],
            "hippograph": {"summary": "", "topics": [], **_found(turn), **begun(run)},
        }

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any] | AIMessage | ExtendedModelResponse[Any]:
        """Have the model see the prompt that the graph would send, with the turn's tool calls behind it."""
        if not _of(request.state).get("trigger"):
            return handler(request)
        small, injected = self._prompt(request)
        began = perf_counter()
        response = handler(_with(request, injected))
        return self._answered(request, injected, small, response, began)

    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]]
    ) -> ModelResponse[Any] | AIMessage | ExtendedModelResponse[Any]:
        """Do as `wrap_model_call` does."""
        if not _of(request.state).get("trigger"):
            return await handler(request)
        small, injected = await asyncio.to_thread(self._prompt, request)
        began = perf_counter()
        response = await handler(_with(request, injected))
        return await asyncio.to_thread(self._answered, request, injected, small, response, began)

    def after_agent(self, state: MemoryState, runtime: Runtime[Any]) -> dict[str, Any] | None:
        """Store what was said, in one transaction; what rests on something forgotten meanwhile leaves the thread.

        Raises:
            HippographError: Memory cannot be used; one line that says what to do.
        """
        if not _of(state).get("trigger"):
            return None
        turn = _turn(state, FOUND)
        update = self._taken(LAST, write_back, turn, self._run(runtime), runtime)
        if "block" in update:  # Something it rests on was forgotten: no word of that may stay.
            return {"messages": update["messages"], "hippograph": {**_found(applied(turn, update)), BEGUN: ""}}
        kept = {key: value for key, value in update.items() if key not in ("messages", "summary")}
        return {"hippograph": {**_found(applied(turn, kept)), BEGUN: ""}}

    async def abefore_agent(self, state: MemoryState, runtime: Runtime[Any]) -> dict[str, Any] | None:
        """Do as `before_agent` does."""
        return await asyncio.to_thread(self.before_agent, state, runtime)

    async def aafter_agent(self, state: MemoryState, runtime: Runtime[Any]) -> dict[str, Any] | None:
        """Do as `after_agent` does."""
        return await asyncio.to_thread(self.after_agent, state, runtime)

    def _run(self, runtime: Runtime[Any]) -> Run:
        return replace(caller(self._fields, given=runtime.context), stopping=lambda: bool(runtime.drain_requested))

    def _taken(
        self,
        name: str,
        node: Callable[..., Update],
        turn: State,
        run: Run,
        runtime: Runtime[Any],
    ) -> dict[str, Any]:
        resources = replace(self._injection.resources, condenser=None)  # The thread is not shortened here.
        return taken(name, node, turn, run, resources, runtime.stream_writer, self._injection.models.forget)

    def _prompt(self, request: ModelRequest[Any]) -> "tuple[ChatModel, Injected]":
        """Return the model as it is known here, and its prompt."""
        run, models = self._run(request.runtime), self._injection.models
        small = models.small(run.context) if self._named else models.given(request.model, run.context)
        turn = cast(State, {**_of(request.state), "messages": said(request.messages)})
        if known := summary(request.messages):
            turn["summary"] = known
        told = [str(each if isinstance(each, dict) else convert_to_openai_tool(each)) for each in request.tools]
        tools = sum(map(small.counter.text, told)) if told else None
        own = request.system_prompt or ""
        return small, self._injection.prompt(turn, run, small=small, own=own, tools=tools, whole=self._whole)

    def _answered(
        self,
        request: ModelRequest[Any],
        injected: Injected,
        small: "ChatModel",
        response: ModelResponse[Any],
        began: float,
    ) -> ExtendedModelResponse[Any]:
        """Return the response, with what was injected and what the call cost for the agent's state."""
        from hippograph.models import spending

        before = _of(request.state)
        answers = [each for each in response.result if isinstance(each, AIMessage)]
        spent = [spending("small", small, each, injected.messages, began) for each in answers]
        stages = {**before["stages"], ANSWERS: self._stage(before["stages"].get(ANSWERS), spent)}
        told = [each for each in injected.degraded if each not in before["degraded"]]
        changed = {"block": injected.block, "stages": stages, "degraded": [*before["degraded"], *told]}
        return ExtendedModelResponse(response, Command(update={"hippograph": changed}))

    def _stage(self, before: Stage | None, spent: list[Call]) -> Stage:
        calls = [*(before["calls"] if before else ()), *spent]
        return staged(sum(each["ms"] for each in calls), Update(spent=calls), self._injection.resources)


def _of(state: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the state holds of memory."""
    return cast("dict[str, Any]", state.get("hippograph") or {})


def _turn(state: MemoryState, names: Sequence[str], gone: Sequence[BaseMessage] = ()) -> State:
    """Return the agent's state as the nodes know it, with some keys of what was found, without what is to leave it."""
    known = {name: value for name, value in _of(state).items() if name in names}
    return cast(State, {**known, "messages": [each for each in said(state["messages"]) if each not in gone]})


def _found(turn: State) -> dict[str, Any]:
    """Return what of a turn the agent's state keeps."""
    return {name: value for name, value in turn.items() if name in FOUND}


def _with(request: ModelRequest[Any], injected: Injected) -> ModelRequest[Any]:
    system, *messages = injected.messages
    assert isinstance(system, SystemMessage)
    return request.override(system_message=system, messages=cast("list[Any]", messages))
