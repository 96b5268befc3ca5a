"""Tags as clients see them."""

import uuid
from datetime import datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, StringConstraints
from pydantic_core import PydanticCustomError

from lectern.http.schemas import Description, PartialUpdate, RequestModel, ResponseModel
from lectern.tags.names import shown_name

MAX_NAME_CHARACTERS = 100


def _tag_name(value: str) -> str:
    name = shown_name(value)
    if not name:
        raise PydanticCustomError("tag_name", "A tag needs a name.")
    return name


TagName = Annotated[str, StringConstraints(max_length=MAX_NAME_CHARACTERS), AfterValidator(_tag_name)]
TagColor = Annotated[
    str,
    StringConstraints(
        pattern=r"^(gray|red|pink|grape|violet|indigo|blue|cyan|teal|green|lime|yellow|orange|#[0-9a-f]{6})$"
    ),
    Field(description="A colour name of the palette, or #rrggbb."),
]
TagSort = Literal["name", "-name", "document_count", "-document_count", "created_at", "-created_at"]


class TagCreate(RequestModel):
    """A new tag."""

    name: TagName
    color: TagColor = "gray"
    description: Description = ""


class TagUpdate(PartialUpdate):
    """What is given is changed."""

    name: TagName | None = None
    color: TagColor | None = None
    description: Description | None = None


class TagMerge(RequestModel):
    """Tags that become one."""

    tags: Annotated[list[Annotated[str, StringConstraints(min_length=1, max_length=500)]], Field(min_length=1)] = Field(
        max_length=100, description="Ids or names of the tags that end."
    )


class TagResponse(ResponseModel):
    """A word on documents."""

    id: uuid.UUID
    name: str
    color: str
    description: str
    document_count: int = Field(description="Documents that carry it and that the caller sees, without the trash.")
    created_at: datetime


class TagMerged(ResponseModel):
    """The tag that stays, and what it got."""

    tag: TagResponse
    merged_tags: int
    retagged_documents: int
