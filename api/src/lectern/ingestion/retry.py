"""Decide which errors are transient, and how long to wait before the next try."""

import errno
import random
from typing import Final

from lectern.db.errors import DatabaseFull, find_transient_database_error
from lectern.embeddings.errors import EmbeddingsUnavailable
from lectern.errors import LecternError, RateLimited, Unavailable
from lectern.storage.errors import StorageFull, StorageUnavailable

MAX_TRIES: Final = 20  # about three hours with the delays below
MIN_DELAY_SECONDS: Final = 2.0
MAX_DELAY_SECONDS: Final = 600.0

_NO_SPACE: Final = frozenset({errno.ENOSPC, errno.EDQUOT})
_TRANSIENT: Final = (Unavailable, RateLimited, StorageFull, StorageUnavailable, EmbeddingsUnavailable, DatabaseFull)


def find_transient_error(error: BaseException) -> LecternError | None:
    """Return a transient error as one of ours, or None for a permanent error."""
    if isinstance(error, LecternError):
        return error if isinstance(error, _TRANSIENT) else None
    if isinstance(error, OSError) and error.errno in _NO_SPACE:
        return StorageFull(f"There is no space left on this machine: {error.strerror}.")
    return find_transient_database_error(error)


def retry_delay_seconds(tries: int) -> float:
    """Return the delay after this many tries: exponential backoff up to ten minutes, with jitter."""
    delay = min(MIN_DELAY_SECONDS * 2 ** max(tries - 1, 0), MAX_DELAY_SECONDS)
    return delay * random.uniform(0.75, 1.25)  # noqa: S311 - not a secret
