"""The keyword leg: SQLite FTS5 over the words of `tokens.words`, ranked by BM25.

A row holds a memory's words, each behind its space's key ("3f9c2ab1|lychee"), so that a space's words have posting
lists of their own: other spaces cost no time, and how often they say a word shifts no weight here. The full-text engine
splits at white space alone: no character of a word is syntax to it.
"""

import json
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection, text

from hippograph.memory.tokens import is_cjk, words

CREATE = (
    "CREATE VIRTUAL TABLE keywords USING fts5(words, "
    "tokenize = \"unicode61 remove_diacritics 0 categories 'L* M* N* P* S* Co'\")",
    "CREATE VIRTUAL TABLE keyword_counts USING fts5vocab(keywords, row)",
)

KEY = 20
"""Characters of a space's key before each of its words: 80 bits, which nobody makes two spaces share."""
MOST_ASKED = 40
"""Different words of a query that are searched for; a longer query's further words are passed over."""
MOST_SCORED = 1500
"""Memories that FTS5 scores for one query (about 5 µs each): the query's rarest words choose them."""
K1, B, USUAL_LENGTH = 1.2, 0.75, 30
"""BM25's term saturation and length penalty, and the length in words that is not penalised."""

_ADD = text("INSERT INTO keywords (rowid, words) VALUES (:seq, :words)")
_COUNTS = text(
    "SELECT each.value, counted.doc FROM json_each(:terms) AS each "
    "CROSS JOIN keyword_counts AS counted ON counted.term = each.value"
)
_FOUND, _FOUND_AMONG, _NEWEST, _NEWEST_AMONG = (
    text(f"SELECT rowid FROM keywords WHERE keywords MATCH :match {among} ORDER BY {order} LIMIT :most")
    for order in ("bm25(keywords)", "rowid DESC")
    for among in ("", "AND rowid BETWEEN :first AND :last")
)


def space_key(space: str) -> str:
    """Return a name for a space that files and indexes can carry; different spaces get different names."""
    return sha256(space.encode()).hexdigest()[:40]


def add(connection: Connection, said: Sequence[tuple[int, str, str]]) -> None:
    """Index the words of some memories, given as (number, space, text)."""
    rows = [{"seq": seq, "words": " ".join(_terms(space, ["", *words(each)]))} for seq, space, each in said]
    if rows:
        connection.execute(_ADD, rows)


def searched(row: Mapping[str, Any]) -> str:
    """Return all of a memory's row that keywords find it by."""
    entities = row.get("entities") or []
    named = json.loads(entities) if isinstance(entities, str) else entities
    parts = [row.get(name) for name in ("speaker", "text", "subject", "attribute", "value", "topic")]
    return " ".join([*filter(None, parts), *named])


def terms_of(space: str, chosen: Iterable[str]) -> dict[str, str]:
    """Return how some words stand in the rows of a space, each with the word."""
    prefix = _prefix(space)
    return {prefix + word: word for word in chosen}


def remove(connection: Connection, seqs: Sequence[int]) -> int:
    """Take memories out of the keyword index; returns how many rows went."""
    gone = [connection.execute(text("DELETE FROM keywords WHERE rowid = :seq"), {"seq": seq}).rowcount for seq in seqs]
    return sum(gone)


class Counts:
    """How many memories of a space have which words; each word is looked up once."""

    def __init__(self, connection: Connection, space: str) -> None:
        """Look at one state of the ledger, for as long as the connection reads it."""
        self.connection, self.space = connection, space
        self._known: dict[str, int] = {}

    def of(self, asked: Iterable[str]) -> dict[str, int]:
        """Return how many memories have each of some words; the empty word: how many there are in all."""
        asked = list(asked)
        terms = terms_of(self.space, (word for word in asked if word not in self._known))
        if terms:
            self._known |= dict.fromkeys(terms.values(), 0)
            found = self.connection.execute(_COUNTS, {"terms": json.dumps([*terms])}).all()
            self._known |= {terms[term]: count for term, count in found}
        return {word: self._known[word] for word in asked}


def weights(counts: Counts, query: str) -> dict[str, float]:
    """Return the query's words with their inverse document frequency in the space, as in Lucene.

    log(1 + (N - n + 0.5) / (n + 0.5)), with the N memories of the space, n of which have the word.
    """
    found = counts.of(["", *dict.fromkeys(words(query))][: MOST_ASKED + 1])
    total = found.pop("")
    return {word: math.log(1 + (max(0, total - n) + 0.5) / (n + 0.5)) for word, n in found.items()}


