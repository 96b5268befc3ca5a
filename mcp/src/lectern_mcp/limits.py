"""Limits of calls: token buckets by name. Beyond `MAX_ENTRIES` the least recently used are forgotten."""

import asyncio
import math
import time
from collections import OrderedDict
from collections.abc import Callable

from lectern_mcp.errors import Failure

Clock = Callable[[], float]
MAX_ENTRIES = 10_000
GLOBAL_FACTOR = 5
MAX_WAIT_SECONDS = 2.0


class TokenBuckets:
    """A burst and a refill rate for each name. `clock` is in seconds; a rate of 0 a minute switches limits off."""

    def __init__(self, *, per_minute: float, burst: float, clock: Clock) -> None:
        self._per_second = per_minute / 60
        self._burst = burst
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait_seconds(self, name: str) -> float:
        """Return the seconds until a request is allowed, or 0."""
        return max(0.0, (1 - self._level(name)) / self._per_second) if self._per_second else 0.0

    def take(self, name: str, *, patience_seconds: float = 0.0) -> float:
        """Return the seconds until a token is there. Take it if that is within the patience."""
        wait = self.wait_seconds(name)
        if wait <= patience_seconds:
            self._buckets[name] = (self._level(name) - 1, self._clock())
            self._buckets.move_to_end(name)
            while len(self._buckets) > MAX_ENTRIES:
                self._buckets.popitem(last=False)
        return wait

    def _level(self, name: str) -> float:
        tokens, since = self._buckets.get(name, (self._burst, self._clock()))
        return min(self._burst, tokens + (self._clock() - since) * self._per_second)


class CallLimits:
    """The rate of tool calls and resource reads, for each principal and for all together."""

    def __init__(self, *, per_minute: float, burst: float, clock: Clock = time.monotonic) -> None:
        self._of_caller = TokenBuckets(per_minute=per_minute, burst=burst, clock=clock)
        self._of_all = TokenBuckets(per_minute=per_minute * GLOBAL_FACTOR, burst=burst * GLOBAL_FACTOR, clock=clock)

    async def admit(self, principal: str) -> None:
        """Wait for a turn of up to `MAX_WAIT_SECONDS`. Raises `RATE_LIMITED` with the seconds if it is further off."""
        wait = max(self._of_caller.wait_seconds(principal), self._of_all.wait_seconds(""))
        if wait > MAX_WAIT_SECONDS:
            raise Failure("RATE_LIMITED", hint=f"Call again in {math.ceil(wait)} s.")
        for buckets, name in ((self._of_caller, principal), (self._of_all, "")):
            buckets.take(name, patience_seconds=MAX_WAIT_SECONDS)
        if wait:
            await asyncio.sleep(wait)
