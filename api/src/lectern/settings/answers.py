"""Answers and their chat endpoint."""

from typing import Annotated

from pydantic import AfterValidator, Field, SecretStr
from pydantic_core import PydanticCustomError

from lectern.settings.base import Section


def _check_base_url(value: str) -> str:
    """Return the address unchanged. Without a scheme every question would fail."""
    if value and not value.startswith(("http://", "https://")):
        raise PydanticCustomError("address", "write it as http://127.0.0.1:11434/v1")
    return value


class AnswersSettings(Section):
    base_url: Annotated[str, AfterValidator(_check_base_url)] = Field(
        default="",
        validation_alias="LECTERN_ANSWERS_BASE_URL",
        description="OpenAI-compatible chat endpoint, such as https://api.openai.com/v1. Empty: answers quote "
        "your documents.",
    )
    model: str = Field(
        default="", validation_alias="LECTERN_ANSWERS_MODEL", description="Model name at the chat endpoint."
    )
    api_key: SecretStr | None = Field(
        default=None, validation_alias="LECTERN_ANSWERS_API_KEY", description="API key of the chat endpoint."
    )
    timeout_seconds: float = Field(
        default=180,
        gt=0,
        description="Time limit in seconds for an answer.",
    )
    max_source_tokens: int = Field(
        default=8_000,
        ge=200,
        description="Tokens of passages it is sent for one question.",
    )
    max_answer_tokens: int = Field(default=800, ge=50, description="Tokens it may answer.")
    vision_pages: int = Field(
        default=0,
        validation_alias="LECTERN_ANSWERS_VISION_PAGES",
        ge=0,
        le=10,
        description="Page images to send when the text gives no answer. 0: the model cannot read images.",
    )
    vision_max_bytes: int = Field(
        default=4_000_000,
        ge=50_000,
        description="Size of these pictures together, before they are written as base64.",
    )
    history_days: int = Field(
        default=90,
        validation_alias="LECTERN_ANSWERS_HISTORY_DAYS",
        ge=0,
        description="Days until saved answers are deleted. 0: never.",
    )
