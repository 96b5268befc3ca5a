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

ReasonCode = Literal[
    "found",
    "filtered_out",
    "not_read",
    "still_processing",
    "no_text",
    "no_such_page",
    "page_without_text",
    "page_of_contents",
    "page_without_passages",
    "quote_is_split",
    "quote_may_be_unreadable",
    "quote_is_absent",
    "beyond_budget",
    "below_top_k",
    "voted_down_by_keyword",
    "voted_down_by_meaning",
    "in_another_language",
    "holds_no_word",
    "too_low_by_keyword",
    "too_far_by_meaning",
    "beyond_ranks_by_meaning",
]
ChangeCode = Literal[
    "drop_filters",
    "mend_file",
    "wait",
    "upload_text",
    "give_other_page",
    "recognise_page",
    "ask_for_target",
    "halve_quote",
    "recognise_pages",
    "copy_words",
    "take_more_tokens",
    "ask_for_more",
    "search_by_meaning",
    "search_by_keyword_too",
    "use_fewer_words",
    "use_its_words",
    "use_other_words",
    "ask_in_its_language",
]
Values = Annotated[dict[str, int | float | str | list[str]], Field(description="Values in the sentence, by name.")]


class WhyRequest(SearchRequest):
    """A search, and the passage that was expected from it."""

    document: FilterName = Field(description="Id or filename of the expected document.")
    page_number: int | None = Field(default=None, ge=1, le=1_000_000, description="The expected page.")
    quote: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=2_000)] | None = Field(
        default=None, description="Words of the expected passage."
    )
    token_budget: int | None = Field(default=None, ge=1, description="Token budget of the reader.")


class SuggestedChange(ResponseModel):
    """The smallest change that would find the passage. `field` names a field of the request."""

    code: ChangeCode = Field(description="Code of the sentence, for translation.")
    values: Values = Field(default_factory=dict[str, int | float | str | list[str]])
    text: str
    field: str | None = None
    value: bool | int | str | list[str] | None = None


class Verdict(ResponseModel):
    """The stage that lost the passage, the reason, and the suggested change."""

    stage: Stage
    code: ReasonCode = Field(description="Code of the reason, for translation.")
    values: Values = Field(default_factory=dict[str, int | float | str | list[str]])
    reason: str
    change: SuggestedChange | None = Field(description="Null if no change is needed.")


class WhyResponse(Verdict):
    """The stage that lost the passage, with the ranks of the best expected passage."""

    document_id: uuid.UUID
    chunk_id: uuid.UUID | None = None
    page_number: int | None = None
    fused_rank: int | None = Field(default=None, description="Null: not among the candidates.")
    semantic_rank: int | None = None
    keyword_rank: int | None = None
