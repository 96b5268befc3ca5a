"""A hot standby of the database that is read from as long as it is there.

    replica = Replica(Database(create_engine(url)))
    found = await replica.read(search)     # None: it was not possible, read from the database itself

What it shows may be older than the database: whoever reads compares, and finds None where it is.
"""

import logging
import time
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from lectern.db.engine import FAULTS
from lectern.db.session import Database

RETRY_SECONDS: Final = 5.0
BEHIND_SECONDS: Final = 60.0
T = TypeVar("T")

logger = logging.getLogger(__name__)


class Replica:
    """After a fault it is left alone for `retry_seconds`, then one request tries it while the others pass it over."""

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
        self._left_at: float | None = None
        self._behind_since: float | None = None
        self._is_told = False

    @property
    def is_away(self) -> bool:
        """Whether it failed a moment ago."""
        return self._left_at is not None and self._clock() - self._left_at < self._retry_seconds

    async def read(self, work: Callable[[], Awaitable[T | None]]) -> T | None:
        """What `work` reads from it; None where that is not possible. Raises what `work` raises of its own.

        The log says when it is away, and when it has been behind for a minute: it may be no replica of this database.
        """
        if self._left_at is not None:
            self._left_at = self._clock()
        try:
            found = await work()
        except FAULTS as error:
            reason = str(error).split("\n", maxsplit=1)[0]
            logger.warning("The replica is left alone for a while", extra={"reason": reason})
            self._left_at = self._clock()
            return None
        if self._left_at is not None:
            logger.info("The replica is read from again")
            self._left_at = None
        self._note(is_behind=found is None)
        return found

    def _note(self, *, is_behind: bool) -> None:
        if not is_behind:
            self._behind_since, self._is_told = None, False
        elif self._behind_since is None:
            self._behind_since = self._clock()
        elif not self._is_told and self._clock() - self._behind_since >= BEHIND_SECONDS:
            logger.warning("The replica has not had the library of the database for a minute: nothing is read from it")
            self._is_told = True
