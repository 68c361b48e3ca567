"""What comes in, made storable: checked, cleaned and dated before the ledger sees it."""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, get_args
from uuid import uuid4

from hippograph.memory.extraction.rules import Rules
from hippograph.memory.facts import Fact, Heard
from hippograph.memory.language import language
from hippograph.memory.life.digest import digest, matter
from hippograph.memory.life.parts import LONGEST
from hippograph.memory.life.values import value
from hippograph.memory.times import now, utc
from hippograph.state import BadInput, Kind, Turn

ROLES = ("user", "assistant", "tool", "system")
KINDS: tuple[str, ...] = get_args(Kind)
NOT_GIVEN = ("turn", "item")
"""Kinds of what is stored in ways of its own: by `add_turns`, and by `Memory.items`."""
FIELDS = (
    "id subject attribute value negated said_at valid_from valid_until expires_at importance confidence sentiment "
    "pinned topic entities speaker role thread model origin"
).split()
"""What may be given with a memory beside its text."""
LONGEST_QUERY = 4000
"""Characters of a query that are searched for, the last ones."""
MOST = 10_000
"""Most memories that one search gives."""
TIMES = ("said_at", "valid_from", "valid_until", "expires_at")
Clock = Callable[[datetime], datetime]
"""Makes of the machine's time the one at which something was said, where nobody says when."""


def _between(low: float, high: float) -> Callable[[object], bool]:
    return lambda value: isinstance(value, int | float) and low <= value <= high


SHAPES: Mapping[str, tuple[Callable[[object], bool], str]] = {
    "importance": (_between(0, 1), "a number from 0 to 1"),
    "confidence": (_between(0, 1), "a number from 0 to 1"),
    "sentiment": (_between(-1, 1), "a number from -1 to 1"),
    "pinned": (lambda value: isinstance(value, bool), "true or false"),
    "negated": (lambda value: isinstance(value, bool), "true or false"),
    "entities": (
        lambda value: isinstance(value, list) and all(isinstance(each, str) for each in value),
        "a list of texts",
    ),
} | {
    name: (lambda value: isinstance(value, str), "a text")
    for name in ("id", "subject", "attribute", "value", "topic", "speaker", "role", "thread", "model", "origin")
}
"""What a field's value must be like, and how to say so."""

_UNSTORABLE = re.compile("[\ud800-\udfff\x00]")


def clean(text: str) -> str:
    """Replace what no file can hold (lone surrogates, NUL) by U+FFFD; all else stays verbatim."""
    return _UNSTORABLE.sub("\ufffd", text)


def asked(query: str) -> str:
    """Return a query as it is searched for: what no file can hold replaced, and of a very long one its end.

    Raises:
        BadInput: It is no text.
    """
    if not isinstance(query, str):
        raise BadInput(f"The query is {query!r}: give a text.")
    return clean(query[-LONGEST_QUERY:])


def counted(name: str, number: int) -> int:
    """Return how many are wanted.

    Raises:
        BadInput: It is no number from 1 to MOST.
    """
    if not isinstance(number, int) or isinstance(number, bool) or not 1 <= number <= MOST:
        raise BadInput(
            f"{name} is {number!r}: it must be how many memories are wanted at most, 1 or more, up to {MOST:,}."
        )
    return number


def space_name(space: str) -> str:
    """Return a space's name if it can be one.

    Raises:
        BadInput: It is empty, no text, or holds characters that no file can.
    """
    if not isinstance(space, str) or not space.strip():
        raise BadInput("The user (space) is empty: give the id of the user whose memories are meant.")
    if _UNSTORABLE.search(space):
        raise BadInput(f"The user (space) {space!r} holds characters that are no text: give a plain Unicode id.")
    return space


def turn_rows(
    space: str, thread: str, turns: Sequence[Turn], clock: Clock = lambda present: present
) -> list[dict[str, Any]]:
    """Return the ledger rows of some verbatim turns, in order; those without a time are said when `clock` tells.

    Raises:
        BadInput: A turn lacks its text or role, or has an unknown role or a bad time; the message numbers it from 1.
    """
    if not isinstance(thread, str):
        raise BadInput(f"The thread is {thread!r}: give the conversation's id, a text.")
    if isinstance(turns, str | bytes) or not isinstance(turns, Sequence):
        raise BadInput(f"The turns are {turns!r}: give a list of {{'role': …, 'text': …}}.")
    recorded_at = now()
    said_at = clock(recorded_at)
    rows = [_turn_row(space, thread, turn, number, said_at) for number, turn in enumerate(turns, 1)]
    return [{**row, "recorded_at": recorded_at} for row in rows]


