"""Token buckets by name, in a table that forgets the least recently used beyond `MAX_ENTRIES`."""

from collections import OrderedDict
from collections.abc import Callable

Clock = Callable[[], float]
MAX_ENTRIES = 10_000


class TokenBuckets:
    """So many requests at once, refilled so fast, for each name; `clock` in seconds, 0 a minute switches it off."""

    def __init__(self, *, per_minute: float, burst: float, clock: Clock) -> None:
        self._per_second = per_minute / 60
        self._burst = burst
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait_seconds(self, name: str) -> float:
        """Seconds until the bucket holds a request; 0 when it does."""
        return max(0.0, (1 - self._level(name)) / self._per_second) if self._per_second else 0.0

    def take(self, name: str) -> float:
        """Take a request out and return 0, or leave the bucket alone and return the seconds to wait."""
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
