"""Requests and responses of `/evaluations`."""

from typing import Annotated, Final, Self

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from lectern.evaluation.results import Measure
from lectern.http.schemas import RequestModel, ResponseModel

LARGEST_GENERATION: Final = 2_147_483_647
Value = int | float | bool | str
Changes = Annotated[dict[str, Value], Field(max_length=50)]


class SearchSettingResponse(ResponseModel):
    """A search setting. Apply a value with the environment variable and a restart."""

    name: str
    value: Value = Field(description="Current value.")
    default: Value
    choices: list[str] | None = Field(description="All possible values, if they are words.")
    description: str
    environment_variable: str


class SearchSettingsResponse(ResponseModel):
    """All search settings."""

    items: list[SearchSettingResponse]


class PreviewRequest(RequestModel):
    """Changes to evaluate: search settings, the embeddings of another model, or both."""

    settings: Changes = Field(
        default_factory=dict[str, Value],
        description="New values by name, such as `ranker`; `/evaluations/settings` lists them.",
    )
    embeddings: int | None = Field(
        default=None,
        ge=1,
        le=LARGEST_GENERATION,
        description="Id of the embeddings of another configured model; `/system` lists them.",
    )

    @model_validator(mode="after")
    def _require_something(self) -> Self:
        if not self.settings and self.embeddings is None:
            raise PydanticCustomError("nothing_to_try", "Give `settings` or `embeddings`, or both")
        return self


class RunResponse(ResponseModel):
    """Results of the golden queries with the current settings."""

    questions: int = Field(description="Number of questions, newest first.")
    found: int = Field(description="Questions with their page among the first 20 hits.")
    measures: dict[str, Measure]


class MovedQuestion(ResponseModel):
    """A golden query with a changed rank, null if not in the first 20."""

    query: str
    document: str
    rank_before: int | None
    rank_after: int | None


class PreviewResponse(ResponseModel):
    """Effect of the changes on the golden queries. Nothing is applied."""

    questions: int = Field(description="Number of golden queries, newest first.")
    before: dict[str, Measure] = Field(description="Measures with the current settings.")
    after: dict[str, Measure]
    improved: list[MovedQuestion]
    regressed: list[MovedQuestion]
    unchanged: int
    environment: dict[str, str] = Field(description="Environment variables that apply the settings after a restart.")
    message: str
