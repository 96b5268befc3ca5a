"""Request and response of `POST /search/why`."""

import uuid
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from lectern.http.schemas import ResponseModel
from lectern.search.schemas import FilterName, SearchRequest

Stage = Literal[
    "found",
    "scope",
    "not_ingested",
    "unreadable_page",
    "not_in_document",
    "split_across_chunks",
    "token_budget",
    "fusion",
    "top_k",
    "language",
    "keyword_rank",
    "semantic_rank",
]


class WhyRequest(SearchRequest):
    """A search as it was made, and what was expected of it."""

    document: FilterName = Field(description="Id or filename of the document that was expected.")
    page_number: int | None = Field(default=None, ge=1, le=1_000_000, description="The page that was expected.")
    quote: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=2_000)] | None = Field(
        default=None, description="Words that the expected passage holds."
    )
    token_budget: int | None = Field(default=None, ge=1, description="How many tokens of hits the reader takes.")


class SuggestedChange(ResponseModel):
    """The smallest change that would bring the passage up; `field` is one of the request's, `value` its new value."""

    text: str
    field: str | None = None
    value: bool | int | str | list[str] | None = None


class WhyResponse(ResponseModel):
    """The stage that lost the passage. Ranks are those of the expected passage that came nearest."""

    stage: Stage
    reason: str
    change: SuggestedChange | None = Field(description="Null where nothing is to be changed.")
    document_id: uuid.UUID
    chunk_id: uuid.UUID | None = None
    page_number: int | None = None
    fused_rank: int | None = Field(default=None, description="Null: not among the candidates of either arm.")
    semantic_rank: int | None = None
    keyword_rank: int | None = None
