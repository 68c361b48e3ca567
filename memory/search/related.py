"""The entity leg: memories that mention whom or what a query names, and those one relation further."""

import json
import unicodedata
from collections.abc import Iterator

from sqlalchemy import Connection, text

from hippograph.memory.facts import SELF
from hippograph.memory.search.understanding import names
from hippograph.memory.tokens import is_cjk

Shares = dict[int, float]
"""Memory to what the leg says for it, in [0, 1]."""
MOST_WORDS, MOST_CHARACTERS = 5, 12
"""Length of a name that is looked for: words, or Chinese characters."""
LOOKED_AT = 400
"""Characters of a query in which names are looked for, the last ones."""
TELLING = 12
"""An entity that more memories than this mention says little about any of them."""
NEXT = 0.5
"""What a memory of a related entity is worth, against one of the entity itself."""

_ANY = text("SELECT 1 FROM entities WHERE space = :space LIMIT 1")
_NAMED = text(
    "SELECT entities.seq, entities.name FROM json_each(:keys) AS each "
    "CROSS JOIN entities ON entities.space = :space AND entities.key = each.value"
)
# Who is mentioned everywhere, as a speaker is, says nothing about any memory.
_MENTIONS = text(
    "SELECT mentions.entity, mentions.memory FROM json_each(:entities) AS each "
    "CROSS JOIN mentions ON mentions.entity = each.value "
    "WHERE (SELECT count(*) FROM (SELECT 1 FROM mentions WHERE entity = each.value LIMIT :most + 1)) <= :most "
    "ORDER BY mentions.memory DESC LIMIT :most"
)
_OWN = text("SELECT seq FROM entities WHERE space = :space AND key = :own")
_RELATED = text(
    "SELECT relations.head, relations.tail, relations.memory FROM json_each(:entities) AS each "
    "CROSS JOIN relations ON relations.head = each.value OR relations.tail = each.value "
    "ORDER BY relations.memory DESC LIMIT :most"
)


def related(connection: Connection, space: str, query: str, most: int) -> Shares:
    """Return memories by number with how much the entities that a query names say for each, in (0, 1].

    Args:
        connection: To the ledger.
        space: Whose memories.
        query: What is asked.
        most: How many are read for the entities named, and for those related to them, the newest.
    """
    if connection.execute(_ANY, {"space": space}).first() is None:
        return {}
    keys = json.dumps([*dict.fromkeys(_keys(query))])
    rows = connection.execute(_NAMED, {"space": space, "keys": keys}).all()
    named = [row.seq for row in rows if row.name != SELF and names(query, row.name)]
    if not named:
        return {}
    asked = {"entities": json.dumps(named), "most": most}
    relations = connection.execute(_RELATED, asked).all()
    found = {row.memory: 1.0 for row in relations} | _mentioned(connection, named, most, 1.0)
    own = connection.execute(_OWN, {"space": space, "own": SELF}).scalars().all()
    further = {end for row in relations for end in (row.head, row.tail)} - {*named, *own}
    return {**_mentioned(connection, [*further], most, NEXT), **found}


def _mentioned(connection: Connection, entities: list[int], most: int, worth: float) -> Shares:
    """Return the memories that mention some entities; the more mention one, the less it says."""
    if not entities:
        return {}
    asked = {"entities": json.dumps(entities), "most": most}
    rows = connection.execute(_MENTIONS, asked).all()
    counts: dict[int, int] = {}
    for row in rows:
        counts[row.entity] = counts.get(row.entity, 0) + 1
    found: Shares = {}
    for row in rows:
        share = worth * min(1.0, TELLING / counts[row.entity])
        found[row.memory] = max(found.get(row.memory, 0.0), share)
    return found


def _keys(query: str) -> Iterator[str]:
    """Return what may be a name in a query, as entities have it: without case and spacing."""
    folded = unicodedata.normalize("NFKC", query[-LOOKED_AT:]).casefold()
    spaced = "".join(
        f" {each} " if is_cjk(each) or not (each.isalnum() or each in "-_.&'’") else each for each in folded
    )
    pieces = [piece.removesuffix("'s").removesuffix("’s").strip(".'’") for piece in spaced.split()]
    for at in range(len(pieces)):
        longest = MOST_CHARACTERS if is_cjk(pieces[at]) else MOST_WORDS
        for length in range(1, min(longest, len(pieces) - at) + 1):
            yield "".join(pieces[at : at + length])
