"""What a memory's life needs: jobs of several kinds with leases, history, tombstones, extraction, entities."""

from typing import Any

import sqlalchemy as sa
from alembic import op

from hippograph.memory.schema import Utc

revision = "0003"
down_revision = "0002"

_MEMORY = "memories.seq"


def upgrade() -> None:
    """Add the tables and columns; jobs that wait stay queued."""
    for column in (
        sa.Column("superseded_at", Utc),
        sa.Column("negated", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("digest", sa.Text),
        sa.Column("matter", sa.Text),
        sa.Column("origin", sa.Text),
    ):
        op.add_column("memories", column)
    op.execute("CREATE INDEX memories_by_digest ON memories (space, digest) WHERE digest IS NOT NULL")
    op.execute("CREATE INDEX memories_by_matter ON memories (space, matter) WHERE matter IS NOT NULL")
    op.execute("CREATE INDEX memories_by_origin ON memories (space, origin) WHERE origin IS NOT NULL")
    _jobs()
    op.create_table(
        "extractions",
        _of_memory("turn", primary_key=True),
        sa.Column("at", Utc, nullable=False),
        sa.Column("model", sa.Text, nullable=False),
        sa.Column("facts", sa.Integer, nullable=False),
        sa.Column("dropped", sa.Integer, nullable=False),
        sa.Column("degraded", sa.Text),
    )
    op.create_table(
        "changes",
        sa.Column("seq", sa.Integer, primary_key=True),
        _of_memory("memory", nullable=False, index=True),
        sa.Column("at", Utc, nullable=False),
        sa.Column("what", sa.Text, nullable=False),
        sa.Column("because", sa.Text, nullable=False),
        sa.Column("by", sa.Text),
        sa.Column("before", sa.JSON, nullable=False),
    )
    op.create_table(
        "tombstones",
        sa.Column("space", sa.Text, primary_key=True),
        sa.Column("digest", sa.Text, primary_key=True),
        sa.Column("at", Utc, nullable=False),
    )
    _graph()


def _jobs() -> None:
    op.rename_table("jobs", "jobs_before")
    op.execute("DROP INDEX jobs_by_due")
    op.create_table(
        "jobs",
        _of_memory("memory", primary_key=True),
        sa.Column("kind", sa.Text, primary_key=True),
        sa.Column("space", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("due_at", Utc, nullable=False),
        sa.Column("leased_until", Utc),
        sa.Column("error", sa.Text),
    )
    op.create_index("jobs_by_due", "jobs", ["kind", "state", "due_at"])
    op.execute(
        "INSERT INTO jobs (memory, kind, space, state, attempts, due_at, error) "
        "SELECT memory, 'index', space, state, attempts, due_at, error FROM jobs_before"
    )
    op.drop_table("jobs_before")


def _graph() -> None:
    op.create_table(
        "entities",
        sa.Column("seq", sa.Integer, primary_key=True),
        sa.Column("space", sa.Text, nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.UniqueConstraint("space", "key"),
    )
    op.create_table(
        "mentions",
        _of_entity("entity", primary_key=True),
        _of_memory("memory", primary_key=True, index=True),
    )
    op.create_table(
        "relations",
        sa.Column("seq", sa.Integer, primary_key=True),
        _of_entity("head", nullable=False, index=True),
        sa.Column("relation", sa.Text, nullable=False),
        _of_entity("tail", nullable=False, index=True),
        _of_memory("memory", nullable=False, index=True),
        sa.UniqueConstraint("head", "relation", "tail", "memory"),
    )


def _of_memory(name: str, **options: Any) -> sa.Column[int]:  # noqa: ANN401 - as `Column` takes them
    return sa.Column(name, sa.Integer, sa.ForeignKey(_MEMORY, ondelete="CASCADE"), **options)


def _of_entity(name: str, **options: Any) -> sa.Column[int]:  # noqa: ANN401 - as `Column` takes them
    return sa.Column(name, sa.Integer, sa.ForeignKey("entities.seq", ondelete="CASCADE"), **options)
