"""`hippograph ask`: one question, one answer."""

import uuid
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from hippograph.cli.interrupt import stoppable
from hippograph.cli.lines import (
    block_line,
    confidence_line,
    memory_json,
    memory_line,
    source_lines,
    stages_line,
    used,
)
from hippograph.cli.options import (
    ME,
    BackupOption,
    BigOption,
    EmbeddingsOption,
    HomeOption,
    JsonOption,
    RerankerOption,
    SmallOption,
    ThreadOption,
    UserOption,
    configured,
    named,
    text_given,
)
from hippograph.cli.review import ReviewOption, ask_about, require_terminal
from hippograph.cli.screen import mark, note, say, say_json
from hippograph.cli.store import finish, tell
from hippograph.state import ModelError, Settings

if TYPE_CHECKING:
    from hippograph.graph import Turned

STOPPED = "Stopped; the question and the part of the answer above are kept."


def ask(
    text: Annotated[str, typer.Argument(help="The question; - reads it from stdin.")],
    thread: ThreadOption = None,
    recall: Annotated[
        Literal["auto", "always", "never"], typer.Option(help="When memories are searched; auto: when it seems useful.")
    ] = "auto",
    user: UserOption = ME,
    home: HomeOption = None,
    small: SmallOption = None,
    big: BigOption = None,
    backup: BackupOption = None,
    embeddings: EmbeddingsOption = None,
    reranker: RerankerOption = None,
    cite: Annotated[bool, typer.Option("--cite", help="Give each sentence the numbers of its sources.")] = False,
    structured: Annotated[
        bool, typer.Option("--structured", help="Have the model fill in {answer, memories, confidence} as JSON.")
    ] = False,
    review: ReviewOption = False,
    as_json: JsonOption = False,
) -> None:
    """Ask one question.

    \b
    hippograph ask "Which platform does our team prefer, and why?"
    hippograph ask "我最喜欢的编程语言是什么？" --user ann --json
    hippograph ask "Where does my sister live?" --cite --review
    git diff | hippograph ask - --thread review
    """
    question = text_given(text)
    user = named(user, "--user")
    if review:
        require_terminal()
    thread = named(thread, "--thread") if thread is not None else fresh_thread("ask")
    settings = with_models_loading(configured(home, small, big, embeddings, reranker, backup))
    from hippograph.graph import open_agent

    with open_agent(settings) as agent:
        tell(agent.memory)
        mark("graph")
        with stoppable() as stop:
            turned = agent.ask(
                question,
                user=user,
                thread=thread,
                recall=recall,
                on_token=None if as_json else _stream,
                on_review=ask_about if review else None,
                stop=stop,
                context={"citations": cite, "structured": structured},
            )
        if as_json:
            say_json(turned_json(turned))
        else:
            _report(turned)
        finish(agent.memory)
    if turned.interrupted:
        raise KeyboardInterrupt(STOPPED)


def turned_json(turned: "Turned") -> dict[str, object]:
    """Return a turn as `--json` prints it."""
    return {
        "answer": turned.answer,
        "memories": [memory_json(memory) for memory in turned.memories],
        "trigger": turned.trigger,
        "block": turned.block,
        "stages": {name: {**stage, "ms": round(stage["ms"], 2)} for name, stage in turned.stages.items()},
        "confidence": turned.confidence,
        "structured": turned.structured,
        "topics": turned.topics,
        "degraded": turned.degraded,
    }


def fresh_thread(prefix: str) -> str:
    """Return a name no other thread has."""
    return f"{prefix}-{uuid.uuid4().hex[:12]}"


def with_models_loading(settings: Settings) -> Settings:
    """Choose the models and let embedded ones load in the background, while the rest is imported.

    Raises:
        ModelError: The model that answers cannot be used.
    """
    from hippograph.models import choose, prepare

    roles = {role.role: role for role in choose(settings)}
    small, big = roles["small"], roles["big"]
    if small.problem is not None:
        raise ModelError(small.problem)
    for role in (small, big):
        if role.spec is not None:
            prepare(role.spec, settings)
    mark("model")
    return settings.override(small=small.spec, big=big.spec)


def _stream(token: str) -> None:
    say(token, end="")


def _report(turned: "Turned") -> None:
    say()
    for line in source_lines(turned):
        say(line)
    for memory in used(turned):
        note(f"  memory: {memory_line(memory)}")
    note(f"  {confidence_line(turned)}")
    note(f"  {stages_line(turned.stages)}")
    if turned.block["decision"]:
        note(f"  {block_line(turned.block)}")
    for reason in turned.degraded:
        note(f"  degraded: {reason}")
