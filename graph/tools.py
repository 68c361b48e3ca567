"""What a model may do with memory: recall, remember, forget, history; for LangChain agents and other servers of tools.

Few, flat, typed arguments, which small models fill in; what goes wrong is one line of text that says what to do. Whose
memories they are never comes from the model. What is recalled went through the graph's own search, ranking and guards.
"""

import re
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from langchain_core.messages import HumanMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool, StructuredTool
from pydantic import ValidationError

from hippograph.graph.arguments import ARGUMENTS, NAMES, Told, ToolName
from hippograph.graph.caller import caller
from hippograph.graph.injection import Injection
from hippograph.memory.intake import clean
from hippograph.memory.language import language
from hippograph.memory.twin import twin
from hippograph.nodes import Run
from hippograph.nodes.extract import flat, shown
from hippograph.nodes.guarding import guarded
from hippograph.nodes.turns import ANSWER, QUESTION, STEM
from hippograph.state import BadInput, Context, HippographError, Recollection, Settings

if TYPE_CHECKING:
    from hippograph.memory import Memory

ORIGIN = "tool"
"""Where memories come from that a model told: `forget(source=ORIGIN)` forgets them all."""
SHORT = 8
"""Characters of an id that a model is shown, where it is one of ours: all 32 cost some 25 tokens more a note."""
MOST = 20
"""Most memories that one call recalls."""
LONGEST = 2000
"""Characters of a text that a model may have remembered."""
_OURS = re.compile(rf"[0-9a-f]{{32}}|[0-9a-f]{{{STEM}}}(?P<mark>{QUESTION}|{ANSWER})[0-9a-f]{{8}}")
"""Ids of memories, and of what was asked and answered in a turn."""

_WORDS = {
    "en": {
        "nothing": "Memory holds nothing about this.",
        "remembered": "Remembered (id: {id}).",
        "known": "That is known already: {text} (id: {id}).",
        "instead": "Remembered (id: {id}), in place of: {text}",
        "forgotten": "Forgotten for good.",
        "with": "Forgotten for good, with {n} more that rested on it.",
        "stored": "told",
        "merged": "told again",
        "superseded": "no longer so",
        "updated": "changed",
        "archived": "put aside",
        "expired": "expired",
        "undone": "taken back",
    },
    "zh": {
        "nothing": "记忆里没有这方面的内容。",
        "remembered": "记住了（id: {id}）。",
        "known": "已经记着：{text}（id: {id}）。",
        "instead": "记住了（id: {id}），取代了：{text}",
        "forgotten": "已彻底忘记。",
        "with": "已彻底忘记，连同由此得出的 {n} 条。",
        "stored": "说起",
        "merged": "又说起",
        "superseded": "不再如此",
        "updated": "改动",
        "archived": "搁置",
        "expired": "过期",
        "undone": "撤回",
    },
}


class Tools:
    """The tools as plain methods: the space first, then what a model says. They return text in the model's language.

    All raise HippographError, with one line that may be shown to the model; `memory_tools` makes that the answer.
    """

    def __init__(self, memory: "Memory | None" = None, settings: Settings | None = None) -> None:
        """Prepare.

        Args:
            memory: Long-term memory, which stays the caller's to close; None: this process's own.
            settings: Where things are; None: the environment.
        """
        self._injection = Injection(memory=memory, settings=settings)

    def recall(self, space: str, query: str, limit: int = 5) -> str:
        """Return dated notes, oldest first, as the graph would show them to its small model, each with its id."""
        if not query.strip():
            raise BadInput("The query is empty: say what to look for.")
        most = min(max(limit, 1), MOST)
        context = Context(user_id=space, recall="always", summarize="never", top_k=most)
        turn = self._injection.recall([HumanMessage(query)], Run(context=context))
        block = turn["block"]
        lines = [
            f"{line} (id: {short(cited)})"
            for line, cited in zip(block["text"].splitlines(), block["cited"], strict=True)
        ]
        return "\n".join(lines) or _WORDS[language(query)]["nothing"]

    def remember(self, space: str, text: str, kind: Told = "fact") -> str:
        """Take in one memory; return whether it is new, was known, or took another's place."""
        memory, said = self._injection.memory, clean(flat(text))
        if not said or len(said) > LONGEST:
            raise BadInput(f"The text has {len(said)} characters: give one fact, as a sentence of at most {LONGEST}.")
        kept = memory.get(memory.remember(space, said, kind, origin=ORIGIN), space)
        words = _WORDS[language(said)]
        if flat(kept.text) != said:
            return words["known"].format(text=_safe(kept, language(said)), id=short(kept.id))
        steps = memory.history(kept.id, space)
        if any(step.what == "merged" and step.memory == kept.id for step in steps):
            return words["known"].format(text=_safe(kept, language(said)), id=short(kept.id))
        if before := [step.memory for step in steps if step.what == "superseded" and step.by == kept.id]:
            old = _safe(memory.get(before[-1], space), language(said))
            return words["instead"].format(text=old, id=short(kept.id))
        return words["remembered"].format(id=short(kept.id))

    def forget(self, space: str, id: str) -> str:  # noqa: A002
        """Forget one memory; what is returned has none of its words, as it stays in the conversation."""
        found = self._found(space, id)
        receipt = self._injection.memory.forget(space, ids=[found.id])
        words, more = _WORDS[language(found.text)], len(receipt.ids) - 1
        return words["with"].format(n=more) if more else words["forgotten"]

    def history(self, space: str, id: str) -> str:  # noqa: A002
        """Return the life of a memory and of those before and after it in its place, a line a step."""
        found, memory = self._found(space, id), self._injection.memory
        tongue = language(found.text)
        lines = []
        for step in memory.history(found.id, space):
            day = shown((step.said_at if step.what == "stored" else step.at).astimezone())
            what = _WORDS[tongue].get(step.what, step.what)
            text = _safe(replace(memory.get(step.memory, space), text=step.text), tongue)
            lines.append(f"({day}, {what}) {text} (id: {short(step.memory)})")
        return "\n".join(lines)

    def _found(self, space: str, named: str) -> Recollection:
        """Return the memory that an id, or the beginning of one, names.

        Raises:
            BadInput: There is none, or there are several.
        """
        name = named.strip().strip("[]()\"'`").removeprefix("id:").strip()
        if len(name) < SHORT - 2:
            raise BadInput(f"{named!r} is no id of a memory: call recall, and use the id at the end of a note.")
        memory, start = self._injection.memory, name.removesuffix(QUESTION).removesuffix(ANSWER)
        found = memory.matching(name, space) or memory.matching(start, space, MOST)
        meant = (
            [each for each in found if each.id == name] or [each for each in found if short(each.id) == name] or found
        )
        standing = [each for each in meant if each.status == "current"]
        if not meant:
            raise BadInput(f"There is no memory {name!r}: call recall, and use the id at the end of a note.")
        if len(one := standing or meant) > 1:
            raise BadInput(f"Several ids begin so: {', '.join(_apart(one))}. Use one of them, whole.")
        return one[0]

    arecall = twin(recall)
    aremember = twin(remember)
    aforget = twin(forget)
    ahistory = twin(history)


