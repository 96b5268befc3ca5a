"""Middleware: request ids, access log, metrics and security headers."""

import logging
import re
import time
import uuid
from collections.abc import Mapping
from contextlib import nullcontext
from typing import Any, Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lectern.http.metrics import Metrics
from lectern.logs import REQUEST_ID
from lectern.tracing import INVALID_SPAN, Span, describe_request, traced

access_log = logging.getLogger("lectern.access")

_REQUEST_ID: Final = re.compile(r"[A-Za-z0-9._:\-]{1,128}")
_HSTS_SECONDS: Final = 31_536_000
_QUIET: Final = frozenset({"/health", "/ready", "/metrics"})

CONTENT_SECURITY_POLICY: Final = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; worker-src 'self'; object-src 'none'; "
    "base-uri 'self'; frame-ancestors 'none'; form-action 'self'"
)
SECURITY_HEADERS: Final[Mapping[str, str]] = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


def response_headers(scope: Scope) -> dict[str, str]:
    """Return the mutable headers that are added to the response of the request, also to errors."""
    state: dict[str, Any] = scope.setdefault("state", {})
    return state.setdefault("response_headers", {})


class RequestContext:
    """Assign a request id, log and count the request, and add id, time and security headers to the response."""

    def __init__(self, app: ASGIApp, *, metrics: Metrics, has_https: bool = False) -> None:
        self.app = app
        self.metrics = metrics
        self.headers = dict(SECURITY_HEADERS)
        if has_https:
            self.headers["Strict-Transport-Security"] = f"max-age={_HSTS_SECONDS}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began = time.perf_counter()
        given_headers = Headers(scope=scope)
        given = given_headers.get("x-request-id", "")
        request_id = given if _REQUEST_ID.fullmatch(given) else uuid.uuid4().hex
        token = REQUEST_ID.set(request_id)
        wanted = response_headers(scope)
        status = 499  # The client disconnected before the response.

        async def decorate(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                for name, value in self.headers.items():
                    headers.setdefault(name, value)
                headers.update(wanted)
                headers["X-Request-ID"] = request_id
                headers["Server-Timing"] = f"app;dur={(time.perf_counter() - began) * 1000:.1f}"
            await send(message)

        with nullcontext(INVALID_SPAN) if scope["path"] in _QUIET else traced("request", caller=given_headers) as span:
            try:
                await self.app(scope, receive, decorate)
            finally:
                self._finish(scope, span, status=status, seconds=time.perf_counter() - began)
                REQUEST_ID.reset(token)

    def _finish(self, scope: Scope, span: Span, *, status: int, seconds: float) -> None:
        method, route = _known_method(scope["method"]), getattr(scope.get("route"), "path", "unmatched")
        self.metrics.observe(method=method, route=route, status=status, seconds=seconds)
        describe_request(span, method=method, route=route, status=status, request_id=REQUEST_ID.get())
        level = logging.DEBUG if scope["path"] in _QUIET else logging.INFO
        fields = {
            "method": scope["method"],
            "path": scope["path"],
            "status": status,
            "milliseconds": round(seconds * 1000, 1),
            "actor": scope.get("state", {}).get("actor", ""),
        }
        access_log.log(level, "%s %s %s", scope["method"], scope["path"], status, extra=fields)


def _known_method(method: str) -> str:
    """Limit the values of the method label."""
    return method if method in {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"} else "other"
