"""`hippograph demo --compare`: the small model alone, with plain retrieval, and with our block, measured live."""

import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal

from typing_extensions import TypedDict

from hippograph.cli.ask import fresh_thread
from hippograph.cli.interrupt import stoppable
from hippograph.cli.lines import fitted
from hippograph.cli.samples import CONVERSATIONS, GOLD, QUESTIONS
from hippograph.cli.screen import say

if TYPE_CHECKING:
    from hippograph.bench.answers.plain import Shelf
    from hippograph.graph import Agent
    from hippograph.models import ChatModel

Arm = Literal["alone", "rag", "injection"]
NEAREST = 4
"""Messages that plain retrieval shows: what `similarity_search` returns unless told otherwise."""
WIDTH, CELLS = 100, 24
"""Columns of the terminal that an answer takes, and a cell of the table."""
WORDS = {
    "zh": {
        "alone": "只有小模型",
        "rag": "RAG + 小模型",
        "injection": "记忆注入",
        "capacity": "记得的早先消息",
        "right": "答对",
        "tokens": "每问读入 token（中位数）",
        "memory": "其中记忆",
        "ms": "每问用时（中位数）",
        "cost": "全部回答的花费",
        "of": "{} / {}",
        "unknown": "价格未知",
    },
    "en": {
        "alone": "small model alone",
        "rag": "RAG + small model",
        "injection": "injection",
        "capacity": "earlier messages remembered",
        "right": "right answers",
        "tokens": "tokens read a question, median",
        "memory": "of which memory",
        "ms": "time a question, median",
        "cost": "cost of all answers",
        "of": "{} of {}",
        "unknown": "price not known",
    },
}


class Answer(TypedDict):
    """One answer, as `--json` prints it."""

    question: str
    answer: str
    right: bool
    tokens: int
    """That all models read for it."""
    memory_tokens: int
    """Of what was said earlier, in the small model's prompt."""
    ms: float
    money: float | None
    """USD; None where a price is not known."""


class Compared(TypedDict):
    """One arm, as `--json` prints it."""

    remembered: int
    """Earlier messages an answer can rest on."""
    right: int
    n: int
    tokens_p50: float
    memory_tokens_p50: float
    ms_p50: float
    money: float | None
    """USD for all answers."""
    answers: list[Answer]


def compare(agent: "Agent", user: str, lang: str, shown: Callable[[str], None]) -> dict[Arm, Compared]:
    """Ask the demo's questions three ways of the agent's own models; `shown` gets each line as it comes."""
    small = _small(agent)
    shelf = _shelf(agent, lang)
    small.model.invoke("Hi")  # Loads it, so that the first question is not slower than the others.
    asks: dict[Arm, Callable[[str], Answer]] = {
        "alone": lambda question: _asked(agent, user, question, "never"),
        "rag": lambda question: _retrieved(agent, small, shelf, question),
        "injection": lambda question: _asked(agent, user, question, "always"),
    }
    answers: dict[Arm, list[Answer]] = {arm: [] for arm in asks}
    for question, gold in zip(QUESTIONS[lang], GOLD[lang], strict=True):
        shown(f"\n{question}")
        for arm, ask in asks.items():
            answers[arm].append(answer := _judged(ask(question), gold))
            mark = "✓" if answer["right"] else "✗"
            shown(f"  {fitted(f'{mark} {WORDS[lang][arm]}: ' + answer['answer'], WIDTH)}")
    stored = sum(len(each.messages) for each in CONVERSATIONS[lang])
    return {arm: _summed(each, 0 if arm == "alone" else stored) for arm, each in answers.items()}


def table(compared: dict[Arm, Compared], lang: str) -> list[str]:
    """Return the arms side by side."""
    words = WORDS[lang]
    stored = max(each["remembered"] for each in compared.values())
    rows: list[tuple[str, Callable[[Compared], str]]] = [
        ("capacity", lambda each: words["of"].format(each["remembered"], stored)),
        ("right", lambda each: words["of"].format(each["right"], each["n"])),
        ("tokens", lambda each: f"{each['tokens_p50']:g}"),
        ("memory", lambda each: f"{each['memory_tokens_p50']:g}"),
        ("ms", lambda each: f"{each['ms_p50'] / 1000:.1f} s"),
        ("cost", lambda each: words["unknown"] if each["money"] is None else f"${each['money']:.4f}"),
    ]
    head = _line("", [words[arm] for arm in compared])
    return [head, *(_line(words[name], [show(each) for each in compared.values()]) for name, show in rows)]


