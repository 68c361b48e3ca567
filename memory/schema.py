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
    Column("space", Text, nullable=False),
    Column("state", Text, nullable=False, default="queued"),  # queued | dead
    Column("attempts", Integer, nullable=False, default=0),
    Column("due_at", Utc, nullable=False),
    Column("error", Text),
    Index("jobs_by_due", "state", "due_at"),
)

facts_about_home = Table(
    "home",
    metadata,
    Column("name", Text, primary_key=True),
    Column("value", Text, nullable=False),
)
