"""Embed with OpenAI or any server with its API."""

import math
import re
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from typing import Final

import numpy as np
from openai import (
    APIConnectionError,
    APIError,
    APIStatusError,
    APITimeoutError,
    AsyncOpenAI,
    Omit,
    omit,
)
from pydantic import Base64Bytes, BaseModel, SecretStr, ValidationError

from lectern.embeddings.errors import (
    EmbeddingsMisconfigured,
    EmbeddingsMismatch,
    EmbeddingsRejected,
    EmbeddingsUnavailable,
)
from lectern.embeddings.provider import Prefixes, ProviderInfo, Vectors, clean_text, normalize
from lectern.errors import LecternError

DEFAULT_URL: Final = "https://api.openai.com/v1"
# The API allows 2,048 texts and 300,000 tokens a request. A smaller request is cheaper to repeat.
BATCH_SIZE: Final = 128
_BATCH_TOKENS: Final = 100_000
_MAX_TOKENS: Final = 8191
_MAX_RETRIES: Final = 5
_BYTES_PER_TOKEN: Final = 2
_TOO_MANY_REQUESTS: Final = 429
_SERVER_ERROR: Final = 500
_INVALID_ANSWER: Final = "The embedding service does not return OpenAI embeddings."
_CODE: Final = re.compile(r"\w{1,64}")


class OpenAIProvider:
    """A model behind the OpenAI API.

    408, 409, 429, 5xx and broken connections are retried up to 5 times, with exponential backoff or the server's
    Retry-After. The tokenizer is unknown, so `count_tokens` is an upper bound of 2 bytes per token. It holds for
    byte-level vocabularies and every common script.
    """

    def __init__(
        self,
        *,
        model: str,
        dimensions: int,
        api_key: SecretStr | None,
        base_url: str | None = None,
        max_tokens: int = _MAX_TOKENS,
        timeout_seconds: float = 30,
        max_retries: int = _MAX_RETRIES,
    ) -> None:
        """Create the client without sending anything.

        Raises:
            EmbeddingsMisconfigured: OpenAI itself needs a key.
        """
        if base_url is None and api_key is None:
            raise EmbeddingsMisconfigured("LECTERN_EMBEDDINGS is `openai` but OPENAI_API_KEY is empty.")
        self._client = AsyncOpenAI(
            api_key=api_key.get_secret_value() if api_key else "none",
            base_url=base_url or DEFAULT_URL,
            timeout=timeout_seconds,
            max_retries=max_retries,
        )
        # A user waits for a query. A keyword-only answer now is better than a late one.
        self._query_client = self._client.with_options(
            max_retries=min(max_retries, 1), timeout=min(timeout_seconds, 10)
        )
        # Only these models can shorten their vectors. Other servers reject the parameter.
        self._dimensions: int | Omit = dimensions if model.startswith("text-embedding-3") else omit
        source = "openai" if base_url is None else base_url.rstrip("/")
        self._info = ProviderInfo(
            id=f"openai:{model}",
            dimensions=dimensions,
            max_tokens=max_tokens,
            prefixes=Prefixes(),
            fingerprint=f"{source}:{model}:{dimensions}",
            is_remote=True,
        )

    @property
    def info(self) -> ProviderInfo:
        return self._info

    async def prepare(self) -> None:
        """Nothing to load."""

    async def embed_documents(self, texts: Sequence[str]) -> Vectors:
        vectors = np.zeros((len(texts), self._info.dimensions), np.float32)
        start = 0
        for batch in _batches(self._truncate(text) for text in texts):
            vectors[start : start + len(batch)] = await self._request(batch, client=self._client)
            start += len(batch)
        return vectors

    async def embed_query(self, text: str) -> Vectors:
        return (await self._request([self._truncate(text)], client=self._query_client))[0]

    def count_tokens(self, text: str) -> int:
        return _upper_bound(clean_text(text, max_tokens=self._info.max_tokens))

    async def close(self) -> None:
        await self._client.close()

    def _truncate(self, text: str) -> str:
        """Cut the text to a length that fits. Empty texts become a blank, because the API rejects them."""
        cut = clean_text(text, max_tokens=self._info.max_tokens).encode()[: self._info.max_tokens * _BYTES_PER_TOKEN]
        return cut.decode(errors="ignore") or " "

    async def _request(self, texts: list[str], *, client: AsyncOpenAI) -> Vectors:
        with _translated():
            response = await client.embeddings.with_raw_response.create(
                model=self._info.id.removeprefix("openai:"),
                input=texts,
                dimensions=self._dimensions,
                encoding_format="base64",
            )
        rows = [item.vector() for item in _parsed(response.content)]
        if len(rows) != len(texts):
            raise EmbeddingsRejected(f"The embedding service returned {len(rows)} vectors for {len(texts)} texts.")
        lengths = {len(row) for row in rows}
        if lengths != {self._info.dimensions}:
            raise EmbeddingsMismatch(
                f"{self._info.id} returns {max(lengths)} dimensions, but LECTERN_EMBEDDINGS_DIMENSIONS is "
                f"{self._info.dimensions}."
            )
        vectors = np.stack(rows)
        if not np.isfinite(vectors).all():
            raise EmbeddingsRejected("The embedding service returned values that are not numbers.")
        return normalize(vectors)