def _line(name: str, cells: Sequence[str]) -> str:
    return _padded(name, 32) + "".join(_padded(cell, CELLS) for cell in cells).rstrip()


def _padded(text: str, cells: int) -> str:
    from rich.cells import set_cell_size

    return set_cell_size(text, cells)


def _small(agent: "Agent") -> "ChatModel":
    from hippograph.graph.opened import Models
    from hippograph.state import Context

    return Models(settings=agent.settings).small(Context())


def _shelf(agent: "Agent", lang: str) -> "Shelf":
    """Put the samples into langchain-chroma as it comes, with the same embeddings."""
    import chromadb
    from chromadb.config import Settings

    from hippograph.bench.answers.plain import shelves
    from hippograph.memory.exchange.transfer import Told

    now = datetime.now(UTC)
    told = [Told(each.thread, turn) for each in CONVERSATIONS[lang] for turn in each.turns(lang, now)]
    client = chromadb.EphemeralClient(settings=Settings(anonymized_telemetry=False))
    return shelves({"demo": told}, agent.memory.embedder.embeddings, client)["demo"]


def _asked(agent: "Agent", user: str, question: str, recall: str) -> Answer:
    """Ask the graph; the question is not remembered, so that each is answered from the samples alone."""
    began = time.perf_counter()
    with stoppable() as stop:
        turned = agent.ask(
            question, user=user, thread=fresh_thread("compare"), recall=recall, remember=False, stop=stop
        )
    if turned.interrupted:
        raise KeyboardInterrupt
    stages = list(turned.stages.values())
    return Answer(
        question=question,
        answer=turned.answer,
        right=False,
        tokens=sum(stage["input"] for stage in stages),
        memory_tokens=turned.block["tokens"] if turned.block["text"] else 0,
        ms=_since(began),
        money=_sum(stage["money"] for stage in stages),
    )


def _retrieved(agent: "Agent", small: "ChatModel", shelf: "Shelf", question: str) -> Answer:
    from langchain_core.messages import AIMessage

    from hippograph.bench.answers.plain import prompt
    from hippograph.models import usage

    began = time.perf_counter()
    context = shelf.nearest(question, NEAREST).text
    messages = prompt(question, context)
    answer = small.model.invoke(messages)
    assert isinstance(answer, AIMessage)
    spent = usage(answer, messages, small.counter)
    return Answer(
        question=question,
        answer=str(answer.text),
        right=False,
        tokens=spent.input,
        memory_tokens=small.counter.text(context),
        ms=_since(began),
        money=_price(agent, small.spec, spent.input, spent.output),
    )


def _judged(answer: Answer, gold: str) -> Answer:
    from hippograph.bench.answers.containing import contains

    return {**answer, "right": contains(answer["answer"], gold)}


def _summed(answers: Sequence[Answer], remembered: int) -> Compared:
    return Compared(
        remembered=remembered,
        right=sum(each["right"] for each in answers),
        n=len(answers),
        tokens_p50=statistics.median(each["tokens"] for each in answers),
        memory_tokens_p50=statistics.median(each["memory_tokens"] for each in answers),
        ms_p50=round(statistics.median(each["ms"] for each in answers), 1),
        money=_sum(each["money"] for each in answers),
        answers=[*answers],
    )


def _price(agent: "Agent", spec: str, read: int, written: int) -> float | None:
    """Return what a call cost, in USD; None where the price is not known."""
    millionths = agent.memory.price_list.money(spec, read, written)
    return None if millionths is None else millionths / 1e6


def _sum(money: Iterable[float | None]) -> float | None:
    """Return a sum; None where a part is not known."""
    parts = [*money]
    known = [each for each in parts if each is not None]
    return sum(known) if len(known) == len(parts) else None


def _since(began: float) -> float:
    return round((time.perf_counter() - began) * 1000, 1)


def show(compared: dict[Arm, Compared], lang: str) -> None:
    """Print the table."""
    say()
    for line in table(compared, lang):
        say(line)
