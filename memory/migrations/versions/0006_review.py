"""Jobs tell whether what is found in a turn waits for a person."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Add the column; what waits to be read is stored as before."""
    op.add_column("jobs", sa.Column("review", sa.Boolean, nullable=False, server_default=sa.false()))
