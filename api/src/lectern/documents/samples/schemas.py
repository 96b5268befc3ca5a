"""The sample documents as clients see them."""

from pydantic import Field

from lectern.http.schemas import ResponseModel


class SamplesResponse(ResponseModel):
    """Whether there are sample documents, and how many of them the library has."""

    is_available: bool = Field(description="Whether they are part of this installation.")
    document_count: int = Field(description="Sample documents that can be loaded.")
    loaded_count: int = Field(description="Those of them that the caller sees in the library, without the trash.")
