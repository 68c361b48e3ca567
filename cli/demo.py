"""`hippograph demo`: four earlier conversations, four questions, with memory and without, or beside plain retrieval."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from typing_extensions import TypedDict

from hippograph.cli.ask import fresh_thread, with_models_loading
from hippograph.cli.interrupt import stoppable
from hippograph.cli.lines import cited, memory_line, stages_line, used
from hippograph.cli.options import BigOption, EmbeddingsOption, JsonOption, SmallOption, configured, named
from hippograph.cli.samples import CONVERSATIONS, QUESTIONS
from hippograph.cli.screen import note, say, say_json
from hippograph.cli.store import finish, home_or_temporary

if TYPE_CHECKING:
    from hippograph.graph import Agent, Turned

Language = Literal["zh", "en"]

WORDS = {
    "zh": {
        "stored": "已存入 {n} 条较早的消息（{threads} 个会话）。回答的是小模型 {small}。",
        "with": "有记忆",
        "without": "没有记忆：同一个模型，同样的问题",
        "memory": "用到的记忆",
        "more": "提示词里另有 {n} 条",
        "none": "没有用到记忆",
    },
    "en": {
        "stored": "{n} earlier messages in {threads} conversations are stored. The small model {small} answers.",
        "with": "With memory",
        "without": "Without memory: the same model, the same questions",
        "memory": "memory used",
        "more": "{n} more in the prompt",
        "none": "no memory used",
    },
}


class Answered(TypedDict):
    """One question of the demo, as `--json` prints it."""

    question: str
    answer: str
    used: list[str]
    """Ids of the memories that stood in the prompt."""
    ms: dict[str, float]
    """Stage to milliseconds."""


def demo(
    lang: Annotated[Language, typer.Option(help="Language of the conversations.")] = "zh",
    user: Annotated[str, typer.Option("--user", metavar="NAME", help="Whose memories they become.")] = "demo",
    home: Annotated[
        Path | None, typer.Option("--home", metavar="DIR", help="Keep the memories here. Default: a temporary folder.")
    ] = None,
    small: SmallOption = None,
    big: BigOption = None,
    embeddings: EmbeddingsOption = None,
    compare: Annotated[
        bool, typer.Option("--compare", help="A table: the small model alone, with plain retrieval, with injection.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """See the difference memory makes: four questions about earlier conversations, with memory and without.

    \b
    hippograph demo
    hippograph demo --lang en
    hippograph demo --compare
    hippograph demo --small ollama:qwen3:4b --json
    """
    user = named(user, "--user")
    with home_or_temporary(home) as folder:
        settings = with_models_loading(configured(folder, small, big, embeddings))
        from hippograph.graph import open_agent

        with open_agent(settings) as agent:
            show = _silent if as_json else _show
            stored = _store(agent, user, lang)
            show(WORDS[lang]["stored"].format(n=stored, threads=len(CONVERSATIONS[lang]), small=settings.small))
            if compare:
                _compare(agent, user, lang, show, as_json)
                return
            show(f"\n== {WORDS[lang]['with']} ==")
            with_memory = [_ask(agent, user, lang, question, True, as_json) for question in QUESTIONS[lang]]
            show(f"\n== {WORDS[lang]['without']} ==")
            without = [_ask(agent, user, lang, question, False, as_json) for question in QUESTIONS[lang]]
            finish(agent.memory)
        if as_json:
            say_json({"lang": lang, "with_memory": with_memory, "without_memory": without})


def _compare(agent: "Agent", user: str, lang: Language, show: Callable[[str], None], as_json: bool) -> None:
    from hippograph.cli import comparing

    compared = comparing.compare(agent, user, lang, show)
    finish(agent.memory)
    if as_json:
        say_json({"lang": lang, "small": agent.settings.small, "big": agent.settings.big, "arms": compared})
    else:
        comparing.show(compared, lang)


def _store(agent: "Agent", user: str, lang: Language) -> int:
    now = datetime.now(UTC)
    stored = [
        agent.memory.add_turns(user, conversation.thread, conversation.turns(lang, now))
        for conversation in CONVERSATIONS[lang]
    ]
    agent.memory.flush()
    return sum(map(len, stored))


def _ask(agent: "Agent", user: str, lang: Language, question: str, memory: bool, as_json: bool) -> Answered:
    """Ask in a fresh thread; the question is not remembered, so that each is answered from the samples alone."""
    if not as_json:
        say(f"\n{question}")
    with stoppable() as stop:
        turned = agent.ask(
            question,
            user=user,
            thread=fresh_thread("demo"),
            recall="auto" if memory else "never",
            remember=False,
            context={"citations": True},
            on_token=None if as_json else lambda token: say(token, end=""),
            stop=stop,
        )
    if not as_json:
        _report(turned, lang)
    if turned.interrupted:
        raise KeyboardInterrupt
    return Answered(
        question=question,
        answer=turned.answer,
        used=[memory.id for memory in used(turned)],
        ms={name: round(stage["ms"], 2) for name, stage in turned.stages.items()},
    )


def _report(turned: "Turned", lang: Language) -> None:
    """Show the memories that bear the answer out; the others in the prompt are only counted."""
    say()
    words, memories = WORDS[lang], used(turned)
    shown = [*cited(turned).values()] or memories[:1]
    for memory in shown:
        note(f"  {words['memory']}: {memory_line(memory)}")
    if len(memories) > len(shown):
        note(f"  {words['more'].format(n=len(memories) - len(shown))}")
    if not memories:
        note(f"  {words['none']}")
    note(f"  {stages_line(turned.stages)}")


def _show(text: str) -> None:
    say(text)


def _silent(text: str) -> None:
    """Say nothing: the result is JSON."""
