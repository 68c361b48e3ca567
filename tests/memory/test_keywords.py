"""The keyword leg on a real full-text index."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Connection

from hippograph.memory import keywords
from hippograph.memory.intake import turn_rows
from hippograph.memory.keywords import Counts
from hippograph.memory.ledger import Ledger
from hippograph.state import Turn


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger(tmp_path / "ledger.db") as opened:
        yield opened


def said(ledger: Ledger, space: str, *texts: str) -> list[int]:
    """Store some texts; returns their numbers."""
    with ledger.read() as connection:
        last = connection.exec_driver_sql("SELECT coalesce(max(seq), 0) FROM memories").scalar_one()
    ledger.add(turn_rows(space, "t", [Turn(role="user", text=text) for text in texts]))
    return [*range(last + 1, last + 1 + len(texts))]


def found(connection: Connection, space: str, query: str, n: int = 10, among: set[int] | None = None) -> list[int]:
    counts = Counts(connection, space)
    return keywords.search(counts, keywords.weights(counts, query), n, among)


def test_each_space_counts_and_finds_its_own(ledger: Ledger) -> None:
    mine = said(ledger, "ann", "The heron nests.", "Tea, please.")
    said(ledger, "bo", *(f"heron {n}" for n in range(30)))
    with ledger.read() as connection:
        assert Counts(connection, "ann").of(["", "heron", "tea", "owl"]) == {"": 2, "heron": 1, "tea": 1, "owl": 0}
        assert Counts(connection, "bo").of(["", "heron", "tea"]) == {"": 30, "heron": 30, "tea": 0}
        assert found(connection, "ann", "heron") == mine[:1]
        assert keywords.weights(Counts(connection, "eve"), "heron").keys() == {"heron"}
        assert found(connection, "eve", "heron") == []


def test_weights_are_lucenes_inverse_document_frequency(ledger: Ledger) -> None:
    said(ledger, "ann", "heron weir", "heron", "tea", "coffee")
    with ledger.read() as connection:
        weights = keywords.weights(Counts(connection, "ann"), "Is the heron at the weir with an owl?")
    # log(1 + (4 - n + 0.5) / (n + 0.5)), for n = 2, 1 and 0.
    assert weights == pytest.approx({"heron": 0.6931, "weir": 1.2040, "owl": 2.3026}, abs=1e-4)


ODD = ["a|b", 'say "cheese"', "C++", "NEAR(x", "x*", "-foo", "col:x", "^y", "100%", "it's", "😀", "\\", "'; DROP TABLE"]


def test_words_that_are_syntax_elsewhere_are_words(ledger: Ledger) -> None:
    """Case R02."""
    numbers = said(ledger, "ann", *(f"{text} word{n}" for n, text in enumerate(ODD)))
    with ledger.read() as connection:
        for number, text in zip(numbers, ODD, strict=True):
            assert found(connection, "ann", f"{text} word{numbers.index(number)}")[0] == number
            for alone in (text, f'"{text}', f"{text} AND OR NOT ("):
                assert isinstance(found(connection, "ann", alone), list)


def test_a_word_that_looks_like_another_spaces_key_finds_nothing_there(ledger: Ledger) -> None:
    said(ledger, "ann", "heron")
    key = keywords.space_key("ann")[:10]
    with ledger.read() as connection:
        for query in (f"{key}|heron", f"{key}| heron", key):
            assert found(connection, "bo", query) == []


def test_a_rare_word_is_found_however_common_the_others_are(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keywords, "MOST_SCORED", 20)
    first = said(ledger, "ann", "The heron nests by the weir in spring.")
    said(ledger, "ann", *(f"spring weir note {n}" for n in range(200)))
    with ledger.read() as connection:
        assert found(connection, "ann", "heron in spring at the weir", n=3)[0] == first[0]
        assert first[0] in found(connection, "ann", "spring weir heron", n=1)


def test_of_words_that_are_all_common_the_newest_are_found(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keywords, "MOST_SCORED", 20)
    numbers = said(ledger, "ann", *(f"spring note {n}" for n in range(100)))
    with ledger.read() as connection:
        assert found(connection, "ann", "spring", n=5) == numbers[-1:-6:-1]


@pytest.mark.parametrize("scored", [20, keywords.MOST_SCORED])
def test_a_filter_comes_before_the_cut(ledger: Ledger, monkeypatch: pytest.MonkeyPatch, scored: int) -> None:
    """Case R07: one old row that fits, 2,000 newer and closer ones that do not."""
    monkeypatch.setattr(keywords, "MOST_SCORED", scored)
    (old,) = said(ledger, "ann", "Long ago we spoke at length about the launch and a dozen other things.")
    newer = said(ledger, "ann", *(["launch launch"] * 2000))
    with ledger.read() as connection:
        assert old not in found(connection, "ann", "launch", n=40)
        assert found(connection, "ann", "launch", n=40, among={old}) == [old]
        assert found(connection, "ann", "launch", n=40, among={old, newer[3]}) == [newer[3], old]
        assert found(connection, "ann", "launch", n=40, among=set()) == []


def test_what_ended_takes_no_places(ledger: Ledger) -> None:
    numbers = said(ledger, "ann", *(["launch launch"] * 30), "We spoke at length about the launch and other things.")
    with ledger.read() as connection:
        counts = Counts(connection, "ann")
        weights = keywords.weights(counts, "launch")
        assert keywords.search(counts, weights, 5, without=set(numbers[:30])) == numbers[30:]


def test_a_query_of_ten_thousand_words_is_cut_not_refused(ledger: Ledger) -> None:
    (number,) = said(ledger, "ann", "heron")
    with ledger.read() as connection:
        assert found(connection, "ann", "heron " + " ".join(f"word{n}" for n in range(10_000))) == [number]


def test_bm25_grows_with_every_word_and_repeat_but_not_beyond_1() -> None:
    weights = {"heron": 2.0, "weir": 1.0}
    shares = [keywords.bm25(weights, counts, 30) for counts in ({}, {"weir": 1}, {"heron": 1}, {"heron": 1, "weir": 1})]
    assert shares == sorted(set(shares))
    assert shares[0] == 0
    assert shares[-1] < keywords.bm25(weights, {"heron": 999, "weir": 999}, 30) < 1
    assert keywords.bm25(weights, {"heron": 1}, 300) < shares[2] < keywords.bm25(weights, {"heron": 1}, 3)
    assert keywords.bm25(weights, {"other": 5}, 30) == 0
