"""Answers as server-sent events."""

import json
from typing import Any, Final

from lectern.answers.schemas import AnswerEvent, AnswerResponse, Citation, RetrievalEvent, TokenEvent

_NAMES: Final[dict[type[Any], str]] = {
    RetrievalEvent: "retrieval",
    TokenEvent: "token",
    Citation: "citation",
    AnswerResponse: "end",
}


def written(event: AnswerEvent) -> str:
    """One event as it goes over the wire."""
    return f"event: {_NAMES[type(event)]}\ndata: {event.model_dump_json()}\n\n"


def written_problem(members: dict[str, Any]) -> str:
    """The event that says what went wrong, and is the last one."""
    return f"event: problem\ndata: {json.dumps(members, default=str)}\n\n"
