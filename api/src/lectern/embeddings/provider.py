"""The port of embedding models.

    provider = create_provider(settings.embeddings, model_dir=folder)     # registry.py; makes nothing, loads nothing
    await provider.prepare()                                              # optional: load now, not at the first text
    vectors = await provider.embed_documents(texts)                       # (n, dimensions) float32, each of length 1
    vector = await provider.embed_query(text)                             # (dimensions,) float32, of length 1
    provider.count_tokens(text)                                           # for windows.py; blocks: call it in a thread
    provider.info                                                         # ProviderInfo
    await provider.close()

Texts are given without the model's prefixes; every provider cleans them (`text.py`) and shortens what is too long.
Errors: EmbeddingsUnavailable (passing: try again), EmbeddingsRejected (for good), EmbeddingsMismatch (another model
answered), EmbeddingsMisconfigured.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Prefixes:
    """What a model wants before a query and before a document."""

    query: str = ""
    document: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderInfo:
    """What a model is.

    `max_tokens` counts everything the model reads: prefix and special tokens too, as `count_tokens` does.
    `fingerprint` changes whenever the same text could give another embedding. `is_remote`: it computes on another
    machine, which may take its time.
    """

    id: str
    dimensions: int
    max_tokens: int
    prefixes: Prefixes
    fingerprint: str
    is_remote: bool = False


class EmbeddingProvider(Protocol):
    """Turns texts into unit vectors."""

    @property
    def info(self) -> ProviderInfo: ...

    async def prepare(self) -> None:
        """Load what the first text would otherwise wait for."""
        ...

    async def embed_documents(self, texts: Sequence[str]) -> Vectors: ...

    async def embed_query(self, text: str) -> Vectors: ...

    def count_tokens(self, text: str) -> int:
        """Tokens the model reads for this document text, prefix and special tokens included, or an upper bound."""
        ...

    async def close(self) -> None: ...


def normalised(vectors: Vectors) -> Vectors:
    """Rows scaled to length 1; a row of zeros, which no model should give, stays zero."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return (vectors / np.maximum(lengths, np.float32(1e-12))).astype(np.float32)


def halved(vectors: Vectors) -> Vectors:
    """The values that are left of vectors in half precision, in which they are stored."""
    return vectors.astype(np.float16).astype(np.float32)
