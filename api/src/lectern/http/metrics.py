"""Request metrics in the Prometheus text format.

Processes that share a port (`LECTERN_API_PROCESSES`) count in files of one folder, and each returns the sum. APIs on
several hosts count separately: scrape each one and sum in the query. Only this file imports prometheus_client, which
reads the folder at import.
"""

from typing import Final

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.values import MutexValue, ValueClass

CONTENT_TYPE: Final = CONTENT_TYPE_LATEST
_BUCKETS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)


class Metrics:
    """Counters and histograms of requests."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "lectern_http_requests", "Answered requests.", ["method", "route", "status"], registry=self._registry
        )
        self._seconds = Histogram(
            "lectern_http_request_seconds",
            "Response time of requests.",
            ["method", "route"],
            buckets=_BUCKETS,
            registry=self._registry,
        )

    def observe(self, *, method: str, route: str, status: int, seconds: float) -> None:
        """Count an answered request."""
        self._requests.labels(method, route, str(status)).inc()
        self._seconds.labels(method, route).observe(seconds)

    def render(self) -> bytes:
        """Render all metrics."""
        if ValueClass is MutexValue:  # This process counts alone.
            return generate_latest(self._registry)
        registry = CollectorRegistry()
        MultiProcessCollector(registry)
        return generate_latest(registry)
