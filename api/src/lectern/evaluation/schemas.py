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
    """A setting of the search that can be tried. It is applied by its environment variable and a restart."""

    name: str
    value: Value = Field(description="What it is now.")
    default: Value
    description: str
    environment_variable: str


class SearchSettingsResponse(ResponseModel):
    """All of them."""

    items: list[SearchSettingResponse]


class PreviewRequest(RequestModel):
    """What is not applied yet: settings of the search, the embeddings of another model, or both."""

    settings: Changes = Field(
        default_factory=dict[str, Value],
        description="New values by name, such as `rrf_k`; `/evaluations/settings` lists them.",
    )
    embeddings: int | None = Field(
        default=None,
        ge=1,
        le=LARGEST_GENERATION,
        description="Number of the embeddings of another model of the settings; `/system` lists them.",
    )

    @model_validator(mode="after")
    def _require_something(self) -> Self:
        if not self.settings and self.embeddings is None:
            raise PydanticCustomError("nothing_to_try", "Give `settings` or `embeddings`, or both")
        return self


class RunResponse(ResponseModel):
    """How the search does on the golden queries as things are."""

    questions: int = Field(description="Questions that were asked, the newest first.")
    found: int = Field(description="Those whose page is among the first 20 hits.")
    measures: dict[str, Measure]


class MovedQuestion(ResponseModel):
    """A golden query whose first right hit moved; null: not among the first 20."""

    query: str
    document: str
    rank_before: int | None
    rank_after: int | None


class PreviewResponse(ResponseModel):
    """What it would do to the golden queries. Nothing has been changed."""

    questions: int = Field(description="Golden queries that were asked, the newest first.")
    before: dict[str, Measure] = Field(description="Measures under the settings as they are.")
    after: dict[str, Measure]
    improved: list[MovedQuestion]
    regressed: list[MovedQuestion]
    unchanged: int
    environment: dict[str, str] = Field(description="Variables that apply the settings, after a restart.")
    message: str
