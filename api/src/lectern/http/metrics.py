"""Metrics in the Prometheus text format.

Processes that share a port (`LECTERN_API_PROCESSES`) count in files of one folder, and each returns the sum. APIs on
several hosts count separately: scrape each one and sum in the query. Samples of the whole installation come from the
database and are the same everywhere. Only this file imports prometheus_client, which reads the folder at import.
"""

import asyncio
import hmac
import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Final
from urllib.parse import urlsplit

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client import Gauge as ProcessGauge
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector
from prometheus_client.values import MutexValue, ValueClass

from lectern.errors import Misconfigured
from lectern.http.addresses import is_loopback

CONTENT_TYPE: Final = CONTENT_TYPE_LATEST
_BUCKETS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
_POOL_SECONDS: Final = 2.0
_TIMEOUT_SECONDS: Final = 10  # of a request to `served_metrics`
_FORWARDED: Final = frozenset({"forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip"})
_TENTHS: Final = tuple(each / 10 for each in range(1, 11))


@dataclass(frozen=True, slots=True)
class Gauge:
    """A number of the whole installation. Samples of one name have the same labels."""

    name: str
    description: str
    value: float
    labels: Mapping[str, str] = field(default_factory=dict[str, str])


class Metrics:
    """Counters and histograms of one process, or of the API processes that share a port."""

    def __init__(self) -> None:
        self._measure_pool: Callable[[], Mapping[str, int]] | None = None
        self._registry = registry = CollectorRegistry()
        self._requests = Counter(
            "lectern_http_requests", "Answered requests.", ["method", "route", "status"], registry=registry
        )
        self._seconds = Histogram(
            "lectern_http_request_seconds",
            "Response time of requests.",
            ["method", "route"],
            buckets=_BUCKETS,
            registry=registry,
        )
        self._search_seconds = Histogram(
            "lectern_search_seconds", "Time of searches.", ["cached"], buckets=_BUCKETS, registry=registry
        )
        self._search_confidence = Histogram(
            "lectern_search_confidence", "Confidence of searches.", buckets=_TENTHS, registry=registry
        )
        self._answer_seconds = Histogram(
            "lectern_answer_seconds", "Time of answers.", ["outcome"], buckets=_BUCKETS, registry=registry
        )
        self._answer_confidence = Histogram(
            "lectern_answer_confidence", "Confidence of the searches of answers.", buckets=_TENTHS, registry=registry
        )

        self._embeddings = Counter(
            "lectern_embeddings", "Embedded queries and passages.", ["kind", "cached"], registry=registry
        )
        self._stage_seconds = Counter(
            "lectern_ingestion_stage_seconds", "Time in a stage of this worker.", ["stage"], registry=registry
        )
        self._stage_pages = Counter(
            "lectern_ingestion_stage_pages", "Pages that passed a stage of this worker.", ["stage"], registry=registry
        )
        self._pool = ProcessGauge(
            "lectern_database_pool",
            "Connection pool: its size, connections in use, and sessions that wait for one.",
            ["state"],
            registry=registry,
            multiprocess_mode="livesum",
        )

    def observe(self, *, method: str, route: str, status: int, seconds: float) -> None:
        """Count an answered request."""
        self._requests.labels(method, route, str(status)).inc()
        self._seconds.labels(method, route).observe(seconds)

    def observe_search(self, *, seconds: float, is_cached: bool, confidence: float | None) -> None:
        """Count a search. Cached responses are hits of the result cache."""
        self._search_seconds.labels("yes" if is_cached else "no").observe(seconds)
        if confidence is not None:
            self._search_confidence.observe(confidence)

    def observe_answer(self, *, seconds: float, outcome: str, confidence: float | None) -> None:
        """Count an answer."""
        self._answer_seconds.labels(outcome).observe(seconds)
        if confidence is not None:
            self._answer_confidence.observe(confidence)

    def count_embeddings(self, kind: str, computed: int, cached: int) -> None:
        """Count embeddings that the model computed and those from the cache. `kind`: `query` or `passage`."""
        self._embeddings.labels(kind, "no").inc(computed)
        self._embeddings.labels(kind, "yes").inc(cached)

    def observe_stage(self, stage: str, *, seconds: float, pages: int) -> None:
        """Count a finished stage of an ingestion."""
        self._stage_seconds.labels(stage).inc(seconds)
        self._stage_pages.labels(stage).inc(pages)

    def watch_pool(self, measure: Callable[[], Mapping[str, int]]) -> None:
        """Report the use of this connection pool."""
        self._measure_pool = measure

    async def sample_pool(self) -> None:
        """Measure the pool until cancelled, for the process among several that renders."""
        while True:
            self._set_pool()
            await asyncio.sleep(_POOL_SECONDS)

    def _set_pool(self) -> None:
        if self._measure_pool is not None:
            for state, count in self._measure_pool().items():
                self._pool.labels(state).set(count)

    def render(self, samples: Iterable[Gauge] = ()) -> bytes:
        """Render all metrics, with those of the installation."""
        self._set_pool()
        if ValueClass is MutexValue:  # This process counts alone.
            own = generate_latest(self._registry)
        else:
            registry = CollectorRegistry()
            MultiProcessCollector(registry)
            own = generate_latest(registry)
        shared = CollectorRegistry()
        shared.register(_Gauges(samples))
        return own + generate_latest(shared)


