"""Limits for clients that have not authenticated, by address."""

import asyncio
import hashlib
import ipaddress
import math
from collections import OrderedDict
from collections.abc import Callable
from time import monotonic
from typing import Any, Final

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lectern.errors import RateLimited
from lectern.http.problems import problem_response

_IPV6_PREFIX: Final = 64
_MAX_ENTRIES: Final = 10_000
_DELAY_SECONDS: Final = 1.0
_MAX_DELAYED: Final = 500
_LIMITED_PATHS: Final = ("/api/", "/v1/")


def client_block(ip: str) -> str:
    """Return the address that limits count: IPv4 as it is, and the /64 network of IPv6, which one client owns."""
    try:
        address = ipaddress.ip_address(ip)
    except ValueError:
        return ip
    if isinstance(address, ipaddress.IPv4Address):
        return ip
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((int(address), _IPV6_PREFIX), strict=False))


def _remember(entries: OrderedDict[str, Any], key: str, value: object) -> None:
    """Add an entry. Beyond the limit, the one that was set first is forgotten."""
    entries[key] = value
    entries.move_to_end(key)
    if len(entries) > _MAX_ENTRIES:
        entries.popitem(last=False)


class AddressLimit:
    """Limit the failed requests of an address that nobody has signed in for.

    Beyond the limit, only credentials that worked before or that `is_genuine` accepts reach the application. Others get
    a 429 after a second, which slows down clients that try again at once. Each process counts for itself.
    """

    def __init__(self, app: ASGIApp, *, per_minute: int, is_genuine: Callable[[Scope], bool]) -> None:
        """Allow `per_minute` failures of each address. 0: no limit."""
        self.app = app
        self.per_minute = per_minute
        self._is_genuine = is_genuine
        self._failures = OrderedDict[str, tuple[float, float]]()
        self._accepted = OrderedDict[str, None]()
        self._delayed = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not self.per_minute:
            await self.app(scope, receive, send)
            return
        address = client_block(scope["client"][0] if scope.get("client") else "")
        credentials = _digest(Headers(scope=scope).get("authorization", ""))
        wait = (self._level(address) - self.per_minute + 1) * 60 / self.per_minute
        is_limited = wait > 0 and scope["path"].startswith(_LIMITED_PATHS)
        if is_limited and credentials not in self._accepted and not self._is_genuine(scope):
            await self._refuse(scope, receive, send, seconds=math.ceil(wait))
            return
        status = 0

        async def watch(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, watch)
        finally:
            self._count(scope, status, address=address, credentials=credentials)

    def _count(self, scope: Scope, status: int, *, address: str, credentials: str) -> None:
        state: dict[str, Any] = scope.get("state", {})
        if state.get("actor"):
            _remember(self._accepted, credentials, None)
        elif 400 <= status < 500:  # noqa: PLR2004 - errors of the client
            self._accepted.pop(credentials, None)
            _remember(self._failures, address, (self._level(address) + 1, monotonic()))

    def _level(self, address: str) -> float:
        """Return the number of failures that count. One is forgiven every `60 / per_minute` seconds."""
        failures, since = self._failures.get(address, (0.0, 0.0))
        return max(0.0, failures - (monotonic() - since) * self.per_minute / 60)

    async def _refuse(self, scope: Scope, receive: Receive, send: Send, *, seconds: int) -> None:
        if self._delayed < _MAX_DELAYED:
            self._delayed += 1
            try:
                await asyncio.sleep(_DELAY_SECONDS)
            finally:
                self._delayed -= 1
        error = RateLimited(
            "Too many failed requests from this address.", details={"retry_after_seconds": max(1, seconds)}
        )
        response = problem_response(error, instance=scope["path"])
        response.headers["Connection"] = "close"  # The body was not read.
        await response(scope, receive, send)


def _digest(credentials: str) -> str:
    return hashlib.sha256(credentials.encode("utf-8", "surrogatepass")).hexdigest() if credentials else ""
