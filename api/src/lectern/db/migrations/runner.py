"""Bring a database to the version of the code: one runner at a time, and never backwards by accident."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine, text
from sqlalchemy.pool import NullPool

from lectern.db.engine import database_url
from lectern.errors import LecternError

ADVISORY_LOCK = 7_263_510_442  # any fixed number that nobody else uses


class DatabaseTooNew(LecternError):
    """The database was migrated by a newer Lectern than this one."""

    code = "database_too_new"
    default_hint = "Start the newer version, or restore a backup made before it."


def _config(connection: Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    config.attributes["connection"] = connection
    return config


@contextmanager
def _locked(owner_url: str) -> Generator[Config]:
    engine = create_engine(database_url(owner_url), poolclass=NullPool)
    with engine.connect() as connection:
        connection.execute(text("SELECT pg_advisory_lock(:lock)"), {"lock": ADVISORY_LOCK})
        connection.commit()
        try:
            yield _config(connection)
        finally:
            connection.rollback()
            connection.execute(text("SELECT pg_advisory_unlock(:lock)"), {"lock": ADVISORY_LOCK})
            connection.commit()


def head_revision() -> str:
    """The revision this code was written for."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    return ScriptDirectory.from_config(config).get_current_head() or ""


def known_revisions() -> set[str]:
    """Every revision this code has a migration for."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    return {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}


def current_revision(connection: Connection) -> str | None:
    """The revision a database is at; None for an empty one."""
    return MigrationContext.configure(connection).get_current_revision()


def _refuse_newer(config: Config) -> None:
    known = known_revisions()
    current = current_revision(config.attributes["connection"])
    config.attributes["connection"].rollback()
    if current is not None and current not in known:
        raise DatabaseTooNew(f"The database is at revision {current}, which this version of Lectern does not know.")


def migrate(owner_url: str, *, revision: str = "head") -> None:
    """Upgrade the database as the role that owns it.

    Raises:
        DatabaseTooNew: Its revision is unknown to this code.
    """
    with _locked(owner_url) as config:
        _refuse_newer(config)
        command.upgrade(config, revision)


def downgrade(owner_url: str, *, revision: str) -> None:
    """Take the database back to `revision` (`base` for nothing). Tables of later revisions are lost."""
    with _locked(owner_url) as config:
        command.downgrade(config, revision)


def move_to(owner_url: str, *, revision: str) -> None:
    """Bring an empty database to a revision, be it later or earlier than its own.

    Raises:
        DatabaseTooNew: Its revision is unknown to this code.
    """
    with _locked(owner_url) as config:
        _refuse_newer(config)
        current = current_revision(config.attributes["connection"])
        config.attributes["connection"].rollback()
        scripts = ScriptDirectory.from_config(config)
        if current is None or revision not in {each.revision for each in scripts.iterate_revisions(current, "base")}:
            command.upgrade(config, revision)
        elif revision != current:
            command.downgrade(config, revision)
