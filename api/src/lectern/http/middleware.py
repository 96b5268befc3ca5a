"""Middleware: request ids, access log, metrics, security headers and body limits."""

import logging
import re
import time
import uuid
from collections.abc import Callable, Mapping
from typing import Any, Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lectern.http.errors import BodyTooLarge
from lectern.http.metrics import Metrics
from lectern.http.problems import problem_response
from lectern.logs import REQUEST_ID

access_log = logging.getLogger("lectern.access")

_REQUEST_ID: Final = re.compile(r"[A-Za-z0-9._:\-]{1,128}")
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

    def __init__(self, app: ASGIApp, *, metrics: Metrics) -> None:
        self.app = app
        self.metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began = time.perf_counter()
        given = Headers(scope=scope).get("x-request-id", "")
        request_id = given if _REQUEST_ID.fullmatch(given) else uuid.uuid4().hex
        token = REQUEST_ID.set(request_id)
        wanted = response_headers(scope)
        status = 499  # The client disconnected before the response.

        async def decorate(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                for name, value in SECURITY_HEADERS.items():
                    headers.setdefault(name, value)
                headers.update(wanted)
                headers["X-Request-ID"] = request_id
                headers["Server-Timing"] = f"app;dur={(time.perf_counter() - began) * 1000:.1f}"
            await send(message)

        try:
            await self.app(scope, receive, decorate)
        finally:
            self._finish(scope, status=status, seconds=time.perf_counter() - began)
            REQUEST_ID.reset(token)

    def _finish(self, scope: Scope, *, status: int, seconds: float) -> None:
        route = getattr(scope.get("route"), "path", "unmatched")
        self.metrics.observe(method=_known_method(scope["method"]), route=route, status=status, seconds=seconds)
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


class BodyLimit:
    """Reject bodies above the limit, before or while they arrive."""

    def __init__(self, app: ASGIApp, *, max_bytes_of: Callable[[Scope], int | None]) -> None:
        """Limit each request to `max_bytes_of(scope)`. None means that the endpoint has its own limit."""
        self.app = app
        self.max_bytes_of = max_bytes_of

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        max_bytes = self.max_bytes_of(scope) if scope["type"] == "http" else None
        if max_bytes is None:
            await self.app(scope, receive, send)
            return
        declared = Headers(scope=scope).get("content-length", "")
        if declared.isdecimal() and int(declared[:20]) > max_bytes:
            error = BodyTooLarge(_too_large_message(max_bytes), details={"max_bytes": max_bytes})
            await problem_response(error, instance=scope["path"])(scope, receive, send)
            return
        received = 0

        async def count() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > max_bytes:
                # While it reads a body, FastAPI turns any other exception into a parsing error.
                raise HTTPException(413, _too_large_message(max_bytes))
            return message

        await self.app(scope, count, send)


def _too_large_message(max_bytes: int) -> str:
    return f"The body is larger than {max_bytes:,} bytes."
