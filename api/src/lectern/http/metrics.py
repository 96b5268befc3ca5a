"""Counters and histograms of an API, in the Prometheus text format.

Processes that share a port (`LECTERN_API_PROCESSES`) count in files of one folder, and each of them tells the sum.
APIs on several hosts count for themselves: scrape each one (`instance` tells them apart) and sum in the query.
This is the only file that knows prometheus_client, which looks for the folder when it is imported.
"""

from typing import Final

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.values import MutexValue, ValueClass

CONTENT_TYPE: Final = CONTENT_TYPE_LATEST
_BUCKETS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)


class Metrics:
    """What an API has done since it started."""

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

    def observe(self, *, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request that was answered."""
        self._requests.labels(method, route, str(status)).inc()
        self._seconds.labels(method, route).observe(seconds)

    def render(self) -> bytes:
        """Everything, as Prometheus reads it."""
        if ValueClass is MutexValue:  # values of this process
            return generate_latest(self._registry)
        of_all = CollectorRegistry()
        MultiProcessCollector(of_all)
        return generate_latest(of_all)
