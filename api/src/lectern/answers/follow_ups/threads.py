"""Questions in their thread: what was asked before, and the filters that stay."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from lectern.answers.schemas import AnswerRequest, Usage

SCOPE_FIELDS: Final = frozenset({"documents", "tags", "collections", "created_after", "created_before", "language"})
"""Filters that a thread remembers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """An earlier question, as one that stands alone, with its answer and the documents that it rests on."""

    question: str
    answer: str = ""
    document_ids: frozenset[uuid.UUID] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Thread:
    """The conversation before a question: the last turns, oldest first, and the filters of the last one."""

    turns: tuple[Turn, ...] = ()
    id: uuid.UUID | None = None
    scope: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def apply_scope(self, request: AnswerRequest) -> AnswerRequest:
        """Return a request with the thread's filters for those that it does not give."""
        given = set(request.model_fields_set)
        if "document" in given:
            given.add("documents")
        remembered = {name: value for name, value in self.scope.items() if name in SCOPE_FIELDS - given}
        return (
            AnswerRequest.model_validate({**request.model_dump(exclude_unset=True), **remembered})
            if remembered
            else request
        )


NO_THREAD: Final = Thread()


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedQuestion:
    """A question as it is answered. `request` has the filters, and the rewritten question if there is one.

    `carried_ids` are documents of earlier answers that the rewritten question may quote.
    """

    original: str
    request: AnswerRequest
    thread: Thread = NO_THREAD
    carried_ids: frozenset[uuid.UUID] = frozenset()
    usage: Usage | None = None

    @property
    def rewritten_question(self) -> str | None:
        """The question that is answered, if it is another one."""
        return self.request.question if self.request.question != self.original else None

    @property
    def scope(self) -> dict[str, Any]:
        """The filters, for the thread to remember."""
        filters = self.request.model_dump(mode="json", include=set(SCOPE_FIELDS), exclude_defaults=True)
        documents = self.request.all_documents
        return {**filters, **({"documents": documents} if documents else {})}