def memory_tools(
    memory: "Memory | None" = None,
    *,
    user: str | None = None,
    only: Sequence[ToolName] = NAMES,
    shared: bool = False,
    settings: Settings | None = None,
) -> list[BaseTool]:
    """Return LangChain tools for an agent; what goes wrong is their answer, in words, and ends no run.

    Args:
        memory: Long-term memory, which stays the caller's to close; None: this process's own.
        user: Whose memories; None: the run says so, by `user_id` in its context or in its config's `configurable`.
        only: Which tools.
        shared: Whether `user` is meant in the runs of others too: what they all may read and, with these tools, write.
        settings: Where things are; None: the environment.
    """
    tools = Tools(memory, settings)
    return [_tool(name, tools, user, shared) for name in only]


def short(id: str) -> str:  # noqa: A002
    """Return what a model is shown of an id: of one of ours its beginning, of a caller's own all of it."""
    ours = _OURS.fullmatch(id)
    return f"{id[:SHORT]}{ours['mark'] or ''}" if ours else id


def _apart(memories: Sequence[Recollection]) -> list[str]:
    """Return ids by which memories are told apart, short where that is enough."""
    shown = [short(each.id) for each in memories]
    return shown if len({*shown}) == len(shown) else [each.id for each in memories]


def _tool(name: ToolName, tools: Tools, user: str | None, shared: bool) -> BaseTool:
    call: Callable[..., str] = getattr(tools, name)
    acall: Callable[..., Coroutine[Any, Any, str]] = getattr(tools, f"a{name}")

    def run(config: RunnableConfig, **said: Any) -> str:  # noqa: ANN401
        space = caller({"user_id": user}, config, shared=shared).context.user_id
        try:
            return call(space, **said)
        except HippographError as error:
            return _wrong(error)

    async def arun(config: RunnableConfig, **said: Any) -> str:  # noqa: ANN401
        space = caller({"user_id": user}, config, shared=shared).context.user_id
        try:
            return await acall(space, **said)
        except HippographError as error:
            return _wrong(error)

    return StructuredTool.from_function(
        run,
        arun,
        name=name,
        description=" ".join((ARGUMENTS[name].__doc__ or "").split()),
        args_schema=ARGUMENTS[name],
        infer_schema=False,
        handle_validation_error=misread,
    )


def misread(error: ValidationError | Any) -> str:  # noqa: ANN401 - of pydantic 1, too
    """Return what was wrong with arguments, in one line for a model."""
    wrong = "; ".join(f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors())
    return f"That did not work. The arguments are not valid: {wrong}. Call again with valid ones."


def _wrong(error: HippographError) -> str:
    return f"That did not work. {error}"


def _safe(memory: Recollection, tongue: str) -> str:
    """Return a memory's words as they may stand in a prompt."""
    safe = guarded(memory, tongue)
    return flat(safe.text) if safe else "…"
