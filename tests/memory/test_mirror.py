"""Vectors in memory against the same search done by brute force."""

import threading
from random import Random

import numpy as np
import pytest

from hippograph.memory.vectors.mirror import Mirror, unit

DIMENSION = 24


def made(n: int, seed: int = 7) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(n, DIMENSION)).astype(np.float32)


def brute(places: list[tuple[int, int]], vectors: np.ndarray, asked: np.ndarray, n: int) -> dict[int, float]:
    """Return what `nearest` promises, passage by passage."""
    best: dict[int, float] = {}
    for (seq, _), vector in zip(places, vectors, strict=True):
        cosine = float(np.dot(vector, asked) / np.linalg.norm(vector) / np.linalg.norm(asked))
        best[seq] = max(best.get(seq, -2.0), cosine)
    return dict(sorted(best.items(), key=lambda item: -item[1])[:n])


def same(found: dict[int, float], wanted: dict[int, float]) -> bool:
    return [*found] == [*wanted] and np.allclose([*found.values()], [*wanted.values()], atol=1e-5)


PLACES = [(seq, n) for seq in range(1, 401) for n in range(1 + seq % 3)]


@pytest.mark.parametrize("n", [1, 7, 40, 1000])
def test_the_nearest_are_those_that_brute_force_finds(n: int) -> None:
    vectors, asked = made(len(PLACES)), made(1, seed=3)[0]
    assert same(Mirror(PLACES, vectors).nearest(asked, n), brute(PLACES, vectors, asked, n))


def test_only_those_asked_for_are_looked_at_and_strangers_are_no_error() -> None:
    vectors, asked, among = made(len(PLACES)), made(1, seed=3)[0], {5, 17, 333, 9999, -1}
    few = [row for row, (seq, _) in enumerate(PLACES) if seq in among]
    wanted = brute([PLACES[row] for row in few], vectors[few], asked, 10)
    mirror = Mirror(PLACES, vectors)
    assert same(mirror.nearest(asked, 10, among), wanted)
    assert [*wanted] == [*mirror.nearest(asked, 10, [*among])] != []
    assert mirror.nearest(asked, 10, set()) == {}
    assert mirror.nearest(asked, 10, {9999}) == {}


def test_one_long_memory_does_not_take_the_places_of_all_others() -> None:
    """A text of a thousand chunks, each nearer than anything else, is one memory."""
    asked = np.eye(DIMENSION, dtype=np.float32)[0]
    places = [(1, n) for n in range(1000)] + [(seq, 0) for seq in range(2, 52)]
    vectors = np.vstack([asked + 0.01 * made(1000), made(50, seed=9)])
    found = Mirror(places, vectors).nearest(asked, 40)
    assert len(found) == 40
    assert next(iter(found)) == 1
    assert same(found, brute(places, vectors, asked, 40))


def test_vectors_put_again_replace_and_new_ones_join_in_whatever_order() -> None:
    mirror, held = Mirror([], np.empty((0, DIMENSION))), dict[tuple[int, int], np.ndarray]()
    random = Random(11)
    for turn in range(60):
        batch = random.sample(PLACES, 9) if turn % 2 else [(1000 + turn, n) for n in range(3)]
        vectors = made(len(batch), seed=turn)
        mirror.put(batch, vectors)
        held |= dict(zip(batch, vectors, strict=True))
        asked = made(1, seed=1000 + turn)[0]
        assert len(mirror) == len(held)
        assert same(mirror.nearest(asked, 12), brute([*held], np.array([*held.values()]), asked, 12))


def test_dropped_memories_are_gone_with_all_their_passages() -> None:
    vectors, asked = made(len(PLACES)), made(1, seed=3)[0]
    mirror = Mirror(PLACES, vectors)
    gone = [*mirror.nearest(asked, 5)]
    mirror.drop([*gone, 9999])
    stay = [row for row, (seq, _) in enumerate(PLACES) if seq not in gone]
    assert len(mirror) == len(stay)
    assert same(mirror.nearest(asked, 20), brute([PLACES[row] for row in stay], vectors[stay], asked, 20))
    mirror.put([(gone[0], 0)], [asked])
    assert next(iter(mirror.nearest(asked, 1))) == gone[0]


def test_the_first_passages_of_memories_are_given_at_unit_length() -> None:
    vectors = made(len(PLACES))
    given = Mirror(PLACES, vectors).of([2, 1, 4242])
    assert np.allclose(given, unit(vectors[[PLACES.index((1, 0)), PLACES.index((2, 0))]]))


def test_a_zero_vector_is_near_to_nothing_and_breaks_nothing() -> None:
    mirror = Mirror([(1, 0), (2, 0)], [np.zeros(DIMENSION), np.ones(DIMENSION)])
    assert mirror.nearest(np.ones(DIMENSION), 2) == pytest.approx({2: 1.0, 1: 0.0}, abs=1e-6)
    assert set(mirror.nearest(np.zeros(DIMENSION), 2).values()) == {0.0}


def test_searches_see_whole_states_while_others_put_and_drop() -> None:
    """Memory n has the nth axis: a cosine other than 1 would be another memory's row."""
    axes = np.eye(DIMENSION, dtype=np.float32)
    mirror, wrong, stop = Mirror([(1, 0)], axes[[1]]), list[object](), threading.Event()

    def search(axis: int) -> None:
        try:
            while not stop.is_set():
                found = mirror.nearest(axes[axis], 2)
                if any(abs(cosine - (seq % DIMENSION == axis)) > 1e-6 for seq, cosine in found.items()):
                    wrong.append(found)
                mirror.of([axis, axis + DIMENSION])
        except Exception as error:
            wrong.append(error)

    def change(offset: int) -> None:
        for n in range(400):
            seqs = [DIMENSION * (n + 1) + offset, DIMENSION * (n + 1) + offset + 1]
            mirror.put([(seq, 0) for seq in seqs], axes[[seq % DIMENSION for seq in seqs]])
            if n % 5 == 0:
                mirror.drop([seqs[0]])

    searchers = [threading.Thread(target=search, args=(axis,)) for axis in (1, 2, 5)]
    changers = [threading.Thread(target=change, args=(offset,)) for offset in (1, 4)]
    for thread in (*searchers, *changers):
        thread.start()
    for thread in changers:
        thread.join()
    stop.set()
    for thread in searchers:
        thread.join()
    assert wrong == []
    assert len(mirror) == 1 + 2 * 400 * 2 - 2 * 80
