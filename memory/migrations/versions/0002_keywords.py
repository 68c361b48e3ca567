"""Keywords in posting lists of each space's own, and indexes for what recall asks by subject, by time and by end."""

import sqlalchemy as sa
from alembic import op

from hippograph.memory import keywords

revision = "0002"
down_revision = "0001"

BATCH = 1000


def upgrade() -> None:
    """Build the keyword index anew from the texts."""
    connection = op.get_bind()
    op.execute("DROP TABLE keywords")
    for statement in keywords.CREATE:
        op.execute(statement)
    op.execute("CREATE INDEX memories_by_time ON memories (space, said_at)")
    op.execute("CREATE INDEX memories_by_subject ON memories (space, subject) WHERE subject IS NOT NULL")
    op.execute(
        "CREATE INDEX memories_ending ON memories (space) WHERE valid_until IS NOT NULL OR expires_at IS NOT NULL"
    )
    said = sa.text(
        "SELECT seq, space, speaker, text, subject, attribute, value, topic, entities FROM memories "
        "WHERE status != 'forgotten' AND trim(text) != '' AND seq > :after ORDER BY seq LIMIT :most"
    )
    after = 0
    while rows := connection.execute(said, {"after": after, "most": BATCH}).mappings().all():
        keywords.add(connection, [(row["seq"], row["space"], keywords.searched({**row})) for row in rows])
        after = rows[-1]["seq"]
