"""The base class of all models, and the columns that several models share."""

import uuid
from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, ClassVar, Final

from sqlalchemy import DateTime, MetaData, Text, Uuid, func
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from lectern.errors import LecternError

NAMING_CONVENTION = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}

UuidKey = Annotated[uuid.UUID, mapped_column(Uuid, primary_key=True, default=uuid.uuid4)]
CreatedAt = Annotated[datetime, mapped_column(DateTime(timezone=True), server_default=func.now())]


class Base(DeclarativeBase):
    """The base class of all models. Constraints have the same names in models and revisions."""

    metadata = MetaData(naming_convention=NAMING_CONVENTION)
    type_annotation_map: ClassVar[dict[Any, Any]] = {
        dict[str, Any]: JSONB,
        datetime: DateTime(timezone=True),
    }


NO_ERROR: Final[Mapping[str, Any]] = dict.fromkeys(("error_code", "error_message", "error_hint", "error_details"))


def error_values(error: LecternError) -> dict[str, Any]:
    return {
        "error_code": error.code,
        "error_message": error.message,
        "error_hint": error.hint,
        "error_details": error.values or None,
    }


class ErrorColumns:
    """The error columns of documents, document versions and jobs."""

    error_code: Mapped[str | None] = mapped_column(Text)
    error_message: Mapped[str | None] = mapped_column(Text)
    error_hint: Mapped[str | None] = mapped_column(Text)
    error_details: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))

    def set_error(self, error: LecternError) -> None:
        """Store why it failed."""
        for name, value in error_values(error).items():
            setattr(self, name, value)

    def clear_error(self) -> None:
        """Remove the error of an earlier attempt."""
        for name in NO_ERROR:
            setattr(self, name, None)
