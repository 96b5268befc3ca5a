"""Port to a language model, independent of its protocol."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Literal, Protocol

from lectern.answers.generation.prompt import Prompt

Structured = Literal["json_schema", "json_object"]


@dataclass(slots=True)
class Exchange:
    """Statistics of a conversation with the model, filled while it runs."""

    requests: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    structured: Structured = "json_schema"
    is_cut: bool = False  # the answer was longer than allowed


class Chat(Protocol):
    """A language model that answers in the JSON schema of a prompt."""

    model: str

    def stream(self, prompt: Prompt, exchange: Exchange) -> AsyncGenerator[str]:
        """Yield the model's JSON in pieces.

        Raises:
            ModelTimeout, ModelUnavailable: A later request may succeed.
            ModelRejected: The request cannot succeed. ModelCannotSee if images are the reason.
            ModelUnreadable: The answer was cut off.
        """
        ...

    async def close(self) -> None:
        """Close the connections."""
        ...
