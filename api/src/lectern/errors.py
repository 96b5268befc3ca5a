"""One tree of errors for the whole backend; it knows statuses and codes, not the web framework.

The docstring of a class is its default message. `http/problems.py` renders every one of them as an
RFC 9457 problem; the worker stores `code` and `message` on the document; the CLI prints one line.
"""

from collections.abc import Mapping
from typing import Any, ClassVar


class LecternError(Exception):
    """Something went wrong inside Lectern."""

    status: ClassVar[int] = 500
    code: ClassVar[str] = "internal_error"
    default_hint: ClassVar[str | None] = None
    value_names: ClassVar[tuple[str, ...]] = ()
    """Numbers that a failure of a document may carry in `details`, for a sentence about it."""

    def __init__(
        self, message: str | None = None, *, hint: str | None = None, details: Mapping[str, Any] | None = None
    ) -> None:
        self.message = message or (type(self).__doc__ or "").strip().split("\n", maxsplit=1)[0]
        self.hint = hint or self.default_hint
        self.details: dict[str, Any] = dict(details or {})
        super().__init__(self.message)

    @property
    def values(self) -> dict[str, int | float]:
        """The numbers among the details that `value_names` declares, such as the limit that was passed."""
        return {name: self.details[name] for name in self.value_names if name in self.details}


class InvalidRequest(LecternError):
    """The request cannot be understood."""

    status = 422
    code = "validation_error"


class Unauthorized(LecternError):
    """Sign in or send a valid API key."""

    status = 401
    code = "unauthorized"


class Forbidden(LecternError):
    """This is outside what you may do."""

    status = 403
    code = "forbidden"


class NotFound(LecternError):
    """Nothing here has this id."""

    status = 404
    code = "not_found"


class Conflict(LecternError):
    """This clashes with what is already there."""

    status = 409
    code = "conflict"


class TooLarge(LecternError):
    """This is larger than the limit."""

    status = 413
    code = "too_large"


class UnsupportedType(LecternError):
    """This type of file cannot be read."""

    status = 415
    code = "unsupported_type"


class RateLimited(LecternError):
    """Too many requests; slow down."""

    status = 429
    code = "rate_limited"


class Unavailable(LecternError):
    """A part that this needs cannot be reached just now."""

    status = 503
    code = "unavailable"


class DatabaseUnavailable(Unavailable):
    """The database is unreachable or too slow."""

    code = "database_unavailable"
    default_hint = "Try again in a few seconds. If it persists, run `lectern doctor`."


class Misconfigured(LecternError):
    """A setting is missing or wrong."""

    status = 500
    code = "misconfigured"
