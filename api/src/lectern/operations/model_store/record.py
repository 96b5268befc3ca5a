"""The record of an added model, `model.json`: its facts, and the size and SHA-256 of each file.

A folder with a record is also a source for other installations, which check every file against it. Public models that
are known to run here are in `catalog.toml`.
"""

import re
import tomllib
from datetime import datetime
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from lectern.embeddings.providers.model_card import ModelCard
from lectern.errors import describe_invalid
from lectern.operations.model_store.errors import ModelNotFound, ModelSourceUnavailable

RECORD_FILE: Final = "model.json"
MAX_RECORD_BYTES: Final = 1_000_000
_MAX_FILES: Final = 100

ModelKind = Literal["embedding", "reranker"]


def validate_file_name(name: str) -> str:
    """Return a relative path that stays inside the folder of its model.

    Raises:
        ValueError: It does not.
    """
    parts = name.split("/")
    if not all(re.fullmatch(r"\w[\w.+-]*", part, re.ASCII) for part in parts) or name == RECORD_FILE:
        raise ValueError(f"{name!r} is no file name inside a model folder")
    return name


FileName = Annotated[str, AfterValidator(validate_file_name)]


class ModelFile(BaseModel):
    """The size and hash of a file."""

    model_config = ConfigDict(frozen=True)

    size_bytes: int = Field(ge=0)
    sha256: str = Field(pattern="^[0-9a-f]{64}$")


class ModelSpeed(BaseModel):
    """The time that a model needed when it was added, on one thread.

    `passage` is a passage of about 80 words. A reranker reads it together with a question.
    """

    model_config = ConfigDict(frozen=True)

    load_seconds: float
    passage_milliseconds: float


class ModelRecord(BaseModel):
    """An added model. `dimensions` is None for a reranker. An empty `license` is unknown."""

    model_config = ConfigDict(frozen=True)

    name: str
    kind: ModelKind
    license: str = ""
    source: str
    dimensions: int | None = None
    max_tokens: int
    added_at: datetime
    speed: ModelSpeed
    files: dict[FileName, ModelFile] = Field(max_length=_MAX_FILES)

    @property
    def size_bytes(self) -> int:
        return sum(file.size_bytes for file in self.files.values())


def read_record(folder: Path) -> ModelRecord:
    """Read the record of an added model.

    Raises:
        ModelNotFound: The folder has none.
        ModelSourceUnavailable: It is damaged.
    """
    try:
        content = (folder / RECORD_FILE).read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        raise ModelNotFound(f"No added model has the name {folder.name}.") from None
    return parse_record(content, address=str(folder)).model_copy(update={"name": folder.name})


def parse_record(content: bytes, *, address: str) -> ModelRecord:
    """Parse a record.

    Raises:
        ModelSourceUnavailable: It is damaged.
    """
    try:
        return ModelRecord.model_validate_json(content)
    except ValidationError as error:
        problem = error.errors()[0]
        where = ".".join(map(str, problem["loc"]))
        raise ModelSourceUnavailable(
            f"{RECORD_FILE} of {address} is damaged: {where or 'content'}: {describe_invalid(problem)[1]}.",
            hint="Add the model from another source.",
        ) from None


class KnownModel(BaseModel):
    """A public model. `repository` is its name at the publisher's model hub. `card` is usage, without an id."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    repository: str
    kind: ModelKind
    license: str
    card: dict[str, Any] | None = None

    def model_card(self, name: str) -> ModelCard | None:
        return ModelCard.model_validate({"id": name, **self.card}) if self.card else None


@cache
def load_catalog() -> dict[str, KnownModel]:
    """Return the known models by name."""
    text = (files(__package__ or "") / "catalog.toml").read_text(encoding="utf-8")
    return {name: KnownModel.model_validate(entry) for name, entry in tomllib.loads(text).items()}
