"""The small model answers, within its window, and streams."""

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, message_chunk_to_message

from hippograph.nodes import prompts, wording
from hippograph.nodes.prompt import Material, Prompt, assemble
from hippograph.nodes.rerank import sure
from hippograph.nodes.rolling import fold
from hippograph.nodes.run import Resources, Run, Update
from hippograph.nodes.stopping import Stopped, until
from hippograph.nodes.summarize import most_notes
from hippograph.nodes.turns import INTERRUPTED, SILENT, language_of, question, split, spoken, words_of
from hippograph.state import Context, ModelError
from hippograph.state.conversation import Block, State

if TYPE_CHECKING:
    from hippograph.models import ChatModel


def respond(state: State, run: Run, resources: Resources) -> Update:
    """Answer the turn.

    Raises:
        ModelError: The model cannot be used; one line that says what to do.
    """
    context, asked = run.context, question(state["messages"])
    small = resources.small(context)
    language = language_of(context, asked)
    prompt = assemble(_material(state, context, asked, language, small), small.counter, room(context, small.window))
    answer, interrupted = _answer(small, prompt.messages, run)
    degraded = list(prompt.degraded)
    if interrupted:
        degraded.append("respond: the answer was interrupted")
    elif not words_of(answer):
        degraded.append(f"respond: {small.spec} gave no answer")
        answer = answer.model_copy(update={"content": prompts.load("silent", language)})
        answer.response_metadata[SILENT] = True
    tokens, truncated = _usage(small, answer, prompt)
    return Update(
        messages=[answer],
        block=_injected(state["block"], prompt),
        tokens=tokens,
        degraded=degraded + truncated,
    )


def room(context: Context, window: int) -> int:
    """Return the tokens a prompt may take: the window less the answer, which never claims more than half of it."""
    window = min(context.context_tokens, window)
    return window - min(context.answer_tokens, window // 2)


def _material(state: State, context: Context, asked: str, language: str, small: "ChatModel") -> Material:
    turns = split(state["messages"])[:-1]
    recent = [spoken(turn) for turn in turns[-context.last_turns :]]
    summary = fold(state.get("summary", ""), turns[: -context.last_turns])
    block = state["block"]
    shown = [*summary.splitlines(), *(words_of(each) for turn in recent for each in turn)]
    memories = state.get("memories", [])
    order = {record["id"]: rank for rank, record in enumerate(memories)}
    certain = sure(memories[0]["score"], asked) if memories else False
    return Material(
        form=wording.form(state["trigger"], block["text"], certain, asked, shown),
        language=language,
        now=datetime.now().astimezone(),
        own=context.system_prompt,
        question=asked,
        notes=block["text"].splitlines(),
        strength=[order.get(cited, len(order)) for cited in block["cited"]],
        summary=summary,
        history=recent,
        more=_more(block, context, small),
    )


def _more(block: Block, context: Context, small: "ChatModel") -> str:
    """Return the line that names what else memory holds, where it fits the budget; tiny models are only distracted."""
    fits = block["tokens"] + small.counter.text(block["more"]) < context.memory_tokens
    return block["more"] if fits and most_notes(small.spec) is None else ""


def _answer(small: "ChatModel", messages: Sequence[BaseMessage], run: Run) -> tuple[AIMessage, bool]:
    """Stream the answer; return it, and whether it was asked to stop before its end."""
    whole: AIMessageChunk | None = None
    interrupted = False
    try:
        for chunk in until(run.stopping, small.model.stream(list(messages))):
            whole = chunk if whole is None else whole + chunk
    except Stopped:
        interrupted = True
    except ModelError:
        raise
    except Exception as error:
        from hippograph.models import explain

        raise explain(error, small.spec) from error
    answer = message_chunk_to_message(whole) if whole is not None else AIMessage("")
    assert isinstance(answer, AIMessage)
    if interrupted:
        answer.response_metadata[INTERRUPTED] = True
    return answer, interrupted


def _usage(small: "ChatModel", answer: AIMessage, prompt: Prompt) -> tuple[int, list[str]]:
    """Return the tokens spent, and a warning where the server read far less than was sent."""
    from hippograph.models import usage

    spent = usage(answer, prompt.messages, small.counter)
    if spent.counted_by == "server" and small.spec.startswith("ollama:") and spent.input < prompt.tokens / 2:
        read = f"{small.spec} read {spent.input} of about {prompt.tokens} tokens"
        return spent.total, [f"respond: prompt truncated: {read}; raise its num_ctx"]
    return spent.total, []


def _injected(block: Block, prompt: Prompt) -> Block:
    """Return the block as it stands in the prompt, if some of it had to give way."""
    lines = block["text"].splitlines()
    if len(prompt.kept) == len(lines):
        return block
    text = "\n".join(f"[{number}]{lines[index].partition(']')[2]}" for number, index in enumerate(prompt.kept, start=1))
    share = len(text) / max(1, len(block["text"]))
    by = block["by"] if prompt.kept else "none"
    cited = [block["cited"][index] for index in prompt.kept]
    return Block(**{**block, "text": text, "tokens": round(block["tokens"] * share), "cited": cited, "by": by})
