"""The chat endpoint of a running `lectern up`, for commands that were started in another environment."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from pydantic import BaseModel

from lectern.embedded.data_folder import DataFolder
from lectern.embedded.permissions import write_private
from lectern.settings import AnswersSettings

_FILE: Final = "chat-endpoint.json"


class ServedEndpoint(BaseModel):
    """A chat endpoint without its key."""

    base_url: str
    model: str
    vision_pages: int
    has_key: bool

    def is_usable_with(self, own: AnswersSettings) -> bool:
        """Return True if a command with these settings has what the endpoint needs."""
        return not self.has_key or own.api_key is not None

    def describe(self, own: AnswersSettings) -> str:
        """Say which model answers a command, or why it cannot."""
        if self.is_usable_with(own):
            return f"The model {self.model} answers, as in the running Lectern."
        return (
            f"The running Lectern answers with the model {self.model}. This command lacks its API key, "
            "and quotes your documents: set LECTERN_ANSWERS_API_KEY, or start it in the folder of `.env`."
        )


@contextmanager
def recorded(answers: AnswersSettings, folder: DataFolder) -> Generator[None]:
    """Record the chat endpoint, if there is one, while `lectern up` runs."""
    path = folder.path / _FILE
    path.unlink(missing_ok=True)  # of a process that was killed
    if answers.base_url:
        served = ServedEndpoint(
            base_url=answers.base_url,
            model=answers.model,
            vision_pages=answers.vision_pages,
            has_key=answers.api_key is not None,
        )
        write_private(path, served.model_dump_json())
    try:
        yield
    finally:
        path.unlink(missing_ok=True)


def find_served_endpoint(own: AnswersSettings, folder: Path | None) -> ServedEndpoint | None:
    """Return the chat endpoint of the running `lectern up`, or None if the command has its own."""
    path = folder / _FILE if folder else None
    if own.base_url or folder is None or path is None or not path.is_file() or not DataFolder(folder).is_in_use():
        return None
    return ServedEndpoint.model_validate_json(path.read_text())


def follow_served_endpoint(own: AnswersSettings, folder: Path) -> AnswersSettings:
    """Return the settings of answers, with the endpoint of the running `lectern up` if they have none."""
    served = find_served_endpoint(own, folder)
    if served is None or not served.is_usable_with(own):
        return own
    return own.model_copy(update=served.model_dump(exclude={"has_key"}))