def _turn_row(space: str, thread: str, turn: Turn, number: int, present: datetime) -> dict[str, Any]:
    if not isinstance(turn, Mapping):
        raise BadInput(f"Turn {number} is {turn!r}: give each turn as {{'role': …, 'text': …}}.")
    text, role = turn.get("text"), turn.get("role")
    if not isinstance(text, str):
        raise BadInput(f"Turn {number} has no text: give each turn as {{'role': …, 'text': …}}.")
    if role not in ROLES:
        raise BadInput(f"Turn {number} has the role {role!r}: use one of {', '.join(ROLES)}.")
    for name in ("speaker", "origin"):
        if not isinstance(turn.get(name) or "", str):
            raise BadInput(f"Turn {number} has the {name} {turn.get(name)!r}: give a text.")
    try:
        said_at = utc(turn["said_at"]) if turn.get("said_at") else present
    except BadInput as error:
        raise BadInput(f"Turn {number}: {error}") from None
    return {
        "space": space_name(space),
        "id": clean(str(turn.get("id") or uuid4().hex)),
        "kind": "turn",
        "text": clean(text),
        "role": role,
        "speaker": clean(turn.get("speaker") or ""),
        "thread": clean(thread),
        "origin": clean(turn["origin"]) if turn.get("origin") else None,
        "said_at": said_at,
        "valid_from": said_at,
        "language": language(text),
    }


def memory_row(
    space: str, text: str, kind: str, fields: Mapping[str, Any], clock: Clock = lambda present: present
) -> dict[str, Any]:
    """Return the ledger row of a memory given directly; whom and what it is about is read from it where not given.

    Raises:
        BadInput: No text, an unknown kind or field, or a value out of range.
    """
    row = {"text": _said(text), "kind": _kind(kind), **_checked(fields)}
    row = {name: value for name, value in row.items() if value is not None}
    recorded_at = now()
    row.setdefault("said_at", clock(recorded_at))
    row = read_from(row)
    defaults = {"id": uuid4().hex, "thread": "", "valid_from": row["said_at"]}
    if fields.get("valid_from") is not None:
        _in_order(row)
    return {**defaults, **row, "space": space_name(space), "recorded_at": recorded_at, **derived(row)}


