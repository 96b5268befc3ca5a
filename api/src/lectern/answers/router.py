"""`POST /answers`."""

from collections.abc import AsyncGenerator
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, Request
from fastapi.responses import StreamingResponse

from lectern.accounts.dependencies import CurrentPrincipal
from lectern.answers.schemas import AnswerEvent, AnswerRequest, AnswerResponse
from lectern.answers.service import AnswerService
from lectern.answers.sse import written, written_problem
from lectern.errors import LecternError
from lectern.http.problems import problem_members

router = APIRouter(tags=["answers"])

_STREAM_HEADERS: Final = {"Cache-Control": "no-cache, no-transform", "X-Accel-Buffering": "no"}
_RESPONSES: Final[dict[int | str, dict[str, Any]]] = {
    200: {
        "content": {"text/event-stream": {}},
        "description": "The answer; with `stream`, events `retrieval`, `citation`, `token`, `end`, or `problem`.",
    }
}


async def get_answer_service(request: Request) -> AnswerService:
    """What answers questions in this application."""
    return request.app.state.answer_service


CurrentAnswerService = Annotated[AnswerService, Depends(get_answer_service)]


@router.post("/answers", response_model=AnswerResponse, responses=_RESPONSES)
async def create_answer(
    body: AnswerRequest, principal: CurrentPrincipal, service: CurrentAnswerService, request: Request
) -> AnswerResponse | StreamingResponse:
    """Answer a question from the documents in your scope, with citations, or say that they do not answer it.

    Questions that ask for a count (how many pages, how often something is mentioned) are answered by counting over the
    full text. With `stream`: event `retrieval`, then each `citation` before the `token` (a sentence that is known to be
    supported) that names it, then `end` with the whole of the response; `problem` when it fails on the way.
    """
    if not body.stream:
        return await service.ask(body, principal.scope)
    events = service.events(body, principal.scope)
    first = await anext(events)  # what is wrong with the request is said before the stream begins
    stream = _stream(first, events, instance=request.url.path)
    return StreamingResponse(stream, media_type="text/event-stream", headers=_STREAM_HEADERS)


async def _stream(first: AnswerEvent, events: AsyncGenerator[AnswerEvent], *, instance: str) -> AsyncGenerator[str]:
    yield written(first)
    try:
        async for event in events:
            yield written(event)
    except LecternError as error:
        yield written_problem(problem_members(error, instance=instance))
