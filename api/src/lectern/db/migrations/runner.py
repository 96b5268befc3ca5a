"""Migrate a database to the version of the code, one process at a time."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from psycopg.errors import RaiseException
from sqlalchemy import Connection, create_engine, text
from sqlalchemy.exc import ProgrammingError
from sqlalchemy.pool import NullPool

from lectern.db.engine import database_url
from lectern.db.functions import update_functions
from lectern.errors import LecternError, Misconfigured

ADVISORY_LOCK = 7_263_510_442  # an arbitrary fixed number


class DatabaseTooNew(LecternError):
    """A newer version of Lectern migrated the database."""

    default_hint = "Start the newer version, or restore a backup made before it."


class DatabaseTooOld(LecternError):
    """An unreleased version of Lectern made the database, before its revisions were replaced."""

    default_hint = (
        "Run `lectern export` with the version that made it, then `lectern import` with a new --data-dir"
        " or an empty database."
    )


def _config(connection: Connection | None = None) -> Config:
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
    """Return the revision this code was written for."""
    return ScriptDirectory.from_config(_config()).get_current_head() or ""


def known_revisions() -> set[str]:
    """Return every revision this code has a migration for."""
    return {script.revision for script in ScriptDirectory.from_config(_config()).walk_revisions()}


def list_changes(revision: str) -> list[str]:
    """Return the first line of each migration that a database at this revision lacks, the oldest first."""
    scripts = ScriptDirectory.from_config(_config()).iterate_revisions("head", revision)
    return [script.doc.split("\n", maxsplit=1)[0] for script in scripts][::-1]


def current_revision(connection: Connection) -> str | None:
    """Return the revision of a database, None for an empty one."""
    return MigrationContext.configure(connection).get_current_revision()


def is_too_old(revision: str) -> bool:
    """Return true if a revision precedes all that this code knows. Revisions begin with their date."""
    return revision < min(known_revisions())


def require_known(revision: str) -> None:
    """Refuse a revision that this code has no migration for.

    Raises:
        DatabaseTooNew, DatabaseTooOld: The revision is unknown.
    """
    if revision in known_revisions():
        return
    if is_too_old(revision):
        raise DatabaseTooOld(f"The database is at revision {revision}, which is too old to migrate.")
    raise DatabaseTooNew(f"The database is at revision {revision}, which this version of Lectern does not know.")


def _require_known(config: Config) -> str | None:
    connection: Connection = config.attributes["connection"]
    current = current_revision(connection)
    connection.rollback()
    if current is not None:
        require_known(current)
    return current


def _upgrade(config: Config, revision: str) -> None:
    try:
        command.upgrade(config, revision)
    except ProgrammingError as error:
        if not isinstance(error.orig, RaiseException):
            raise
        refusal = error.orig.diag  # by a migration
        raise Misconfigured(f"{refusal.message_primary}.", hint=refusal.message_hint) from error
    connection: Connection = config.attributes["connection"]
    if current_revision(connection) == head_revision():
        update_functions(connection)
    connection.commit()


def migrate(owner_url: str) -> None:
    """Upgrade the tables and functions of the database, as the role that owns it.

    Raises:
        DatabaseTooNew, DatabaseTooOld: Its revision is unknown to this code.
        Misconfigured: The database has another encoding or locale.
    """
    with _locked(owner_url) as config:
        _require_known(config)
        _upgrade(config, "head")


def downgrade(owner_url: str, *, revision: str) -> None:
    """Downgrade the database to `revision`, or to nothing with `base`. Data of later tables is lost."""
    with _locked(owner_url) as config:
        command.downgrade(config, revision)


def move_to(owner_url: str, *, revision: str) -> None:
    """Upgrade or downgrade an empty database to a revision.

    Raises:
        DatabaseTooNew, DatabaseTooOld: Its revision is unknown to this code.
    """
    with _locked(owner_url) as config:
        current = _require_known(config)
        scripts = ScriptDirectory.from_config(config)
        if current is None or revision not in {each.revision for each in scripts.iterate_revisions(current, "base")}:
            _upgrade(config, revision)
        elif revision != current:
            command.downgrade(config, revision)
