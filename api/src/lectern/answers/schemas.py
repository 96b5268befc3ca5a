"""Requests and responses of answers and document statistics."""

import uuid
from typing import Annotated, Literal

from pydantic import AwareDatetime, Field

from lectern.answers.trace import AnswerTrace, StepsChoice, TraceStep
from lectern.documents.chunks import ContentType, DocumentLinks
from lectern.documents.parts.schemas import PageHighlight
from lectern.http.schemas import RequestModel, ResponseModel, not_before
from lectern.search.schemas import (
    MAX_TOP_K,
    Coverage,
    FilterName,
    LanguageFilter,
    MatchRange,
    Names,
    QueryText,
    TagFilter,
    Tags,
)

Mode = Literal["model", "extractive", "count"]
Outcome = Literal["answered", "closest_passages", "nothing_found"]
Reason = Literal[
    "nothing_found",
    "weak_evidence",
    "underspecified",
    "contradicted",
    "ambiguous_document",
    "model_abstained",
    "unsupported",
    "not_calculated",
    "budget_exhausted",
]


class AnswerRequest(RequestModel):
    """A question and where to look for its answer."""

    question: QueryText = Field(description="A question, in any language.")
    top_k: int = Field(
        default=8,
        ge=1,
        le=MAX_TOP_K,
        description="Number of chunks to answer from. The best keyword match is added to them.",
    )
    document: FilterName | None = Field(default=None, description="Id or filename of the only document to search.")
    documents: Names = Field(
        default=[], description="Ids or filenames of documents to search. A comparison searches each of them."
    )
    tags: Tags = Field(default_factory=TagFilter, description="Names of tags. A plain list matches any of them.")
    collections: Names = Field(default=[], description="Ids or names of collections to search.")
    created_after: AwareDatetime | None = Field(default=None, description="Only documents uploaded at or after this.")
    created_before: Annotated[AwareDatetime, not_before("created_after")] | None = Field(
        default=None, description="Only documents uploaded before this."
    )
    language: LanguageFilter | None = Field(default=None, description="Only documents in this language (ISO 639).")
    thread_id: uuid.UUID | None = Field(
        default=None,
        description="A thread of yours that the question continues. Its filters apply where you give none.",
    )
    rewrite: bool = Field(
        default=True, description="Rewrite a follow-up question from its thread. False: ask it as it is."
    )
    steps: StepsChoice = Field(
        default="auto",
        description="`auto`: several steps for calculations and comparisons, with a chat endpoint; `never`; `always`.",
    )
    stream: bool = Field(default=False, description="Answer with server-sent events.")
    save: bool = Field(
        default=True, description="Save the question and answer in your history, in a new thread without `thread_id`."
    )

    @property
    def all_documents(self) -> list[str]:
        """The documents of both fields."""
        return list(dict.fromkeys([*([self.document] if self.document else []), *self.documents]))


class Source(ResponseModel):
    """A chunk retrieved for the question."""

    chunk_id: uuid.UUID
    document_id: uuid.UUID
    document: str = Field(description="The document's filename.")
    title: str | None
    page_number: int
    last_page_number: int
    section_heading: str | None
    content_type: ContentType
    snippet: str
    score: float


class ClosestSource(Source):
    """A chunk that comes close to an answer, with its best sentence. Both are null if no sentence can be quoted."""

    sentence: MatchRange | None = Field(default=None, description="Offsets of the best sentence in the snippet.")
    char_start: int | None = Field(default=None, description="Offset of that sentence in the document's text.")
    char_end: int | None = None


class CitedTable(ResponseModel):
    """The header and the row of a table that are cited, cell by cell."""

    header: list[str]
    rows: list[list[str]]


class Citation(ResponseModel):
    """The part of a document that supports a sentence."""

    number: int = Field(description="From 1, in the order of the answer. Sentences refer to it.")
    chunk_id: uuid.UUID | None = Field(description="Null for a count, which covers the full text.")
    document_id: uuid.UUID
    document: str = Field(description="The document's filename.")
    title: str | None
    page_number: int
    last_page_number: int
    section_heading: str | None
    content_type: ContentType
    snippet: str = Field(description="The exact text that supports the sentence.")
    char_start: int = Field(description="Offset of the snippet in the document's text.")
    char_end: int
    highlights: list[PageHighlight]
    table: CitedTable | None = Field(default=None, description="The cells, if the snippet is a row below a header.")
    score: float = Field(description="Search score of the chunk; 0 for a page without a retrieved chunk.")
    links: DocumentLinks
    basis: Literal["text", "image"] = Field(
        default="text",
        description="`text`: the snippet was checked against the sentence. `image`: the chat endpoint read it from the "
        "image of the page, which cannot be checked; the snippet is empty and the rectangle is the whole page.",
    )


class AnswerSentence(ResponseModel):
    """A sentence of the answer and the citations that support it."""

    text: str
    citations: list[int] = Field(description="Numbers of citations.")


