"""What people think of answers, and which trace an answer was given in."""

import sqlalchemy as sa
from alembic import op

from hippograph.memory.schema import Utc

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Add the table, empty."""
    op.create_table(
        "ratings",
        sa.Column("memory", sa.Integer, sa.ForeignKey("memories.seq", ondelete="CASCADE"), primary_key=True),
        sa.Column("score", sa.Integer),
        sa.Column("comment", sa.Text, nullable=False, server_default=""),
        sa.Column("correction", sa.Text, nullable=False, server_default=""),
        sa.Column("at", Utc, nullable=False),
        sa.Column("run", sa.Text),
        sa.Column("project", sa.Text),
        sa.Column("sent", sa.Boolean, nullable=False, server_default=sa.false()),
    )
