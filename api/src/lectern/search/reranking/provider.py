"""The port of reranking: a model that says how well each passage answers a query.

    scores = await reranker.score(query, passages)     # one for each passage, in their order; higher is better

The scale of the scores is the model's own: only their order is used.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

Style = Literal["rerank", "tei"]  # of the requests to an endpoint


@dataclass(frozen=True, slots=True)
class RerankerInfo:
    """`languages` are those that the model reads (ISO 639-1); empty: all."""

    id: str
    languages: frozenset[str]

    def reads(self, language: str | None) -> bool:
        """Whether the model may judge a text in this language; one that is not known only if it reads all."""
        return not self.languages or language in self.languages


class Reranker(Protocol):
    """A model that reads query and passage together."""

    @property
    def info(self) -> RerankerInfo: ...

    async def score(self, query: str, passages: Sequence[str]) -> list[float]:
        """A finite number for each passage.

        Raises:
            RerankingUnavailable: It may work later.
            RerankingRejected: It will not.
        """
        ...

    async def close(self) -> None: ...
