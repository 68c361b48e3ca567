"""All folders that hold a home's snapshots: its own, and those on other disks that it was told of."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from hippograph.memory.backup.chunks import Collected
from hippograph.memory.backup.files import put_text
from hippograph.memory.backup.manifests import Manifest, Snapshot
from hippograph.memory.backup.retention import Retention
from hippograph.memory.backup.vault import Vault
from hippograph.state import BadInput, HomeUnusable

FOLDER = "snapshots"
ELSEWHERE = "elsewhere.txt"
"""Names the folders on other disks, so that forgetting reaches them too: one a line, as JSON."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pruned:
    """What went with a pruning, or would go."""

    gone: tuple[Snapshot, ...]
    kept: tuple[Snapshot, ...]
    bytes: int
    """That were freed."""


class Vaults:
    """The snapshots of one home, wherever they are. For one thread at a time."""

    def __init__(self, home: Path) -> None:
        """Look at a home, which need not be there yet."""
        self.own = Vault(home / FOLDER)

    def all(self) -> list[Vault]:
        """Return the vaults.

        Raises:
            HomeUnusable: One on another disk is not there.
        """
        return [self.at(folder) for folder in self.folders()]

    def folders(self) -> list[Path]:
        """Return the vaults' folders, whether they are there or not; the home's own first."""
        return [self.own.folder, *self.elsewhere()]

    def elsewhere(self) -> list[Path]:
        """Return the folders outside of the home."""
        path = self.own.folder / ELSEWHERE
        return [Path(json.loads(line)) for line in path.read_text().splitlines()] if path.exists() else []

    def at(self, folder: Path) -> Vault:
        """Return the vault in one of the folders.

        Raises:
            HomeUnusable: It is on another disk, and is not there.
        """
        if folder == self.own.folder:
            return self.own
        vault = Vault(folder)
        if vault.home() is None:
            raise HomeUnusable(
                f"Snapshots of this home are in {folder}, which is not there: connect that disk, or, if they are gone "
                f"for good, say `hippograph snapshots --disown {folder}`."
            )
        return vault

    def into(self, folder: Path | None) -> Vault:
        """Return the vault to keep a snapshot in, made where there is none; one outside is remembered from now on.

        Raises:
            BadInput: The folder holds something else, or another home's snapshots.
            HomeUnusable: It cannot be written.
        """
        home = self.own.home() or self.own.begin(self._named_elsewhere())
        if folder is None or folder.expanduser().resolve() == self.own.folder.resolve():
            return self.own
        vault = Vault(folder.expanduser().resolve())
        vault.begin(home)
        if vault.folder not in self.elsewhere():
            self._remember([*self.elsewhere(), vault.folder])
        return vault

    def disown(self, folder: Path) -> None:
        """Know no longer of a folder outside, which is left as it is."""
        folder, known = folder.expanduser().resolve(), self.elsewhere()
        if folder not in known:
            raise BadInput(f"No snapshots of this home are known to be in {folder}.")
        self._remember([each for each in known if each != folder])

    def list(self) -> list[Snapshot]:
        """Return all snapshots, the oldest first; those whose manifest is damaged are left out, `check` names them."""
        found = [each.snapshot(vault.folder) for vault in self.all() for each in vault.manifests()]
        return sorted(found, key=lambda each: (each.at, each.id))

    def find(self, id: str) -> tuple[Vault, Manifest]:  # noqa: A002
        """Return a snapshot by its id, the beginning of it, or "latest": the last one that somebody took.

        Raises:
            BadInput: There is none, or more than one.
            HomeUnusable: It is damaged.
        """
        known = [(name, vault) for vault in self.all() for name in vault.names()]
        if id == "latest" and (taken := [each for each in self.list() if not each.automatic]):
            id = taken[-1].id  # noqa: A001
        found = [each for each in known if each[0] == id] or [each for each in known if id and each[0].startswith(id)]
        if not found:
            raise BadInput(f"There is no snapshot {id!r}: `hippograph snapshots` lists what there is.")
        if len(found) > 1:
            raise BadInput(f"{id!r} may be {len(found)} snapshots: give more of the id.")
        (name, vault), *_ = found
        return vault, vault.manifest(name)

    def delete(self, ids: Sequence[str]) -> Collected:
        """Delete snapshots, and whatever of them no other one needs.

        Raises:
            BadInput: There is no such snapshot; none is deleted.
        """
        known = {name: vault for vault in self.all() for name in vault.names()}
        if unknown := [each for each in ids if each not in known]:
            raise BadInput(f"There is no snapshot {unknown[0]!r}, so none is deleted: see `hippograph snapshots`.")
        return self._delete(ids)

    def prune(self, retention: Retention, *, dry_run: bool = False) -> Pruned:
        """Delete the snapshots that are not worth keeping; with `dry_run`, only tell which.

        Each folder is looked at by itself, and what was taken before a restore counts like any other.
        """
        gone, kept = list[Snapshot](), list[Snapshot]()
        for vault in self.all():
            here = [each.snapshot(vault.folder) for each in vault.manifests()]
            stay = retention.kept(here)
            kept += stay
            gone += [each for each in here if each not in stay]
        freed = 0 if dry_run or not gone else self._delete([each.id for each in gone]).bytes
        return Pruned(gone=tuple(gone), kept=tuple(kept), bytes=freed)

    def _delete(self, ids: Iterable[str]) -> Collected:
        wanted, done = set(ids), list[Collected]()
        for vault in self.all():
            if here := wanted.intersection(vault.names()):
                done.append(vault.delete(here))
        return Collected(sum(each.pieces for each in done), sum(each.bytes for each in done))

    def _remember(self, folders: Sequence[Path]) -> None:
        put_text(self.own.folder / ELSEWHERE, "".join(json.dumps(str(each)) + "\n" for each in folders))

    def _named_elsewhere(self) -> str | None:
        """Return the home's identity as snapshots on other disks know it, where a power cut took it from its own."""
        return next((home for folder in self.elsewhere() if (home := Vault(folder).home())), None)
