"""Trace of an answer: its steps, the cited cells and the calculation."""

import uuid
from typing import Literal, TypeAlias

from pydantic import Field

from lectern.documents.chunks import DocumentLinks
from lectern.documents.parts.schemas import PageHighlight
from lectern.http.schemas import ResponseModel

StepsChoice: TypeAlias = Literal["auto", "never", "always"]
Route: TypeAlias = Literal["single_step", "multi_step"]
RouteReason: TypeAlias = Literal[
    "simple_question",
    "calculation",
    "comparison",
    "requested",
    "count",
    "no_chat_endpoint",
    "nothing_found",
    "unusable_plan",
]
BudgetName: TypeAlias = Literal["searches", "tokens", "seconds"]
RefusalCode: TypeAlias = Literal[
    "unreadable_expression",
    "number_not_allowed",
    "missing_cell",
    "ambiguous_cell",
    "currency_mismatch",
    "percent_with_absolute",
    "unit_mismatch",
    "period_mismatch",
    "period_order",
    "division_by_zero",
]
"""Why nothing was calculated."""

RejectionCode: TypeAlias = Literal[
    "unknown_search",
    "unknown_source",
    "quote_not_found",
    "instruction",
    "no_figure",
    "figure_not_in_quote",
    "other_period",
    "unclear_scale",
]
"""Why a cell of the model was not used."""
StepKind: TypeAlias = Literal["plan", "search", "cells", "calculation", "draft"]


class TraceStep(ResponseModel):
    """Event `step`: a finished step of an answer."""

    kind: StepKind = Field(
        description="`plan`: searches and an expression; `search`; `cells`: the model picks figures and Lectern checks "
        "them; `calculation`; `draft`: the model writes and each sentence is verified."
    )
    input: str = Field(description="The question, query or expression.")
    output: str = Field(description="The result in short.")
    hits: int | None = Field(default=None, description="Chunks of a search.")
    seconds: float
    model_seconds: float = Field(default=0.0, description="The part of `seconds` that was spent on the chat endpoint.")
    tokens: int = Field(default=0, description="Tokens of prompt and completion.")
    problem: str | None = Field(default=None, description="Reason why the step gave no result.")


class EvidenceCell(ResponseModel):
    """A figure that is in the quoted place of a document."""

    id: str = Field(description="Named by the calculation.")
    search: str = Field(description="The search that it answers, such as `q1`.")
    label: str
    value: str = Field(description="As written in the document.")
    number: str = Field(description="The number in full, as a decimal: 41.2 million is 41200000.")
    unit: str = Field(description="Such as EUR, % or day. Empty if unknown.")
    scale: str = Field(description="Such as thousand or million. Empty without one.")
    period: str = Field(description="Such as 2024. Empty if unknown.")
    chunk_id: uuid.UUID
    document_id: uuid.UUID
    document: str = Field(description="The document's filename.")
    page_number: int
    quote: str = Field(description="The sentence or row that has the figure.")
    char_start: int
    char_end: int
    highlights: list[PageHighlight]
    links: DocumentLinks


class RejectedCell(ResponseModel):
    """A figure of the model that is not used."""

    search: str
    code: RejectionCode
    detail: str
    document_id: uuid.UUID | None
    document: str | None


class CalculationLine(ResponseModel):
    """An operation and its result."""

    expression: str
    result: str


class Refusal(ResponseModel):
    """Reason why nothing was calculated."""

    code: RefusalCode
    detail: str


class Calculation(ResponseModel):
    """A calculation over cells. `value` and `display` are null if it was refused."""

    expression: str = Field(description="With ids of searches.")
    lines: list[CalculationLine] = Field(description="Operations in order, with ids of cells and amounts.")
    value: str | None = Field(description="The unrounded decimal number.")
    unit: str | None
    display: str | None = Field(description="The rounded number with scale and unit.")
    cells: list[str] = Field(description="Ids of the cells that it uses.")
    refusal: Refusal | None


class AnswerTrace(ResponseModel):
    """The steps that made the answer."""

    route: Route = Field(description="`single_step` or `multi_step`.")
    route_reason: RouteReason = Field(
        description="`simple_question`, `calculation` and `comparison` come from the question, `requested` "
        "from `steps`. `unusable_plan`: the model's plan was refused twice."
    )
    steps: list[TraceStep] = Field(default=[])
    evidence: list[EvidenceCell] = Field(default=[])
    rejected: list[RejectedCell] = Field(default=[])
    calculation: Calculation | None = None
    stopped_by: BudgetName | None = Field(default=None, description="The limit that ended the answer.")
