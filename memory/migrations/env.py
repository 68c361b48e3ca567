"""How Alembic reaches the ledger: over the connection it is given, in the transaction already open."""

from alembic import context

from hippograph.memory.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata, transactional_ddl=True)
context.run_migrations()
