"""Request and response bodies of tags, and the rules for their names."""

import unicodedata
import uuid
from datetime import datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, StringConstraints
from pydantic_core import PydanticCustomError

from lectern.http.schemas import Description, PartialUpdate, Reference, RequestModel, ResponseModel
from lectern.names import clean_name

MAX_NAME_CHARACTERS = 100


def normalize_name(name: str) -> str:
    """Return the key that makes a tag unique: `Due  Diligence` and `due diligence` have the same."""
    return unicodedata.normalize("NFC", clean_name(name).casefold())


def _tag_name(value: str) -> str:
    name = clean_name(value)
    if not name:
        raise PydanticCustomError("tag_name", "A tag needs a name.")
    return name


TagName = Annotated[str, StringConstraints(max_length=MAX_NAME_CHARACTERS), AfterValidator(_tag_name)]
TagColor = Annotated[
    str,
    StringConstraints(
        pattern=r"^(gray|red|pink|grape|violet|indigo|blue|cyan|teal|green|lime|yellow|orange|#[0-9a-f]{6})$"
    ),
    Field(description="A colour of the palette, or #rrggbb."),
]
TagSort = Literal["name", "-name", "document_count", "-document_count", "created_at", "-created_at"]


class TagCreate(RequestModel):
    """A new tag."""

    name: TagName
    color: TagColor = "gray"
    description: Description = ""


class TagUpdate(PartialUpdate):
    """Fields to change. Absent fields stay as they are."""

    name: TagName | None = None
    color: TagColor | None = None
    description: Description | None = None


class TagMerge(RequestModel):
    """Tags to merge into another one."""

    tags: Annotated[list[Reference], Field(min_length=1)] = Field(
        max_length=100, description="Ids or names of the tags to merge. They are deleted."
    )


class TagResponse(ResponseModel):
    """A label of documents."""

    id: uuid.UUID
    name: str
    color: str
    description: str
    document_count: int = Field(description="Documents with this tag in the caller's scope, without the trash.")
    created_at: datetime
    is_owner: bool = Field(description="True: the caller is the person who owns it, and may share it.")


class TagMerged(ResponseModel):
    """The target tag and the counts of the merge."""

    tag: TagResponse
    merged_tags: int
    retagged_documents: int
