"""What rows keep of a failure: documents, their versions and jobs keep the same."""

from collections.abc import Mapping
from typing import Any, Final

from sqlalchemy import Text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from lectern.errors import LecternError

NO_ERROR: Final[Mapping[str, Any]] = dict.fromkeys(("error_code", "error_message", "error_hint", "error_details"))


def error_values(error: LecternError) -> dict[str, Any]:
    """The columns of a failure."""
    return {
        "error_code": error.code,
        "error_message": error.message,
        "error_hint": error.hint,
        "error_details": error.values or None,
    }


class Failing:
    """The columns, for a model."""

    error_code: Mapped[str | None] = mapped_column(Text)
    error_message: Mapped[str | None] = mapped_column(Text)
    error_hint: Mapped[str | None] = mapped_column(Text)
    error_details: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))

    def keep_error(self, error: LecternError) -> None:
        """Write why it failed."""
        for name, value in error_values(error).items():
            setattr(self, name, value)

    def forget_error(self) -> None:
        """Nothing is wrong, or it is tried again."""
        for name in NO_ERROR:
            setattr(self, name, None)
