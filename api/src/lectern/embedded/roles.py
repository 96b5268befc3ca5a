"""Databases and roles of an installation, made by the superuser, who is used for nothing else."""

from pathlib import Path
from typing import Final

import psycopg
from psycopg import sql

OWNER: Final = "lectern_owner"
SERVICE: Final = "lectern_service"
DATABASE: Final = "lectern"
BOOTSTRAP: Final = Path(__file__).with_name("bootstrap.sql")


def create_database(superuser_url: str, name: str = DATABASE) -> None:
    """Make the database `name` on the server of `superuser_url` if it is not there."""
    with psycopg.connect(superuser_url, autocommit=True) as connection:
        if connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", (name,)).fetchone() is None:
            connection.execute(sql.SQL("CREATE DATABASE {} TEMPLATE template0").format(sql.Identifier(name)))


def bootstrap(database_url: str, *, owner_password: str, service_password: str) -> None:
    """Make roles, extensions and what else needs a superuser in the database of `database_url`; safe to repeat."""
    with psycopg.connect(database_url) as connection:
        connection.execute(BOOTSTRAP.read_bytes())
        for role, password in ((OWNER, owner_password), (SERVICE, service_password)):
            verifier = connection.pgconn.encrypt_password(password.encode(), role.encode(), b"scram-sha-256")
            statement = sql.SQL("ALTER ROLE {} PASSWORD {}")
            connection.execute(statement.format(sql.Identifier(role), sql.Literal(verifier.decode())))
