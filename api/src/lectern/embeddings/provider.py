"""The port of embedding models.

    provider = create_provider(settings.embeddings, model_dir=folder)     # registry.py; loads nothing yet
    await provider.prepare()                                              # optional: load the model now
    vectors = await provider.embed_documents(texts)                       # (n, dimensions) float32, each of length 1
    vector = await provider.embed_query(text)                             # (dimensions,) float32, of length 1
    provider.count_tokens(text)                                           # for windows.py; blocks: call it in a thread
    provider.info                                                         # ProviderInfo
    await provider.close()

Pass texts without the model's prefixes. Every provider cleans them and truncates long ones.

Raises: EmbeddingsUnavailable (transient), EmbeddingsRejected (permanent), EmbeddingsMismatch (wrong dimensions),
EmbeddingsMisconfigured.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]

# No script needs more characters for one token. The cap saves 0.6 s of tokenising a 1 MB text that is truncated anyway.
CHARACTERS_PER_TOKEN: Final = 16
_UNUSABLE: Final = re.compile("[\x00\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Prefixes:
    """Text that the model expects before a query and before a document."""

    query: str = ""
    document: str = ""


class SimilarityRange(NamedTuple):
    """The cosine of unrelated texts and of good answers under one model. Confidence scales similarities with it."""

    unrelated: float
    good_answer: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderInfo:
    """The properties of a model.

    `max_tokens` includes prefix and special tokens, as `count_tokens` does. `fingerprint` changes if the same text
    could get another embedding. `is_remote` models compute on another machine. Without a measured `similarity_range`,
    confidence uses keywords only.
    """

    id: str
    dimensions: int
    max_tokens: int
    prefixes: Prefixes
    fingerprint: str
    is_remote: bool = False
    similarity_range: SimilarityRange | None = None


class EmbeddingProvider(Protocol):
    """Turns texts into unit vectors."""

    @property
    def info(self) -> ProviderInfo: ...

    async def prepare(self) -> None:
        """Load the model now, not at the first text."""
        ...

    async def embed_documents(self, texts: Sequence[str]) -> Vectors: ...

    async def embed_query(self, text: str) -> Vectors: ...

    def count_tokens(self, text: str) -> int:
        """Return the tokens of a document text with prefix and special tokens, or an upper bound."""
        ...

    async def close(self) -> None: ...


def clean_text(text: str, *, max_tokens: int) -> str:
    """Return the text in NFC without NUL and lone surrogates, capped in characters."""
    return unicodedata.normalize("NFC", _UNUSABLE.sub("", text[: max_tokens * CHARACTERS_PER_TOKEN]))


def normalize(vectors: Vectors) -> Vectors:
    """Scale rows to length 1. A row of zeros stays zero."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return (vectors / np.maximum(lengths, np.float32(1e-12))).astype(np.float32)


def round_to_half(vectors: Vectors) -> Vectors:
    """Round vectors to half precision, in which the database stores them."""
    return vectors.astype(np.float16).astype(np.float32)
