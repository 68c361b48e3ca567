"""`hippograph import` and `hippograph export`: transcripts, documents, and all of a user's memories in one file."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from hippograph.cli.lines import counted
from hippograph.cli.options import ME, EmbeddingsOption, HomeOption, JsonOption, UserOption, named
from hippograph.cli.reindexing import index
from hippograph.cli.screen import note, progress_bar, say, say_json
from hippograph.cli.store import open_memory
from hippograph.state import BadInput

if TYPE_CHECKING:
    from hippograph.memory import Memory
    from hippograph.memory.exchange.imported import Imported
    from hippograph.memory.exchange.transfer import Told

Format = Literal[
    "jsonl", "locomo", "hippograph", "chatgpt", "claude", "mem0", "langgraph", "txt", "md", "pdf", "html", "docx"
]
Store = Callable[["Memory", Callable[[int, int], None]], "Imported"]
"""Stores a file that was read, telling how many of how many memories are done."""

SIZE, OVERLAP = 160, 24


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """How files are to be read, and for whom."""

    user: str
    written: Format | None
    sample: str | None
    thread: str | None
    date: str | None
    size: int
    overlap: int
    restore_forgotten: bool


def import_files(
    paths: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="Files, or folders of documents.", show_default=False)
    ],
    written: Annotated[
        Format | None, typer.Option("--format", help="How it is written. Default: as its name tells.")
    ] = None,
    sample: Annotated[str | None, typer.Option(help="LoCoMo: which conversation, such as conv-26.")] = None,
    thread: Annotated[str | None, typer.Option(metavar="NAME", help="JSONL: thread of lines that name none.")] = None,
    date: Annotated[
        str | None, typer.Option(help="Documents: when they were written. Default: when the file was changed.")
    ] = None,
    size: Annotated[int, typer.Option(help="Documents: most tokens of a piece.")] = SIZE,
    overlap: Annotated[int, typer.Option(help="Documents: most tokens that neighbouring pieces share.")] = OVERLAP,
    restore_forgotten: Annotated[
        bool, typer.Option("--restore-forgotten", help="Store also what was forgotten before.")
    ] = False,
    user: UserOption = ME,
    home: HomeOption = None,
    embeddings: EmbeddingsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Store transcripts, documents, or what `hippograph export` wrote; twice is as good as once.

    A transcript is JSONL: {"role": "user", "text": "...", "said_at": "2026-11-02T09:00", "thread": "work"} a line;
    said_at, thread, speaker and id may be left out; "content" and "timestamp" are understood too. Documents are txt,
    md, pdf, html and docx; one that was changed takes the place of what it was. Of each of these files all is stored
    or, where it is bad, nothing.

    What ChatGPT, Claude, Mem0 and LangGraph's stores export (JSON, JSONL, or the zip as it came) is told by its
    content; records that cannot be read are named, all others are stored.

    \b
    hippograph import chats.jsonl --user ann
    hippograph import notes/ contract.pdf --date 2025-03-01
    hippograph import chatgpt-export.zip --user ann
    hippograph import locomo.json --format locomo --sample conv-26
    """
    wanted = Wanted(
        user=named(user, "--user"),
        written=written,
        sample=sample,
        thread=thread,
        date=date,
        size=size,
        overlap=overlap,
        restore_forgotten=restore_forgotten,
    )
    files = [*_files(paths, written)]
    single = _read(files[0], wanted) if len(files) == 1 else None
    with open_memory(home, embeddings, stores=True) as memory:
        done, failed = _stored(memory, files, wanted, single)
        _report(done, len(files) - len(failed), failed, as_json=as_json)
    if failed:
        listed = "".join(f"\n  {each}" for each in failed)
        raise BadInput(f"{len(failed)} of {counted(len(files), 'file')} could not be imported:{listed}")


