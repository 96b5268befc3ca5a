"""Read from a hot standby while it is available.

    replica = Replica(Database(create_engine(url)))
    response = await replica.read(search)     # None: read from the primary instead

A replica may lag behind. The caller compares its library version with that of the primary.
"""

import logging
import time
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from lectern.db.engine import DATABASE_ERRORS
from lectern.db.session import Database

RETRY_SECONDS: Final = 5.0
LAG_WARNING_SECONDS: Final = 60.0
T = TypeVar("T")

logger = logging.getLogger(__name__)


class Replica:
    """A replica with a circuit breaker: after an error, one request retries it every `retry_seconds`."""

    def __init__(
        self,
        database: Database,
        *,
        retry_seconds: float = RETRY_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.database = database
        self._clock = clock
        self._retry_seconds = retry_seconds
        self._failed_at: float | None = None
        self._lagging_since: float | None = None
        self._has_warned = False

    @property
    def is_unavailable(self) -> bool:
        """Return true until the next retry after an error."""
        return self._failed_at is not None and self._clock() - self._failed_at < self._retry_seconds

    async def read(self, work: Callable[[], Awaitable[T | None]]) -> T | None:
        """Return the result of `work`, None if the replica is unavailable or lags behind.

        Errors of `work` itself are raised. The log says when the replica fails, recovers or lags for a minute.
        """
        if self._failed_at is not None:
            self._failed_at = self._clock()
        try:
            result = await work()
        except DATABASE_ERRORS as error:
            reason = str(error).split("\n", maxsplit=1)[0]
            logger.warning("The replica is unavailable; reading from the primary", extra={"reason": reason})
            self._failed_at = self._clock()
            return None
        if self._failed_at is not None:
            logger.info("The replica is available again")
            self._failed_at = None
        self._watch_lag(is_lagging=result is None)
        return result

    def _watch_lag(self, *, is_lagging: bool) -> None:
        if not is_lagging:
            self._lagging_since, self._has_warned = None, False
        elif self._lagging_since is None:
            self._lagging_since = self._clock()
        elif not self._has_warned and self._clock() - self._lagging_since >= LAG_WARNING_SECONDS:
            logger.warning("The replica has had another library version for a minute; check that it replicates")
            self._has_warned = True
