"""`/v1`: OpenAI's Chat Completions API over the answers. Errors have OpenAI's form (`http/problems.py`)."""

import json
import time
import uuid
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

from fastapi import APIRouter, Depends, Request
from fastapi.responses import StreamingResponse

from lectern.accounts.audit.reads import RecordedRead
from lectern.accounts.dependencies import CurrentPrincipal, CurrentSettings, ScopedSession
from lectern.answers.chat_api.content import ChatContent
from lectern.answers.chat_api.models import build_request, get_model, list_models
from lectern.answers.chat_api.schemas import (
    AnswerFacts,
    AssistantMessage,
    ChatCompletion,
    ChatCompletionRequest,
    ChatMessage,
    ChatModel,
    ChatModels,
    ChatUsage,
    Choice,
)
from lectern.answers.errors import ChatModelNotFound
from lectern.answers.follow_ups.rewriting import rewrite_by_rule
from lectern.answers.follow_ups.threads import Thread, Turn
from lectern.answers.router import CurrentAnswerService
from lectern.answers.schemas import AnswerEvent, AnswerResponse, TokenEvent
from lectern.errors import LecternError
from lectern.http.addresses import public_address
from lectern.http.problems import OpenAIErrorResponse, openai_error
from lectern.http.references import UnknownReference
from lectern.http.streams import STREAM_HEADERS

router = APIRouter(
    prefix="/v1",
    tags=["chat"],
    responses={"default": {"model": OpenAIErrorResponse, "description": "An error in OpenAI's form."}},
)

_DONE: Final = "data: [DONE]\n\n"
_MAX_QUESTIONS: Final = 5  # before the last one
_MAX_CHARACTERS: Final = 600


def _read_question(body: dict[str, Any]) -> object:
    """Return the last user message of a body that was not validated yet."""
    messages = cast("list[Any]", body["messages"]) if isinstance(body.get("messages"), list) else []
    users = [cast("dict[str, Any]", item) for item in messages if isinstance(item, dict)]
    contents = [item.get("content") for item in users if item.get("role") == "user"]
    return contents[-1] if contents and isinstance(contents[-1], str) else json.dumps(contents[-1:])


@router.get("/models")
async def list_chat_models(principal: CurrentPrincipal, session: ScopedSession) -> ChatModels:
    """List the models you may use: the library, and the first 1,000 collections and 1,000 tags in your scope."""
    return await list_models(session, principal)


@router.get("/models/{name:path}")
async def get_chat_model(name: str, principal: CurrentPrincipal, session: ScopedSession) -> ChatModel:
    """Return one model you may use, also one of a document or beyond the first 1,000."""
    return await get_model(session, principal, name)


@router.post(
    "/chat/completions",
    response_model=ChatCompletion,
    response_model_exclude_none=True,
    responses={200: {"content": {"text/event-stream": {}}, "description": "The answer, or chunks with `stream`."}},
    dependencies=[Depends(RecordedRead("answer.ask", field="question", read=_read_question))],
)
async def create_chat_completion(
    body: ChatCompletionRequest,
    principal: CurrentPrincipal,
    service: CurrentAnswerService,
    settings: CurrentSettings,
    request: Request,
) -> ChatCompletion | StreamingResponse:
    """Answer the last user message as `POST /api/v1/answers` does, in the form of OpenAI's Chat Completions API.

    `model` is the scope. A follow-up question is rewritten from the messages before it, as in a thread. The content has
    footnotes, which are also in `annotations`. The answer is not saved in your history. `lectern` has the outcome.
    """
    asked = build_request(body.model, body.question)
    events = service.events(asked, principal.scope, thread=_read_thread(body.messages))
    try:
        await anext(events)  # An unknown model must fail before the stream begins.
    except UnknownReference as error:
        raise ChatModelNotFound(hint=error.hint) from error
    content = ChatContent(public_address(str(request.base_url), http=settings.http))
    exchange = _Exchange(f"chatcmpl-{uuid.uuid4()}", int(time.time()), body)
    if body.stream:
        return StreamingResponse(
            exchange.stream(events, content), media_type="text/event-stream", headers=STREAM_HEADERS
        )
    async for event in events:
        if isinstance(event, TokenEvent):
            content.add_sentence(event.text, event.citations)
        elif isinstance(event, AnswerResponse):
            content.add_sources(event)
            return exchange.complete(event, content)
    raise LecternError  # The last event is always the response.


