"""Cache search responses until the library changes.

Two transactions with the same library version see the same library. Each collection has a version, too, so a scope of
collections does not learn of changes elsewhere. A response is cached for one request in one scope.
"""

import asyncio
from collections import OrderedDict
from typing import Final, TypeAlias

from lectern.db.scope import Scope
from lectern.search.schemas import SearchRequest, SearchResponse

SECONDS: Final = 60.0  # purged documents leave the memory, even if nobody searches

Key: TypeAlias = tuple[Scope, str]


class ResultCache:
    """Hold serialized responses up to `max_bytes`, least recently used out first. It empties every `seconds`."""

    def __init__(self, *, max_bytes: int, seconds: float = SECONDS) -> None:
        self._max_bytes = max_bytes
        self.seconds = seconds
        self._bodies: OrderedDict[Key, tuple[int, bytes]] = OrderedDict()
        self._bytes = 0
        self._timer: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return len(self._bodies)

    def get(self, library_version: int, request: SearchRequest, scope: Scope) -> SearchResponse | None:
        """Return the response cached for this version of what the scope sees. Drop one of another version."""
        key = _key(request, scope)
        version, body = self._bodies.get(key, (library_version, None))
        if version != library_version:
            self._drop(key)
            return None
        if body is None:
            return None
        self._bodies.move_to_end(key)
        return SearchResponse.model_validate_json(body)

    def put(self, library_version: int, request: SearchRequest, scope: Scope, response: SearchResponse) -> None:
        """Store a complete response computed at this version of what the scope sees."""
        if not _is_complete(response):
            return
        body = response.model_dump_json().encode()
        key = _key(request, scope)
        if len(body) > self._max_bytes or key in self._bodies:
            return
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(self.seconds, self.clear)
        self._bodies[key] = (library_version, body)
        self._bytes += len(body)
        while self._bytes > self._max_bytes:
            self._drop(next(iter(self._bodies)))

    def _drop(self, key: Key) -> None:
        self._bytes -= len(self._bodies.pop(key)[1])

    def clear(self) -> None:
        """Drop all responses."""
        self._bodies.clear()
        self._bytes = 0
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def _key(request: SearchRequest, scope: Scope) -> Key:
    return scope, request.model_dump_json()


def _is_complete(response: SearchResponse) -> bool:
    """Return false if a model was unavailable: the next search may do better."""
    metadata = response.metadata
    is_rerank_failed = metadata.reranking is not None and metadata.reranking.state == "failed"
    return not metadata.strategy.is_degraded and not is_rerank_failed
