"""Evaluation with LangSmith's `evaluate`, offline unless told to upload: of ratings, or of kept bench answers."""

import json
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from statistics import mean
from typing import TYPE_CHECKING, Any
from uuid import NAMESPACE_URL, UUID, uuid5

from langsmith import Client, evaluate, tracing_context
from langsmith.schemas import Example

from hippograph.bench.answers.abstaining import abstains
from hippograph.bench.answers.containing import contains
from hippograph.bench.answers.scores import shortened, token_f1
from hippograph.state import BadInput, space_hash

if TYPE_CHECKING:
    from hippograph.graph import Agent
    from hippograph.memory.rating import Rated

Target = Callable[[dict[str, Any]], dict[str, Any]]
"""Answers an example's inputs, {"question": …}, with {"answer": …}."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One question with what is known of its answer."""

    id: UUID
    """The same each time, so that a dataset has it once."""
    question: str
    reference: str
    """What a right answer says; empty where only a wrong one is known, or nothing should be answered."""
    wrong: str = ""
    """An answer that somebody called bad."""
    given: str | None = None
    """The answer that was given, where it is to be judged as it is."""
    rated: str = ""
    """Id of the answer in memory that was rated."""
    about: dict[str, Any] = field(default_factory=dict)
    """What else there is to say of it: score, comment, category."""

    def example(self) -> Example:
        """Return it as LangSmith has it."""
        outputs = {name: said for name, said in (("answer", self.reference), ("wrong", self.wrong)) if said}
        return Example(
            id=self.id,
            dataset_id=uuid5(NAMESPACE_URL, "hippograph:local"),
            inputs={"question": self.question} | ({"case": str(self.id)} if self.given is not None else {}),
            outputs=outputs,
            metadata=self.about,
            created_at=datetime.now(UTC),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """What came of it."""

    metrics: dict[str, float]
    """The mean of each score over the examples that have it, in [0, 1], and their number as "n"."""
    rows: list[dict[str, Any]]
    """Each question, its answer and its scores."""
    url: str | None = None
    """Where LangSmith shows it; None where nothing was uploaded."""


def from_ratings(rated: Iterable["Rated"], space: str) -> list[Case]:
    """Return the rated answers of a space as examples.

    What is right is the correction where there is one, else an answer that was called good; of one that was called bad
    without a correction, only that it is wrong is known.
    """
    return [
        Case(
            id=uuid5(NAMESPACE_URL, f"hippograph:rating:{space_hash(space)}:{each.id}"),
            question=each.question,
            reference=each.correction or (each.answer if each.score > 0 else ""),
            wrong="" if each.score > 0 else each.answer,
            rated=each.id,
            about={"score": each.score, "comment": each.comment, "rated_at": each.at.isoformat()},
        )
        for each in rated
        if each.question
    ]


def from_answers(path: Path, arm: str = "extract") -> list[Case]:
    """Return what `hippograph bench answers --details FILE` wrote as examples, with the answers that one arm gave.

    Raises:
        BadInput: The file cannot be read, or has no answers of that arm.
    """
    try:
        found = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
        cases = [_kept(each) for each in found if each["arm"] == arm]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadInput(
            f"{path} is no file of answers ({error}): `hippograph bench answers --details` writes one."
        ) from error
    if not cases:
        arms = ", ".join(sorted({str(each["arm"]) for each in found}))
        raise BadInput(f"{path} has no answers of the arm {arm!r}: it has {arms or 'none at all'}.")
    return cases


def _kept(line: dict[str, Any]) -> Case:
    return Case(
        id=uuid5(NAMESPACE_URL, f"hippograph:bench:{line['id']}"),
        question=line["question"],
        reference=line["gold"] if line["answerable"] else "",
        given=line["answer"],
        about={"id": line["id"], "category": line["category"], "answerable": line["answerable"], "arm": line["arm"]},
    )


def asking(agent: "Agent", space: str, cases: Sequence[Case] = ()) -> Target:
    """Return what asks an agent a question as that user, in a conversation of its own, remembering nothing.

    The rated answers of `cases` are not recalled: an agent that finds what was called right would only repeat it.
    """
    from hippograph.graph.steps import passing_over

    answers = [case.rated for case in cases if case.rated]

    def target(inputs: dict[str, Any]) -> dict[str, Any]:
        with passing_over(answers):
            turned = agent.ask(inputs["question"], user=space, history=[], remember=False)
        return {"answer": turned.answer, "confidence": turned.confidence["score"]}

    return target


def reading(cases: Sequence[Case]) -> Target:
    """Return what gives the answers that were kept."""
    by_question = {case.question: case.given or "" for case in cases}
    kept = {str(case.id): case.given or "" for case in cases}
    # Datasets that were uploaded before have examples without a case.
    return lambda inputs: {"answer": kept.get(inputs.get("case", ""), by_question[inputs["question"]])}


def run(
    cases: Sequence[Case], target: Target, *, dataset: str | None = None, client: Client | None = None
) -> Evaluation:
    """Answer all examples and score the answers.

    Args:
        cases: The examples.
        target: What answers.
        dataset: Name of a dataset in LangSmith that gets the examples, and the experiment; None: nothing leaves this
            machine.
        client: To LangSmith, where the caller has one; None: the environment's.

    Raises:
        BadInput: There are no examples, or LangSmith cannot be reached with what the environment says.
    """
    if not cases:
        raise BadInput("There is nothing to evaluate: rate some answers first (`hippograph rate`, or on the page).")
    given: dict[str, Any] = {"evaluators": SCORES, "max_concurrency": 0, "error_handling": "log"}
    if dataset is None:
        with warnings.catch_warnings(), tracing_context(enabled=False), _quiet():
            warnings.filterwarnings("ignore", message=".*upload_runs.*")
            results = evaluate(
                _untraced(target), data=[case.example() for case in cases], upload_runs=False, client=_nobody(), **given
            )
            return _evaluation(results, None)
    client = client or Client()
    try:
        upload(client, cases, dataset)
        with _quiet():
            results = evaluate(target, data=dataset, client=client, experiment_prefix="hippograph", **given)
            return _evaluation(results, getattr(results, "url", None))
    except BadInput:
        raise
    except Exception as error:  # whatever the client raises: it has classes of many kinds
        raise BadInput(
            f"LangSmith cannot be told ({error}): set LANGSMITH_API_KEY, or evaluate without --upload."
        ) from error


def upload(client: Client, cases: Sequence[Case], dataset: str) -> None:
    """Put the examples that a dataset does not have into it; it is made where there is none."""
    there = client.has_dataset(dataset_name=dataset)
    made = client.read_dataset(dataset_name=dataset) if there else client.create_dataset(dataset)
    known = {each.id for each in client.list_examples(dataset_id=made.id)} if there else set()
    if fresh := [_sent(case.example()) for case in cases if case.id not in known]:
        client.create_examples(dataset_id=made.id, examples=fresh)


def write(cases: Sequence[Case], path: Path) -> None:
    """Write the examples as JSON lines of inputs, outputs and metadata, which LangSmith takes as a dataset."""
    lines = [json.dumps(_sent(case.example()), ensure_ascii=False, default=str) for case in cases]
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")


def _sent(example: Example) -> dict[str, Any]:
    """Return an example as LangSmith is sent it."""
    return {name: getattr(example, name) for name in ("id", "inputs", "outputs", "metadata")}


def right(outputs: dict[str, Any], reference_outputs: dict[str, Any]) -> dict[str, Any]:
    """Whether the answer says all that the reference says; no score where there is no reference."""
    meant = reference_outputs.get("answer", "")
    return {"key": "right", "score": contains(shortened(outputs["answer"]), meant) if meant else None}


def overlap(outputs: dict[str, Any], reference_outputs: dict[str, Any]) -> dict[str, Any]:
    """How many words it shares with the reference: F1 of their stems, as LoCoMo counts it."""
    meant = reference_outputs.get("answer", "")
    return {"key": "overlap", "score": round(token_f1(outputs["answer"], meant), 4) if meant else None}


def otherwise(outputs: dict[str, Any], reference_outputs: dict[str, Any]) -> dict[str, Any]:
    """Whether the answer is another one than that which was called bad."""
    wrong = reference_outputs.get("wrong", "")
    return {"key": "otherwise", "score": outputs["answer"].strip() != wrong.strip() if wrong else None}


def silent(outputs: dict[str, Any]) -> dict[str, Any]:
    """Whether the answer says that it does not know."""
    return {"key": "silent", "score": abstains(outputs["answer"])}


def confidence(outputs: dict[str, Any]) -> dict[str, Any]:
    """How far the answer is to be trusted, as the turn says."""
    return {"key": "confidence", "score": outputs.get("confidence")}


SCORES = [right, overlap, otherwise, silent, confidence]


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep from the terminal what `evaluate` prints there and the progress that it shows: our own words follow."""
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        yield


def _untraced(target: Target) -> Target:
    """Return a target whose own runs are not traced: each would be sent to nobody, and be tried again."""

    def untraced(inputs: dict[str, Any]) -> dict[str, Any]:
        with tracing_context(enabled=False):
            return target(inputs)

    return untraced


def _nobody() -> Client:
    """Return a client that asks nobody who he is: `evaluate` wants one, and sends nothing through it here."""
    return Client(api_url="http://127.0.0.1:9", api_key="none", info={}, auto_batch_tracing=False)


def _evaluation(results: Any, url: str | None) -> Evaluation:  # noqa: ANN401 - LangSmith's
    rows = [_row(each) for each in results]
    keys = dict.fromkeys(key for row in rows for key in row["scores"])
    metrics = {key: [row["scores"][key] for row in rows if key in row["scores"]] for key in keys}
    means = {key: round(mean(scores), 4) for key, scores in metrics.items()}
    return Evaluation(metrics={**means, "n": float(len(rows))}, rows=rows, url=url)


def _row(found: dict[str, Any]) -> dict[str, Any]:
    said, example = found["run"], found["example"]
    scores = {each.key: float(each.score) for each in found["evaluation_results"]["results"] if each.score is not None}
    return {
        "question": example.inputs["question"],
        "reference": (example.outputs or {}).get("answer", ""),
        "answer": (said.outputs or {}).get("answer", ""),
        "error": said.error,
        "scores": scores,
    }
