"""The small model answers, within its window, and streams."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING, Literal

from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, message_chunk_to_message

from hippograph.nodes import prompts
from hippograph.nodes.confidence import confidence
from hippograph.nodes.grounds import Grounds, cite, uncited
from hippograph.nodes.material import injected, material, room
from hippograph.nodes.prompt import Material, Prompt, assemble
from hippograph.nodes.run import Resources, Run, Update
from hippograph.nodes.stopping import Stopped, until
from hippograph.nodes.structured import cost, fill
from hippograph.nodes.turns import CITED, INTERRUPTED, SILENT, language_of, question, words_of
from hippograph.state import ModelError, Recollection
from hippograph.state.conversation import State
from hippograph.state.turn import Asked, Block, Call, Confidence, PromptPart, Structured

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
    made = material(state, context, small)
    wanted = cost(language, small.counter.text) if context.structured else 0
    prompt = assemble(made, small.counter, room(context, small.window) - wanted)
    block = injected(state["block"], prompt)
    reply = _structured(small, prompt, block, run, language) if context.structured else None
    reply = reply if reply and (reply.structured or reply.interrupted) else _plain(small, prompt, run, reply)
    answer, interrupted, degraded = reply.answer, reply.interrupted, [*prompt.degraded, *reply.degraded]
    if interrupted:
        degraded.append("respond: the answer was interrupted")
    elif not words_of(answer):
        degraded.append(f"respond: {small.spec} gave no answer")
        answer = answer.model_copy(update={"content": prompts.load("silent", language)})
        answer.response_metadata[SILENT] = True
    grounds = _grounds(made, prompt, block)
    return Update(
        messages=[_with_citations(answer, grounds) if context.citations else answer],
        block=block,
        asked=_asked(small, prompt),
        confidence=_confidence(answer, grounds, block, state, interrupted),
        structured=reply.structured,
        spent=reply.spent,
        degraded=degraded,
    )


def _asked(small: "ChatModel", prompt: Prompt) -> Asked:
    """Return what is sent, for whoever wants to see it."""
    roles: dict[str, Literal["system", "human", "ai"]] = {"system": "system", "ai": "ai"}
    parts = [PromptPart(role=roles.get(each.type, "human"), text=str(each.text)) for each in prompt.messages]
    return Asked(parts=parts, tokens=prompt.tokens, window=small.window, model=small.spec)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reply:
    """What came of asking the model."""

    answer: AIMessage
    spent: list[Call]
    structured: Structured | None = None
    interrupted: bool = False
    degraded: list[str] = field(default_factory=list)


def _structured(small: "ChatModel", prompt: Prompt, block: Block, run: Run, language: str) -> _Reply:
    """Have the schema filled in; where the model cannot, the reply has no structure, and says so."""
    from hippograph.models import Interrupted

    spent: list[Call] = []
    most = run.context.answer_tokens
    try:
        filled, raw = fill(small, prompt.messages, block["cited"], most, language, spent, run.stopping)
    except Interrupted:
        nothing = AIMessage("", response_metadata={INTERRUPTED: True})
        return _Reply(answer=nothing, spent=spent, interrupted=True)
    except ModelError as error:  # if it cannot be reached at all, the plain answer says so
        return _Reply(answer=AIMessage(""), spent=spent, degraded=[f"respond: {error}; answered in plain text"])
    answer = AIMessage(filled["answer"], usage_metadata=raw.usage_metadata)
    return _Reply(answer=answer, spent=spent, structured=filled)


def _plain(small: "ChatModel", prompt: Prompt, run: Run, before: _Reply | None) -> _Reply:
    """Stream the answer as text."""
    from hippograph.models import failed

    began = perf_counter()
    try:
        answer, interrupted = _answer(small, prompt.messages, run)
    except ModelError as error:
        error.spent = [*(before.spent if before else ()), failed("small", small, began)]
        raise
    call, truncated = _spent(small, answer, prompt, began)
    degraded = [*(before.degraded if before else ()), *truncated]
    spent = [*(before.spent if before else ()), call]
    return _Reply(answer=answer, spent=spent, interrupted=interrupted, degraded=degraded)


def _grounds(material: Material, prompt: Prompt, block: Block) -> Grounds:
    said = [words_of(each) for turn in material.history for each in turn]
    shown = [
        each for each in (material.own, material.topics, material.more, *material.summary.splitlines(), *said) if each
    ]
    return Grounds(notes=block["text"].splitlines(), question=material.question, shown=shown, now=material.now)


def _confidence(answer: AIMessage, grounds: Grounds, block: Block, state: State, interrupted: bool) -> Confidence:
    if answer.response_metadata.get(SILENT):
        return confidence("", grounds, [])
    known = {record["id"]: Recollection.from_record(record) for record in state.get("memories", [])}
    behind = [known[cited] for cited in block["cited"] if cited in known]
    return confidence(words_of(answer), grounds, behind, interrupted=interrupted)


def _with_citations(answer: AIMessage, grounds: Grounds) -> AIMessage:
    """Return the answer with the numbers of the notes behind its sentences; what was said without them is kept."""
    said = words_of(answer)
    text, numbers = cite(said, grounds)
    if not numbers or answer.response_metadata.get(SILENT):
        return answer
    metadata = {**answer.response_metadata, CITED: uncited(said)}
    return answer.model_copy(update={"content": text, "response_metadata": metadata})


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


def _spent(small: "ChatModel", answer: AIMessage, prompt: Prompt, began: float) -> tuple[Call, list[str]]:
    """Return what the answer cost, and a warning where the server read far less than was sent."""
    from hippograph.models import spending

    spent = spending("small", small, answer, prompt.messages, began)
    # What we count ourselves, where a server reports nothing, is never so much less.
    if small.spec.startswith("ollama:") and spent["input"] < prompt.tokens / 2:
        read = f"{small.spec} read {spent['input']} of about {prompt.tokens} tokens"
        return spent, [f"respond: prompt truncated: {read}; raise its num_ctx"]
    return spent, []
