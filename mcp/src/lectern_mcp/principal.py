"""Resolve the caller of a request: the API validates the key, and the result is cached briefly."""

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
    """The principal of a key and the toolsets that it may use."""

    principal: str
    toolsets: frozenset[str]


CALLER: ContextVar[Caller] = ContextVar("CALLER")
"""The caller of the request being served; the API client asks nothing without one."""
Introspect = Callable[[SecretStr], Awaitable[KeyIntrospection]]


class Principals:
    """Callers by the hash of their key, cached for `accepted_seconds`, or `REFUSED_SECONDS` if refused."""

    def __init__(self, introspect: Introspect, *, accepted_seconds: float, clock: Clock = time.time) -> None:
        self._introspect = introspect
        self._accepted_seconds = accepted_seconds
        self._clock = clock
        self._known: OrderedDict[bytes, tuple[float, Caller | None]] = OrderedDict()

    def remembers(self, key: SecretStr) -> bool:
        """Return True if `resolve` needs no request to the API."""
        return self._known.get(_digest(key), (0, None))[0] > self._clock()

    async def resolve(self, key: SecretStr) -> Caller:
        """Return the caller of a key. Raises `UNAUTHORIZED` for an unknown, revoked or expired key."""
        caller = self._known[_digest(key)][1] if self.remembers(key) else await self._ask(key)
        if caller is None:
            raise Failure("UNAUTHORIZED", "Unknown, revoked or expired key.", hint="Ask your administrator for one.")
        return caller

    async def _ask(self, key: SecretStr) -> Caller | None:
        answer = await self._introspect(key)
        now, caller, until = self._clock(), None, inf
        if answer.is_active and answer.principal:
            until = answer.expires_at.timestamp() if answer.expires_at else inf
            caller = Caller(answer.principal, frozenset(answer.toolsets or ())) if until > now else None
        self._known[_digest(key)] = (min(until, now + (self._accepted_seconds if caller else REFUSED_SECONDS)), caller)
        self._known.move_to_end(_digest(key))
        while len(self._known) > MAX_ENTRIES:
            self._known.popitem(last=False)
        return caller


def _digest(key: SecretStr) -> bytes:
    return hashlib.sha256(key.get_secret_value().encode()).digest()
