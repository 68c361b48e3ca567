"""`hippograph bench`: the benchmarks."""

from pathlib import Path
from typing import Annotated

import typer

from hippograph.cli.answering import answers
from hippograph.cli.ask import with_models_loading
from hippograph.cli.options import BigOption, EmbeddingsOption, HomeOption, SmallOption, configured
from hippograph.cli.paging import page
from hippograph.cli.picturing import shots
from hippograph.cli.published import OutOption, publish
from hippograph.cli.retrieving import RETRIEVAL, SETS, compare_reports, measure, own
from hippograph.cli.screen import note
from hippograph.cli.store import home_or_temporary

app = typer.Typer(
    help="Benchmarks: each prints its figures, and keeps them with --json OUT.\n\n\b\n"
    "hippograph bench smoke\nhippograph bench locomo --help",
    no_args_is_help=True,
    rich_markup_mode=None,
)
for name, described in SETS.items():
    example = f"\b\nhippograph bench {name}\nhippograph bench {name} --data FOLDER --json docs/benchmarks/{name}.json"
    app.command(name, help=f"{described}\n\n{example}", epilog=RETRIEVAL)(measure)
app.command("answers")(answers)
app.command("own")(own)
app.command("page")(page)
app.command("shots")(shots)
app.command("compare")(compare_reports)


@app.command()
def smoke(
    turns: Annotated[int, typer.Option(min=100, max=100_000, help="How many messages are stored first.")] = 1000,
    questions: Annotated[int, typer.Option("--n", min=1, help="How many turns are measured.")] = 24,
    starts: Annotated[int, typer.Option(min=1, help="How many cold starts are measured.")] = 3,
    small: SmallOption = None,
    big: BigOption = None,
    embeddings: EmbeddingsOption = None,
    out: OutOption = None,
) -> None:
    """What memory adds to a turn, with real models.

    \b
    hippograph bench smoke
    hippograph bench smoke --turns 10000 --json docs/benchmarks/smoke.json
    """
    from hippograph.bench import smoke as benchmark

    settings = with_models_loading(configured(None, small, big, embeddings))
    report = benchmark.run(settings, turns, questions, starts, progress=note)
    publish(report, out, benchmark.GOALS)


@app.command()
def scale(
    sizes: Annotated[str, typer.Option(metavar="N,…", help="How many turns are stored.")] = "10000,100000",
    queries: Annotated[int, typer.Option("--n", min=5, help="How many queries are timed at each size.")] = 60,
    out: OutOption = None,
) -> None:
    """How recall, indexing and disk grow with the turns in a space, embedding left out.

    \b
    hippograph bench scale
    hippograph bench scale --sizes 2000,10000 --json docs/benchmarks/scale.json
    """
    from hippograph.bench import scale as benchmark

    publish(benchmark.run(benchmark.sizes(sizes), queries, progress=note), out, benchmark.GOALS)


@app.command()
def questions(
    data: Annotated[Path, typer.Option(metavar="FILE", help="A LoCoMo file.")],
    sample: Annotated[str, typer.Option(help="Which conversation of it.")] = "conv-26",
    number: Annotated[int, typer.Option("--n", min=1, help="How many of its questions.")] = 10,
    home: HomeOption = None,
    small: SmallOption = None,
    big: BigOption = None,
    embeddings: EmbeddingsOption = None,
    out: OutOption = None,
) -> None:
    """Ask questions about a real, months-long conversation: question, gold answer, our answer, cited turns, time.

    \b
    hippograph bench questions --data locomo.json --sample conv-26 --n 10
    """
    from hippograph.bench import questions as benchmark

    with home_or_temporary(home) as folder:
        settings = with_models_loading(configured(folder, small, big, embeddings))
        report = benchmark.run(settings, data, sample, number, progress=note)
    publish(report, out)


@app.command()
def install(
    checkout: Annotated[Path, typer.Argument(help="A git clone of the project.")] = Path(),
    models: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Use the models in this folder instead of fetching them anew.")
    ] = None,
    out: OutOption = None,
) -> None:
    """How long `make demo` and `make test` take to set themselves up from nothing.

    \b
    hippograph bench install
    hippograph bench install ~/hippograph --json docs/benchmarks/install.json
    """
    from hippograph.bench import install as benchmark

    publish(benchmark.run(checkout.resolve(), models), out)


@app.command()
def snapshots(
    days: Annotated[int, typer.Option(min=2, max=365, help="How many days are simulated, a snapshot each.")] = 30,
    turns: Annotated[int, typer.Option(min=1, max=1000, help="How many questions and answers a day.")] = 60,
    out: OutOption = None,
) -> None:
    """How much room daily snapshots take beside full copies, and how long they and a restore take.

    \b
    hippograph bench snapshots
    hippograph bench snapshots --days 30 --turns 60 --json docs/benchmarks/snapshots.json
    """
    from hippograph.bench import snapshots as benchmark

    publish(benchmark.run(days, turns, progress=note), out, benchmark.GOALS)


