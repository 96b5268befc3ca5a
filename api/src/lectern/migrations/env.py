"""Run by Alembic for each command; the connection is handed over by `runner.py`, which holds the lock."""

from alembic import context
from sqlalchemy import text

from lectern.migrations.tables import metadata

LOCK_TIMEOUT = "10s"
STATEMENT_TIMEOUT = "15min"

connection = context.config.attributes["connection"]
connection.execute(text(f"SET lock_timeout = '{LOCK_TIMEOUT}'"))
connection.execute(text(f"SET statement_timeout = '{STATEMENT_TIMEOUT}'"))
connection.commit()
context.configure(connection=connection, target_metadata=metadata, transaction_per_migration=True)
with context.begin_transaction():
    context.run_migrations()
