"""Token buckets by name. Beyond `MAX_ENTRIES` the least recently used are forgotten."""

from collections import OrderedDict
from collections.abc import Callable

Clock = Callable[[], float]
MAX_ENTRIES = 10_000


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

    def take(self, name: str) -> float:
        """Take a token and return 0, or return the seconds to wait."""
        wait = self.wait_seconds(name)
        if not wait:
            self._buckets[name] = (self._level(name) - 1, self._clock())
            self._buckets.move_to_end(name)
            while len(self._buckets) > MAX_ENTRIES:
                self._buckets.popitem(last=False)
        return wait

    def _level(self, name: str) -> float:
        tokens, since = self._buckets.get(name, (self._burst, self._clock()))
        return min(self._burst, tokens + (self._clock() - since) * self._per_second)