class _Gauges(Collector):
    """Gauges of the installation, without a state of their own."""

    def __init__(self, samples: Iterable[Gauge]) -> None:
        self._samples = list(samples)

    def collect(self) -> Iterator[Metric]:
        families: dict[str, GaugeMetricFamily] = {}
        for sample in self._samples:
            family = families.setdefault(
                sample.name,
                GaugeMetricFamily(f"lectern_{sample.name}", sample.description, labels=list(sample.labels)),
            )
            family.add_metric(list(sample.labels.values()), sample.value)
        yield from families.values()


def may_read_metrics(headers: Mapping[str, str], *, client: str | None, token: str | None) -> bool:
    """Return True for a request with the token, or for a local one if there is no token."""
    if token is None:
        return is_local(headers, client=client)
    given = headers.get("authorization", "").encode("utf-8", "replace")
    return hmac.compare_digest(given, f"Bearer {token}".encode())


def is_local(headers: Mapping[str, str], *, client: str | None) -> bool:
    """Return True if a program on this machine sent the request without a proxy. Names of headers are lowercase."""
    if client is None or not _FORWARDED.isdisjoint(headers):
        return False
    return is_loopback(client) and is_loopback(_host_name(headers.get("host", "")))


def _host_name(host: str) -> str:
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


@contextmanager
def served_metrics(metrics: Metrics, *, host: str, port: int, token: str | None) -> Generator[int]:
    """Serve `/metrics` of a process without an API until the end of the block. Yields the port.

    It runs in a thread: metrics are there even while the event loop is busy.

    Raises:
        Misconfigured: The port is in use.
    """

    class Handler(BaseHTTPRequestHandler):
        timeout = _TIMEOUT_SECONDS

        def do_GET(self) -> None:
            headers = {name.lower(): value for name, value in self.headers.items()}
            if self.path != "/metrics":
                status, body = 404, b"Only /metrics is served.\n"
            elif not may_read_metrics(headers, client=self.client_address[0], token=token):
                status, body = 401, b"Set LECTERN_METRICS_TOKEN and send it as `Authorization: Bearer`.\n"
            else:
                status, body = 200, metrics.render()
            self.send_response(status)
            self.send_header("Content-Type", CONTENT_TYPE)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *_: object) -> None:  # noqa: A002 - the name is that of the base class
            """Log nothing: Prometheus asks every few seconds."""

    try:
        server = ThreadingHTTPServer((host, port), Handler)
    except OSError as error:
        raise Misconfigured(
            f"The metrics of the worker cannot use port {port}: {error.strerror}.",
            hint="Set LECTERN_WORKER_METRICS_PORT to a free port.",
        ) from None
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
