"""What a turn comes to, part by part, as JSON-plain types; light to import, so that memory and models can."""

from typing import Literal

from typing_extensions import TypedDict

Mode = Literal["asked", "proactive"]
"""What a search is for. asked: the turn asks for something, or for it to be kept. proactive: it only tells a feeling or
what happened; nobody asked for a memory, so only one that clearly fits is worth bringing up."""


Writer = Literal["none", "extract", "big", "backup", "embedded"]
"""Who wrote a block: nobody, deterministic code, or a model, by its rung on the ladder."""


class Trigger(TypedDict):
    """Whether this turn searches long-term memory, and why."""

    fire: bool
    reason: str
    mode: Mode
    queries: list[str]
    time_window: list[str]
    """First and last instant asked about, ISO 8601 in UTC; empty where the turn names no time."""


Role = Literal["small", "big", "backup", "embedded", "judge", "extractor", "reranker"]
"""What a model was asked for: the answer; the block, by the first, second or last model of its ladder; a verdict on a
block; facts out of a turn; the order of memories."""


class Call(TypedDict):
    """What one call of a model cost."""

    role: Role
    model: str
    """As "provider:model"."""
    input: int
    """Tokens of the prompt."""
    output: int
    """Tokens of the answer; 0 where it failed."""
    ms: float
    cached: bool
    """Whether the answer came from our cache: nothing was sent, and the tokens are what asking would have cost."""


class Stage(TypedDict):
    """What one node cost in this turn."""

    ms: float
    tokens: int
    """Tokens it sent to and got from models, or put into the block; 0 where none."""
    input: int
    """Tokens it sent to models."""
    output: int
    """Tokens it got from them."""
    money: float | None
    """What its calls cost, in USD: 0 for local models, None where the price of one is not known."""
    calls: list[Call]
    """Each call of a model it made."""


class Cut(TypedDict):
    """A memory that was found and not kept."""

    id: str
    reason: str
    """In words: "too weak: below 0.28"."""
    score: float
    """In [0, 1]."""


class Block(TypedDict):
    """What is injected into the small model's prompt."""

    text: str
    tokens: int
    cited: list[str]
    """Ids of the memories behind the numbers [1], [2], ... of the text, in that order."""
    by: Writer
    """Who wrote it: nobody, deterministic code, or a model, by its role."""
    unsupported: int
    """Sentences of the model that its sources do not bear out; their sources' own words took their place."""
    decision: str
    """Why a model was asked or was not, in words; empty where memory was not searched."""
    saved: int
    """About what a call would have cost that was not made, in tokens."""
    cache: Literal["", "exact", "near"]
    """How it was found in the cache; empty: it was not."""
    more: str
    """The line that names what else memory holds, "More details exist about …"; empty where nothing was left out."""


def no_block(decision: str = "") -> Block:
    """Return the block that holds nothing."""
    return Block(text="", tokens=0, cited=[], by="none", unsupported=0, decision=decision, saved=0, cache="", more="")


class PromptPart(TypedDict):
    """One message of a prompt."""

    role: Literal["system", "human", "ai"]
    text: str


class Asked(TypedDict):
    """What the model that answers was sent."""

    parts: list[PromptPart]
    """Its messages, in order; worked examples are among them."""
    tokens: int
    window: int
    """Tokens that prompt and answer may take together."""
    model: str


Level = Literal["high", "medium", "low"]


class Confidence(TypedDict):
    """How far an answer is to be trusted, computed from what it rests on; no model is asked."""

    level: Level
    score: float
    """In [0, 1]."""
    why: list[str]
    """In words, what speaks for and against it: "not in the notes: 2019"."""


class Structured(TypedDict):
    """An answer that the model filled in under a schema."""

    answer: str
    memories: list[str]
    """Ids of the memories the model says it used, of those that stood in its prompt."""
    confidence: Level
    """What the model says of itself; `Confidence` is what was computed."""


Standing = Literal["open", "decided", "planned", "done", "noted"]
"""How things stand with a topic. open: a question about it has no answer yet. noted: nothing of the kind was said."""


class Topic(TypedDict):
    """One thing that a thread is about: working memory."""

    name: str
    """Its telling words, as they were said: "Heron launch", 苍鹭项目 上线."""
    summary: str
    """What was said about it: the sentences that weigh most, in their order; at most some 200 characters."""
    state: Standing
    turns: int
    """How many turns were about it."""
    used_at: str
    """When it was talked about last, ISO 8601 in UTC."""
    age: int
    """How many topics were opened since then."""
    words: list[str]
    """By what a turn is known to be about it: words as the keyword index cuts them, those said last first."""
