"""What turns cost, and how good their summaries are."""

import sqlalchemy as sa
from alembic import op

from hippograph.memory.schema import Utc

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add the tables; what was spent before is not known."""
    op.create_table(
        "rounds",
        sa.Column("seq", sa.Integer, primary_key=True),
        sa.Column("space", sa.Text, nullable=False),
        sa.Column("thread", sa.Text),
        sa.Column("turn", sa.Text),
        sa.Column("at", Utc, nullable=False),
        sa.Column("ms", sa.Float, nullable=False),
        sa.Column("stages", sa.JSON, nullable=False),
        *(sa.Column(name, sa.Integer, nullable=False) for name in ("injected", "bullets", "unsupported", "saved")),
        sa.Column("cache", sa.Text, nullable=False),
        sa.Column("degraded", sa.Boolean, nullable=False),
        sa.Column("failed", sa.Boolean, nullable=False),
        *(sa.Column(name, sa.Float) for name in ("cited", "met", "share")),
    )
    op.create_index("rounds_by_time", "rounds", ["at"])
    op.create_index("rounds_by_turn", "rounds", ["space", "turn"])
    op.create_table(
        "calls",
        sa.Column("seq", sa.Integer, primary_key=True),
        sa.Column("round", sa.Integer, sa.ForeignKey("rounds.seq", ondelete="CASCADE"), index=True),
        sa.Column("space", sa.Text, nullable=False),
        sa.Column("at", Utc, nullable=False),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("stage", "role", "model")),
        sa.Column("input", sa.Integer, nullable=False),
        sa.Column("output", sa.Integer, nullable=False),
        sa.Column("ms", sa.Float, nullable=False),
        sa.Column("money", sa.Integer),
        sa.Column("cached", sa.Boolean, nullable=False),
    )
    op.create_index("calls_by_time", "calls", ["at"])
    op.create_table(
        "spent_days",
        sa.Column("day", sa.Text, primary_key=True),
        sa.Column("space", sa.Text, primary_key=True),
        sa.Column("sums", sa.Text, nullable=False),
    )
    op.create_table(
        "judgements",
        sa.Column("seq", sa.Integer, primary_key=True),
        sa.Column("space", sa.Text, nullable=False),
        sa.Column("at", Utc, nullable=False),
        sa.Column("by", sa.Text),
        *(sa.Column(name, sa.Integer) for name in ("accuracy", "relevance", "brevity")),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("question", sa.Text, nullable=False),
        sa.Column("block", sa.Text, nullable=False),
        sa.Column("evidence", sa.JSON, nullable=False),
    )
    op.create_index("judgements_by_time", "judgements", ["at"])
