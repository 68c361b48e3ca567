"""A real, months-long conversation: its questions, its gold answers, and what the graph answers."""

import json
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from uuid import uuid4

from hippograph.bench import machine
from hippograph.bench.report import Report, median
from hippograph.bench.sets.locomo import ADVERSARIAL, evidence
from hippograph.graph import Agent, open_agent
from hippograph.memory.exchange.transfer import import_turns, read_locomo
from hippograph.state import BadInput, Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One question of a LoCoMo conversation."""

    text: str
    gold: str
    evidence: tuple[str, ...]
    """Ids of the turns that answer it."""
    category: int


def read_questions(path: Path, sample: str, number: int) -> list[Question]:
    """Return `number` answerable questions of a conversation, spread evenly over all of them.

    Raises:
        BadInput: The file has no such conversation.
    """
    samples = {each["sample_id"]: each["qa"] for each in json.loads(path.read_text(encoding="utf-8"))}
    if sample not in samples:
        raise BadInput(f"{path} has no sample {sample!r}: it has {', '.join(samples)}.")
    asked = [_question(each) for each in samples[sample] if each["category"] != ADVERSARIAL]
    number = min(number, len(asked))
    return [asked[index * len(asked) // number] for index in range(number)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of one question."""

    question: str
    gold: str
    answer: str
    category: int
    evidence: tuple[str, ...]
    cited: tuple[str, ...]
    """Ids of the verbatim turns behind the memories that stood in the prompt."""
    seconds: float
    degraded: tuple[str, ...]

    @property
    def f1(self) -> float:
        """How far the answer's words are the gold answer's, 0 to 1: the harmonic mean of precision and recall."""
        gold, answer = _words(self.gold), _words(self.answer)
        shared = (gold & answer).total()
        return 2 * shared / (gold.total() + answer.total()) if shared else 0.0

    @property
    def evidence_cited(self) -> float:
        """Which share of the evidence stood in the prompt, 0 to 1."""
        return len({*self.evidence} & {*self.cited}) / max(1, len(self.evidence))

    def lines(self) -> Iterator[str]:
        """Return the outcome as text."""
        yield f"  question  {self.question}"
        yield f"  gold      {self.gold}  ({', '.join(self.evidence)})"
        yield f"  answer    {self.answer}"
        yield f"  cited     {', '.join(self.cited)}"
        yield f"  seconds   {self.seconds}"


def run(settings: Settings, data: Path, sample: str, number: int, progress: Callable[[str], None]) -> Report:
    """Import a conversation into the settings' home (once) and ask some of its questions, each in a fresh thread.

    Args:
        settings: Home and models.
        data: A LoCoMo file.
        sample: Which conversation of it; also the user its turns are stored under.
        number: How many questions.
        progress: Told each question's outcome.
    """
    where = machine.describe()
    told, questions = read_locomo(data, sample), read_questions(data, sample, number)
    began = time.perf_counter()
    with open_agent(settings) as agent:
        imported = import_turns(agent.memory, sample, told)
        agent.memory.flush()
        seconds = time.perf_counter() - began
        progress(f"{imported.stored} turns stored, {imported.known} already there ({seconds:.0f} s).")
        outcomes = []
        for question in questions:
            outcomes.append(outcome := _ask(agent, sample, question))
            progress("\n".join(["", *outcome.lines()]))
        models = {"small": str(settings.small), "big": str(settings.big), "embeddings": agent.memory.embedder.spec}
    return Report(
        metrics={
            "evidence_cited_share": _mean([outcome.evidence_cited for outcome in outcomes if outcome.evidence]),
            "answer_f1": _mean([outcome.f1 for outcome in outcomes]),
            "seconds_p50": median([outcome.seconds for outcome in outcomes]),
            "import_s": round(seconds, 1),
        },
        machine=where,
        models=models,
        n=len(outcomes),
        questions=[asdict(outcome) for outcome in outcomes],
    )


def _ask(agent: Agent, user: str, question: Question) -> Outcome:
    began = time.perf_counter()
    turned = agent.ask(question.text, user=user, thread=f"ask-{uuid4().hex[:12]}", recall="always", remember=False)
    seconds = time.perf_counter() - began
    used = [memory for memory in turned.memories if memory.id in turned.block["cited"]]
    return Outcome(
        question=question.text,
        gold=question.gold,
        answer=turned.answer,
        category=question.category,
        evidence=question.evidence,
        cited=tuple(dict.fromkeys(each for memory in used for each in memory.source_ids)),
        seconds=round(seconds, 2),
        degraded=tuple(turned.degraded),
    )


def _words(text: str) -> Counter[str]:
    """Count the words of an answer, without case, punctuation and articles."""
    return Counter(word for word in re.findall(r"\w+", text.lower()) if word not in ("a", "an", "the"))


def _mean(values: Sequence[float]) -> float | None:
    return round(sum(values) / len(values), 3) if values else None


def _question(found: dict[str, object]) -> Question:
    return Question(
        text=str(found["question"]),
        gold=str(found["answer"]),
        evidence=evidence(found),
        category=int(str(found["category"])),
    )
