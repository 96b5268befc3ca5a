"""Run Alembic's command on the connection of `runner.py`, which holds the migration lock."""

from alembic import context
from sqlalchemy import text

LOCK_TIMEOUT = "10s"
STATEMENT_TIMEOUT = "15min"


def _run() -> None:
    connection = context.config.attributes["connection"]
    connection.execute(text(f"SET lock_timeout = '{LOCK_TIMEOUT}'"))
    connection.execute(text(f"SET statement_timeout = '{STATEMENT_TIMEOUT}'"))
    connection.commit()
    context.configure(connection=connection, transaction_per_migration=True)
    with context.begin_transaction():
        context.run_migrations()


if hasattr(context, "config"):  # Only Alembic sets it. Checks that import every module run no migration.
    _run()
