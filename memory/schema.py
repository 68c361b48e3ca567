"""The ledger's tables. Times are UTC; `valid_*` says when it was true, `recorded_at` when we learned it."""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    DateTime,
    Dialect,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
)


class Utc(TypeDecorator[datetime]):
    """An aware datetime, stored in UTC; SQLite keeps no zone, so it is put back when read."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Convert to UTC on the way in."""
        return value and value.astimezone(UTC)

    def process_result_value(self, value: Any | None, dialect: Dialect) -> datetime | None:  # noqa: ANN401
        """Mark as UTC on the way out."""
        return value and value.replace(tzinfo=UTC)


metadata = MetaData()

memories = Table(
    "memories",
    metadata,
    Column("seq", Integer, primary_key=True),
    Column("space", Text, nullable=False),
    Column("id", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("status", Text, nullable=False, default="current"),
    Column("text", Text, nullable=False),
    Column("role", Text, nullable=False, default=""),
    Column("speaker", Text, nullable=False, default=""),
    Column("thread", Text, nullable=False, default=""),
    Column("position", Integer, nullable=False, default=0),
    Column("subject", Text),
    Column("attribute", Text),
    Column("value", Text),
    Column("said_at", Utc, nullable=False),
    Column("valid_from", Utc, nullable=False),
    Column("valid_until", Utc),
    Column("recorded_at", Utc, nullable=False),
    Column("expires_at", Utc),
    Column("superseded_by", Text),
    Column("superseded_because", Text),
    Column("superseded_at", Utc),
    Column("importance", Float, nullable=False, default=0.5),
    Column("confidence", Float, nullable=False, default=1.0),
    Column("sentiment", Float),
    Column("pinned", Boolean, nullable=False, default=False),
    Column("uses", Integer, nullable=False, default=0),
    Column("used_at", Utc),
    Column("language", Text, nullable=False, default="en"),
    Column("topic", Text),
    Column("entities", JSON, nullable=False, default=list),
    Column("model", Text),
    Column("negated", Boolean, nullable=False, default=False),  # the value is denied, or has ended
    Column("digest", Text),  # of the text without case and spacing; NULL for turns, which may say a thing twice
    Column("matter", Text),  # digest of subject and attribute: what may stand in for what; NULL where either is unknown
    Column("origin", Text),  # the file or place it was imported from
    Column("version", Integer, nullable=False, default=1),
    Column("vectors", Integer, nullable=False, default=0),  # how many the index holds for it; 0 while pending
    UniqueConstraint("space", "id"),
    Index("memories_by_space", "space", "status", "seq"),
    Index("memories_by_thread", "space", "thread", "position"),
    Index("memories_by_id", "id"),
    Index("memories_by_time", "space", "said_at"),
)
Index("memories_by_subject", memories.c.space, memories.c.subject, sqlite_where=memories.c.subject.is_not(None))
Index(
    "memories_ending",
    memories.c.space,
    sqlite_where=memories.c.valid_until.is_not(None) | memories.c.expires_at.is_not(None),
)

Index("memories_by_digest", memories.c.space, memories.c.digest, sqlite_where=memories.c.digest.is_not(None))
Index("memories_by_matter", memories.c.space, memories.c.matter, sqlite_where=memories.c.matter.is_not(None))
Index("memories_by_origin", memories.c.space, memories.c.origin, sqlite_where=memories.c.origin.is_not(None))

sources = Table(
    "sources",
    metadata,
    Column("memory", Integer, ForeignKey("memories.seq", ondelete="CASCADE"), nullable=False, index=True),
    Column("turn", Integer, ForeignKey("memories.seq", ondelete="CASCADE"), nullable=False, index=True),
    Column("quote", Text, nullable=False),
    Column("start", Integer, nullable=False),
    Column("end", Integer, nullable=False),
)

jobs = Table(
    "jobs",
    metadata,
    Column("memory", Integer, ForeignKey("memories.seq", ondelete="CASCADE"), primary_key=True),
    Column("kind", Text, primary_key=True),  # index | extract
    Column("space", Text, nullable=False),
    Column("state", Text, nullable=False, default="queued"),  # queued | running | dead; a job that is done is gone
    Column("attempts", Integer, nullable=False, default=0),
    Column("due_at", Utc, nullable=False),
    Column("leased_until", Utc),
    Column("error", Text),
    Column("review", Boolean, nullable=False, default=False),  # what is found waits for a person, if it is doubtful
    Index("jobs_by_due", "kind", "state", "due_at"),
)

extractions = Table(
    "extractions",
    metadata,
    Column("turn", Integer, ForeignKey("memories.seq", ondelete="CASCADE"), primary_key=True),
    Column("at", Utc, nullable=False),
    Column("model", Text, nullable=False),
    Column("facts", Integer, nullable=False),
    Column("dropped", Integer, nullable=False),
    Column("degraded", Text),  # what had to be repaired or done without; NULL when all went as configured
)

changes = Table(
    "changes",
    metadata,
    Column("seq", Integer, primary_key=True),
    Column("memory", Integer, ForeignKey("memories.seq", ondelete="CASCADE"), nullable=False, index=True),
    Column("at", Utc, nullable=False),
    Column("what", Text, nullable=False),  # merged | superseded | revived | updated | archived | expired | undone | ...
    Column("because", Text, nullable=False),
    Column("by", Text),  # id of the turn or memory that made it so
    Column("before", JSON, nullable=False, default=dict),  # the changed columns as they were
)

tombstones = Table(
    "tombstones",
    metadata,
    Column("space", Text, primary_key=True),  # its key, not its name
    Column("digest", Text, primary_key=True),  # of an id or a text that was forgotten, keyed by the home's secret
    Column("at", Utc, nullable=False),
)

entities = Table(
    "entities",
    metadata,
    Column("seq", Integer, primary_key=True),
    Column("space", Text, nullable=False),
    Column("key", Text, nullable=False),  # the name without case and spacing
    Column("name", Text, nullable=False),
    Column("kind", Text, nullable=False, default=""),  # person | place | organisation | thing | ""
    UniqueConstraint("space", "key"),
)

mentions = Table(
    "mentions",
    metadata,
    Column("entity", Integer, ForeignKey("entities.seq", ondelete="CASCADE"), primary_key=True),
    Column("memory", Integer, ForeignKey("memories.seq", ondelete="CASCADE"), primary_key=True, index=True),
)

relations = Table(
    "relations",
    metadata,
    Column("seq", Integer, primary_key=True),
    Column("head", Integer, ForeignKey("entities.seq", ondelete="CASCADE"), nullable=False, index=True),
    Column("relation", Text, nullable=False),
    Column("tail", Integer, ForeignKey("entities.seq", ondelete="CASCADE"), nullable=False, index=True),
    Column("memory", Integer, ForeignKey("memories.seq", ondelete="CASCADE"), nullable=False, index=True),
    UniqueConstraint("head", "relation", "tail", "memory"),
)

blocks = Table(
    "blocks",
    metadata,
    Column("seq", Integer, primary_key=True),
    Column("space", Text, nullable=False),
    Column("exact", Text, nullable=False),  # digest of all that the block depends on, the question's words included
    Column("alike", Text),  # of the same, with the question's signature; NULL where its words are to leave no trace
    Column("vector", LargeBinary),  # of the question, as float32; NULL likewise
    Column("model", Text, nullable=False),
    Column("block", JSON, nullable=False),
    Column("input", Integer, nullable=False),  # tokens that writing it took, which finding it saves
    Column("output", Integer, nullable=False),
    Column("ms", Float, nullable=False),
    Column("ahead", Boolean, nullable=False, default=False),  # written before it was asked for
    Column("size", Integer, nullable=False),  # bytes that count towards the cap
    Column("made_at", Utc, nullable=False),
    Column("used_at", Utc, nullable=False),
    Column("hits", Integer, nullable=False, default=0),
    UniqueConstraint("space", "exact"),
    Index("blocks_by_alike", "space", "alike"),
    Index("blocks_by_use", "used_at", "size"),
)

rests = Table(
    "rests",
    metadata,
    Column("block", Integer, ForeignKey("blocks.seq", ondelete="CASCADE"), primary_key=True),
    Column("memory", Integer, ForeignKey("memories.seq", ondelete="CASCADE"), primary_key=True, index=True),
    Column("version", Integer, nullable=False),  # which the memory had when the block was written
)

reuse = Table(
    "reuse",
    metadata,
    Column("day", Text, primary_key=True),  # UTC, as 2026-05-31
    Column("model", Text, primary_key=True),
    Column("asked", Integer, nullable=False, default=0),  # how often a block was looked for
    Column("exact", Integer, nullable=False, default=0),  # how often it was found for the same question
    Column("near", Integer, nullable=False, default=0),  # how often for the same in other words
    Column("ahead", Integer, nullable=False, default=0),  # how many of those found had been written ahead
    Column("written", Integer, nullable=False, default=0),  # how many were written ahead
    Column("spent_input", Integer, nullable=False, default=0),  # tokens that writing those took
    Column("spent_output", Integer, nullable=False, default=0),
    Column("input", Integer, nullable=False, default=0),  # tokens that those found have saved
    Column("output", Integer, nullable=False, default=0),
    Column("ms", Float, nullable=False, default=0.0),  # and time
)

rounds = Table(
    "rounds",
    metadata,
    Column("seq", Integer, primary_key=True),
    Column("space", Text, nullable=False),  # its key, not its name
    Column("thread", Text),  # a digest; NULL where the turn was forgotten, as `turn` is, and `at` the day alone
    Column("turn", Text),  # a digest of the id of what was asked
    Column("at", Utc, nullable=False),
    Column("ms", Float, nullable=False),
    Column("stages", JSON, nullable=False),  # a node's name to its milliseconds
    Column("injected", Integer, nullable=False),  # tokens of the block
    Column("bullets", Integer, nullable=False),
    Column("unsupported", Integer, nullable=False),
    Column("saved", Integer, nullable=False),  # tokens of calls that were not made
    Column("cache", Text, nullable=False),  # exact | near | ""
    Column("degraded", Boolean, nullable=False),
    Column("failed", Boolean, nullable=False),
    Column("cited", Float),  # what needs no model to be told of a block; NULL without one
    Column("met", Float),
    Column("share", Float),
    Index("rounds_by_time", "at"),
    Index("rounds_by_turn", "space", "turn"),
)

calls = Table(
    "calls",
    metadata,
    Column("seq", Integer, primary_key=True),
    Column("round", Integer, ForeignKey("rounds.seq", ondelete="CASCADE"), index=True),  # NULL: in the background
    Column("space", Text, nullable=False),  # its key
    Column("at", Utc, nullable=False),
    Column("stage", Text, nullable=False),
    Column("role", Text, nullable=False),
    Column("model", Text, nullable=False),
    Column("input", Integer, nullable=False),
    Column("output", Integer, nullable=False),
    Column("ms", Float, nullable=False),
    Column("money", Integer),  # millionths of a USD; NULL where the price is not known
    Column("cached", Boolean, nullable=False),
    Index("calls_by_time", "at"),
)

spent_days = Table(
    "spent_days",
    metadata,
    Column("day", Text, primary_key=True),  # ISO 8601, this machine's
    Column("space", Text, primary_key=True),  # its key
    Column("sums", Text, nullable=False),  # JSON of `memory/costs/sums.py`
)

judgements = Table(
    "judgements",
    metadata,
    Column("seq", Integer, primary_key=True),
    Column("space", Text, nullable=False),  # its key
    Column("at", Utc, nullable=False),  # of the turn; the day alone once it is judged
    Column("by", Text),  # a model, or "person"; NULL while it waits
    Column("accuracy", Integer),
    Column("relevance", Integer),
    Column("brevity", Integer),
    Column("attempts", Integer, nullable=False, default=0),
    Column("question", Text, nullable=False),  # this and the next two are emptied when it is judged
    Column("block", Text, nullable=False),
    Column("evidence", JSON, nullable=False),  # ids of the memories that the block was made of
    Index("judgements_by_time", "at"),
)

items = Table(
    "items",
    metadata,
    Column("memory", Integer, ForeignKey("memories.seq", ondelete="CASCADE"), primary_key=True),
    Column("space", Text, nullable=False),
    Column("namespace", Text, nullable=False),  # JSON list of labels, written without spaces
    Column("key", Text, nullable=False),
    Column("value", Text, nullable=False),  # JSON, as it was put; `memories.text` is what of it is searched
    Column("ttl", Float),  # minutes that each use of it adds; NULL: it stays
    Column("created_at", Utc, nullable=False),
    Column("updated_at", Utc, nullable=False),
    UniqueConstraint("space", "namespace", "key"),
    Index("items_by_namespace", "namespace"),
)

ratings = Table(
    "ratings",
    metadata,
    Column("memory", Integer, ForeignKey("memories.seq", ondelete="CASCADE"), primary_key=True),  # the answer
    Column("score", Integer),  # 1 good, -1 bad; NULL: only its trace is known
    Column("comment", Text, nullable=False, default=""),
    Column("correction", Text, nullable=False, default=""),  # what would have been right
    Column("at", Utc, nullable=False),
    Column("run", Text),  # id of its trace in LangSmith; NULL where nothing was traced
    Column("project", Text),  # in which the trace is
    Column("sent", Boolean, nullable=False, default=False),  # whether LangSmith was told the score
)

facts_about_home = Table(
    "home",
    metadata,
    Column("name", Text, primary_key=True),
    Column("value", Text, nullable=False),
)
