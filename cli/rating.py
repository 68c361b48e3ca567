"""`hippograph rate` and `hippograph evaluate`: what people think of answers, and what it says of the next ones."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from hippograph.cli.lines import counted, shortened
from hippograph.cli.options import (
    ME,
    BigOption,
    HomeOption,
    JsonOption,
    SmallOption,
    UserOption,
    configured,
    named,
)
from hippograph.cli.screen import note, say, say_json
from hippograph.cli.store import open_memory, tell
from hippograph.state import BadInput

if TYPE_CHECKING:
    from hippograph.bench.evaluating import Case, Evaluation
    from hippograph.memory.rating import Rated

WIDTH = 100
WORDS = {"good": 1, "bad": -1, "none": 0}


def rate(
    id: Annotated[  # noqa: A002
        str | None, typer.Argument(metavar="ID", help="Of the answer; without it, the rated answers are listed.")
    ] = None,
    score: Annotated[
        Literal["good", "bad", "none"] | None, typer.Argument(help="What you think of it; none takes it back.")
    ] = None,
    comment: Annotated[str, typer.Option("--comment", metavar="TEXT", help="Why.")] = "",
    correction: Annotated[str, typer.Option("--correction", metavar="TEXT", help="What would have been right.")] = "",
    user: UserOption = ME,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say what you think of an answer, or list what was said.

    `hippograph memories --kind turn` lists answers with their ids. LangSmith is told where tracing is on.

    \b
    hippograph rate
    hippograph rate 5f8e0a… good
    hippograph rate 5f8e0a… bad --correction "Ada lives in Porto."
    """
    user = named(user, "--user")
    if (id is None) != (score is None):
        raise BadInput("Give the ID of an answer and what you think of it (good, bad or none), or neither.")
    with open_memory(home) as memory:
        if id is None or score is None:
            found = memory.ratings(user)
        else:
            from hippograph.graph.feedback import rate as kept

            rated = kept(memory, user, id, WORDS[score], comment=comment, correction=correction)
            found = [rated] if rated else []
    if as_json:
        say_json([_json(each) for each in found])
        return
    for each in found:
        say(f"{each.id}  {'good' if each.score > 0 else 'bad'}  {shortened(each.question, WIDTH)}")
        say(f"    {shortened(each.answer, WIDTH)}")
        for word in filter(None, (each.comment, each.correction)):
            say(f"    > {shortened(word, WIDTH)}")
    if not found:
        note("Nothing is rated." if score is None else "Taken back.")


def _json(rated: "Rated") -> dict[str, object]:
    return {
        "id": rated.id,
        "question": rated.question,
        "answer": rated.answer,
        "score": rated.score,
        "comment": rated.comment,
        "correction": rated.correction,
        "at": rated.at.isoformat(),
        "sent": rated.sent,
    }


def evaluate(
    answers: Annotated[
        Path | None,
        typer.Option("--answers", metavar="FILE", help="Judge what `bench answers --details FILE` wrote instead."),
    ] = None,
    arm: Annotated[str, typer.Option(help="Which of its arms.")] = "extract",
    save: Annotated[
        Path | None, typer.Option("--save", metavar="FILE", help="Write the examples as JSON lines, and ask nothing.")
    ] = None,
    upload: Annotated[
        str | None,
        typer.Option("--upload", metavar="NAME", help="Send examples and results to LangSmith, as this dataset."),
    ] = None,
    user: UserOption = ME,
    home: HomeOption = None,
    small: SmallOption = None,
    big: BigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Ask again what was rated, and score the answers; nothing leaves this machine unless you --upload.

    \b
    hippograph evaluate
    hippograph evaluate --small ollama:qwen3:4b --json
    hippograph evaluate --save examples.jsonl
    hippograph evaluate --answers details.jsonl --arm rag
    """
    from hippograph.bench import evaluating

    user = named(user, "--user")
    if answers is not None:
        cases = evaluating.from_answers(answers, arm)
        target = evaluating.reading(cases)
        if save is None:
            _tell(evaluating.run(cases, target, dataset=upload), as_json=as_json)
            return
    else:
        cases = _rated(home, user)
    if save is not None:
        evaluating.write(cases, save)
        note(f"{save}: {counted(len(cases), 'example')}.")
        return
    settings = configured(home, small=small, big=big)
    from hippograph.graph import open_agent

    with open_agent(settings) as agent:
        tell(agent.memory)
        _tell(evaluating.run(cases, evaluating.asking(agent, user, cases), dataset=upload), as_json=as_json)


def _rated(home: Path | None, user: str) -> "list[Case]":
    from hippograph.bench.evaluating import from_ratings

    with open_memory(home) as memory:
        return from_ratings(memory.ratings(user), user)


def _tell(done: "Evaluation", *, as_json: bool) -> None:
    if as_json:
        say_json({"metrics": done.metrics, "rows": done.rows, "url": done.url})
        return
    for row in done.rows:
        scores = "  ".join(f"{key} {score:.2f}" for key, score in row["scores"].items())
        said = shortened(row["answer"] or row["error"] or "", WIDTH)
        say(f"{shortened(row['question'], WIDTH)}\n    {said}\n    {scores}")
    say("  ".join(f"{key} {score:g}" for key, score in done.metrics.items()))
    if done.url:
        say(done.url)
