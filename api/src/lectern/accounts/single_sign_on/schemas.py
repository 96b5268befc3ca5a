"""The request with which the identity provider sends a browser back."""

from pydantic import BaseModel, ConfigDict, Field


class CallbackQuery(BaseModel):
    """The parameters with which a browser comes back. Providers add others."""

    model_config = ConfigDict(extra="allow")

    state: str = Field(default="", max_length=500)
    code: str | None = Field(default=None, max_length=10_000)
    iss: str | None = Field(default=None, max_length=2_000)
    error: str | None = Field(default=None, max_length=300)
