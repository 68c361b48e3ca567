"""The vector index: one Chroma collection per space, cosine distance. Deletable: the ledger can rebuild it."""

import contextlib
import logging
import shutil
import threading
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from hippograph.memory.keywords import space_key
from hippograph.memory.vectors.chroma import client, cure, panic
from hippograph.memory.vectors.seal import Seal
from hippograph.memory.work.gate import Gate
from hippograph.models import Embedder
from hippograph.state import HippographError, HomeUnusable

if TYPE_CHECKING:
    import numpy as np
    from chromadb import Collection as ChromaCollection
    from chromadb import Where
    from chromadb.api.collection_configuration import CreateHNSWConfiguration
    from langchain_chroma import Chroma
    from numpy.typing import NDArray

    from hippograph.memory.vectors.mirror import Mirror

log = logging.getLogger(__name__)

HNSW: "CreateHNSWConfiguration" = {"space": "cosine", "max_neighbors": 32, "ef_construction": 200, "ef_search": 200}
"""Chroma's defaults (16, 100, 100) miss many of the true nearest in large collections."""
BATCH = 1000
"""Memories asked for, or deleted, at once."""
MIRRORED = 30_000
"""Vectors up to which a space is searched exactly, in memory (46 MB at 384 dimensions); above, by Chroma's graph."""
PATIENCE = 30.0
"""Seconds that `compact` waits for searches to end."""
MIRRORS = 8
"""Spaces held in memory at once, the ones used last."""


class Passage(NamedTuple):
    """A text to embed: the `n`th of its memory, from 0."""

    seq: int
    n: int
    text: str


class _Touched(threading.local):
    """Whether a thread has used Chroma since it sealed the files."""

    yes = False


