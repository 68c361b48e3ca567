"""The conversations in our memory, one home a set, kept between runs, and in plain langchain-chroma."""

import hashlib
import json
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

from hippograph.bench.answers.plain import Shelf, shelves
from hippograph.bench.floors import id_of, said_at, text_of
from hippograph.bench.retrieval import store
from hippograph.bench.sets import Item
from hippograph.bench.vectors import CachedEmbeddings
from hippograph.memory import Memory
from hippograph.models import Embedder
from hippograph.state import Settings

STAMP = "made-of.json"
"""In a kept home: digests of the code that made it, and of each space it holds."""
READING = ("search", "upkeep", "backup", "erasure", "exchange")
"""Parts of our memory that store nothing of what is told."""
Spaces = Mapping[str, Sequence[Item]]


@contextmanager
def opened(
    name: str, spaces: Spaces, plain: Embedder, settings: Settings, folder: Path, progress: Callable[[str], None]
) -> Iterator[Memory]:
    """Give the memory that holds a set, indexed; made anew where the set, the embedder or our own code changed.

    Args:
        name: The set's.
        spaces: What was said, by space; those that a kept home lacks are added to it.
        plain: The embedder, whose vectors are kept elsewhere.
        settings: How it is opened.
        folder: Folder of the kept homes.
        progress: Told what is being done.

    Raises:
        HomeInUse: Another run has it.
    """
    home, code = folder / name, written_by(f"{plain.spec} {settings.extractor}")
    wanted = {space: told(items) for space, items in spaces.items()}
    held = _held(home / STAMP, code)
    if home.exists() and (held is None or any(held.get(space, each) != each for space, each in wanted.items())):
        shutil.rmtree(home)
        held = None
    held = held or {}
    # Rules read the facts, whatever big model is configured: the arm with one differs in nothing but its block.
    # Without upkeep, as results would depend on how far it has come.
    still = replace(settings, home=home, big=None, backup=None, upkeep_every=0)
    with Memory.open(home, plain, settings=still) as memory:
        if missing := [space for space in spaces if space not in held]:
            for space in missing:
                progress(f"Storing {name}/{space}: {len(spaces[space])} turns.")
                store(memory, f"{name}/{space}", spaces[space])
            while not memory.flush(20):
                progress(f"Indexing {name}: {memory.status().pending} left.")
            (home / STAMP).write_text(json.dumps({"code": code, "spaces": held | wanted}), "utf-8")
        yield memory


def _held(stamp: Path, code: str) -> dict[str, str] | None:
    """Return the digests of the spaces a home holds; None where other code made it, or it was left half made."""
    try:
        found = json.loads(stamp.read_text("utf-8"))
        return dict(found["spaces"]) if found["code"] == code else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def told(items: Sequence[Item]) -> str:
    """Return a digest of what was said in a space."""
    said = [[id_of(each), text_of(each), str(said_at(each))] for each in items]
    return hashlib.sha256(json.dumps(said).encode("utf-8", "replace")).hexdigest()


def written_by(models: str) -> str:
    """Return a digest of the models, and of the code, that decide what a memory stores of what is told."""
    digest = hashlib.sha256(models.encode())
    for package in ("memory", "models"):
        spec = find_spec(f"hippograph.{package}")
        for top in (spec.submodule_search_locations or []) if spec else []:
            for path in sorted(Path(top).rglob("*")):
                if path.suffix in (".py", ".json", ".md") and not {*path.relative_to(top).parts} & {*READING}:
                    digest.update(path.read_bytes())
    return digest.hexdigest()


@contextmanager
def retrieval(spaces: Mapping[str, Spaces], embeddings: CachedEmbeddings) -> Iterator[dict[str, dict[str, Shelf]]]:
    """Give plain langchain-chroma over all sets, with the same vectors."""
    import chromadb
    from chromadb.config import Settings as ChromaSettings

    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="hippograph-rag-", ignore_cleanup_errors=True))
        client = chromadb.PersistentClient(folder, settings=ChromaSettings(anonymized_telemetry=False))
        yield {name: shelves(each, embeddings, client) for name, each in spaces.items()}