def _read_thread(messages: Sequence[ChatMessage]) -> Thread:
    """Return the questions before the last one with their answers. Earlier follow-ups are completed by rule."""
    places = [place for place, message in enumerate(messages) if message.role == "user"][-_MAX_QUESTIONS - 1 :]
    turns: list[Turn] = []
    for place in places[:-1]:
        asked = messages[place].text
        if not 0 < len(asked) <= _MAX_CHARACTERS:
            continue
        following = messages[place + 1]
        answer = following.text[:_MAX_CHARACTERS] if following.role == "assistant" else ""
        turns.append(Turn(question=rewrite_by_rule(asked, turns) if turns else asked, answer=answer))
    return Thread(turns=tuple(turns))


@dataclass(frozen=True, slots=True)
class _Exchange:
    """The members that all parts of a response share."""

    id: str
    created: int
    body: ChatCompletionRequest

    def complete(self, response: AnswerResponse, content: ChatContent) -> ChatCompletion:
        message = AssistantMessage(content=content.text, annotations=content.annotations)
        return ChatCompletion(
            id=self.id,
            created=self.created,
            model=self.body.model,
            choices=[Choice(message=message)],
            usage=_usage(response),
            lectern=_facts(response),
        )

    async def stream(self, events: AsyncGenerator[AnswerEvent], content: ChatContent) -> AsyncGenerator[str]:
        """Yield chunks: the role, each sentence, the sources with annotations, the end, and the usage if asked."""
        yield self._chunk({"role": "assistant", "content": ""})
        try:
            async for event in events:
                if isinstance(event, TokenEvent):
                    yield self._chunk({"content": content.add_sentence(event.text, event.citations)})
                elif isinstance(event, AnswerResponse):
                    sources = content.add_sources(event)
                    annotations = [annotation.model_dump() for annotation in content.annotations]
                    yield self._chunk({"content": sources, "annotations": annotations})
                    yield self._chunk({}, finish_reason="stop", lectern=_facts(event).model_dump())
                    if usage := _usage(event) if self._is_usage_wanted else None:
                        yield self._encode([], usage=usage.model_dump())
        except LecternError as error:
            yield f"data: {json.dumps(openai_error(error))}\n\n"
            return
        yield _DONE

    @property
    def _is_usage_wanted(self) -> bool:
        return bool(self.body.stream_options and self.body.stream_options.include_usage)

    def _chunk(self, delta: dict[str, Any], *, finish_reason: str | None = None, **members: object) -> str:
        return self._encode([{"index": 0, "delta": delta, "finish_reason": finish_reason}], **members)

    def _encode(self, choices: list[dict[str, Any]], **members: object) -> str:
        shared = {"id": self.id, "object": "chat.completion.chunk", "created": self.created, "model": self.body.model}
        return f"data: {json.dumps({**shared, 'choices': choices, **members})}\n\n"


def _usage(response: AnswerResponse) -> ChatUsage | None:
    """Return the counts of the chat endpoint, or None if there are none."""
    usage = response.metadata.usage
    if usage is None or not usage.prompt_tokens:
        return None
    return ChatUsage(
        prompt_tokens=usage.prompt_tokens,
        completion_tokens=usage.completion_tokens,
        total_tokens=usage.prompt_tokens + usage.completion_tokens,
    )


def _facts(response: AnswerResponse) -> AnswerFacts:
    data, metadata = response.data, response.metadata
    return AnswerFacts(
        outcome=data.outcome,
        mode=metadata.mode,
        confidence=metadata.confidence,
        rewritten_question=data.rewritten_question,
    )