class _Item(BaseModel):
    """A vector of a response: little-endian float32 in base64, or numbers from servers without base64."""

    index: int
    embedding: Base64Bytes | list[float]

    def vector(self) -> Vectors:
        if isinstance(self.embedding, bytes):
            return np.frombuffer(self.embedding[: len(self.embedding) // 4 * 4], "<f4").astype(np.float32)
        return np.asarray(self.embedding, np.float32)


class _Response(BaseModel):
    data: list[_Item]


def _parsed(content: bytes) -> list[_Item]:
    try:
        return sorted(_Response.model_validate_json(content).data, key=lambda item: item.index)
    except ValidationError:
        raise EmbeddingsRejected(_INVALID_ANSWER) from None


def _upper_bound(text: str) -> int:
    return math.ceil(len(text.encode()) / _BYTES_PER_TOKEN)


def _batches(texts: Iterable[str]) -> Generator[list[str]]:
    batch: list[str] = []
    tokens = 0
    for text in texts:
        size_tokens = _upper_bound(text)
        if batch and (len(batch) == BATCH_SIZE or tokens + size_tokens > _BATCH_TOKENS):
            yield batch
            batch, tokens = [], 0
        batch.append(text)
        tokens += size_tokens
    if batch:
        yield batch


@contextmanager
def _translated() -> Generator[None]:
    """Translate the client's errors into transient and permanent ones.

    The client's messages quote the server, which may quote the key, so they are dropped here.
    """
    try:
        yield
    except APIConnectionError as error:  # a timeout is one of these
        raise EmbeddingsUnavailable(f"The embedding service cannot be reached: {_reason(error)}.") from None
    except APIStatusError as error:
        raise translate_status(
            error, "The embedding service", rejected=EmbeddingsRejected, unavailable=EmbeddingsUnavailable
        ) from None
    except APIError:
        raise EmbeddingsRejected(_INVALID_ANSWER) from None


def _reason(error: APIConnectionError) -> str:
    return "it timed out" if isinstance(error, APITimeoutError) else type(error.__cause__ or error).__name__


def translate_status(
    error: APIStatusError, service: str, *, rejected: type[LecternError], unavailable: type[LecternError]
) -> LecternError:
    """Return `unavailable` if a later try may succeed, else `rejected`. The server's own words are dropped."""
    code = error.code if error.code and _CODE.fullmatch(error.code) else None
    message = f"{service} answered {error.status_code}{f' ({code})' if code else ''}."
    is_transient = error.status_code == _TOO_MANY_REQUESTS or error.status_code >= _SERVER_ERROR
    if code == "insufficient_quota" or not is_transient:
        return rejected(message)
    pause = error.response.headers.get("retry-after", "")
    return unavailable(message, details={"retry_after_seconds": int(pause)} if pause.isdigit() else None)
