"""Reuse embeddings: of a document by content hash, of recent queries in this process.

vectors = await embed_with_cache(provider, cache, texts)     # only new texts reach the model
provider = CachedQueries(provider, size=2_000)               # the last 2,000 queries are cached
"""

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import numpy as np

from lectern.embeddings.errors import EmbeddingsMismatch
from lectern.embeddings.provider import EmbeddingProvider, ProviderInfo, Vectors, clean_text, round_to_half
from lectern.logs import ACTOR

CountLookup = Callable[[int, int], None]
"""Takes the number of texts for the model and of those from the cache."""


def _ignore(_computed: int, _cached: int) -> None:
    """Count nothing."""


class EmbeddingCache(Protocol):
    """Vectors by model fingerprint and content hash, in half precision."""

    async def get_many(self, fingerprint: str, hashes: Sequence[bytes]) -> dict[bytes, Vectors]: ...

    async def put_many(self, fingerprint: str, vectors: Mapping[bytes, Vectors]) -> None: ...


def content_hash(text: str) -> bytes:
    """Return the cache key of a text: the sha256 of its UTF-8."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


async def embed_with_cache(
    provider: EmbeddingProvider, cache: EmbeddingCache, texts: Sequence[str], *, count: CountLookup = _ignore
) -> Vectors:
    """Embed documents, each new text once. Returns (n, dimensions) in the order of `texts`.

    Values are rounded to half precision, so a cached vector equals a new one.

    Raises:
        EmbeddingsMismatch: The cache has vectors of other dimensions. The provider's errors pass through.
    """
    fingerprint, dimensions = provider.info.fingerprint, provider.info.dimensions
    hashes = [content_hash(text) for text in texts]
    by_hash = dict(zip(hashes, texts, strict=True))
    known = await cache.get_many(fingerprint, list(by_hash))
    missing = [key for key in by_hash if key not in known]
    if missing:
        vectors = await provider.embed_documents([by_hash[key] for key in missing])
        fresh = dict(zip(missing, round_to_half(vectors), strict=True))
        await cache.put_many(fingerprint, fresh)
        known |= fresh
    count(len(missing), len(by_hash) - len(missing))
    if any(vector.shape != (dimensions,) for vector in known.values()):
        raise EmbeddingsMismatch(f"The cache has vectors that do not have {dimensions} dimensions for {fingerprint}.")
    result = np.zeros((len(texts), dimensions), np.float32)
    for row, key in zip(result, hashes, strict=True):
        row[:] = known[key]
    return result


class CachedQueries:
    """A provider that caches the most recently used queries of each actor.

    Actors share no queries, because a fast response would tell what others have asked.
    """

    def __init__(self, provider: EmbeddingProvider, *, size: int = 2_000, count: CountLookup = _ignore) -> None:
        self._provider = provider
        self._count = count
        self._size = size
        self._queries: OrderedDict[tuple[str, str], Vectors] = OrderedDict()

    @property
    def info(self) -> ProviderInfo:
        return self._provider.info

    async def prepare(self) -> None:
        await self._provider.prepare()

    async def embed_documents(self, texts: Sequence[str]) -> Vectors:
        return await self._provider.embed_documents(texts)

    async def embed_query(self, text: str) -> Vectors:
        query = " ".join(clean_text(text, max_tokens=self.info.max_tokens).split())
        key = (ACTOR.get(), query)
        is_cached = key in self._queries
        self._count(int(not is_cached), int(is_cached))
        if not is_cached:
            vector = await self._provider.embed_query(query)
            vector.setflags(write=False)  # all callers share the array
            self._queries[key] = vector
            while len(self._queries) > self._size:
                self._queries.popitem(last=False)
        self._queries.move_to_end(key)
        return self._queries[key]

    def count_tokens(self, text: str) -> int:
        return self._provider.count_tokens(text)

    async def close(self) -> None:
        await self._provider.close()
