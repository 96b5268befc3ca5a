"""Embeddings that were made before: of documents by content hash, of queries in this process.

vectors = await embed_with_cache(provider, cache, texts)     # only texts that are new to the model reach it
provider = CachedQueries(provider, size=2_000)               # the last queries are answered without the model
"""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np

from lectern.embeddings.errors import EmbeddingsMismatch
from lectern.embeddings.provider import EmbeddingProvider, ProviderInfo, Vectors, halved
from lectern.embeddings.text import cleaned, content_hash


class EmbeddingCache(Protocol):
    """Vectors by (fingerprint of the model, content hash). Kept in half precision, like the embeddings themselves."""

    async def get_many(self, fingerprint: str, hashes: Sequence[bytes]) -> dict[bytes, Vectors]: ...

    async def put_many(self, fingerprint: str, vectors: Mapping[bytes, Vectors]) -> None: ...


class MemoryCache:
    """The cache's twin in memory, for tests and for running without a database."""

    def __init__(self) -> None:
        self._vectors: dict[tuple[str, bytes], Vectors] = {}

    async def get_many(self, fingerprint: str, hashes: Sequence[bytes]) -> dict[bytes, Vectors]:
        return {key: self._vectors[fingerprint, key] for key in hashes if (fingerprint, key) in self._vectors}

    async def put_many(self, fingerprint: str, vectors: Mapping[bytes, Vectors]) -> None:
        for key, vector in vectors.items():
            self._vectors[fingerprint, key] = halved(vector)


async def embed_with_cache(provider: EmbeddingProvider, cache: EmbeddingCache, texts: Sequence[str]) -> Vectors:
    """Embed documents, each distinct text at most once, new ones only; (n, dimensions) in the order of `texts`.

    The values are those of half precision, so that the first time and every later time give the same.
    Raises what the provider raises, and EmbeddingsMismatch when the cache holds vectors of other dimensions.
    """
    fingerprint, dimensions = provider.info.fingerprint, provider.info.dimensions
    hashes = [content_hash(text) for text in texts]
    by_hash = dict(zip(hashes, texts, strict=True))
    known = await cache.get_many(fingerprint, list(by_hash))
    missing = [key for key in by_hash if key not in known]
    if missing:
        made = await provider.embed_documents([by_hash[key] for key in missing])
        fresh = dict(zip(missing, halved(made), strict=True))
        await cache.put_many(fingerprint, fresh)
        known |= fresh
    if any(vector.shape != (dimensions,) for vector in known.values()):
        raise EmbeddingsMismatch(f"The cache holds vectors of other dimensions than {dimensions} for {fingerprint}.")
    vectors = np.zeros((len(texts), dimensions), np.float32)
    for row, key in zip(vectors, hashes, strict=True):
        row[:] = known[key]
    return vectors


class CachedQueries:
    """A provider that remembers the queries it answered last, least recently used out first."""

    def __init__(self, provider: EmbeddingProvider, *, size: int = 2_000) -> None:
        self._provider = provider
        self._size = size
        self._queries: OrderedDict[str, Vectors] = OrderedDict()

    @property
    def info(self) -> ProviderInfo:
        return self._provider.info

    async def prepare(self) -> None:
        await self._provider.prepare()

    async def embed_documents(self, texts: Sequence[str]) -> Vectors:
        return await self._provider.embed_documents(texts)

    async def embed_query(self, text: str) -> Vectors:
        key = " ".join(cleaned(text, max_tokens=self.info.max_tokens).split())
        if key not in self._queries:
            vector = await self._provider.embed_query(key)
            vector.setflags(write=False)  # the same array is handed to every caller
            self._queries[key] = vector
            while len(self._queries) > self._size:
                self._queries.popitem(last=False)
        self._queries.move_to_end(key)
        return self._queries[key]

    def count_tokens(self, text: str) -> int:
        return self._provider.count_tokens(text)

    async def close(self) -> None:
        await self._provider.close()
