"""Requests and responses of `/evaluations`."""

from typing import Annotated

from pydantic import Field

from lectern.evaluation.results import Measure
from lectern.http.schemas import RequestModel, ResponseModel

Value = int | float | bool | str
Changes = Annotated[dict[str, Value], Field(min_length=1, max_length=50)]


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
    """Settings of the search that are not applied yet."""

    settings: Changes = Field(description="New values by name, such as `rrf_k`; `/evaluations/settings` lists them.")


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
    """What the settings would do to the golden queries. Nothing has been changed."""

    questions: int = Field(description="Golden queries that were asked, the newest first.")
    before: dict[str, Measure] = Field(description="Measures under the settings as they are.")
    after: dict[str, Measure]
    won: list[MovedQuestion]
    lost: list[MovedQuestion]
    same: int
    environment: dict[str, str] = Field(description="Variables that apply the settings, after a restart.")
    message: str
