"""Embed without a model: texts that share words get similar vectors. For tests only."""

import hashlib
import re
from collections.abc import Sequence

import numpy as np

from lectern.embeddings.provider import Prefixes, ProviderInfo, Vectors, clean_text, normalize

_WORD = re.compile(r"\w+")
_MAX_TOKENS = 512


class HashProvider:
    """Adds 1 or -1 for each word, at an index from its hash. Deterministic on every machine."""

    def __init__(self, dimensions: int) -> None:
        self._info = ProviderInfo(
            id=f"hash:{dimensions}",
            dimensions=dimensions,
            max_tokens=_MAX_TOKENS,
            prefixes=Prefixes(),
            fingerprint=f"hash-1:{dimensions}",
        )

    @property
    def info(self) -> ProviderInfo:
        return self._info

    async def prepare(self) -> None:
        """Nothing to load."""

    async def embed_documents(self, texts: Sequence[str]) -> Vectors:
        vectors = np.zeros((len(texts), self._info.dimensions), np.float32)
        for vector, text in zip(vectors, texts, strict=True):
            vector[:] = word_vector(text, dimensions=self._info.dimensions)
        return normalize(vectors)

    async def embed_query(self, text: str) -> Vectors:
        return (await self.embed_documents([text]))[0]

    def count_tokens(self, text: str) -> int:
        return len(_words(text)) + 1

    async def close(self) -> None:
        """Nothing to release."""


def word_vector(text: str, *, dimensions: int) -> Vectors:
    """Sum the words of a text into a vector that is neither normalized nor zero."""
    vector = np.zeros(dimensions, np.float32)
    for word in _words(text)[: _MAX_TOKENS - 1]:
        digest = hashlib.blake2b(word.encode(), digest_size=8).digest()
        vector[int.from_bytes(digest[:7]) % dimensions] += 1 if digest[7] % 2 else -1
    if not vector.any():  # no words, or words that cancel out
        vector[0] = 1
    return vector


def _words(text: str) -> list[str]:
    return _WORD.findall(clean_text(text, max_tokens=_MAX_TOKENS).casefold())
