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

STAMP = "made-of.txt"
"""In a kept home: a digest of what it was made of."""
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
        spaces: What was said, by space.
        plain: The embedder, whose vectors are kept elsewhere.
        settings: How it is opened.
        folder: Folder of the kept homes.
        progress: Told what is being done.

    Raises:
        HomeInUse: Another run has it.
    """
    home, digest = folder / name, made_of(spaces, f"{plain.spec} {settings.extractor}")
    stamp = home / STAMP
    if home.exists() and (not stamp.exists() or stamp.read_text("utf-8") != digest):
        shutil.rmtree(home)
    # Rules read the facts, whatever big model is configured: the arm with one differs in nothing but its block.
    still = replace(
        settings, home=home, big=None, backup=None, upkeep_every=0
    )  # else results depend on how far upkeep has come
    with Memory.open(home, plain, settings=still) as memory:
        if not stamp.exists():
            for space, items in spaces.items():
                progress(f"Storing {name}/{space}: {len(items)} turns.")
                store(memory, f"{name}/{space}", items)
            while not memory.flush(20):
                progress(f"Indexing {name}: {memory.status().pending} left.")
            stamp.write_text(digest, "utf-8")
        yield memory


def made_of(spaces: Spaces, embeddings: str) -> str:
    """Return a digest of a set, an embedder's name and the code that decides what a memory stores of it."""
    told = [[space, [[id_of(each), text_of(each), str(said_at(each))] for each in spaces[space]]] for space in spaces]
    digest = hashlib.sha256(json.dumps([told, embeddings]).encode("utf-8", "replace"))
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
