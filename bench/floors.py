"""What anyone gets without us: BM25, plain vectors, plain langchain-chroma, and both fused by rank.

Each ranks the items of a space for a query, over the same texts that the memory is given ("speaker: text").
"""

import math
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Protocol
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray

from hippograph.bench.sets import Dataset, Fact, Item
from hippograph.memory.times import utc
from hippograph.memory.tokens import words

if TYPE_CHECKING:
    from langchain_chroma import Chroma
    from langchain_core.embeddings import Embeddings

NAMES = ("bm25", "vectors", "rrf", "chroma")
RRF_K = 60
"""Constant of reciprocal rank fusion (Cormack 2009)."""
BATCH = 1000
"""Texts added to Chroma at a time: it takes no more than some thousands."""
Scores = NDArray[np.float64]


class Floor(Protocol):
    """Ranks one space."""

    def __call__(self, query: str, k: int, at: datetime | None) -> list[str]:
        """Return the ids of the `k` best items dated no later than `at`, best first."""


class Shelf:
    """The items of a space as ids, texts and times."""

    def __init__(self, items: Sequence[Item]) -> None:
        self.ids = [id_of(item) for item in items]
        self.texts = [text_of(item) for item in items]
        self.times = np.array([said_at(item).timestamp() for item in items])

    def best(self, scores: Scores, k: int, at: datetime | None) -> list[str]:
        """Return the ids of the `k` highest scores dated no later than `at`; the earlier of equals first."""
        dated = self.dated(scores, at)
        order = np.argsort(-dated, kind="stable")[:k]
        return [self.ids[place] for place in order if dated[place] > -np.inf]

    def dated(self, scores: Scores, at: datetime | None) -> Scores:
        """Return the scores with -inf for items dated later than `at`."""
        return scores if at is None else np.where(self.times <= at.timestamp(), scores, -np.inf)


def id_of(item: Item) -> str:
    """Return an item's id."""
    return item.id if isinstance(item, Fact) else item.turn["id"]


def text_of(item: Item) -> str:
    """Return an item's text, with its speaker before it where it has one."""
    if isinstance(item, Fact):
        return item.text
    speaker = item.turn.get("speaker")
    return f"{speaker}: {item.turn['text']}" if speaker else item.turn["text"]


def said_at(item: Item) -> datetime:
    """Return when an item was said, in UTC."""
    return item.said_at if isinstance(item, Fact) else utc(item.turn["said_at"])


class BM25:
    """Okapi BM25 (Robertson 1994) over the keyword index's words: stemmed, CJK characters and pairs."""

    def __init__(self, texts: Sequence[str], k1: float = 1.2, b: float = 0.75) -> None:
        counts = [Counter(words(text)) for text in texts]
        sizes = np.array([each.total() for each in counts], float)
        self._damping = k1 * (1 - b + b * sizes / max(sizes.mean(), 1e-9))
        self._k1 = k1
        places = defaultdict[str, list[tuple[int, int]]](list)
        for place, each in enumerate(counts):
            for word, number in each.items():
                places[word].append((place, number))
        self._places = {word: np.array(found).T for word, found in places.items()}

    def scores(self, query: str) -> Scores:
        """Return the score of each text, at least 0."""
        scores = np.zeros(len(self._damping))
        for word in words(query):
            if word in self._places:
                at, number = self._places[word]
                rarity = math.log(1 + (len(scores) - len(at) + 0.5) / (len(at) + 0.5))
                scores[at] += rarity * number * (self._k1 + 1) / (number + self._damping[at])
        return scores


class Cosines:
    """Exact cosines of plain passages: one vector a text, no context, no index."""

    def __init__(self, texts: Sequence[str], embeddings: "Embeddings") -> None:
        self._embeddings = embeddings
        self._vectors = unit(np.array(embeddings.embed_documents(list(texts))))

    def scores(self, query: str) -> Scores:
        """Return the cosine of each text, -1 to 1."""
        found: Scores = self._vectors @ unit(np.array(self._embeddings.embed_query(query)))
        return found


def unit(vectors: Scores) -> Scores:
    """Return vectors of length 1."""
    found: Scores = vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-12)
    return found


def fused(*rankings: Scores) -> Scores:
    """Return the sums of 1 / (60 + rank) over several scorings of the same items."""
    ranks = [np.argsort(np.argsort(-scores, kind="stable"), kind="stable") + 1 for scores in rankings]
    found: Scores = np.sum([1 / (RRF_K + each) for each in ranks], axis=0)
    return found


def floors(items: Sequence[Item], embeddings: "Embeddings", store: "Chroma") -> dict[str, Floor]:
    """Return each floor over one space, by name."""
    shelf = Shelf(items)
    keyword, vector = BM25(shelf.texts), Cosines(shelf.texts, embeddings)
    times = [{"said_at": float(time)} for time in shelf.times]
    for part in (slice(start, start + BATCH) for start in range(0, len(times), BATCH)):
        store.add_texts(shelf.texts[part], metadatas=times[part], ids=shelf.ids[part])

    def bm25(query: str, k: int, at: datetime | None) -> list[str]:
        return shelf.best(keyword.scores(query), k, at)

    def vectors(query: str, k: int, at: datetime | None) -> list[str]:
        return shelf.best(vector.scores(query), k, at)

    def rrf(query: str, k: int, at: datetime | None) -> list[str]:
        both = (shelf.dated(scorer.scores(query), at) for scorer in (keyword, vector))
        return shelf.best(fused(*both), k, at)

    def chroma(query: str, k: int, at: datetime | None) -> list[str]:
        held = None if at is None else {"said_at": {"$lte": at.timestamp()}}
        return [str(found.id) for found in store.similarity_search(query, k, filter=held)]  # type: ignore[arg-type]

    return {"bm25": bm25, "vectors": vectors, "rrf": rrf, "chroma": chroma}


@contextmanager
def opened(
    dataset: Dataset, embeddings: "Embeddings", progress: Callable[[int, int], None]
) -> Iterator[Mapping[str, Mapping[str, Floor]]]:
    """Give the floors of each space of a set; plain langchain-chroma gets a collection a space, as it comes."""
    import chromadb
    from chromadb.config import Settings
    from langchain_chroma import Chroma

    with tempfile.TemporaryDirectory(prefix="hippograph-floors-", ignore_cleanup_errors=True) as folder:
        client = chromadb.PersistentClient(folder, settings=Settings(anonymized_telemetry=False))

        def store() -> Chroma:
            return Chroma(collection_name=f"floor-{uuid4().hex}", embedding_function=embeddings, client=client)

        spaces = dict[str, dict[str, Floor]]()
        for number, (space, items) in enumerate(dataset.spaces.items(), 1):
            spaces[space] = floors(items, embeddings, store())
            progress(number, len(dataset.spaces))
        yield spaces
