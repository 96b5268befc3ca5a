"""A reranker behind HTTP: `/rerank` of Cohere, Jina, Voyage, vLLM and llama.cpp, or of TEI.

rerank:URL    {"model", "query", "documents"} -> {"results" | "data": [{"index", "relevance_score"}]}
tei:URL       {"query", "texts", "truncate"}  -> [{"index", "score"}]
"""

import math
from collections.abc import Sequence
from typing import Any, Final

import httpx
from pydantic import AliasChoices, BaseModel, Field, SecretStr, TypeAdapter, ValidationError

from lectern.search.errors import RerankingMisconfigured, RerankingRejected, RerankingUnavailable
from lectern.search.reranking.provider import RerankerInfo, Style

_TOO_MANY_REQUESTS: Final = 429
_SERVER_ERROR: Final = 500
_UNREADABLE: Final = "The reranker did not return one score per chunk."


class _Scored(BaseModel):
    index: int
    score: float = Field(validation_alias=AliasChoices("relevance_score", "score"))


class _Answer(BaseModel):
    results: list[_Scored] = Field(validation_alias=AliasChoices("results", "data"))


_ANSWERS: Final[TypeAdapter[_Answer | list[_Scored]]] = TypeAdapter(_Answer | list[_Scored])


class RerankEndpoint:
    """Send one request per search, without retries: a search does not wait, and it works without reranking."""

    def __init__(
        self,
        url: str,
        *,
        style: Style,
        model: str,
        api_key: SecretStr | None,
        languages: frozenset[str],
        timeout_seconds: float,
    ) -> None:
        """Create the client without connecting.

        Raises:
            RerankingMisconfigured: The URL is not an http(s) URL.
        """
        if not url.startswith(("http://", "https://")):
            raise RerankingMisconfigured(f"`{style}:` must be followed by an http(s) address, not {url!r}.")
        self._url = url
        self._style = style
        self._model = model
        self._info = RerankerInfo(id=f"{style}:{model or httpx.URL(url).host}", languages=languages)
        headers = {"Authorization": f"Bearer {api_key.get_secret_value()}"} if api_key else {}
        self._client = httpx.AsyncClient(timeout=timeout_seconds, headers=headers)

    @property
    def info(self) -> RerankerInfo:
        return self._info

    async def score(self, query: str, chunks: Sequence[str]) -> list[float]:
        """Score the chunks. Error texts of the server are dropped, because they may quote the key."""
        try:
            response = await self._client.post(self._url, json=self._body(query, chunks))
        except httpx.TimeoutException:
            raise RerankingUnavailable("The reranker did not answer in time.") from None
        except httpx.HTTPError as error:
            raise RerankingUnavailable(f"The reranker cannot be reached: {type(error).__name__}.") from None
        if not response.is_success:
            raise _refusal(response.status_code)
        return _scores(response.content, count=len(chunks))

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    def _body(self, query: str, chunks: Sequence[str]) -> dict[str, Any]:
        if self._style == "tei":
            return {"query": query, "texts": list(chunks), "truncate": True}
        model = {"model": self._model} if self._model else {}
        return {**model, "query": query, "documents": list(chunks)}


def _refusal(status: int) -> RerankingUnavailable | RerankingRejected:
    is_passing = status == _TOO_MANY_REQUESTS or status >= _SERVER_ERROR
    return (RerankingUnavailable if is_passing else RerankingRejected)(f"The reranker answered {status}.")


def _scores(content: bytes, *, count: int) -> list[float]:
    try:
        answer = _ANSWERS.validate_json(content)
    except ValidationError:
        raise RerankingRejected(_UNREADABLE) from None
    scored = answer.results if isinstance(answer, _Answer) else answer
    by_index = {item.index: item.score for item in scored}
    is_whole = len(scored) == count and by_index.keys() == set(range(count))
    if not is_whole or not all(map(math.isfinite, by_index.values())):
        raise RerankingRejected(_UNREADABLE)
    return [by_index[index] for index in range(count)]
