"""`hippograph snapshot`, `snapshots` and `restore`: a home kept safe, and the way back."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hippograph.cli.lines import counted
from hippograph.cli.options import EmbeddingsOption, HomeOption, JsonOption, YesOption, configured
from hippograph.cli.screen import confirm, note, say, say_json
from hippograph.cli.store import open_memory
from hippograph.state import BadInput, EmbedderChanged, HomeUnusable, Settings

if TYPE_CHECKING:
    from hippograph.memory import Snapshot
    from hippograph.memory.backup.vault import Checked
    from hippograph.memory.backup.vaults import Vaults


def snapshot(
    because: Annotated[str, typer.Option("--note", metavar="TEXT", help="A word on why.")] = "",
    to: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Keep it in this folder, such as on another disk.")
    ] = None,
    home: HomeOption = None,
    embeddings: EmbeddingsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Keep the home as it is now: memories, vectors and the state of all conversations; only what changed takes room.

    \b
    hippograph snapshot --note "before the move"
    hippograph snapshot --to /media/backup/hippograph
    """
    with open_memory(home, embeddings) as memory:
        taken = memory.snapshot(because, to=to)
    if as_json:
        say_json(snapshot_json(taken))
    else:
        say(f"{taken.id}: {counted(taken.counts['memories'], 'memory')}, {megabytes(taken.new_bytes)} new.")


def snapshots(
    check: Annotated[bool, typer.Option("--check", help="Read everything, and tell what is damaged.")] = False,
    delete: Annotated[
        list[str] | None, typer.Option(metavar="ID", help="Delete this snapshot; may be repeated.")
    ] = None,
    prune: Annotated[
        bool, typer.Option("--prune", help="Delete all but the last of so many days, weeks and months.")
    ] = False,
    daily: Annotated[int, typer.Option(metavar="N", help="For --prune.")] = 7,
    weekly: Annotated[int, typer.Option(metavar="N", help="For --prune.")] = 5,
    monthly: Annotated[int, typer.Option(metavar="N", help="For --prune.")] = 12,
    disown: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Know no longer of snapshots in a folder that is gone.")
    ] = None,
    yes: YesOption = False,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """List the snapshots; check them, or delete what is not worth keeping. None is ever deleted unasked.

    \b
    hippograph snapshots
    hippograph snapshots --check
    hippograph snapshots --prune --daily 7 --weekly 5 --monthly 12
    hippograph snapshots --delete 20261130-112834-934e
    """
    if sum((check, bool(delete), prune, disown is not None)) > 1:
        raise BadInput("Say one of --check, --delete, --prune and --disown.")
    settings = configured(home)
    from hippograph.memory.backup.vaults import Vaults
    from hippograph.memory.home import own

    vaults = Vaults(settings.home)
    if not (check or delete or prune or disown):
        _list(vaults.list(), as_json)
        return
    lock = own(settings.home)
    try:
        if check:
            _check([each.check() for each in vaults.all()], as_json)
        elif delete:
            _delete(vaults, delete, yes, as_json)
        elif prune:
            _prune(vaults, (daily, weekly, monthly), yes, as_json)
        elif disown:
            vaults.disown(disown)
    finally:
        lock.release()


