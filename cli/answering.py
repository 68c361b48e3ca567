"""`hippograph bench answers`: what a small model makes of our block, beside no memory and plain retrieval."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hippograph.cli.options import BigOption, EmbeddingsOption, configured
from hippograph.cli.published import STDOUT, OutOption, publish
from hippograph.cli.retrieving import CacheOption, folder_of, listed
from hippograph.cli.screen import note, say
from hippograph.state import BadInput, Settings

if TYPE_CHECKING:
    from hippograph.bench.answers.arms import Outcome
    from hippograph.bench.report import Figure, Report


def answers(
    data: Annotated[
        Path | None,
        typer.Option(
            metavar="PATH",
            help="The folder of the data sets, or LoCoMo's folder or file. Default: beside the checkout.",
        ),
    ] = None,
    number: Annotated[int, typer.Option("--n", min=0, help="LoCoMo questions of categories 1-4.")] = 100,
    unanswerable: Annotated[int, typer.Option(min=0, help="LoCoMo questions of category 5, without an answer.")] = 30,
    longmemeval: Annotated[int, typer.Option(min=0, help="LongMemEval questions.")] = 60,
    lifebench: Annotated[int, typer.Option(min=0, help="LifeBench questions (Chinese).")] = 50,
    seed: Annotated[int, typer.Option(help="Which questions are drawn.")] = 5,
    sets: Annotated[
        str, typer.Option(metavar="SET,…", help="Which sets are asked about.")
    ] = "locomo,longmemeval,lifebench",
    arms: Annotated[
        str | None,
        typer.Option(
            metavar="ARM,…", help="extract, none, rag, rag4, last, full, big. Default: all; big where --big is given."
        ),
    ] = None,
    small: Annotated[
        list[str] | None,
        typer.Option("--small", metavar="MODEL,…", help="Readers, repeatable; the figures are the first one's."),
    ] = None,
    big: BigOption = None,
    embeddings: EmbeddingsOption = None,
    window: Annotated[int, typer.Option(min=512, help="Context window of the readers, in tokens.")] = 4096,
    answer: Annotated[int, typer.Option(min=16, help="Most tokens of an answer.")] = 128,
    failures: Annotated[
        int, typer.Option(min=0, help="Also write why answers failed, with so many in full, beside OUT.")
    ] = 0,
    cache: CacheOption = None,
    out: OutOption = None,
) -> None:
    """How well a small model answers questions about long conversations, by what it is shown of them.

    May be stopped at any time: OUT then holds the figures so far, and the next run goes on where it stopped.
    Beside OUT, a .jsonl file keeps every answer with what was shown.

    \b
    hippograph bench answers
    hippograph bench answers --data locomo.json --n 24 --unanswerable 8 --arms extract,none,rag --json answers.json
    hippograph bench answers --small local:qwen2.5-coder-0.5b,local:qwen2.5-coder-1.5b --big local:qwen2.5-coder-1.5b
    """
    from hippograph.bench.answers import running
    from hippograph.bench.answers.arms import Decoding
    from hippograph.bench.answers.asked import NAMES, Numbers

    settings = configured(big=big, embeddings=embeddings)
    plan = running.Plan(
        small=_readers(small, settings),
        big=settings.big,
        sets=_known(sets, NAMES, "--sets"),
        arms=_arms(arms, settings.big),
        numbers=Numbers(
            locomo=number, unanswerable=unanswerable, longmemeval=longmemeval, lifebench=lifebench, seed=seed
        ),
        decoding=Decoding(window=window, answer=answer),
    )

    def save(report: "Report", outcomes: "Sequence[Outcome]") -> None:
        if out is not None and out != STDOUT:
            running.write(report, out)
            running.write_details(outcomes, out.with_suffix(".jsonl"))

            if failures:
                running.write_failures(outcomes, failures, out.with_suffix(".failures.md"))

    if failures and (out is None or out == STDOUT):
        raise BadInput("--failures writes beside OUT: give one with --json.")
    report = running.run(settings, data, plan, folder_of(cache), note, save)
    publish(report, out, running.GOALS)
    if out != STDOUT:
        for line in headline(report["metrics"], running.GOALS):
            say(line)


def headline(metrics: "Mapping[str, Figure]", goals: Mapping[str, float]) -> Iterator[str]:
    """Return the figures that differ between arms or have a goal, with their intervals."""
    for name, value in metrics.items():
        if value is not None and (name in goals or f"{name}_low" in metrics) and not name.endswith("_contained"):
            low, high = metrics.get(f"{name}_low"), metrics.get(f"{name}_high")
            interval = "" if low is None or high is None else f"  [{low:+.1f}, {high:+.1f}]"
            goal = f"  (goal {goals[name]:g})" if name in goals else ""
            yield f"  {name:28} {value:8.1f}{interval}{goal}"


def _readers(named: Sequence[str] | None, settings: Settings) -> list[str]:
    """Return the readers named, else the small model of the settings, else the embedded one."""
    if named:
        return [each for part in named for each in listed(part, "--small") or ()]
    return [settings.small or "local"]


def _arms(written: str | None, big: str | None) -> Sequence[str]:
    from hippograph.bench.answers.arms import NAMES

    return _known(written, NAMES, "--arms") if written else [arm for arm in NAMES if arm != "big" or big]


def _known(written: str, names: Sequence[str], option: str) -> list[str]:
    found = listed(written, option) or []
    if unknown := [each for each in found if each not in names]:
        raise BadInput(f"{option} has {', '.join(unknown)}: choose from {', '.join(names)}.")
    return found
