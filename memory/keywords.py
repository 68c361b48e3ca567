"""The keyword leg: SQLite FTS5 over the words of `tokens.words`, ranked by BM25.

A row holds a memory's words, each behind its space's key ("3f9c2ab1|lychee"), so that a space's words have posting
lists of their own: other spaces cost no time, and how often they say a word shifts no weight here. The full-text engine
splits at white space alone: no character of a word is syntax to it.
"""

import json
import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection, bindparam, text

from hippograph.memory.tokens import is_cjk, words

CREATE = (
    "CREATE VIRTUAL TABLE keywords USING fts5(words, "
    "tokenize = \"unicode61 remove_diacritics 0 categories 'L* M* N* P* S* Co'\")",
    "CREATE VIRTUAL TABLE keyword_counts USING fts5vocab(keywords, row)",
)

MOST_ASKED = 40
"""Different words of a query that are searched for; a longer query's further words are passed over."""
MOST_SCORED = 1500
"""Memories that FTS5 scores for one query (about 5 µs each): the query's rarest words choose them."""
K1, B, USUAL_LENGTH = 1.2, 0.75, 30
"""BM25's term saturation and length penalty, and the length in words that is not penalised."""

_ADD = text("INSERT INTO keywords (rowid, words) VALUES (:seq, :words)")
_COUNT = text("SELECT doc FROM keyword_counts WHERE term = :term")
_FOUND = text("SELECT rowid FROM keywords WHERE keywords MATCH :match ORDER BY bm25(keywords) LIMIT :most")
_OF = text("SELECT rowid, words FROM keywords WHERE rowid IN :seqs").bindparams(bindparam("seqs", expanding=True))
_NEWEST = text("SELECT rowid FROM keywords WHERE keywords MATCH :match ORDER BY rowid DESC LIMIT :most")


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


def words_of(connection: Connection, space: str, seqs: Sequence[int]) -> dict[int, list[str]]:
    """Return the words of given memories of a space, by number."""
    found = connection.execute(_OF, {"seqs": list(seqs)})
    prefix = _prefix(space)
    return {row.rowid: row.words.replace(prefix, "").split() for row in found}


def remove(connection: Connection, seqs: Sequence[int]) -> int:
    """Take memories out of the keyword index; returns how many rows went."""
    gone = [connection.execute(text("DELETE FROM keywords WHERE rowid = :seq"), {"seq": seq}).rowcount for seq in seqs]
    return sum(gone)


def weights(connection: Connection, space: str, query: str) -> dict[str, float]:
    """Return the query's words with their inverse document frequency in the space, as in Lucene.

    log(1 + (N - n + 0.5) / (n + 0.5)), with the N memories of the space, n of which have the word.
    """
    asked = list(dict.fromkeys(words(query)))[:MOST_ASKED]
    total = _count(connection, space, "")
    counts = {word: _count(connection, space, word) for word in asked}
    return {word: math.log(1 + (max(0, total - n) + 0.5) / (n + 0.5)) for word, n in counts.items()}


def search(
    connection: Connection, space: str, weights: Mapping[str, float], n: int, among: Collection[int] | None = None
) -> list[int]:
    """Return the numbers of about the `n` memories of a space (or of some of them) that match weighted words best.

    FTS5 preselects by its own BM25, which gives a word that more than half of all memories have no weight and would
    leave a home of few memories without a keyword leg: `bm25` has the last word.
    """
    chosen, common = _chosen(connection, space, weights)
    statement, most = (_NEWEST if common else _FOUND), n if among is None else MOST_SCORED
    found = list(
        connection.execute(statement, {"match": _any_of(space, chosen), "most": most}).scalars() if chosen else ()
    )
    if among is None:
        return found
    fitting = dict.fromkeys(seq for seq in found if seq in among)
    if len(fitting) < n and weights:
        every = connection.execute(_NEWEST, {"match": _any_of(space, [*weights]), "most": -1}).scalars()
        fitting |= dict.fromkeys(seq for seq in every if seq in among)
    return [*fitting][:n]


def bm25(weights: Mapping[str, float], said: Sequence[str]) -> float:
    """Return how well the words of a text answer weighted words, as a share of the most they can reach.

    In [0, 1], comparable between queries; 1 would be a text that repeats every word without end. BM25: Robertson and
    Zaragoza, 2009.
    """
    length = 1 - B + B * len(said) / USUAL_LENGTH
    counts = Counter(word for word in said if word in weights)
    return sum(weights[word] * n / (n + K1 * length) for word, n in counts.items()) / sum(weights.values())


def known(connection: Connection, space: str, said: str, most: int) -> str | None:
    """Return a word of the text that some memories of the space contain, but no more than `most`; else None."""
    telling = dict.fromkeys(word for word in words(said)[:MOST_ASKED] if not (is_cjk(word) and len(word) == 1))
    return next((word for word in telling if 0 < _count(connection, space, word) <= most), None)


def _chosen(connection: Connection, space: str, weights: Mapping[str, float]) -> tuple[list[str], bool]:
    """Return the rarest of some words, as many as choose MOST_SCORED memories at most.

    If even the rarest chooses more, it alone is returned, with True: the newest memories that have it must do.
    """
    counts = sorted((n, word) for word in weights if (n := _count(connection, space, word)))
    if counts and counts[0][0] > MOST_SCORED:
        return [counts[0][1]], True
    chosen, total = list[str](), 0
    for n, word in counts:
        total += n
        if total > MOST_SCORED:
            break
        chosen.append(word)
    return chosen, False


def _any_of(space: str, chosen: Sequence[str]) -> str:
    return " OR ".join('"' + term.replace('"', '""') + '"' for term in _terms(space, chosen))


def _count(connection: Connection, space: str, word: str) -> int:
    """Return how many memories of a space have a word; the empty word: how many it has in all."""
    return connection.scalar(_COUNT, {"term": _prefix(space) + word}) or 0


def _terms(space: str, said: Sequence[str]) -> list[str]:
    prefix = _prefix(space)
    return [prefix + word for word in said]


def _prefix(space: str) -> str:
    return space_key(space)[:10] + "|"
