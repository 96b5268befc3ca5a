"""Counters and histograms of one process, in the Prometheus text format.

Each process counts for itself: with several, scrape each one (`instance` tells them apart) and sum in the query.
This is the only file that knows prometheus_client.
"""

from collections.abc import Callable
from typing import Final

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, Histogram, generate_latest

CONTENT_TYPE: Final = CONTENT_TYPE_LATEST
_BUCKETS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)


class Metrics:
    """What one application has done since it started."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "lectern_http_requests", "Requests answered.", ["method", "route", "status"], registry=self._registry
        )
        self._seconds = Histogram(
            "lectern_http_request_seconds",
            "Time until a request was answered.",
            ["method", "route"],
            buckets=_BUCKETS,
            registry=self._registry,
        )
        self._gauges: dict[str, Gauge] = {}

    def observe(self, *, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request that was answered."""
        self._requests.labels(method, route, str(status)).inc()
        self._seconds.labels(method, route).observe(seconds)

    def watch(self, name: str, description: str, read: Callable[[], float]) -> None:
        """Show a value that is read when the metrics are asked for."""
        gauge = self._gauges.setdefault(name, Gauge(name, description, registry=self._registry))
        gauge.set_function(read)

    def render(self) -> bytes:
        """Everything, as Prometheus reads it."""
        return generate_latest(self._registry)