def changed(row: Mapping[str, Any], fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the columns of a memory that given fields change, with all that is made of them; None empties one.

    Args:
        row: The memory as it is.
        fields: What is to be: text, kind, or any of FIELDS.

    Raises:
        BadInput: An unknown field, a value out of range, or words of a turn, which is kept as it was said.
    """
    given = dict(fields)
    words = {"text": _said(given.pop("text"))} if "text" in given else {}
    words |= {"kind": _kind(given.pop("kind"))} if "kind" in given else {}
    values = {**words, **_checked(given)}
    if fixed := sorted(FIXED & values.keys()):
        raise BadInput(f"{fixed[0]!r} of a memory cannot be changed: store another memory.")
    if row["kind"] == "turn" and (told := sorted(values.keys() - OF_TURNS)):
        raise BadInput(
            f"{told[0]!r} of a turn cannot be changed, it is kept as it was said: remember what is so instead."
        )
    if row["kind"] == "item" and (kept := sorted(values.keys() - OF_ITEMS)):
        raise BadInput(f"{kept[0]!r} of an item cannot be changed here: put the item again, with another value.")
    if empty := sorted(name for name, value in values.items() if value is None and name not in EMPTIED):
        raise BadInput(f"{empty[0]!r} cannot be empty: give a value.")
    if len(values.get("text", "")) > LONGEST:
        raise BadInput(
            f"The text has {len(values['text']):,} characters, a memory has {LONGEST:,} at most: remember it as "
            "another memory, which is stored in pieces, and forget this one."
        )
    _in_order({**row, **values} if values.keys() & {"valid_from", "valid_until"} else {})
    if "text" in values and not any(name in fields for name in ABOUT):
        values = {**_retold(row, values), **values}
    values |= derived({**row, **values}) if row["kind"] != "turn" else {}
    return {name: value for name, value in values.items() if row[name] != value}


FIXED = frozenset({"id", "thread", "role", "speaker"})
OF_TURNS = frozenset({"importance", "pinned", "topic", "expires_at"})
OF_ITEMS = frozenset({"importance", "pinned", "topic"})
EMPTIED = frozenset("subject attribute value valid_until expires_at sentiment topic model origin".split())
"""Fields that may be empty."""


def derived(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the columns that are made of others."""
    return {
        "language": language(row["text"]),
        "digest": digest(row["text"]),
        "matter": matter(row.get("subject"), row.get("attribute")),
    }


def read_from(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row with what it is about as its text tells it, where it tells one fact and the caller said nothing."""
    if any(row.get(name) is not None for name in ABOUT) or row["kind"] in ("document", "summary", "media"):
        return row
    if len(row["text"]) > LONGEST_FACT:
        return row
    speaker = row.get("speaker", "")
    heard = Heard(id="", text=row["text"], role="user", speaker=speaker, said_at=row["said_at"])
    facts = Rules().extract([heard]).facts
    if len(facts) != 1 or not _covers(facts[0], row["text"]):
        return row
    fact = facts[0]
    found = {name: getattr(fact, name) for name in ("subject", "attribute", "value", "negated", "sentiment")}
    found["entities"] = [*fact.entities]
    if fact.kind == "event" or not value(fact.value).is_time:
        found |= {"valid_from": fact.valid_from, "valid_until": fact.valid_until}
    told = {name: each for name, each in found.items() if each is not None}
    return {**told, **row}


def _retold(row: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """Return what other words make of a memory: what they are about, or nothing where they do not tell.

    Where they tell nothing and still have its value in them, or another one in the same words, they are about what they
    were.
    """
    taken = ("kind", "text", "speaker", "said_at")
    read = read_from({name: values.get(name, row[name]) for name in taken})
    if read.get("value") is None and row["value"] and row["value"].casefold() in values["text"].casefold():
        return {}
    if read.get("value") is None and (other := _in_its_place(row["text"], row["value"], values["text"])):
        return {"value": other}
    emptied: dict[str, Any] = {
        "subject": None,
        "attribute": None,
        "value": None,
        "negated": False,
        "sentiment": None,
        "entities": [],
    }
    return {**emptied, **{name: each for name, each in read.items() if name not in taken}}


ABOUT = ("subject", "attribute", "value")
LONGEST_FACT = 300
"""Characters of a memory given directly that may be one fact; a longer one tells more."""
_WORDS = re.compile(r"\w")


def _covers(fact: Fact, text: str) -> bool:
    """Whether a fact was read from all of a text, but for what stands around it."""
    return len(_WORDS.findall(fact.quote)) >= 0.8 * len(_WORDS.findall(text))


def _in_its_place(old: str, value: str | None, new: str) -> str:
    """Return what stands in the place of a value where only that is new in a text; else nothing."""
    before, found, after = old.partition(value or "\0")
    same = found and _WORDS.search(before + after) and new.startswith(before) and new.endswith(after)
    return new[len(before) : len(new) - len(after)].strip() if same else ""


def _said(text: object) -> str:
    if not isinstance(text, str) or not text.strip():
        raise BadInput("There is nothing to remember: the text is empty.")
    return clean(text)


def _in_order(row: Mapping[str, Any]) -> None:
    """Make sure that what a row tells does not end before it begins."""
    starts, ends = row.get("valid_from"), row.get("valid_until")
    if starts and ends and ends < starts:
        raise BadInput(
            f"valid_until ({ends.isoformat()}) is before valid_from ({starts.isoformat()}): give a later end, or an "
            "earlier beginning."
        )


def _kind(kind: object) -> str:
    if kind not in KINDS or kind in NOT_GIVEN:
        given = ", ".join(each for each in KINDS if each not in NOT_GIVEN)
        raise BadInput(f"{kind!r} is no kind of memory that is given: use one of {given}.")
    return str(kind)


def _checked(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return fields as the ledger takes them; BadInput if one is unknown or out of range."""
    if unknown := sorted(set(fields) - set(FIELDS)):
        raise BadInput(f"Unknown field {unknown[0]!r}: a memory may have {', '.join(FIELDS)}.")
    row = {name: clean(value) if isinstance(value, str) else value for name, value in fields.items()}
    row |= {name: utc(row[name]) for name in TIMES if row.get(name) is not None}
    for name, (fits, what) in SHAPES.items():
        if row.get(name) is not None and not fits(row[name]):
            raise BadInput(f"{name} is {row[name]!r}: it must be {what}.")
    return row
