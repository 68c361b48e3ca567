"""The keyword leg: SQLite FTS5 over the words of `tokens.words`, ranked by BM25.

A row holds a memory's words with single spaces between them, and its space as one more word, so that only this space's
rows are ever looked at. The full-text engine splits at white space alone: no character of a word is syntax to it.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from hashlib import sha256

from sqlalchemy import ColumnElement, Connection, column, select, table, text

from hippograph.memory.schema import memories
from hippograph.memory.tokens import is_cjk, words

CREATE = (
    "CREATE VIRTUAL TABLE keywords USING fts5(space, words, "
    "tokenize = \"unicode61 remove_diacritics 0 categories 'L* M* N* P* S* Co'\")",
)

MOST_ASKED = 40
"""Different words of a query that are searched for; a longer query's further words are passed over."""
K1, B, USUAL_LENGTH = 1.2, 0.75, 30
"""BM25's term saturation and length penalty, and the length in words that is not penalised."""

_TABLE = table("keywords", column("rowid"), column("words"))
_ADD = text("INSERT INTO keywords (rowid, space, words) VALUES (:seq, :space, :words)")
_COUNT = text("SELECT count(*) FROM keywords WHERE keywords MATCH :match")
_KNOWN = text("SELECT count(*) FROM (SELECT 1 FROM keywords WHERE keywords MATCH :match LIMIT :most)")


def space_key(space: str) -> str:
    """Return a name for a space that files and indexes can carry; different spaces get different names."""
    return sha256(space.encode()).hexdigest()[:40]


def add(connection: Connection, said: Sequence[tuple[int, str, str]]) -> None:
    """Index the words of some memories, given as (number, space, text)."""
    rows = [{"seq": seq, "space": space_key(space), "words": " ".join(words(each))} for seq, space, each in said]
    if rows:
        connection.execute(_ADD, rows)


def remove(connection: Connection, seqs: Sequence[int]) -> int:
    """Take memories out of the keyword index; returns how many rows went."""
    gone = [connection.execute(text("DELETE FROM keywords WHERE rowid = :seq"), {"seq": seq}).rowcount for seq in seqs]
    return sum(gone)


def search(connection: Connection, space: str, query: str, n: int, fits: ColumnElement[bool]) -> dict[int, float]:
    """Return the `n` best memories of a space that fit a condition on `memories`, by number, with their BM25 share.

    The share is what BM25 gives of the most that the query could reach: in [0, 1], comparable between queries; 1 would
    be a memory that repeats every word of the query without end. FTS5 preselects; the score is computed here, because
    FTS5 gives a word that more than half of all memories have no weight, which leaves a home of few memories without a
    keyword leg. BM25: Robertson and Zaragoza, 2009; inverse document frequency as in Lucene,
    log(1 + (N - n + 0.5) / (n + 0.5)).
    """
    weights = _weights(connection, space, query)
    if not weights:
        return {}
    match = _in(space, *weights)
    statement = (
        select(memories.c.seq, _TABLE.c.words)
        .join_from(_TABLE, memories, memories.c.seq == _TABLE.c.rowid)
        .where(text("keywords MATCH :match").bindparams(match=match), fits)
        .order_by(text("bm25(keywords, 0.0, 1.0)"))
        .limit(3 * n)
    )
    found = connection.execute(statement)
    scores = {row.seq: bm25(weights, row.words.split(" ")) for row in found}
    return dict(sorted(scores.items(), key=lambda item: -item[1])[:n])


def bm25(weights: Mapping[str, float], said: Sequence[str]) -> float:
    """Return how well the words of a text answer weighted words, as a share of the most they can reach."""
    length = 1 - B + B * len(said) / USUAL_LENGTH
    counts = Counter(word for word in said if word in weights)
    return sum(weights[word] * n / (n + K1 * length) for word, n in counts.items()) / sum(weights.values())


def known(connection: Connection, space: str, said: str, most: int) -> str | None:
    """Return a word of the text that some memories of the space contain, but no more than `most`; else None."""
    telling = dict.fromkeys(word for word in words(said)[:MOST_ASKED] if not (is_cjk(word) and len(word) == 1))
    for word in telling:
        if 0 < (connection.scalar(_KNOWN, {"match": _in(space, word), "most": most + 1}) or 0) <= most:
            return word
    return None


def _weights(connection: Connection, space: str, query: str) -> dict[str, float]:
    """Return the query's words with their inverse document frequency in the space: no other space is counted."""
    asked = list(dict.fromkeys(words(query)))[:MOST_ASKED]
    total = connection.scalar(_COUNT, {"match": f"space : {space_key(space)}"}) or 0
    counts = {word: connection.scalar(_COUNT, {"match": _in(space, word)}) or 0 for word in asked}
    return {word: math.log(1 + (total - n + 0.5) / (n + 0.5)) for word, n in counts.items()}


def _in(space: str, *asked: str) -> str:
    """Return the full-text query for a space's memories that hold any of some words."""
    return f"space : {space_key(space)} AND words : ({' OR '.join(map(_quoted, asked))})"


def _quoted(word: str) -> str:
    return '"' + word.replace('"', '""') + '"'