def search(
    counts: Counts,
    weights: Mapping[str, float],
    n: int,
    among: Collection[int] | None = None,
    without: Collection[int] = (),
) -> list[int]:
    """Return the numbers of about the `n` memories of a space that match weighted words best.

    FTS5 preselects by its own BM25, which gives a word that more than half of all memories have no weight and would
    leave a home of few memories without a keyword leg: `bm25` has the last word.

    Args:
        counts: Of the space.
        weights: The words.
        n: How many.
        among: Only these memories; without it, all.
        without: Not these: a few.
    """
    chosen, common = _chosen(counts, weights)
    if not chosen or (among is not None and not among):
        return []
    if among is None:
        asked = {"match": _match(counts.space, chosen), "most": n + len(without)}
        some = counts.connection.execute(_NEWEST if common else _FOUND, asked).scalars().all()
        asked["match"] = _match(counts.space, weights, " AND ")
        all_words = counts.connection.execute(_NEWEST, asked).scalars().all() if common else ()
        return [seq for seq in dict.fromkeys([*all_words, *some]) if seq not in without][:n]
    asked = {"match": _match(counts.space, chosen), "most": MOST_SCORED, "first": min(among), "last": max(among)}
    found = counts.connection.execute(_NEWEST_AMONG if common else _FOUND_AMONG, asked).scalars().all()
    fitting = dict.fromkeys(seq for seq in found if seq in among)
    if len(fitting) < n:
        asked |= {"match": _match(counts.space, weights), "most": -1}
        every = counts.connection.execute(_NEWEST_AMONG, asked).scalars().all()
        fitting |= dict.fromkeys(seq for seq in every if seq in among)
    return [*fitting][:n]


def every_word(space: str, query: str) -> str:
    """Return the full-text query for a space's memories that hold all words of a text, the last one begun at least.

    For what somebody is still typing; empty where the text has no word.
    """
    asked = [*dict.fromkeys(words(query))][:MOST_ASKED]
    match = _match(space, asked, " AND ")
    return match + "*" if match and not query[-1:].isspace() else match


def bm25(weights: Mapping[str, float], counts: Mapping[str, int], length: int) -> float:
    """Return how well the words of a text answer weighted words, as a share of the most they can reach.

    In [0, 1], comparable between queries; 1 would be a text that repeats every word without end. BM25: Robertson and
    Zaragoza, 2009.

    Args:
        weights: The words.
        counts: How often the text has a word; others than those weighted do not count.
        length: Words of the text.
    """
    saturation = K1 * (1 - B + B * length / USUAL_LENGTH)
    reached = sum(weights[word] * n / (n + saturation) for word, n in counts.items() if word in weights)
    return reached / sum(weights.values()) if reached else 0.0


def known(counts: Counts, said: str, most: int) -> str | None:
    """Return a word of the text that some memories of the space contain, but no more than `most`; else None."""
    telling = dict.fromkeys(word for word in words(said)[:MOST_ASKED] if not (is_cjk(word) and len(word) == 1))
    return next((word for word in telling if 0 < counts.of([word])[word] <= most), None)


def _chosen(counts: Counts, weights: Mapping[str, float]) -> tuple[list[str], bool]:
    """Return the rarest of some words, as many as choose MOST_SCORED memories at most.

    If even the rarest chooses more, it alone is returned, with True: to score all that have it takes too long.
    """
    rarest = sorted((n, word) for word, n in counts.of(weights).items() if n)
    if rarest and rarest[0][0] > MOST_SCORED:
        return [rarest[0][1]], True
    chosen, total = list[str](), 0
    for n, word in rarest:
        total += n
        if total > MOST_SCORED:
            break
        chosen.append(word)
    return chosen, False


def _match(space: str, chosen: Iterable[str], joint: str = " OR ") -> str:
    """Return the full-text query for a space's memories that hold any of some words, or all of them."""
    return joint.join('"' + term.replace('"', '""') + '"' for term in terms_of(space, chosen))


def _terms(space: str, said: Sequence[str]) -> list[str]:
    prefix = _prefix(space)
    return [prefix + word for word in said]


def _prefix(space: str) -> str:
    return space_key(space)[:KEY] + "|"
