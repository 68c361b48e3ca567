"""The messages of an agent's thread as memory sees them: without what nobody said, and without what was forgotten."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from langchain_core.messages import BaseMessage

from hippograph.nodes import Run
from hippograph.nodes.extract import flat
from hippograph.nodes.turns import split, thread_of, turn_ids, words_of

if TYPE_CHECKING:
    from hippograph.memory import Memory


def said(messages: Sequence[BaseMessage]) -> list[BaseMessage]:
    """Return messages without the summaries that LangChain puts among them as if a person had said them."""
    return [each for each in messages if not is_summary(each)]


def is_summary(message: BaseMessage) -> bool:
    """Tell whether LangChain's `SummarizationMiddleware` wrote a message in place of those before it."""
    return message.additional_kwargs.get("lc_source") == "summarization"


def summary(messages: Sequence[BaseMessage]) -> str:
    """Return what such summaries among some messages say, a line each."""
    return "\n".join(flat(words_of(each)) for each in messages if is_summary(each))


def forgotten(messages: Sequence[BaseMessage], run: Run, memory: "Memory") -> list[BaseMessage]:
    """Return what is to leave a thread, as something of it was forgotten since it was said.

    These are the turns it was said in, with all that answered it, and the summaries, which may tell it.
    """
    earlier = split(said(messages))[:-1]
    flatly = [each for turn in earlier for each in turn]
    if not flatly:
        return []
    ids = turn_ids(thread_of(run.thread, flatly), flatly)
    buried = memory.forgotten(run.context.user_id, ids)
    dead = {id(message) for message, id_ in zip(flatly, ids, strict=True) if id_ in buried}
    gone = [each for turn in earlier if any(id(each) in dead for each in turn) for each in turn]
    return [*gone, *filter(is_summary, messages)] if gone else []
