"""A language model behind the OpenAI chat protocol: any server that speaks it."""

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
from lectern.errors import LecternError
from lectern.settings import AnswersSettings

logger = logging.getLogger(__name__)

_MAX_RETRIES: Final = 1
_TOO_MANY_REQUESTS: Final = 429
_SERVER_ERROR: Final = 500
_REFUSALS: Final = {400, 413, 415, 422, 501}
_SIGHT: Final = re.compile(r"image|vision|multimodal|mmproj", re.IGNORECASE)
_CODE: Final = re.compile(r"\w{1,64}")
_MOST_CHARACTERS_A_TOKEN: Final = 40  # a token of blanks or dashes may be long; one of words is not
_NO_PROTOCOL: Final = "The chat endpoint does not speak the OpenAI protocol."
_TOO_LONG: Final = "The chat endpoint's answer was longer than its limit of tokens."


class ChatEndpoint:
    """Temperature 0, an answer held to a JSON schema, streamed."""

    def __init__(self, settings: AnswersSettings) -> None:
        """Make the client; nothing is sent yet. Raises ModelMisconfigured."""
        if not settings.base_url or not settings.model:
            raise ModelMisconfigured
        self.model = settings.model
        self._max_tokens = settings.max_answer_tokens
        self._timeout_seconds = settings.timeout_seconds
        self._knows_schema: bool | None = None  # not asked yet
        self._client = AsyncOpenAI(
            api_key=settings.api_key.get_secret_value() if settings.api_key else "none",
            base_url=settings.base_url,
            timeout=settings.timeout_seconds,
            max_retries=_MAX_RETRIES,
        )

    async def stream(self, prompt: Prompt, exchange: Exchange) -> AsyncGenerator[str]:
        """As `Chat.stream`.

        An endpoint that refuses a JSON schema is asked for any JSON object instead; that is logged, and noted in
        `exchange`.
        """
        with _translated(has_pictures=bool(prompt.pictures)):
            async with asyncio.timeout(self._timeout_seconds):
                chunks = await self._open(prompt, exchange)
                left = self._max_tokens * _MOST_CHARACTERS_A_TOKEN
                async with chunks:
                    async for chunk in chunks:
                        for piece in _read(chunk, exchange):
                            left -= len(piece)
                            if left < 0:  # it does not keep to what it may answer, and may never end
                                raise ModelUnreadable(_TOO_LONG)
                            yield piece
        if exchange.is_cut:
            raise ModelUnreadable(_TOO_LONG)

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    async def _open(self, prompt: Prompt, exchange: Exchange) -> AsyncStream[ChatCompletionChunk]:
        if self._knows_schema is not False:
            exchange.structured = "json_schema"
            schema = {"name": "answer", "strict": True, "schema": prompt.schema}
            try:
                chunks = await self._request(prompt, exchange, {"type": "json_schema", "json_schema": schema})
            except (BadRequestError, UnprocessableEntityError) as error:
                if self._knows_schema:
                    raise
                logger.warning(
                    "The chat endpoint refuses a JSON schema: asking for any JSON object",
                    extra={"status": error.status_code},
                )
            else:
                self._knows_schema = True
                return chunks
        exchange.structured = "json_object"
        chunks = await self._request(prompt, exchange, {"type": "json_object"})
        self._knows_schema = False  # only now: a request that is refused for another reason says nothing about schemas
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
    """The texts of a chunk, which the client has not checked: some servers leave out, or put null, what they don't say.

    Raises ModelUnreadable.
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
def _translated(*, has_pictures: bool) -> Generator[None]:
    """The client's errors quote what the server said, which may quote the key: they go no further than here."""
    try:
        yield
    except (APITimeoutError, TimeoutError):
        raise ModelTimeout from None
    except APIConnectionError as error:
        reason = type(error.__cause__ or error).__name__
        raise ModelUnavailable(f"The chat endpoint cannot be reached: {reason}.") from None
    except APIStatusError as error:
        raise _blindness(error) if has_pictures and _is_blind(error) else _refusal(error) from None
    except httpx.TransportError as error:  # from within a stream they come as they are
        raise ModelUnavailable(f"The chat endpoint broke off: {type(error).__name__}.") from None
    except (APIError, ValueError, httpx.HTTPError):  # ValueError: no JSON, no text
        raise ModelUnreadable(_NO_PROTOCOL) from None


def _is_blind(error: APIStatusError) -> bool:
    """Whether pictures are what it refuses: by the status, or, where that says nothing, by its words."""
    says_so = error.status_code != _TOO_MANY_REQUESTS and _SIGHT.search(str(error.message)) is not None
    return error.status_code in _REFUSALS or says_so


def _blindness(error: APIStatusError) -> LecternError:
    return ModelCannotSee(f"The chat endpoint refuses pictures of pages: it answered {error.status_code}.")


def _refusal(error: APIStatusError) -> LecternError:
    code = error.code if error.code and _CODE.fullmatch(error.code) else None
    message = f"The chat endpoint answered {error.status_code}{f' ({code})' if code else ''}."
    is_passing = error.status_code == _TOO_MANY_REQUESTS or error.status_code >= _SERVER_ERROR
    if code == "insufficient_quota" or not is_passing:
        return ModelRejected(message)
    pause = error.response.headers.get("retry-after", "")
    return ModelUnavailable(message, details={"retry_after_seconds": int(pause)} if pause.isdigit() else None)
