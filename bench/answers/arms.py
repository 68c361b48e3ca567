"""The arms: ways in which one reader may be given what was said, each asked every question."""

import time
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING
from uuid import uuid4

from hippograph.bench.answers import plain
from hippograph.bench.answers.asked import Asked
from hippograph.bench.answers.keeping import Answers, Clock, kept
from hippograph.bench.answers.plain import Shelf, Shown
from hippograph.bench.answers.scores import Scores, judged
from hippograph.graph import Agent, open_agent
from hippograph.models import ChatModel, chat_model, estimate
from hippograph.models.budgets import budget
from hippograph.nodes.dating import dated
from hippograph.nodes.verify import supported
from hippograph.state import BadInput, Context, Recollection, Settings

if TYPE_CHECKING:
    from hippograph.graph import Turned
    from hippograph.memory import Memory

NAMES = ("extract", "none", "rag", "rag4", "last", "full", "big")
FIRST = ("extract", "none", "rag")
"""What the headline needs; asked of all questions before the other arms."""
OURS = ("extract", "big")
TIMES = {"rag": 1, "rag4": 4}
"""How many times our block's tokens retrieval may fill."""
LEAST = 64
"""Tokens that retrieval gets even where our block holds less, or nothing: about two lines."""
WINDOW, ANSWER = 4096, 128
PATIENCE = 1800.0
"""Seconds that a big model may take: a busy machine is no reason to measure another model's block."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decoding:
    """How every reader answers."""

    window: int = WINDOW
    answer: int = ANSWER
    """Most tokens of an answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What one arm made of one question."""

    asked: Asked
    reader: str
    arm: str
    answer: str
    scores: Scores
    context: str
    """What stood in the prompt of what was said."""
    tokens: int
    """Of the context."""
    prompt_tokens: int
    """All that the reader, and a big model, read."""
    output_tokens: int
    ms: float
    """Retrieval, block and answer, as measured when it was first asked."""
    shown: tuple[str, ...] = ()
    """Ids of the turns behind the context."""
    found: tuple[str, ...] = ()
    """Ids of the turns behind what survived reranking."""
    unsupported: int = 0
    """Bullets in the prompt that their sources do not bear out."""
    dropped: int = 0
    """Bullets of a big model that did not get into the prompt, for the same reason."""
    degraded: tuple[str, ...] = ()
    skipped: bool = False
    """Whether the context does not fit the window, so that nothing was asked."""


@dataclass(kw_only=True)
class Reader:
    """One small model and all it is asked with; a context manager."""

    spec: str
    settings: Settings
    decoding: Decoding
    answers: Answers
    memories: "Mapping[str, Memory]"
    """Set to its memory."""
    shelves: Mapping[str, Mapping[str, Shelf]]
    """Set to space to plain retrieval."""
    big: str | None = None
    clock: Clock = field(default_factory=Clock)
    _stack: ExitStack = field(default_factory=ExitStack)
    _agents: dict[tuple[str, str], Agent] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.model = self._kept(self.spec)

    def __enter__(self) -> "Reader":
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def ask(self, arm: str, asked: Asked, block: Outcome | None) -> Outcome:
        """Ask one question in one arm; `block` is what "extract" showed for it, by which retrieval is measured."""
        return self._ours(arm, asked) if arm in OURS else self._plain(arm, asked, block)

    def _kept(self, spec: str) -> ChatModel:
        made = chat_model(spec, self.settings, context_tokens=self.decoding.window, answer_tokens=self.decoding.answer)
        return kept(made, self.answers, self.clock, f"temperature 0, {self.decoding.answer} tokens")

    def _agent(self, arm: str, name: str) -> Agent:
        if (arm, name) not in self._agents:
            self._agents[arm, name] = self._stack.enter_context(self._opened(arm, name))
        return self._agents[arm, name]

    def _opened(self, arm: str, name: str) -> AbstractContextManager[Agent]:
        if arm == "big" and not self.big:
            raise BadInput("The arm big needs a big model: name it with --big.")
        big = self._kept_big(self.big) if arm == "big" and self.big else None
        # Without the models that the environment names: "extract" has none, "big" no other.
        settings = replace(self.settings, big=None, backup=None)
        return open_agent(settings, small=self.model, big=big, memory=self.memories[name])

    def _kept_big(self, spec: str) -> ChatModel:
        allowed = budget("big", spec, self.settings, Context())
        made = chat_model(spec, self.settings, context_tokens=allowed.window, answer_tokens=allowed.answer)
        return kept(made, self.answers, self.clock, f"temperature 0, {allowed.answer} tokens")

    def _ours(self, arm: str, asked: Asked) -> Outcome:
        agent = self._agent(arm, asked.set)
        before, began = replace(self.clock), time.perf_counter()
        turned = agent.ask(
            asked.text,
            user=f"{asked.set}/{asked.space}",
            thread=f"ask-{uuid4().hex[:12]}",
            recall="always",
            remember=False,
            context={
                "context_tokens": self.decoding.window,
                "answer_tokens": self.decoding.answer,
                "summarize": "always" if arm == "big" else "never",
                "deadline": PATIENCE,
                "cache": False,  # What a block costs is what is measured; answers are kept here instead.
            },
        )
        ms = self._ms(before, began)
        cited = {*turned.block["cited"]}
        return replace(
            self._outcome(asked, arm, turned.answer, before, ms),
            context=turned.block["text"],
            tokens=turned.block["tokens"] if turned.block["text"] else 0,
            shown=_turns([each for each in turned.memories if each.id in cited]),
            found=_turns(turned.memories),
            unsupported=unsupported(turned),
            dropped=turned.block["unsupported"],
            degraded=tuple(turned.degraded),
        )

    def _plain(self, arm: str, asked: Asked, block: Outcome | None) -> Outcome:
        before, began = replace(self.clock), time.perf_counter()
        shown = self._shown(arm, asked, block)
        count = self.model.counter
        messages = plain.prompt(asked.text, shown.text) if shown else []
        if shown is None or count.messages(messages) > self.decoding.window - self.decoding.answer:
            return replace(self._outcome(asked, arm, "", before, 0.0), skipped=True)
        answer = str(self.model.model.invoke(messages).text)
        ms = self._ms(before, began)
        tokens = count.text(shown.text) if shown.text else 0
        return replace(
            self._outcome(asked, arm, answer, before, ms), context=shown.text, tokens=tokens, shown=shown.ids
        )

    def _shown(self, arm: str, asked: Asked, block: Outcome | None) -> Shown | None:
        """Return an arm's context; None where it cannot fit the window, which needs no exact count."""
        shelf, count = self.shelves[asked.set][asked.space], self.model.counter.text
        room = self.decoding.window - self.decoding.answer
        if arm in TIMES:
            if block is None:
                raise BadInput(f"{arm} is measured by our block: add extract to --arms.")
            return shelf.found(asked.text, max(LEAST, block.tokens) * TIMES[arm], count)
        if arm == "last":
            return shelf.last(room // 2, count)
        if arm == "full":
            whole = shelf.whole()
            return whole if estimate(whole.text) < 2 * room else None
        return Shown(text="", ids=())

    def _ms(self, before: Clock, began: float) -> float:
        """Return what took place since, with the model's time as it was first measured."""
        waited, measured = self.clock.waited - before.waited, self.clock.measured - before.measured
        return (time.perf_counter() - began - waited + measured) * 1000

    def _outcome(self, asked: Asked, arm: str, answer: str, before: Clock, ms: float) -> Outcome:
        return Outcome(
            asked=asked,
            reader=self.model.spec,
            arm=arm,
            answer=answer,
            scores=judged(asked, answer),
            context="",
            tokens=0,
            prompt_tokens=self.clock.input - before.input,
            output_tokens=self.clock.output - before.output,
            ms=round(ms, 1),
        )


def unsupported(turned: "Turned") -> int:
    """Count the lines of a block that a model wrote and none of the memories it cites bears out."""
    if turned.block["by"] in ("none", "extract"):
        return 0  # The memories' own words.
    cited = {*turned.block["cited"]}
    sources = [
        replace(each, text=dated(each.text, each.said_at.astimezone())) for each in turned.memories if each.id in cited
    ]
    lines = [line.partition(") ")[2] or line for line in turned.block["text"].splitlines() if line.startswith("[")]
    return sum(not supported(line, sources) for line in lines)


def _turns(memories: Sequence[Recollection]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(id_ for each in memories for id_ in each.source_ids or [each.id]))
