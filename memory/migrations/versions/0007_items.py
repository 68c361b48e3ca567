"""What applications keep under a namespace and a key, with the JSON value that they put."""

import sqlalchemy as sa
from alembic import op

from hippograph.memory.schema import Utc

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Add the table, empty."""
    op.create_table(
        "items",
        sa.Column("memory", sa.Integer, sa.ForeignKey("memories.seq", ondelete="CASCADE"), primary_key=True),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("space", "namespace", "key", "value")),
        sa.Column("ttl", sa.Float),
        sa.Column("created_at", Utc, nullable=False),
        sa.Column("updated_at", Utc, nullable=False),
        sa.UniqueConstraint("space", "namespace", "key"),
    )
    op.create_index("items_by_namespace", "items", ["namespace"])
