"""`POST /answers` and `GET /documents/{id}/stats`."""

import json
import uuid
from collections.abc import AsyncGenerator, Mapping
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import StreamingResponse

from lectern.accounts.audit.reads import RecordedRead
from lectern.accounts.dependencies import CurrentMetrics, CurrentPrincipal, SnapshotSession, from_app
from lectern.answers.schemas import (
    AnswerEvent,
    AnswerRequest,
    AnswerResponse,
    Citation,
    DocumentStats,
    RetrievalEvent,
    TokenEvent,
)
from lectern.answers.service import AnswerService
from lectern.answers.statistics import get_stats
from lectern.answers.trace import TraceStep
from lectern.documents.chunks import API_PREFIX
from lectern.errors import LecternError
from lectern.http.metrics import Metrics
from lectern.http.problems import problem_members
from lectern.http.streams import STREAM_HEADERS

router = APIRouter(prefix=API_PREFIX, tags=["answers"])

_RESPONSES: Final[dict[int | str, dict[str, Any]]] = {
    200: {
        "content": {"text/event-stream": {}},
        "description": "The answer; with `stream`, events `retrieval`, `step`, `citation`, `token`, `end`, or "
        "`problem`.",
    }
}
_EVENT_NAMES: Final[Mapping[type[Any], str]] = {
    RetrievalEvent: "retrieval",
    TraceStep: "step",
    TokenEvent: "token",
    Citation: "citation",
    AnswerResponse: "end",
}


CurrentAnswerService = Annotated[AnswerService, from_app("answer_service")]


@router.post(
    "/answers",
    response_model=AnswerResponse,
    responses=_RESPONSES,
    dependencies=[Depends(RecordedRead("answer.ask", field="question"))],
)
async def create_answer(
    body: AnswerRequest,
    principal: CurrentPrincipal,
    service: CurrentAnswerService,
    request: Request,
    metrics: CurrentMetrics,
) -> AnswerResponse | StreamingResponse:
    """Answer a question from the documents in your scope, with citations, or return the closest passages.

    Questions for a count (how many pages, how often a term appears) are answered from the full text.

    Calculations and comparisons are answered in several steps; `metadata.trace` lists them.

    With `stream`, events arrive in this order: `retrieval`, each `step`, each `citation` before the `token` that
    names it, then `end` with the whole response. A `token` is a sentence that passed verification. An error ends the
    stream with `problem`.
    """
    if not body.stream:
        response = await service.ask(body, principal.scope)
        _observe(metrics, response)
        return response
    events = service.events(body, principal.scope)
    first = await anext(events)  # an invalid request must fail before the stream begins
    stream = _stream(first, events, instance=request.url.path, metrics=metrics)
    return StreamingResponse(stream, media_type="text/event-stream", headers=STREAM_HEADERS)


async def _stream(
    first: AnswerEvent, events: AsyncGenerator[AnswerEvent], *, instance: str, metrics: Metrics
) -> AsyncGenerator[str]:
    yield _encode(first)
    try:
        async for event in events:
            if isinstance(event, AnswerResponse):
                _observe(metrics, event)
            yield _encode(event)
    except LecternError as error:
        yield f"event: problem\ndata: {json.dumps(problem_members(error, instance=instance), default=str)}\n\n"


def _observe(metrics: Metrics, response: AnswerResponse) -> None:
    made = response.metadata
    metrics.observe_answer(seconds=made.took_ms.total / 1000, outcome=response.data.outcome, confidence=made.confidence)


def _encode(event: AnswerEvent) -> str:
    return f"event: {_EVENT_NAMES[type(event)]}\ndata: {event.model_dump_json()}\n\n"


@router.get("/documents/{document_id}/stats")
async def get_document_stats(
    document_id: uuid.UUID,
    _: CurrentPrincipal,
    session: SnapshotSession,
    term: Annotated[
        str | None, Query(pattern=r"\S", max_length=200, description="Also count this term, as whole words.")
    ] = None,
) -> DocumentStats:
    """Count over the full text: pages, words, and how often a term appears on which pages."""
    return await get_stats(session, document_id, term=term)
