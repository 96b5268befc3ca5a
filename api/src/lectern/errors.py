"""Base classes of all errors, with HTTP statuses and codes.

The first line of a class's docstring is its default message, and its name is its code: `NotFound` has `not_found`.
A class whose code is not its name sets `code`. `http/problems.py` renders errors as problems (RFC 9457), the worker
stores them on the document, and the CLI prints them.
"""

import re
from collections.abc import Collection, Mapping
from typing import Any, ClassVar, Final

_WORD_START: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_LENGTHS: Final = {"too_short": ("at least", "min_length"), "too_long": ("at most", "max_length")}
# Rules of Pydantic in Lectern's words, by the type of the error or by its first word.
_RULES: Final = {
    "missing": "This field is required",
    "extra_forbidden": "This field is unknown",
    "model": "Must be a JSON object",
    "dict_type": "Must be a JSON object",
    "list_type": "Must be a list",
    "string_type": "Must be text",
    "string_pattern_mismatch": "Must match the pattern {pattern}",
    "timezone_aware": "Must have a time zone, such as 2026-03-31T09:00:00Z",
    "finite_number": "Must be a number",
    "url": "Must be a URL such as https://example.com",
    "literal_error": "Must be {expected}",
    "enum": "Must be {expected}",
    "greater_than_equal": "Must be at least {ge}",
    "less_than_equal": "Must be at most {le}",
    "greater_than": "Must be more than {gt}",
    "less_than": "Must be less than {lt}",
    "bool": "Must be true or false",
    "int": "Must be a whole number",
    "float": "Must be a number",
    "uuid": "Must be a UUID",
    "ip": "Must be a network such as 10.0.0.0/8",
    "date": "Must be a date such as 2026-03-31",
    "datetime": "Must be a date and time such as 2026-03-31T09:00:00Z",
}
_FRAMEWORK_WORDS: Final = re.compile("^(Value error|Assertion failed), ")


class LecternError(Exception):
    """An internal error occurred. The logs have the details."""

    status: ClassVar[int] = 500
    code: ClassVar[str] = "internal_error"
    default_hint: ClassVar[str | None] = None
    value_names: ClassVar[tuple[str, ...]] = ()
    """Numbers in `details` that are stored with a failed document."""

    def __init_subclass__(cls) -> None:
        if "code" not in vars(cls):
            cls.code = _WORD_START.sub("_", cls.__name__).lower()

    def __init__(
        self, message: str | None = None, *, hint: str | None = None, details: Mapping[str, Any] | None = None
    ) -> None:
        self.message = message or (type(self).__doc__ or "").strip().split("\n", maxsplit=1)[0]
        self.hint = hint or self.default_hint
        self.details: dict[str, Any] = dict(details or {})
        super().__init__(self.message)

    @property
    def log_message(self) -> str:
        """Return the message for logs and the command line. Some errors add what clients must not see."""
        return self.message

    @property
    def values(self) -> dict[str, int | float]:
        """Return the declared numbers in the details, such as the exceeded limit."""
        return {name: self.details[name] for name in self.value_names if name in self.details}


def describe_invalid(item: Mapping[str, Any]) -> tuple[str, str]:
    """Return code and message of a Pydantic error in Lectern's words."""
    code = str(item["type"])
    context: Mapping[str, Any] = item.get("ctx") or {}
    if code in _LENGTHS and context.get("field_type") == "Value" and not _is_list(item.get("input")):
        code = f"string_{code}"  # Pydantic counts the `items` of a text that a type wraps
    bound, limit = _LENGTHS.get(code.removeprefix("string_"), ("", ""))
    if limit in context:
        noun = ("character" if code.startswith("string_") else "item") + "s" * (context[limit] != 1)
        return code, f"Must have {bound} {context[limit]:,} {noun}"
    rule = _RULES.get(code) or _RULES.get(code.split("_", maxsplit=1)[0])
    if rule is None:
        return code, _FRAMEWORK_WORDS.sub("", str(item["msg"])).replace("Input should ", "Must ")
    return code, rule.format_map(context)


def _is_list(value: object) -> bool:
    return isinstance(value, Collection) and not isinstance(value, str)


class InvalidRequest(LecternError):
    """The request is invalid."""

    status = 422
    code = "validation_error"


class Unauthorized(LecternError):
    """Sign in or send a valid API key."""

    status = 401


class Forbidden(LecternError):
    """You do not have permission to do this."""

    status = 403


class NotFound(LecternError):
    """Nothing has this id."""

    status = 404
    default_hint = "It may have been deleted, or you have no access to it."


class Conflict(LecternError):
    """This conflicts with the current state."""

    status = 409


class TooLarge(LecternError):
    """This is larger than the limit."""

    status = 413


class UnsupportedType(LecternError):
    """This file type is not supported."""

    status = 415


class RateLimited(LecternError):
    """Too many requests."""

    status = 429


class Unavailable(LecternError):
    """A required service is not available."""

    status = 503

    @property
    def log_message(self) -> str:
        """Add the cause, which may name an address, a bucket or a folder."""
        cause = str(self.__cause__ or "").split("\n", maxsplit=1)[0].rstrip(". ")
        return f"{self.message} {cause}." if cause and cause not in self.message else self.message


class DatabaseUnavailable(Unavailable):
    """The database is unreachable or too slow."""

    default_hint = "Try again in a few seconds. If it persists, run `lectern doctor`."


class Misconfigured(LecternError):
    """A setting is missing or wrong."""
