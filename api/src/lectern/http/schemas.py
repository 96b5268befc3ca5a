"""The base of what clients send: unknown fields and characters that the database cannot keep are refused by name."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Final, Self, cast

from pydantic import BaseModel, ConfigDict, StringConstraints, model_validator
from pydantic_core import PydanticCustomError

# U+0000, which Postgres cannot store in text, and halves of surrogate pairs, which are not characters at all.
_UNSTORABLE: Final = re.compile("[\x00\ud800-\udfff]")


def is_storable(value: str) -> bool:
    """Whether Postgres can keep the text as it is."""
    return _UNSTORABLE.search(value) is None


def _strings(value: object, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, Mapping):
        for key, item in cast("Mapping[object, object]", value).items():
            yield f"{path}.{key}", str(key)
            yield from _strings(item, f"{path}.{key}")
    elif isinstance(value, list | tuple):
        for index, item in enumerate(cast("Sequence[object]", value)):
            yield from _strings(item, f"{path}.{index}")


class RequestModel(BaseModel):
    """A request body."""

    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _refuse_unstorable_text(cls, data: object) -> object:
        for path, value in _strings(data, ""):
            if not is_storable(value):
                raise PydanticCustomError(
                    "unstorable_text",
                    "{field}: NUL characters and unpaired surrogates are not text.",
                    {"field": _UNSTORABLE.sub("?", path.lstrip(".")) or "value"},
                )
        return data

    def given(self) -> dict[str, Any]:
        """The fields that the client sent, and no defaults: for partial updates."""
        return self.model_dump(exclude_unset=True)


class ResponseModel(BaseModel):
    """A response body. Rows and other objects with the same attributes validate too."""

    model_config = ConfigDict(from_attributes=True)

    @classmethod
    def from_row(cls, row: object, **values: Any) -> Self:  # noqa: ANN401 - checked by the model
        """Build a response from the attributes of a row. `values` are the fields that the row does not have."""
        attributes = {name: getattr(row, name) for name in cls.model_fields.keys() - values.keys()}
        return cls.model_validate({**attributes, **values})


class PartialUpdate(RequestModel):
    """A request body of which at least one field must be there."""

    @model_validator(mode="after")
    def _refuse_empty(self) -> Self:
        if not self.model_fields_set:
            raise PydanticCustomError("nothing_to_change", "Name at least one field to change.")
        return self


Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]
"""A name that people give: not empty, without white space around it."""

Description = Annotated[str, StringConstraints(strip_whitespace=True, max_length=2_000)]
