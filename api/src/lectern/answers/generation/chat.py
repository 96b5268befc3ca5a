"""What answering asks of a language model, whatever protocol it is reached by."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from typing import Literal, Protocol

from lectern.answers.generation.prompt import Prompt

Structured = Literal["json_schema", "json_object"]


@dataclass(slots=True)
class Exchange:
    """What a conversation with the model took; filled while it goes on."""

    requests: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    structured: Structured = "json_schema"
    is_cut: bool = field(default=False, metadata={"description": "The answer was longer than allowed."})


class Chat(Protocol):
    """A language model that writes an answer in the form that the prompt asks for."""

    model: str

    def stream(self, prompt: Prompt, exchange: Exchange) -> AsyncGenerator[str]:
        """The pieces of the model's JSON as they are written.

        Raises:
            ModelTimeout, ModelUnavailable: It may work later.
            ModelRejected: It will not; ModelCannotSee because of the pictures.
            ModelUnreadable: The answer was cut off.
        """
        ...

    async def close(self) -> None:
        """Close the connections."""
        ...
