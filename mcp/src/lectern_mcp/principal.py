"""Resolve the caller of a request: the API validates the key, and the result is cached briefly."""

import asyncio
import hashlib
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from dataclasses import dataclass
from math import inf

from pydantic import SecretStr

from lectern_mcp.api_models import KeyIntrospection
from lectern_mcp.errors import Failure
from lectern_mcp.limits import MAX_ENTRIES, Clock

REFUSED_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Caller:
    """The principal of a key, its toolsets, the caller's address (None over stdio) and that of the web UI."""

    principal: str
    toolsets: frozenset[str]
    client: str | None = None
    web_url: str = ""


CALLER: ContextVar[Caller] = ContextVar("CALLER")
"""The caller of the request being served; the API client asks nothing without one."""
Introspect = Callable[[SecretStr, str | None], Awaitable[KeyIntrospection]]


class Principals:
    """Callers by the hash of their key and address, cached for `accepted_seconds`, or `REFUSED_SECONDS` if refused."""

    def __init__(self, introspect: Introspect, *, accepted_seconds: float, clock: Clock = time.time) -> None:
        self._introspect = introspect
        self._accepted_seconds = accepted_seconds
        self._clock = clock
        self._known: OrderedDict[bytes, tuple[float, Caller | None]] = OrderedDict()
        self._asking: dict[bytes, asyncio.Task[Caller | None]] = {}

    def remembers(self, key: SecretStr, client: str | None = None) -> bool:
        """Return True if `resolve` needs no request to the API."""
        return self._known.get(_digest(key, client), (0, None))[0] > self._clock()

    async def resolve(self, key: SecretStr, client: str | None = None) -> Caller:
        """Return the caller of a key. Raises `UNAUTHORIZED` for a key that is unknown or does not work from there."""
        digest = _digest(key, client)
        caller = self._known[digest][1] if self.remembers(key, client) else await self._ask_once(digest, key, client)
        if caller is None:
            raise Failure("UNAUTHORIZED")
        return caller

    async def _ask_once(self, digest: bytes, key: SecretStr, client: str | None) -> Caller | None:
        """Ask the API, or wait for the answer to the same question. A caller that gives up ends it for nobody else."""
        asking = self._asking.get(digest)
        if asking is None:
            asking = self._asking[digest] = asyncio.create_task(self._ask(digest, key, client))
            # asyncio logs an exception that nobody reads, such as after every caller gave up
            asking.add_done_callback(lambda done: (self._asking.pop(digest), done.cancelled() or done.exception()))
        return await asyncio.shield(asking)

    async def _ask(self, digest: bytes, key: SecretStr, client: str | None) -> Caller | None:
        answer = await self._introspect(key, client)
        now, caller, until = self._clock(), None, inf
        if answer.is_active and answer.principal:
            until = answer.expires_at.timestamp() if answer.expires_at else inf
            caller = Caller(answer.principal, frozenset(answer.toolsets or ()), client, answer.web_url or "")
            caller = caller if until > now else None
        self._known[digest] = (min(until, now + (self._accepted_seconds if caller else REFUSED_SECONDS)), caller)
        self._known.move_to_end(digest)
        while len(self._known) > MAX_ENTRIES:
            self._known.popitem(last=False)
        return caller


def _digest(key: SecretStr, client: str | None) -> bytes:
    return hashlib.sha256(f"{client} {key.get_secret_value()}".encode()).digest()
