"""Blocks that a model wrote, kept to be found again, what they rest on, and what finding them saved."""

import sqlalchemy as sa
from alembic import op

from hippograph.memory.schema import Utc

revision = "0004"
down_revision = "0003"

_COUNTS = "asked exact near ahead written spent_input spent_output input output".split()


def upgrade() -> None:
    """Add the tables, empty."""
    op.create_table(
        "blocks",
        sa.Column("seq", sa.Integer, primary_key=True),
        sa.Column("space", sa.Text, nullable=False),
        sa.Column("exact", sa.Text, nullable=False),
        sa.Column("alike", sa.Text),
        sa.Column("vector", sa.LargeBinary),
        sa.Column("model", sa.Text, nullable=False),
        sa.Column("block", sa.JSON, nullable=False),
        sa.Column("input", sa.Integer, nullable=False),
        sa.Column("output", sa.Integer, nullable=False),
        sa.Column("ms", sa.Float, nullable=False),
        sa.Column("ahead", sa.Boolean, nullable=False),
        sa.Column("size", sa.Integer, nullable=False),
        sa.Column("made_at", Utc, nullable=False),
        sa.Column("used_at", Utc, nullable=False),
        sa.Column("hits", sa.Integer, nullable=False),
        sa.UniqueConstraint("space", "exact"),
    )
    op.create_index("blocks_by_alike", "blocks", ["space", "alike"])
    op.create_index("blocks_by_use", "blocks", ["used_at", "size"])
    op.create_table(
        "rests",
        sa.Column("block", sa.Integer, sa.ForeignKey("blocks.seq", ondelete="CASCADE"), primary_key=True),
        sa.Column("memory", sa.Integer, sa.ForeignKey("memories.seq", ondelete="CASCADE"), primary_key=True),
        sa.Column("version", sa.Integer, nullable=False),
    )
    op.create_index("ix_rests_memory", "rests", ["memory"])
    op.create_table(
        "reuse",
        sa.Column("day", sa.Text, primary_key=True),
        sa.Column("model", sa.Text, primary_key=True),
        *(sa.Column(name, sa.Integer, nullable=False) for name in _COUNTS),
        sa.Column("ms", sa.Float, nullable=False),
    )