def export(
    file: Annotated[Path, typer.Argument(help="Where to.", show_default=False)],
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the file if there is one.")] = False,
    user: UserOption = ME,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write all memories into one file, with history and sources; `hippograph import` reads it in any home.

    \b
    hippograph export ann.jsonl --user ann
    hippograph import ann.jsonl --user ann --home /other/home
    """
    with open_memory(home) as memory:
        done = memory.export(file, named(user, "--user"), overwrite=overwrite)
        if as_json:
            say_json({"file": str(done.path), "memories": done.memories, "tombstones": done.tombstones})
        else:
            say(f"{counted(done.memories, 'memory')} in {done.path}.")


def _files(paths: Sequence[Path], written: Format | None) -> Iterator[Path]:
    """Return the files meant, the documents in folders too."""
    from hippograph.memory.exchange.documents import files

    for path in paths:
        if path.is_dir():
            yield from files(path, written)
        else:
            yield path


def _read(path: Path, wanted: Wanted) -> Store:
    """Read and check a file; return what stores it."""
    if not path.exists():
        raise BadInput(f"{path} does not exist: name a file or a folder that is there.")
    written = wanted.written or _format(path)
    if foreign := _foreign(path, written, wanted):
        return foreign
    if written == "hippograph":
        return lambda memory, _: memory.load(path, wanted.user, restore_forgotten=wanted.restore_forgotten)
    if written in ("jsonl", "locomo"):
        from hippograph.memory.exchange.transfer import import_turns

        told = _told(path, written, wanted)
        return lambda memory, progress: import_turns(
            memory, wanted.user, told, progress, restore_forgotten=wanted.restore_forgotten
        )
    from hippograph.memory.exchange.documents import read_document

    document = read_document(path, written, date=wanted.date, size=wanted.size, overlap=wanted.overlap)
    return lambda memory, _: memory.add_document(wanted.user, document, restore_forgotten=wanted.restore_forgotten)


def _foreign(path: Path, written: str | None, wanted: Wanted) -> Store | None:
    """Return what stores a file of another program; None where it is none."""
    from hippograph.memory.exchange.foreign import files
    from hippograph.memory.exchange.foreign.storing import store

    asked = next((each for each in files.FOREIGN if each == written), None)
    if asked is None and (written not in (None, "jsonl") or not files.may_be(path)):
        return None
    found = files.foreign(path)
    if (program := asked or found.written) is None:
        if written == "jsonl":
            return None
        others = ", ".join((*files.FOREIGN, "jsonl", "locomo"))
        raise BadInput(f"{path} does not tell which program wrote it: say so with --format, {others}.")
    taken = files.read(found, program, path, wanted.user)
    return lambda memory, progress: store(memory, wanted.user, taken, progress, restore=wanted.restore_forgotten)


def _format(path: Path) -> str | None:
    """Return the format of a file that tells it by its name or, an exported space, by its first line."""
    if path.suffix.lower() not in (".jsonl", ".ndjson"):
        return None
    from hippograph.memory.exchange.load import is_export

    return "hippograph" if is_export(path) else "jsonl"


def _told(path: Path, written: str, wanted: Wanted) -> "list[Told]":
    from hippograph.memory.exchange.transfer import read_jsonl, read_locomo

    if written == "jsonl":
        return read_jsonl(path, wanted.thread)
    if wanted.sample is None:
        raise BadInput("Say which conversation of the LoCoMo file with --sample, such as --sample conv-26.")
    return read_locomo(path, wanted.sample)


def _stored(
    memory: "Memory", files: Sequence[Path], wanted: Wanted, read: Store | None
) -> "tuple[Imported, list[str]]":
    """Store files one by one and wait until they are indexed, with progress bars; return what failed in words.

    Args:
        memory: Where to.
        files: Each is stored whole or not at all.
        wanted: How.
        read: What stores the only file, where there is one alone: it was read already, and a bad one raises.
    """
    from hippograph.memory.exchange.imported import Imported

    done, failed = Imported(stored=0, known=0), list[str]()
    with progress_bar() as progress:
        task = progress.add_task("Storing", total=len(files), amount="")

        def show(now: int, total: int, what: str = "") -> None:
            progress.update(task, completed=now, total=total, amount=f"{now:,} of {total:,}{what}")

        if read:
            done = read(memory, show)
        for number, file in enumerate(files if read is None else (), 1):
            try:
                done += _read(file, wanted)(memory, lambda now, total: None)
            except BadInput as error:
                failed.append(str(error))
            show(number, len(files), " files")
        index(memory, progress)
    return done, failed


def _report(done: "Imported", files: int, failed: Sequence[str], *, as_json: bool) -> None:
    """Say what was stored, and what was not."""
    if as_json:
        counts = {"stored": done.stored, "known": done.known, "gone": done.gone, "forgotten": done.forgotten}
        say_json({**counts, "files": files, "failed": [*failed], "notes": [*done.notes]})
        return
    for each in done.notes:
        note(each)
    gone = f", {done.gone:,} no longer there" if done.gone else ""
    left = f"; {done.forgotten:,} left out that were forgotten (--restore-forgotten)" if done.forgotten else ""
    say(f"{done.stored:,} stored, {done.known:,} already there{gone}{left}.")
