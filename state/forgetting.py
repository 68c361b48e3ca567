"""What may be said of what to forget, and what forgetting answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from typing_extensions import TypedDict


class Choice(TypedDict, total=False):
    """What to forget, by exactly one way; `since` and `until` together are one."""

    ids: Sequence[str] | None
    """These memories."""
    query: str | None
    """What contains this text, whatever the case: words, value, subject or topic. Of what only contained it once, the
    history of that goes."""
    thread: str | None
    """A whole conversation."""
    source: str | None
    """What came from this file or place, or, by its id, a turn with all that rests on it, whatever else it rests on."""
    since: str | datetime | None
    """What was said at or after this time."""
    until: str | datetime | None
    """What was said at or before this time; a date without a time means the whole of that day, in UTC."""
    all: bool
    """All of the space."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """What `forget` took, store by store."""

    space: str
    ids: tuple[str, ...]
    """The memories that are gone, derived ones included."""
    threads: tuple[str, ...]
    """Threads any of them were said in."""
    kinds: Mapping[str, int] = field(default_factory=dict)
    """How many are gone, by kind."""
    derived: int = 0
    """How many of them were not chosen, but rested on what was."""
    revived: tuple[str, ...] = ()
    """Memories that hold again: what had taken their place, or had them for its details, is gone."""
    revised: tuple[str, ...] = ()
    """Memories that rest on something else too, and stay with one source less."""
    sources: int = 0
    """Quotes removed."""
    vectors: int = 0
    """Vectors removed from the index."""
    keywords: int = 0
    """Rows removed from the keyword index."""
    jobs: int = 0
    """Jobs taken off the queue."""
    blocks: int = 0
    """Kept blocks of the space, all of which go: a question may quote what is forgotten."""
    changes: int = 0
    """Entries removed from memories' histories."""
    entities: int = 0
    """Names that nothing mentions any more."""
    relations: int = 0
    """Relations that only what is gone told."""
    checkpoints: int = 0
    """Checkpoints removed from short-term memory."""
    snapshots: int = 0
    """Snapshots that held any of it."""
    tombstones: int = 0
    """Digests that keep an old import from bringing it back."""
    embedded_anew: int = 0
    """Turns whose vector was made with the words of one that is gone, and is made again without."""
    figures: int = 0
    """Rows of what turns cost that are gone, or keep their numbers and their day alone."""
    samples: int = 0
    """Summaries that were kept to be judged: all of the space, whatever of it is forgotten."""
    compacted: bool = True
    """Whether the bytes are out of the files too; if not, `compact` is still to be run."""
