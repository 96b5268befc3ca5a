"""The failures of a search. Each has the message, the stable code and the hint of the API."""

import httpx
from pydantic import BaseModel, ValidationError

WRONG_ADDRESS = "Check that the address is that of the Lectern API, for example http://127.0.0.1:8000."

_TOO_MANY_REQUESTS = 429


class LecternError(Exception):
    """A search failed. `status` is that of the HTTP response, or None without one."""

    def __init__(self, message: str, *, code: str, hint: str = "", status: int | None = None) -> None:
        super().__init__(f"{message} {hint}".rstrip())
        self.message = message
        self.code = code
        self.hint = hint
        self.status = status


class Unreachable(LecternError):
    """The API cannot be reached, or does not answer in time."""


class PermissionRefused(LecternError):
    """The key is not valid, or may not search."""


class InvalidSearch(LecternError):
    """An argument is not valid, or names a tag, document or collection that the key cannot see."""


class RateLimited(LecternError):
    """The key made too many requests."""

    retry_after_seconds: float | None = None


class ServerFailure(LecternError):
    """The API failed, or its response is not that of a Lectern API."""


class _Problem(BaseModel):
    detail: str
    code: str
    hint: str | None = None


def error_from_response(response: httpx.Response) -> LecternError:
    """Convert a response that is not a success."""
    status = response.status_code
    try:
        problem = _Problem.model_validate_json(response.content)
    except ValidationError:
        message = f"The server answered {status} without a problem of Lectern."
        return _class_of(status)(message, code="unexpected_response", hint=WRONG_ADDRESS, status=status)
    error = _class_of(status)(problem.detail, code=problem.code, hint=problem.hint or "", status=status)
    if isinstance(error, RateLimited):
        wait = response.headers.get("Retry-After", "")
        error.retry_after_seconds = float(wait) if wait.isdecimal() else None
    return error


def _class_of(status: int) -> type[LecternError]:
    if status in {401, 403}:
        return PermissionRefused
    if status == _TOO_MANY_REQUESTS:
        return RateLimited
    return InvalidSearch if status in {400, 404, 409, 413, 422} else ServerFailure
