"""Requests and responses of questions."""

import uuid
from typing import Annotated, Literal

from pydantic import AwareDatetime, BeforeValidator, Field, StringConstraints

from lectern.documents.chunks import DocumentLinks
from lectern.documents.parts.schemas import PageHighlight
from lectern.http.schemas import RequestModel, ResponseModel
from lectern.search.schemas import (
    MAX_QUERY_CHARACTERS,
    MAX_TOP_K,
    Coverage,
    FilterName,
    Names,
    TagFilter,
    plain_list_means_any,
)

Mode = Literal["model", "extractive", "count"]
Reason = Literal["nothing_found", "weak_evidence", "contradicted", "model_abstained", "unsupported"]


class AnswerRequest(RequestModel):
    """A question and where to look for its answer."""

    question: Annotated[
        str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_QUERY_CHARACTERS)
    ] = Field(description="A question, in any language.")
    top_k: int = Field(
        default=8,
        ge=1,
        le=MAX_TOP_K,
        description="Passages to answer from; the one that fits best by keyword comes in addition.",
    )
    document: FilterName | None = Field(default=None, description="Id or filename of the one document to stay within.")
    documents: Names = Field(
        default=[], description="Ids or filenames of documents to stay within; a comparison looks into each of them."
    )
    tags: Annotated[TagFilter, BeforeValidator(plain_list_means_any)] = Field(
        default_factory=TagFilter, description="Names of tags; a plain list means any of them."
    )
    collections: Names = Field(default=[], description="Ids or names of collections to stay within.")
    created_after: AwareDatetime | None = Field(default=None, description="Documents uploaded at or after this.")
    created_before: AwareDatetime | None = Field(default=None, description="Documents uploaded before this.")
    language: Annotated[str, StringConstraints(to_lower=True, pattern="^[A-Za-z]{2,3}$")] | None = Field(
        default=None, description="Documents in this language only (ISO 639)."
    )
    stream: bool = Field(default=False, description="Answer with server-sent events.")
    save: bool = Field(default=True, description="Save the question and answer in your history.")

    @property
    def all_documents(self) -> list[str]:
        """The documents named, in either way."""
        return list(dict.fromkeys([*([self.document] if self.document else []), *self.documents]))


class Source(ResponseModel):
    """A passage that was found for the question."""

    chunk_id: uuid.UUID
    document_id: uuid.UUID
    document: str = Field(description="The document's filename.")
    title: str | None
    page_number: int
    last_page_number: int
    section_heading: str | None
    content_type: Literal["text", "table", "list", "heading"]
    snippet: str
    score: float


class Citation(ResponseModel):
    """The place in a document that says what the answer says."""

    number: int = Field(description="From 1, in the order of the answer; sentences name it.")
    chunk_id: uuid.UUID | None = Field(description="Null for a count, which is over the whole text.")
    document_id: uuid.UUID
    document: str = Field(description="The document's filename.")
    title: str | None
    page_number: int
    last_page_number: int
    section_heading: str | None
    content_type: Literal["text", "table", "list", "heading"]
    snippet: str = Field(description="The document's own words that support the sentence.")
    char_start: int = Field(description="Where they stand in the document's text stream.")
    char_end: int
    highlights: list[PageHighlight]
    score: float = Field(description="Of the passage, as search scores it; 0 for a page on which none was found.")
    links: DocumentLinks
    basis: Literal["text", "picture"] = Field(
        default="text",
        description="`text`: the snippet was held against the sentence. `picture`: the chat endpoint read it off the "
        "picture of the page, which nothing here can check; the snippet is empty, the rectangle the whole page.",
    )


class AnswerSentence(ResponseModel):
    """A sentence of the answer and the citations that support it."""

    text: str
    citations: list[int] = Field(description="Numbers of citations.")


class Answer(ResponseModel):
    """The answer, or that the documents do not give one."""

    id: uuid.UUID | None = Field(description="In your history; null where it is not kept.")
    question: str
    answer: str = Field(description="Empty when nothing was found.")
    answer_found: bool
    sentences: list[AnswerSentence]
    citations: list[Citation]
    retrieved_count: int = Field(description="Passages that the answer was looked for in.")
    document_filter: list[str] = Field(description="Filenames of the documents named in the request.")
    nearest: list[Source] = Field(description="Without an answer: the passages that come nearest, at most three.")


class Usage(ResponseModel):
    """What the chat endpoint was asked for."""

    requests: int
    prompt_tokens: int
    completion_tokens: int
    images: int = Field(description="Pages that were sent as pictures.")
    image_bytes: int = Field(default=0, description="Size of these pictures.")


class SentPage(ResponseModel):
    """A page that was sent as a picture."""

    document_id: uuid.UUID
    document: str = Field(description="The document's filename.")
    page_number: int


class SkippedPage(SentPage):
    """A page that would have been sent as a picture, and was not."""

    code: str = Field(
        description="`too_many_bytes`, `contains_instructions` (its text addresses a language model), or the code of "
        "the rendering error."
    )


class VisionProblem(ResponseModel):
    """Why the chat endpoint gave no answer to the pictures."""

    code: str
    detail: str
    hint: str | None


VisionStatus = Literal["answered", "abstained", "refused", "failed", "no_pages"]


class Vision(ResponseModel):
    """The second try, with pages as pictures, after the text gave no answer; tokens and time are those of this try."""

    status: VisionStatus = Field(
        description="`answered`; `abstained`: looked at, and no answer; `refused`: the endpoint takes no pictures; "
        "`failed`: it gave no answer to them; `no_pages`: there was no page to show."
    )
    pages: list[SentPage]
    skipped_pages: list[SkippedPage]
    prompt_tokens: int
    completion_tokens: int
    took_ms: float
    problem: VisionProblem | None


class AnsweringTook(ResponseModel):
    """Milliseconds."""

    retrieval: float
    answering: float
    total: float


class AnswerMetadata(ResponseModel):
    """How the answer came about."""

    mode: Mode = Field(
        description="`model`: written by the chat endpoint and held against the passages; `extractive`: sentences of "
        "the documents; `count`: counted over the full text."
    )
    model: str | None
    reason: Reason | None = Field(description="Why there is no answer.")
    confidence: float | None = Field(description="Of the search, 0..1.")
    evidence: float | None = Field(description="Probability that the best sentences answer, 0..1; null for `count`.")
    dropped_sentences: int = Field(description="Of the model's, because no passage supports them.")
    dropped_labels: int = Field(description="Sources that the model named and was not given.")
    is_vision_used: bool = Field(description="Whether the chat endpoint answered to pictures of pages.")
    vision: Vision | None = Field(
        default=None, description="Null where the text gave an answer, or the endpoint is not set to see."
    )
    structured_output: Literal["json_schema", "json_object"] | None = Field(
        description="How the endpoint was held to the format; null without one."
    )
    usage: Usage | None
    coverage: Coverage
    took_ms: AnsweringTook


class AnswerResponse(ResponseModel):
    """The answer, how it came about, and what to do next."""

    data: Answer
    metadata: AnswerMetadata
    message: str


class RetrievalEvent(ResponseModel):
    """Event `retrieval`: what was found, before anything is answered."""

    retrieved_count: int
    sources: list[Source]
    document_filter: list[str]
    coverage: Coverage


class TokenEvent(ResponseModel):
    """Event `token`: the next sentence, once it is known to be supported."""

    text: str
    citations: list[int]


AnswerEvent = RetrievalEvent | TokenEvent | Citation | AnswerResponse
"""What a stream says: `retrieval`, then `citation` before the `token` that names it, then `end`; or `problem`."""