def restore(
    id: Annotated[str, typer.Argument(help="The snapshot's id, the beginning of it, or latest.", show_default=False)],  # noqa: A002
    reindex: Annotated[
        bool, typer.Option("--reindex", help="Make all vectors anew, with the embedding model of now.")
    ] = False,
    yes: YesOption = False,
    home: HomeOption = None,
    embeddings: EmbeddingsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make the home what it was; what it is now becomes a snapshot first. What was forgotten stays forgotten.

    \b
    hippograph restore latest
    hippograph restore 20261130-112834-934e --yes
    """
    settings = configured(home, embeddings=embeddings)
    from hippograph.memory.backup.vaults import Vaults

    vault, manifest = Vaults(settings.home).find(id)
    chosen = manifest.snapshot(vault.folder)
    note(f"This makes {settings.home} what it was at {line(chosen)}")
    if not yes and not confirm("Restore?"):
        note("Nothing was changed.")
        raise typer.Exit(1)
    former = _restore(settings, chosen.id, reindex)
    if as_json:
        say_json({"restored": snapshot_json(chosen), "before": snapshot_json(former)})
    else:
        say(f"Restored {chosen.id}: {counted(chosen.counts['memories'], 'memory')}.")
        say(f"What was before is the snapshot {former.id}.")


def _restore(settings: Settings, id: str, reindex: bool) -> "Snapshot":  # noqa: A002
    """Restore into an open home, or, where it cannot be opened, such as with a damaged ledger, beside it."""
    from hippograph.memory.backup.rescuing import restore_closed

    try:
        with open_memory(settings.home, settings.embeddings) as memory:
            return memory.restore(id, reindex=reindex)
    except (HomeUnusable, EmbedderChanged) as error:
        return restore_closed(settings.home, id, settings.embeddings, reindex=reindex, because=error)


def line(each: "Snapshot") -> str:
    """Return a snapshot as one line of text."""
    told = f"  {each.note}" if each.note else ""
    return f"{each.at.astimezone():%Y-%m-%d %H:%M}  {each.id}  {counted(each.counts['memories'], 'memory')}{told}"


def snapshot_json(each: "Snapshot") -> dict[str, Any]:
    """Return a snapshot as `--json` prints it."""
    return {
        "id": each.id,
        "at": each.at.isoformat(),
        "note": each.note,
        "automatic": each.automatic,
        "counts": dict(each.counts),
        "bytes": each.bytes,
        "new_bytes": each.new_bytes,
        "embeddings": each.embeddings,
        "folder": str(each.folder),
    }


def megabytes(number: int) -> str:
    """Return a number of bytes in words."""
    return f"{number / 1e6:,.1f} MB"


def _list(found: "list[Snapshot]", as_json: bool) -> None:
    if as_json:
        say_json([snapshot_json(each) for each in found])
        return
    for each in found:
        say(f"{line(each)}  ({megabytes(each.bytes)}, {megabytes(each.new_bytes)} new)")
    if not found:
        note("No snapshots yet: `hippograph snapshot` takes one.")


def _check(checked: "list[Checked]", as_json: bool) -> None:
    damaged = {id_: files for each in checked for id_, files in each.damaged.items()}
    whole = sum(each.snapshots for each in checked)
    if as_json:
        say_json({"snapshots": whole, "damaged": damaged})
    else:
        for id_, files in damaged.items():
            say(f"{id_} is damaged: {', '.join(files) or 'its list of files'}")
        say(f"{whole - len(damaged):,} of {whole:,} snapshots are whole.")
    if damaged:
        raise typer.Exit(1)


def _delete(vaults: "Vaults", ids: list[str], sure: bool, as_json: bool) -> None:
    note(f"This deletes {counted(len(ids), 'snapshot')} for good: {', '.join(ids)}.")
    if not sure and not confirm("Delete?"):
        note("Nothing was deleted.")
        raise typer.Exit(1)
    freed = vaults.delete(ids).bytes
    if as_json:
        say_json({"deleted": ids, "freed_bytes": freed})
    else:
        say(f"Deleted; {megabytes(freed)} freed.")


def _prune(vaults: "Vaults", numbers: tuple[int, int, int], sure: bool, as_json: bool) -> None:
    from hippograph.memory.backup.retention import Retention

    retention = Retention(daily=numbers[0], weekly=numbers[1], monthly=numbers[2])
    going = vaults.prune(retention, dry_run=True)
    note(f"This keeps {counted(len(going.kept), 'snapshot')} and deletes {len(going.gone):,}:")
    for each in going.gone:
        note(f"  {line(each)}")
    if going.gone and not sure and not confirm("Delete?"):
        note("Nothing was deleted.")
        raise typer.Exit(1)
    done = vaults.prune(retention)
    if as_json:
        gone, kept = ([each.id for each in some] for some in (done.gone, done.kept))
        say_json({"deleted": gone, "kept": kept, "freed_bytes": done.bytes})
    else:
        say(f"Deleted {counted(len(done.gone), 'snapshot')}; {megabytes(done.bytes)} freed.")
