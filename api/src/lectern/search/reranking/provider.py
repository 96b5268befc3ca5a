"""The port of rerankers.

    scores = await reranker.score(query, chunks)     # one per chunk, in their order; higher is better

Only the order of the scores is used, so each model has its own scale.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

Style = Literal["rerank", "tei"]  # request format of an endpoint


@dataclass(frozen=True, slots=True)
class RerankerInfo:
    """A model and the languages that it reads (ISO 639-1); empty means all."""

    id: str
    languages: frozenset[str]

    def reads(self, language: str | None) -> bool:
        """Return true if the model reads this language. Only a model for all languages reads an unknown one."""
        return not self.languages or language in self.languages


class Reranker(Protocol):
    """A model that scores a chunk together with the query."""

    @property
    def info(self) -> RerankerInfo: ...

    async def score(self, query: str, chunks: Sequence[str]) -> list[float]:
        """Return a finite number for each chunk.

        Raises:
            RerankingUnavailable: A retry may succeed.
            RerankingRejected: A retry will fail.
        """
        ...

    async def close(self) -> None: ...
