"""Metrics in the Prometheus text format, with the names and labels that the API uses for requests.

Processes that share the port (`MCP_WORKERS`) count in files of one folder, and each returns the sum.
"""

import hmac
import time
from collections.abc import Generator
from contextlib import contextmanager

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.values import MutexValue, ValueClass
from pydantic import SecretStr
from starlette.requests import Request
from starlette.responses import Response

PATH = "/metrics"
_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
_FORWARDED = frozenset({"forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip"})


class CallMetrics:
    """Counters and histograms of requests and tool calls."""

    def __init__(self) -> None:
        self._registry = registry = CollectorRegistry()
        labels = ["method", "route"]
        self._requests = Counter("lectern_http_requests", "Answered requests.", [*labels, "status"], registry=registry)
        self._seconds = Histogram(
            "lectern_http_request_seconds", "Response time of requests.", labels, buckets=_BUCKETS, registry=registry
        )
        self._tool_seconds = Histogram(
            "lectern_mcp_tool_seconds",
            "Time of tool calls by outcome: ok, or the code of the error.",
            ["tool", "outcome"],
            buckets=_BUCKETS,
            registry=registry,
        )

    def observe(self, *, method: str, route: str, status: int, seconds: float) -> None:
        """Count an answered request."""
        known = method if method in {"GET", "HEAD", "POST", "DELETE", "OPTIONS"} else "other"
        self._requests.labels(known, route, str(status)).inc()
        self._seconds.labels(known, route).observe(seconds)

    @contextmanager
    def timed_tool(self, tool: str) -> Generator[list[str]]:
        """Count a tool call. The block appends the code of its error, if it has one."""
        began, codes = time.monotonic(), list[str]()
        try:
            yield codes
        finally:
            self._tool_seconds.labels(tool, codes[-1] if codes else "ok").observe(time.monotonic() - began)

    def render(self) -> bytes:
        if ValueClass is MutexValue:  # this process counts alone
            return generate_latest(self._registry)
        registry = CollectorRegistry()
        MultiProcessCollector(registry)
        return generate_latest(registry)


def respond(metrics: CallMetrics, request: Request, token: SecretStr | None) -> Response:
    """Return the metrics to a request with the token, or to one of this machine if there is no token."""
    if token is None:
        address = request.client.host if request.client else ""
        may_read = address.startswith(("127.", "::1")) and _FORWARDED.isdisjoint(request.headers)
    else:
        given = request.headers.get("authorization", "").encode("utf-8", "replace")
        may_read = hmac.compare_digest(given, f"Bearer {token.get_secret_value()}".encode())
    if not may_read:
        return Response("Set LECTERN_METRICS_TOKEN and send it as `Authorization: Bearer`.\n", 401)
    return Response(metrics.render(), headers={"Content-Type": CONTENT_TYPE_LATEST})
