"""Which errors pass by themselves, and how long to wait before the next try."""

import errno
import random
from typing import Final

import psycopg
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolExhausted

from lectern.embeddings.errors import EmbeddingsUnavailable
from lectern.errors import LecternError, RateLimited, Unavailable
from lectern.ingestion.errors import DatabaseFull
from lectern.storage.errors import StorageFull, StorageUnavailable

MAX_TRIES: Final = 20  # about three hours with the pauses below
FIRST_PAUSE_SECONDS: Final = 2.0
LONGEST_PAUSE_SECONDS: Final = 600.0

_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT})
_PASSING: Final = (Unavailable, RateLimited, StorageFull, StorageUnavailable, EmbeddingsUnavailable, DatabaseFull)
# Serialization failures, deadlocks, shutdowns, exhausted connections, disk full, lock and statement timeouts.
_PASSING_STATES: Final = ("40", "53", "57", "55P03", "08")


class DatabaseUnavailable(Unavailable):
    """The database cannot be reached just now."""

    code = "database_unavailable"


def find_passing_fault(error: BaseException) -> LecternError | None:
    """The error as one that passes by itself; None for one that does not."""
    if isinstance(error, LecternError):
        return error if isinstance(error, _PASSING) else None
    if isinstance(error, OSError) and error.errno in _FULL:
        return StorageFull(f"There is no space left on this machine: {error.strerror}.")
    if isinstance(error, DBAPIError):
        return _of_database(error)
    if isinstance(error, PoolExhausted):
        return DatabaseUnavailable("All connections to the database are in use.")
    return None


def _of_database(error: DBAPIError) -> LecternError | None:
    origin = error.orig
    state = origin.sqlstate or "" if isinstance(origin, psycopg.Error) else ""
    if state in {"53100", "58030"}:
        return DatabaseFull()
    if state.startswith(_PASSING_STATES) or (not state and isinstance(error, OperationalError | InterfaceError)):
        return DatabaseUnavailable(f"The database did not answer: {str(origin).split(chr(10), maxsplit=1)[0]}")
    return None


def pause_seconds(tries: int) -> float:
    """How long to wait after so many tries: doubled each time up to ten minutes, spread a little."""
    pause = min(FIRST_PAUSE_SECONDS * 2 ** max(tries - 1, 0), LONGEST_PAUSE_SECONDS)
    return pause * random.uniform(0.75, 1.25)  # noqa: S311 - not a secret
