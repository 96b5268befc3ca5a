"""Responses to the last searches, given again as long as the library is the one that they were found in.

`mark` is what `repository.library_mark` says of the library that a transaction sees: two transactions with the same
mark see the same. A response is one to a request in a scope: nobody is given what was found for others.
"""

import asyncio
from collections import OrderedDict
from typing import Final

from lectern.db.scope import Scope
from lectern.search.schemas import SearchRequest, SearchResponse, Took

SECONDS: Final = 60.0  # what was purged is gone from memory, too, even where nobody searches any more

Key = tuple[Scope, str]


class ResultCache:
    """As they were sent, up to `max_bytes` of them; least recently used out first, all of them once a minute."""

    def __init__(self, *, max_bytes: int, seconds: float = SECONDS) -> None:
        self._max_bytes = max_bytes
        self._seconds = seconds
        self._library_version: int | None = None
        self._bodies: OrderedDict[Key, bytes] = OrderedDict()
        self._bytes = 0
        self._end: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return len(self._bodies)

    def get(self, library_version: int, request: SearchRequest, scope: Scope) -> SearchResponse | None:
        """The response to this request, if it is kept; all are forgotten where the library is another."""
        if library_version != self._library_version:
            self.clear()
            self._library_version = library_version
        key = _key(request, scope)
        body = self._bodies.get(key)
        if body is None:
            return None
        self._bodies.move_to_end(key)
        return SearchResponse.model_validate_json(body)

    def put(self, library_version: int, request: SearchRequest, scope: Scope, response: SearchResponse) -> None:
        """Keep it for whoever asks next, if it was found in the library that was seen last and nothing was missing."""
        if library_version != self._library_version or not _is_whole(response):
            return
        body = response.model_dump_json().encode()
        key = _key(request, scope)
        if len(body) > self._max_bytes or key in self._bodies:
            return
        if self._end is None:
            self._end = asyncio.get_running_loop().call_later(self._seconds, self.clear)
        self._bodies[key] = body
        self._bytes += len(body)
        while self._bytes > self._max_bytes:
            self._bytes -= len(self._bodies.popitem(last=False)[1])

    def clear(self) -> None:
        """All of them."""
        self._bodies.clear()
        self._bytes = 0
        if self._end is not None:
            self._end.cancel()
            self._end = None


def as_cached(response: SearchResponse, *, milliseconds: float) -> SearchResponse:
    """A kept response, which says that it is one and what it took this time."""
    took = Took(embedding=0, filters=0, terms=0, search=0, snippets=0, total=milliseconds)
    metadata = response.metadata.model_copy(update={"is_cached": True, "took_ms": took})
    return response.model_copy(update={"metadata": metadata})


def _key(request: SearchRequest, scope: Scope) -> Key:
    return scope, request.model_dump_json()


def _is_whole(response: SearchResponse) -> bool:
    """Whether asking again would find the same: what a model's absence has spoilt may be better the next time."""
    metadata = response.metadata
    is_as_fused = metadata.reranking is not None and metadata.reranking.state == "failed"
    return not metadata.strategy.is_degraded and not is_as_fused