@app.command()
def trigger(
    data: Annotated[Path, typer.Option(metavar="DIR", help="The folder of the data sets.")] = Path("../shared/data"),
    split: Annotated[str, typer.Option(help="Which half of the turns: dev, test or both.")] = "both",
    mistakes: Annotated[bool, typer.Option("--mistakes", help="Tell every wrong decision.")] = False,
    out: OutOption = None,
) -> None:
    """Whether memory is searched when it helps, and only then: recall, precision, time per decision.

    \b
    hippograph bench trigger --split dev --mistakes
    hippograph bench trigger --json docs/benchmarks/trigger.json
    """
    from hippograph.bench import trigger as benchmark

    report = benchmark.run(data, benchmark.halves(split), progress=note, mistakes=mistakes)
    publish(report, out, benchmark.GOALS)


@app.command()
def extract(
    extractors: Annotated[
        list[str] | None, typer.Option("--extractor", metavar="NAME", help="rules, big or provider:model; repeatable.")
    ] = None,
    split: Annotated[str, typer.Option(help="Which half of the turns: dev, test or both.")] = "both",
    number: Annotated[int | None, typer.Option("--n", min=1, help="How many turns a model reads; else all.")] = None,
    mistakes: Annotated[bool, typer.Option("--mistakes", help="Tell what was missed or made up.")] = False,
    data: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A LoCoMo file: how many facts its turns give.")
    ] = None,
    big: BigOption = None,
    out: OutOption = None,
) -> None:
    """What extractors find in turns whose facts are known, what they make up, and how long they take.

    \b
    hippograph bench extract --mistakes --split dev
    hippograph bench extract --extractor rules --extractor local:qwen2.5-coder-0.5b --n 20
    """
    from hippograph.bench import extract as benchmark
    from hippograph.bench.trigger import halves

    names = extractors or ["rules"]
    settings = configured(None, None, big, None)
    report = benchmark.run(settings, names, halves(split), note, most=number, mistakes=mistakes, data=data)
    publish(report, out, benchmark.GOALS)


@app.command()
def pairs(
    split: Annotated[str, typer.Option(help="Which half of the pairs: dev, test or both.")] = "both",
    mistakes: Annotated[bool, typer.Option("--mistakes", help="Tell every wrong outcome.")] = False,
    out: OutOption = None,
) -> None:
    """Whether what is said later takes the place of what it contradicts, and of nothing else; no model, no data.

    \b
    hippograph bench pairs --split dev --mistakes
    hippograph bench pairs --json docs/benchmarks/pairs.json
    """
    from hippograph.bench import pairs as benchmark
    from hippograph.bench.trigger import halves

    publish(benchmark.run(halves(split), progress=note, mistakes=mistakes), out, benchmark.GOALS)


@app.command()
def crash(
    kills: Annotated[int, typer.Option(min=1, help="How often the process that writes is killed.")] = 1000,
    turns: Annotated[int, typer.Option(min=1, help="How many turns are written in all.")] = 500,
    threads: Annotated[int, typer.Option(min=1, max=64, help="From how many threads.")] = 4,
    out: OutOption = None,
) -> None:
    """Whether anything is lost or doubled when the process is killed, again and again, at any point of the write path.

    \b
    hippograph bench crash --kills 25
    hippograph bench crash --kills 1000 --json docs/benchmarks/crash.json
    """
    from hippograph.bench import crash as benchmark

    publish(benchmark.run(kills, turns, threads, progress=note), out, benchmark.GOALS)


@app.command()
def writes(
    turns: Annotated[int, typer.Option(min=500, help="How many turns are stored verbatim.")] = 10_000,
    embedded: Annotated[int, typer.Option(min=1, help="How many turns are embedded.")] = 500,
    answers: Annotated[int, typer.Option("--n", min=1, help="How many answers are written back.")] = 500,
    embeddings: EmbeddingsOption = None,
    out: OutOption = None,
) -> None:
    """How fast turns are stored: verbatim, embedded, and in a turn's own path.

    \b
    hippograph bench writes
    hippograph bench writes --turns 20000 --json docs/benchmarks/writes.json
    """
    from hippograph.bench import writes as benchmark

    settings = configured(None, embeddings=embeddings)
    publish(benchmark.run(settings, turns, embedded, answers, progress=note), out, benchmark.GOALS)


@app.command()
def cache(
    big: BigOption = None,
    number: Annotated[
        int | None, typer.Option("--n", min=1, help="How many conversations of each language are followed; else all.")
    ] = None,
    embeddings: EmbeddingsOption = None,
    out: OutOption = None,
) -> None:
    """Whether a kept block is found for the same question in other words, and no other; what writing ahead gives.

    Without --big a stand-in writes the blocks: calls are counted, time is not.

    \b
    hippograph bench cache --json docs/benchmarks/cache.json
    hippograph bench cache --big local:qwen2.5-coder-1.5b --n 2
    """
    from hippograph.bench import cache as benchmark

    settings = configured(None, None, big, embeddings)
    publish(benchmark.run(settings, settings.big, number, progress=note), out, benchmark.GOALS)
