"""Chat endpoint: any server with the OpenAI chat protocol."""

import asyncio
import logging
import re
from collections.abc import AsyncGenerator, Generator, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final, cast

import httpx
from openai import (
    APIConnectionError,
    APIError,
    APIStatusError,
    APITimeoutError,
    AsyncOpenAI,
    AsyncStream,
    BadRequestError,
    UnprocessableEntityError,
)
from openai.types.chat import ChatCompletionChunk
from openai.types.chat.chat_completion_chunk import Choice, ChoiceDelta

from lectern.answers.errors import (
    ModelCannotSee,
    ModelMisconfigured,
    ModelRejected,
    ModelTimeout,
    ModelUnavailable,
    ModelUnreadable,
)
from lectern.answers.generation.chat import Exchange
from lectern.answers.generation.prompt import Prompt
from lectern.embeddings.providers.openai import translate_status
from lectern.settings import AnswersSettings

logger = logging.getLogger(__name__)

_MAX_RETRIES: Final = 1
_TOO_MANY_REQUESTS: Final = 429
_IMAGE_REJECTIONS: Final = {400, 413, 415, 422, 501}
_IMAGE_WORDS: Final = re.compile(r"image|vision|multimodal|mmproj", re.IGNORECASE)
_MAX_CHARACTERS_PER_TOKEN: Final = 40  # tokens of blanks or dashes are longer than words
_NO_PROTOCOL: Final = "The chat endpoint does not follow the OpenAI protocol."
_UNREACHED: Final = "Check LECTERN_ANSWERS_BASE_URL, or try again later. Search works without the chat endpoint."
_TOO_LONG: Final = "The chat endpoint's answer was longer than its limit of tokens."


class ChatEndpoint:
    """Streams answers in a JSON schema, at temperature 0."""

    def __init__(self, settings: AnswersSettings) -> None:
        """Create the client without sending a request. Raises ModelMisconfigured."""
        if not settings.base_url or not settings.model:
            raise ModelMisconfigured
        self.model = settings.model
        self._max_tokens = settings.max_answer_tokens
        self._timeout_seconds = settings.timeout_seconds
        self._accepts_schema: bool | None = None  # unknown until the first request
        self._client = AsyncOpenAI(
            api_key=settings.api_key.get_secret_value() if settings.api_key else "none",
            base_url=settings.base_url,
            timeout=settings.timeout_seconds,
            max_retries=_MAX_RETRIES,
        )

    async def stream(self, prompt: Prompt, exchange: Exchange) -> AsyncGenerator[str]:
        """Implement `Chat.stream`.

        If the endpoint rejects a JSON schema, ask for any JSON object instead, and record that in `exchange`.
        """
        with _translate_errors(has_images=bool(prompt.images)):
            async with asyncio.timeout(self._timeout_seconds):
                chunks = await self._open(prompt, exchange)
                left = self._max_tokens * _MAX_CHARACTERS_PER_TOKEN
                async with chunks:
                    async for chunk in chunks:
                        for piece in _read(chunk, exchange):
                            left -= len(piece)
                            if left < 0:  # the server ignores max_tokens and may never stop
                                raise ModelUnreadable(_TOO_LONG)
                            yield piece
        if exchange.is_cut:
            raise ModelUnreadable(_TOO_LONG)

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    async def _open(self, prompt: Prompt, exchange: Exchange) -> AsyncStream[ChatCompletionChunk]:
        if self._accepts_schema is not False:
            exchange.structured = "json_schema"
            schema = {"name": "answer", "strict": True, "schema": prompt.schema}
            try:
                chunks = await self._request(prompt, exchange, {"type": "json_schema", "json_schema": schema})
            except (BadRequestError, UnprocessableEntityError) as error:
                if self._accepts_schema:
                    raise
                logger.warning(
                    "The chat endpoint rejects a JSON schema: asking for any JSON object",
                    extra={"status": error.status_code},
                )
            else:
                self._accepts_schema = True
                return chunks
        exchange.structured = "json_object"
        chunks = await self._request(prompt, exchange, {"type": "json_object"})
        self._accepts_schema = False  # set after success: a request may fail for other reasons
        return chunks

    async def _request(
        self, prompt: Prompt, exchange: Exchange, form: Mapping[str, object]
    ) -> AsyncStream[ChatCompletionChunk]:
        exchange.requests += 1
        return await self._client.chat.completions.create(
            model=self.model,
            messages=cast("Any", prompt.messages),
            temperature=0,
            max_tokens=self._max_tokens,
            response_format=cast("Any", form),
            stream=True,
            stream_options={"include_usage": True},
        )


def _read(chunk: object, exchange: Exchange) -> Iterator[str]:
    """Yield the texts of a stream chunk. Raises ModelUnreadable.

    The client does not validate chunks, and some servers omit fields or send null.
    """
    if not isinstance(chunk, ChatCompletionChunk):
        raise ModelUnreadable(_NO_PROTOCOL)
    if chunk.usage:
        exchange.prompt_tokens += chunk.usage.prompt_tokens or 0
        exchange.completion_tokens += chunk.usage.completion_tokens or 0
    for choice in cast("list[Choice] | None", chunk.choices) or ():
        exchange.is_cut = exchange.is_cut or choice.finish_reason == "length"
        delta = cast("ChoiceDelta | None", choice.delta)
        content = cast("object", delta and delta.content) or ""
        if not isinstance(content, str):
            raise ModelUnreadable(_NO_PROTOCOL)
        yield content


@contextmanager
def _translate_errors(*, has_images: bool) -> Generator[None]:
    """Translate the client's errors. Their texts quote the server's response, which may contain the API key."""
    try:
        yield
    except (APITimeoutError, TimeoutError):
        raise ModelTimeout from None
    except APIConnectionError as error:
        logger.warning("The chat endpoint cannot be reached", extra={"error": type(error.__cause__ or error).__name__})
        raise ModelUnavailable("The chat endpoint cannot be reached.", hint=_UNREACHED) from None
    except APIStatusError as error:
        if has_images and _rejects_images(error):
            message = f"The chat endpoint refuses images: it answered {error.status_code}."
            raise ModelCannotSee(message) from None
        raise translate_status(
            error, "The chat endpoint", rejected=ModelRejected, unavailable=ModelUnavailable
        ) from None
    except httpx.TransportError as error:  # raised unwrapped from within a stream
        logger.warning("The connection to the chat endpoint broke", extra={"error": type(error).__name__})
        raise ModelUnavailable("The connection to the chat endpoint broke.") from None
    except (APIError, ValueError, httpx.HTTPError):  # ValueError: not JSON, or not text
        raise ModelUnreadable(_NO_PROTOCOL) from None


def _rejects_images(error: APIStatusError) -> bool:
    """Return True if the status or the words of an error say that images are the problem."""
    is_named = error.status_code != _TOO_MANY_REQUESTS and _IMAGE_WORDS.search(str(error.message)) is not None
    return error.status_code in _IMAGE_REJECTIONS or is_named