class Index:
    """The vectors of one home. Safe to use from several threads."""

    def __init__(self, folder: Path, embedder: Embedder) -> None:
        """Prepare the index in `folder`; nothing is read until the first search or addition."""
        self.folder = folder
        self.embedder = embedder
        self._using = Gate()
        self._mirroring = threading.RLock()
        """Held by whoever opens a collection, changes one, or reads one into memory."""
        self._client: Any = None
        self.harm: str | None = None
        """What happened to the index that makes it useless until it is made anew."""
        self.seal = Seal(folder)
        self._touched = _Touched()
        self._written = set[str]()
        """Files that Chroma wrote, and with them, maybe, what it found in the process's memory."""
        self._stores: dict[str, Chroma] = {}
        self._mirrors: dict[str, Mirror | None] = {}

    def exists(self) -> bool:
        """Tell whether there is an index on disk."""
        return (self.folder / "chroma.sqlite3").exists()

    def embedded(self, passages: Sequence[Passage]) -> "NDArray[np.float32]":
        """Return the vectors of some passages, embedded in one batch; nothing is stored."""
        import numpy as np

        return np.asarray(self.embedder.embeddings.embed_documents([each.text for each in passages]), np.float32)

    def add(self, space: str, passages: Sequence[Passage], vectors: "NDArray[np.float32] | None" = None) -> None:
        """Store the vectors of some passages, made now unless they are given; they replace what was there."""
        if vectors is None:
            vectors = self.embedded(passages)
        ids = [_id(each.seq, each.n) for each in passages]
        with self._changing():
            # Ids stand where Chroma keeps documents: what was said is in the ledger alone, so that it can be forgotten.
            self._collection(space).upsert(ids, vectors, [{"seq": each.seq} for each in passages], ids)
            if (mirror := self._mirrors.get(space)) is not None:
                mirror.put([(each.seq, each.n) for each in passages], vectors)
                if len(mirror) > MIRRORED:
                    self._mirrors[space] = None

    def search(
        self, space: str, vector: Sequence[float], n: int, among: Collection[int] | None = None
    ) -> dict[int, float]:
        """Return the `n` memories nearest to a vector, by number, with the cosine of the nearest passage of each.

        Args:
            space: Whose memories.
            vector: What they should be near to.
            n: How many at most.
            among: Only these memories; without it, all.
        """
        with self._reported():
            if (mirror := self._mirrored(space)) is not None:
                return mirror.nearest(vector, n, among)
            if among is not None:
                return self._read(space, [*among]).nearest(vector, n)
            return self._queried(space, vector, n)

    def cosines(self, space: str, vector: Sequence[float], seqs: Collection[int]) -> dict[int, float]:
        """Return for given memories the cosine of the nearest passage of each; one that has none is left out."""
        return self.search(space, vector, len(seqs), seqs) if seqs else {}

    def passages(self, space: str, vector: Sequence[float], seq: int) -> dict[int, float]:
        """Return the cosine of each passage of a memory with a vector, by its place from 0."""
        with self._reported():
            mirror = self._mirrored(space)
            return (self._read(space, [seq]) if mirror is None else mirror).passages(vector, seq)

    def middle(self, space: str, seqs: Sequence[int]) -> list[float] | None:
        """Return the mean of some memories' vectors; None where they have none."""
        with self._reported():
            mirror = self._mirrored(space)
            held = (self._read(space, seqs) if mirror is None else mirror).of(seqs)
        return [float(number) for number in held.mean(axis=0)] if len(held) else None

    def vectors(self, space: str, seqs: Sequence[int]) -> "dict[int, NDArray[np.float32]]":
        """Return the unit vectors of given memories' first passages, by number; one that has none is left out."""
        with self._reported():
            return self._read(space, seqs).first()

    def held(self, space: str) -> dict[int, int]:
        """Return which memories have vectors, by number, and how many each."""
        with self._reported():
            return dict(Counter(_place(key)[0] for key in self._collection(space).get(include=[])["ids"]))

    def size(self, space: str) -> int:
        """Return how many vectors a space has."""
        with self._reported():
            return self._collection(space).count()

    def warm(self, space: str) -> None:
        """Read a space's vectors now, which the first search would wait for."""
        with self._reported():
            self._mirrored(space)

    def remove(self, space: str, seqs: Sequence[int]) -> int:
        """Delete memories' vectors; returns how many were deleted."""
        before = self.size(space)
        with self._changing():
            if (mirror := self._mirrors.get(space)) is not None:
                mirror.drop(seqs)
            for start in range(0, len(seqs), BATCH):
                where = cast("Where", {"seq": {"$in": [*seqs[start : start + BATCH]]}})
                self._collection(space).delete(where=where)
        return before - self.size(space)

    def drop(self, space: str) -> None:
        """Delete a whole space's vectors."""
        with self._changing():
            self._store(space).delete_collection()
            self._stores.pop(space, None)
            self._mirrors.pop(space, None)

    def compact(self) -> bool:
        """Take the bytes of deleted vectors out of the files; False where that cannot be done but by making them anew.

        Searches wait meanwhile: some milliseconds for thousands of vectors.

        Raises:
            HomeUnusable: The index is in use all the time, or the disk is full.
        """
        from hippograph.memory.vectors.scrubbing import UnknownFormat, scrub

        with self._using.alone(PATIENCE):
            used, self._client, self._stores = self._client, None, {}
            if used is not None:
                used.close()
            try:
                scrub(self.folder)
            except UnknownFormat as error:
                log.warning("The vector index cannot be scrubbed: %s", error)
                return False
            finally:
                self.seal.renew(closed=False)
        return True

    @contextlib.contextmanager
    def still(self) -> Iterator[None]:
        """Let nobody use the index until the block ends, for its files to be copied.

        Raises:
            HomeUnusable: It is in use all the time.
        """
        with self._using.alone(PATIENCE):
            yield

    @contextlib.contextmanager
    def away(self) -> Iterator[None]:
        """Let go of the files too, for them to be replaced; raises as `still`."""
        with self.still():
            self._release()
            yield
            self.seal.renew(closed=False)

    def destroy(self) -> None:
        """Delete the index from disk; the next addition begins a new one."""
        with self._using.alone(PATIENCE):
            with contextlib.suppress(Exception):  # a broken one may not close
                self._release()
            shutil.rmtree(self.folder, ignore_errors=True)
            self.seal.renew(closed=False)
            self.harm = None

    def close(self) -> None:
        """Let go of the files, and seal them."""
        used = self._release()
        if self.harm or self.seal.harm():
            return
        if used:
            from hippograph.memory.vectors.scrubbing import blank

            blank(self.folder)
        self.seal.renew(closed=True)

    def _release(self) -> bool:
        """Close the client; False where none was open."""
        used, self._client, self._stores, self._mirrors = self._client, None, {}, {}
        if used is not None:
            used.close()
        return used is not None

    def _queried(self, space: str, vector: Sequence[float], n: int) -> dict[int, float]:
        """Search by Chroma's graph, for more where passages of few memories took the places."""
        asked, collection = n, self._collection(space)
        while True:
            found = collection.query(query_embeddings=[vector], n_results=asked, include=["distances"])
            cosines: dict[int, float] = {}
            for key, distance in zip(found["ids"][0], (found["distances"] or [[]])[0], strict=True):
                cosines.setdefault(_place(key)[0], 1 - distance)
            if len(cosines) >= n or len(found["ids"][0]) < asked:
                return dict(islice(cosines.items(), n))
            asked *= 4

    def _mirrored(self, space: str) -> "Mirror | None":
        """Return the space's vectors in memory, read when first asked for; None where they are too many."""
        with self._mirroring:
            if space not in self._mirrors:
                self._mirrors[space] = self._read(space) if self.size(space) <= MIRRORED else None
            mirror = self._mirrors[space] = self._mirrors.pop(space)
            while len(self._mirrors) > MIRRORS:
                del self._mirrors[next(iter(self._mirrors))]
            return mirror

    def _read(self, space: str, seqs: Sequence[int] | None = None) -> "Mirror":
        """Read the vectors of some of a space's memories, or of all."""
        import numpy as np

        from hippograph.memory.vectors.mirror import Mirror

        places, vectors = list[tuple[int, int]](), list[Any]()
        batches = [None] if seqs is None else [[*seqs[start : start + BATCH]] for start in range(0, len(seqs), BATCH)]
        for batch in batches:
            where = None if batch is None else cast("Where", {"seq": {"$in": batch}})
            found = self._collection(space).get(where=where, include=["embeddings"])
            places += map(_place, found["ids"])
            vectors += [*(found["embeddings"] if found["embeddings"] is not None else [])]
        return Mirror(places, np.asarray(vectors, np.float32).reshape(-1, self.embedder.dimension))

    def _store(self, space: str) -> "Chroma":
        """Return a space's store, with its graph loaded: Chroma rewrites the files meanwhile, which is no harm."""
        if (known := self._stores.get(space)) is not None:
            return known
        with self._mirroring:
            if space not in self._stores:
                opened = self._open(space)
                self._client.get_collection(_name(space)).count()
                self._stores[space] = opened
                self._seal()
            return self._stores[space]

    def _collection(self, space: str) -> "ChromaCollection":
        self._store(space)
        found: ChromaCollection = self._client.get_collection(_name(space))
        self._touched.yes = True
        return found

    def _open(self, space: str) -> "Chroma":
        from langchain_chroma import Chroma

        if self._client is None:
            self._client = client(self.folder)
        return Chroma(
            collection_name=_name(space),
            embedding_function=self.embedder.embeddings,
            client=self._client,
            collection_configuration={"hnsw": HNSW},
        )

    @contextlib.contextmanager
    def _changing(self) -> Iterator[None]:
        """Let one thread write; what others wrote into the files meanwhile would be taken for ours."""
        with self._reported(), self._mirroring:
            if harm := self.seal.harm():
                self.harm = harm
                raise self._unusable(self._client, harm)
            yield
            self._seal()

    @contextlib.contextmanager
    def _reported(self) -> Iterator[None]:
        """Turn whatever Chroma raises into an error that names the cure, and note where the index itself is broken."""
        with self._using.shared():
            used = self._client
            if used is not None and not self.exists():
                raise self._unusable(used, "its files are gone")
            try:
                yield
                self._sealed_again()
            except HippographError:
                raise
            except BaseException as error:
                if not isinstance(error, Exception) and not panic(error):
                    raise
                raise self._unusable(used, str(error)) from error
        self._blank()

    def _sealed_again(self) -> None:
        """Seal what Chroma wrote although it was only read: it loads, and rewrites, what it had put aside."""
        if self._touched.yes:
            with self._mirroring:
                self._touched.yes = False
                self._seal()

    def _seal(self) -> None:
        """Take the files for ours as they are now."""
        self._written |= self.seal.renew(closed=False)

    def _blank(self) -> None:
        """Take out of files that Chroma wrote what it found in the process's memory: forgotten vectors, for one.

        Whoever is the last to leave does it: it needs the files for itself.
        """
        if self._written and not self.harm:
            from hippograph.memory.vectors.scrubbing import blank

            with contextlib.suppress(HomeUnusable), self._using.alone(patience=0):
                written, self._written = self._written, set()
                blank(self.folder, {name.partition("/")[0] for name in written})
                self.seal.renew(closed=False)

    def _unusable(self, used: object, said: str) -> HomeUnusable:
        passing = cure(said)
        if passing is None and self._client is used:  # else it has been made anew meanwhile
            self.harm = self.harm or f"is damaged ({said[:200]})"
        then = passing or "it is made again from them, and keywords find them meanwhile."
        return HomeUnusable(
            f"The vector index in {self.folder} cannot be used ({said[:200]}). Memories are safe in the ledger: {then}"
        )


def _name(space: str) -> str:
    return f"space-{space_key(space)}"


def _id(seq: int, n: int) -> str:
    return f"{seq}.{n}"


def _place(key: str) -> tuple[int, int]:
    """Return the memory's number and the passage's place that an id is made of."""
    seq, _, n = key.partition(".")
    return int(seq), int(n)