class Answer(ResponseModel):
    """An answer with citations, or the closest chunks."""

    id: uuid.UUID | None = Field(description="Id in your history; null if it was not saved.")
    thread_id: uuid.UUID | None = Field(default=None, description="Continue with it; null if it was not saved.")
    question: str
    rewritten_question: str | None = Field(
        default=None, description="What was asked instead of a follow-up question; null if it stands alone."
    )
    answer: str = Field(description="Empty if there is no answer.")
    outcome: Outcome = Field(
        description="`answered`; `closest_passages`: no certain answer, `nearest` may hold it; `nothing_found`: no "
        "chunks in scope, or none that seems to be about the question."
    )
    answer_found: bool = Field(description="True if the outcome is `answered`.")
    sentences: list[AnswerSentence]
    citations: list[Citation]
    retrieved_count: int = Field(description="Number of chunks retrieved for the question.")
    document_filter: list[str] = Field(description="Filenames of the documents that the request names.")
    nearest: list[ClosestSource] = Field(description="Without an answer: the closest chunks, at most three.")


class Usage(ResponseModel):
    """Use of the chat endpoint."""

    requests: int
    prompt_tokens: int
    completion_tokens: int
    images: int = Field(description="Number of page images sent.")
    image_bytes: int = Field(default=0, description="Total size of these images.")


def add_usage(*parts: Usage | None) -> Usage | None:
    """Return the use of several requests together; None if there was none."""
    used = [part for part in parts if part is not None]
    names = Usage.model_fields
    return Usage(**{name: sum(getattr(part, name) for part in used) for name in names}) if used else None


class SentPage(ResponseModel):
    """A page sent as an image."""

    document_id: uuid.UUID
    document: str = Field(description="The document's filename.")
    page_number: int


class SkippedPage(SentPage):
    """A page that was not sent as an image."""

    code: str = Field(
        description="`too_many_bytes`, `contains_instructions` (its text addresses a language model), or the code of "
        "the rendering error."
    )


class VisionProblem(ResponseModel):
    """The error of a request with page images."""

    code: str
    detail: str
    hint: str | None


VisionStatus = Literal["answered", "abstained", "refused", "failed", "no_pages"]


class Vision(ResponseModel):
    """The second request, with page images, made if the text gave no answer. Tokens and time are of this request."""

    status: VisionStatus = Field(
        description="`answered`; `abstained`: no answer in the images; `refused`: the endpoint takes no images; "
        "`failed`: the request failed; `no_pages`: there was no page to send."
    )
    pages: list[SentPage]
    skipped_pages: list[SkippedPage]
    prompt_tokens: int
    completion_tokens: int
    took_ms: float
    problem: VisionProblem | None


class AnsweringTook(ResponseModel):
    """Times in milliseconds."""

    retrieval: float
    answering: float
    total: float


class AnswerMetadata(ResponseModel):
    """Details about how the answer was made."""

    mode: Mode = Field(
        description="`model`: written by the chat endpoint and checked against the chunks; `extractive`: sentences "
        "from the documents; `count`: counted over the full text."
    )
    model: str | None
    reason: Reason | None = Field(
        description="Reason for having no answer. `nothing_found`: there are no chunks to answer from. "
        "`ambiguous_document`: several documents answer it, each differently. "
        "`not_calculated`: see `trace.calculation.refusal`. `budget_exhausted`: see `trace.stopped_by`."
    )
    confidence: float | None = Field(
        description="Probability that the documents answer, 0..1: by the search, and for `extractive` by the best "
        "sentence too."
    )
    evidence: float | None = Field(description="Probability that the best sentences answer, 0..1; null for `count`.")
    dropped_sentences: int = Field(description="Sentences of the model without support in any chunk.")
    dropped_labels: int = Field(description="Sources that the model cited and was not given.")
    is_vision_used: bool = Field(description="True if the chat endpoint read page images.")
    vision: Vision | None = Field(
        default=None, description="Null if the text gave an answer, or the endpoint does not read images."
    )
    structured_output: Literal["json_schema", "json_object"] | None = Field(
        description="Output format requested from the endpoint; null without one."
    )
    usage: Usage | None
    coverage: Coverage
    trace: AnswerTrace | None = Field(
        default=None, description="How the answer was made. Null for answers that were saved before."
    )
    took_ms: AnsweringTook


class AnswerResponse(ResponseModel):
    """An answer, its details, and what to do next."""

    data: Answer
    metadata: AnswerMetadata
    message: str


class RetrievalEvent(ResponseModel):
    """Event `retrieval`: the chunks to answer from."""

    rewritten_question: str | None = Field(description="As in the answer.")
    retrieved_count: int
    sources: list[Source]
    document_filter: list[str]
    coverage: Coverage


class TokenEvent(ResponseModel):
    """Event `token`: the next verified sentence."""

    text: str
    citations: list[int]


AnswerEvent = RetrievalEvent | TraceStep | TokenEvent | Citation | AnswerResponse
"""Events of a stream: `retrieval`, each `step`, each `citation` before the `token` that names it, then `end`."""


class PageCount(ResponseModel):
    """Number of occurrences of the term on a page."""

    page_number: int
    count: int


class FormCount(ResponseModel):
    """Number of occurrences of a word."""

    word: str
    count: int


class DocumentStats(ResponseModel):
    """Counts over the full text of a document."""

    document_id: uuid.UUID
    document: str = Field(description="The document's filename.")
    page_count: int
    word_count: int
    character_count: int
    term: str | None
    term_count: int | None = Field(description="Whole words; case, accents and line breaks are ignored.")
    term_pages: list[PageCount] | None
    other_forms: list[FormCount] = Field(
        description="For a term of one word: words of the text that differ in the ending, such as its plural."
    )
