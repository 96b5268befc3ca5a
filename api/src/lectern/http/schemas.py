"""Base classes of request and response bodies, and fields that several bodies share."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any, Final, Self, cast

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    ModelWrapValidatorHandler,
    StringConstraints,
    ValidationError,
    ValidationInfo,
    model_validator,
)
from pydantic_core import PydanticCustomError

from lectern.names import clean_name, strip_invisible

# U+0000, which Postgres cannot store, and unpaired surrogates, which are not characters.
_UNSTORABLE: Final = re.compile("[\x00\ud800-\udfff]")
MAX_INTEGER: Final = 2**31 - 1
"""The largest value of a Postgres integer column."""

_MAX_FIELDS: Final = 200
_MAX_ERRORS: Final = 200


def is_storable(value: str) -> bool:
    """Return True if Postgres can store the text."""
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
    """A request body. Unknown fields and characters that Postgres cannot store are errors."""

    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="wrap")
    @classmethod
    def _limit_errors(cls, data: object, handler: ModelWrapValidatorHandler[Self]) -> Self:
        """Replace a long list of errors by one error. FastAPI would build an object for each."""
        if isinstance(data, Mapping):
            count = len(cast("Mapping[object, object]", data))
            if count > _MAX_FIELDS:
                raise PydanticCustomError(
                    "too_many_fields",
                    "This object has {count} fields. The limit is {max_length}.",
                    {"count": count, "max_length": _MAX_FIELDS},
                )
        try:
            return handler(data)
        except ValidationError as error:
            count = error.error_count()
            if count <= _MAX_ERRORS:
                raise
        raise PydanticCustomError("too_many_errors", "This object has {count} errors.", {"count": count})

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
        """Return only the fields that the client sent."""
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
    """A request body with at least one field."""

    @model_validator(mode="after")
    def _refuse_empty(self) -> Self:
        if not self.model_fields_set:
            raise PydanticCustomError("nothing_to_change", "Send at least one field to change.")
        return self


def not_before(start: str) -> AfterValidator:
    """Refuse a time before the one in the field `start`."""

    def check(end: datetime, info: ValidationInfo) -> datetime:
        begin = info.data.get(start)
        if begin and end < begin:
            raise PydanticCustomError("reversed_range", "The time is before {start}.", {"start": start})
        return end

    return AfterValidator(check)


Cleaned: Final = BeforeValidator(lambda value: clean_name(value) if isinstance(value, str) else value)
"""Remove invisible characters and surplus spaces of a field before its other rules apply."""

Name = Annotated[str, Cleaned, StringConstraints(min_length=1, max_length=200)]
"""A name without invisible characters, with single spaces."""

Reference = Annotated[str, StringConstraints(min_length=1, max_length=500)]
"""An id or a name."""

Url = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=2_048)]

Description = Annotated[
    str, StringConstraints(strip_whitespace=True, max_length=2_000), AfterValidator(strip_invisible)
]
