"""Translate errors of the database driver that a later try can avoid."""

from typing import Final

import psycopg
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from lectern.errors import DatabaseUnavailable, LecternError

# Connection errors, serialization failures, deadlocks, exhausted resources, shutdowns, lock and statement timeouts.
_TRANSIENT_STATES: Final = ("08", "40", "53", "55P03", "57")
_FULL_STATES: Final = frozenset({"53100", "58030"})


class DatabaseFull(LecternError):
    """There is no space left for the database."""

    status = 507
    default_hint = "Free some space. Jobs continue automatically."


def find_transient_database_error(error: BaseException) -> LecternError | None:
    """Translate a transient error of the database, or return None for any other error."""
    if isinstance(error, PoolTimeout):
        return DatabaseUnavailable("All connections to the database are in use.")
    if not isinstance(error, DBAPIError):
        return None
    state = error.orig.sqlstate or "" if isinstance(error.orig, psycopg.Error) else ""
    if state in _FULL_STATES:
        return DatabaseFull()
    if state.startswith(_TRANSIENT_STATES) or (not state and isinstance(error, OperationalError | InterfaceError)):
        problem = DatabaseUnavailable()
        problem.__cause__ = error.orig
        return problem
    return None
