"""Memories, their sources, the queue, and the keyword index."""

import sqlalchemy as sa
from alembic import op

from hippograph.memory.schema import Utc

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create the first schema."""
    op.create_table(
        "memories",
        sa.Column("seq", sa.Integer, primary_key=True),
        sa.Column("space", sa.Text, nullable=False),
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("speaker", sa.Text, nullable=False),
        sa.Column("thread", sa.Text, nullable=False),
        sa.Column("position", sa.Integer, nullable=False),
        sa.Column("subject", sa.Text),
        sa.Column("attribute", sa.Text),
        sa.Column("value", sa.Text),
        sa.Column("said_at", Utc, nullable=False),
        sa.Column("valid_from", Utc, nullable=False),
        sa.Column("valid_until", Utc),
        sa.Column("recorded_at", Utc, nullable=False),
        sa.Column("expires_at", Utc),
        sa.Column("superseded_by", sa.Text),
        sa.Column("superseded_because", sa.Text),
        sa.Column("importance", sa.Float, nullable=False),
        sa.Column("confidence", sa.Float, nullable=False),
        sa.Column("sentiment", sa.Float),
        sa.Column("pinned", sa.Boolean, nullable=False),
        sa.Column("uses", sa.Integer, nullable=False),
        sa.Column("used_at", Utc),
        sa.Column("language", sa.Text, nullable=False),
        sa.Column("topic", sa.Text),
        sa.Column("entities", sa.JSON, nullable=False),
        sa.Column("model", sa.Text),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("vectors", sa.Integer, nullable=False),
        sa.UniqueConstraint("space", "id"),
    )
    op.create_index("memories_by_space", "memories", ["space", "status", "seq"])
    op.create_index("memories_by_thread", "memories", ["space", "thread", "position"])
    op.create_index("memories_by_id", "memories", ["id"])
    op.create_table(
        "sources",
        sa.Column("memory", sa.Integer, sa.ForeignKey("memories.seq", ondelete="CASCADE"), nullable=False),
        sa.Column("turn", sa.Integer, sa.ForeignKey("memories.seq", ondelete="CASCADE"), nullable=False),
        sa.Column("quote", sa.Text, nullable=False),
        sa.Column("start", sa.Integer, nullable=False),
        sa.Column("end", sa.Integer, nullable=False),
    )
    op.create_index("ix_sources_memory", "sources", ["memory"])
    op.create_index("ix_sources_turn", "sources", ["turn"])
    op.create_table(
        "jobs",
        sa.Column("memory", sa.Integer, sa.ForeignKey("memories.seq", ondelete="CASCADE"), primary_key=True),
        sa.Column("space", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("due_at", Utc, nullable=False),
        sa.Column("error", sa.Text),
    )
    op.create_index("jobs_by_due", "jobs", ["state", "due_at"])
    op.create_table("home", sa.Column("name", sa.Text, primary_key=True), sa.Column("value", sa.Text, nullable=False))
    op.execute(
        "CREATE VIRTUAL TABLE keywords USING fts5(space, words, "
        "tokenize = \"unicode61 remove_diacritics 0 categories 'L* M* N* P* S* Co'\")"
    )
