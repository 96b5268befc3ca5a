"""What the steps of a search took."""

import time


class Stopwatch:
    """Milliseconds between laps."""

    def __init__(self) -> None:
        self._begun = self._last = time.perf_counter()
        self.laps: dict[str, float] = {}

    def lap(self, name: str) -> None:
        """End a step."""
        now = time.perf_counter()
        self.laps[name] = round((now - self._last) * 1000, 3)
        self.laps["total"] = round((now - self._begun) * 1000, 3)
        self._last = now
