"""What the small model's prompt is made of: memory's part of it, what was said last, and the room there is for both."""

from datetime import datetime
from typing import TYPE_CHECKING

from hippograph.nodes import wording
from hippograph.nodes.prompt import Material, Prompt
from hippograph.nodes.rerank import OF_OTHERS, sure
from hippograph.nodes.rolling import fold
from hippograph.nodes.summarize import most_notes
from hippograph.nodes.topics import shown as shown_topics
from hippograph.nodes.turns import language_of, question, split, spoken, words_of
from hippograph.state import Context
from hippograph.state.conversation import State
from hippograph.state.turn import Block

if TYPE_CHECKING:
    from hippograph.models import ChatModel


def material(state: State, context: Context, small: "ChatModel") -> Material:
    """Return what the prompt of a turn is made of for the model that answers."""
    asked = question(state["messages"])
    turns = split(state["messages"])[:-1]
    recent = [spoken(turn) for turn in turns[-context.last_turns :]]
    summary = fold(state.get("summary", ""), turns[: -context.last_turns])
    block = state["block"]
    shown = [*summary.splitlines(), *(words_of(each) for turn in recent for each in turn)]
    memories = state.get("memories", [])
    order = {record["id"]: rank for rank, record in enumerate(memories)}
    certain = sure(memories[0]["score"], asked) if memories else False
    elsewhere = any(each["reason"] == OF_OTHERS for each in state.get("cut", []))
    return Material(
        form=wording.form(state["trigger"], block["text"], certain, asked, shown, elsewhere),
        language=language_of(context, asked),
        now=datetime.now().astimezone(),
        own=context.system_prompt,
        rule=context.notes_prompt,
        question=asked,
        notes=block["text"].splitlines(),
        strength=[order.get(cited, len(order)) for cited in block["cited"]],
        summary=summary,
        history=recent,
        topics=shown_topics(state.get("topics", [])[1:]) if most_notes(small.spec) is None else "",  # As for notes.
        more=_more(block, context, small),
    )


def _more(block: Block, context: Context, small: "ChatModel") -> str:
    """Return the line that names what else memory holds, where it fits the budget; tiny models are only distracted."""
    fits = block["tokens"] + small.counter.text(block["more"]) < context.memory_tokens
    return block["more"] if fits and most_notes(small.spec) is None else ""


def room(context: Context, window: int) -> int:
    """Return the tokens a prompt may take: the window less the answer, which never claims more than half of it."""
    if "context_tokens" in context.model_fields_set:  # Else the model was opened with what it is to be used with.
        window = min(context.context_tokens, window)
    return window - min(context.answer_tokens, window // 2)


def injected(block: Block, prompt: Prompt) -> Block:
    """Return the block as it stands in the prompt, if some of it had to give way."""
    lines = block["text"].splitlines()
    if len(prompt.kept) == len(lines):
        return block
    text = "\n".join(f"[{number}]{lines[index].partition(']')[2]}" for number, index in enumerate(prompt.kept, start=1))
    share = len(text) / max(1, len(block["text"]))
    by = block["by"] if prompt.kept else "none"
    cited = [block["cited"][index] for index in prompt.kept]
    return Block(**{**block, "text": text, "tokens": round(block["tokens"] * share), "cited": cited, "by": by})
