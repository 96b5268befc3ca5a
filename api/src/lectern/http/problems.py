"""Render errors as problems (RFC 9457): `application/problem+json` with a stable code."""

import json
import logging
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from itertools import accumulate
from typing import Any, Final, cast

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Match
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lectern.errors import (
    DatabaseUnavailable,
    InvalidRequest,
    LecternError,
    RateLimited,
    Unauthorized,
    Unavailable,
    describe_invalid,
)
from lectern.http.errors import BodyTooLarge, MethodNotAllowed, RouteNotFound
from lectern.logs import REQUEST_ID

logger = logging.getLogger(__name__)

MEDIA_TYPE: Final = "application/problem+json"
OPENAI_PREFIX: Final = "/v1/"
_RETRY_SECONDS: Final = 5
_OPENAI_HINT: Final = f"This API has {OPENAI_PREFIX}chat/completions and {OPENAI_PREFIX}models."
_METHODS: Final = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
_JSON_HINT: Final = "Check its quotes, commas and brackets."
# Keys in the context of pydantic errors with the exceeded limit.
_LIMITS: Final = ("le", "lt", "ge", "gt", "max_length", "min_length", "multiple_of", "pattern", "expected")

_MAX_ERRORS: Final = 20
# A problem has at most 8 KB. These are bytes of JSON.
_MAX_ERRORS_BYTES: Final = 4_000
_MAX_DETAILS_BYTES: Final = 4_000
_MAX_TEXT_BYTES: Final = 1_000
# Names of fields and paths come from the client. They are identified, but not repeated in full.
_MAX_FIELD_BYTES: Final = 120
_MAX_MESSAGE_BYTES: Final = 300
_MAX_PATH_BYTES: Final = 140


class FieldProblem(BaseModel):
    """One invalid field."""

    field: str = Field(
        description="Path of the field, which starts with `body`, `query`, `path`, `header` or `cookie`."
    )
    code: str = Field(description="The violated rule.")
    message: str
    limit: dict[str, Any] | None = Field(default=None, description="The limits of the rule, if it has any.")


class Problem(BaseModel):
    """A problem (RFC 9457). Programs should check `code`. Some codes add members."""

    model_config = ConfigDict(extra="allow")

    type: str = Field(examples=["urn:lectern:problem:document_not_found"])
    title: str
    status: int
    detail: str
    instance: str
    code: str
    hint: str | None = None
    request_id: str
    errors: list[FieldProblem] | None = Field(
        default=None, description="The first invalid fields of a validation error."
    )
    errors_omitted: int | None = Field(default=None, description="Number of errors that are not listed in `errors`.")


class OpenAIError(BaseModel):
    """An error as clients of OpenAI's API expect it."""

    message: str = Field(description="What failed, and the hint.")
    type: str
    param: str | None = Field(description="The invalid field.")
    code: str = Field(description="The code of a problem, or the violated rule of the field.")


class OpenAIErrorResponse(BaseModel):
    """The body of an error of the OpenAI-compatible API."""

    error: OpenAIError


def openai_error(error: LecternError, errors: Sequence[FieldProblem] = ()) -> dict[str, Any]:
    """Build the body of an error in OpenAI's form, also for errors within an event stream."""
    first = errors[0] if errors else None
    message = "; ".join(f"{one.field.removeprefix('body.')}: {one.message}" for one in errors[:5]) or error.message
    described = OpenAIError(
        message=_shorten(f"{message} {error.hint or ''}".strip(), _MAX_TEXT_BYTES),
        type=_openai_type(error.status),
        param=first.field.removeprefix("body.") if first else None,
        code=first.code if first else error.code,
    )
    return OpenAIErrorResponse(error=described).model_dump()


def _openai_type(status: int) -> str:
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        return "rate_limit_error"
    return "server_error" if status >= HTTPStatus.INTERNAL_SERVER_ERROR else "invalid_request_error"


def problem_response(error: LecternError, *, instance: str, errors: Sequence[FieldProblem] = ()) -> Response:
    """Build the response of an error, in OpenAI's form below `/v1/`."""
    if instance.startswith(OPENAI_PREFIX):
        invalid = error.status == HTTPStatus.UNPROCESSABLE_ENTITY
        status = int(HTTPStatus.BAD_REQUEST) if invalid else error.status
        return JSONResponse(openai_error(error, errors), status, headers=_headers(error))
    body = json.dumps(problem_members(error, instance=instance, errors=errors), ensure_ascii=True, default=str)
    return Response(body, error.status, headers=_headers(error), media_type=MEDIA_TYPE)


def problem_members(error: LecternError, *, instance: str, errors: Sequence[FieldProblem] = ()) -> dict[str, Any]:
    """Build the members of a problem, also for errors within an event stream."""
    listed = _first_errors(errors)
    problem = Problem(
        type=f"urn:lectern:problem:{error.code}",
        title=HTTPStatus(error.status).phrase,
        status=error.status,
        detail=_shorten(error.message, _MAX_TEXT_BYTES),
        instance=_shorten(instance, _MAX_PATH_BYTES),
        code=error.code,
        hint=_shorten(error.hint, _MAX_TEXT_BYTES) if error.hint else None,
        request_id=REQUEST_ID.get(),
        errors=listed or None,
        errors_omitted=len(errors) - len(listed) or None,
    )
    # Details cannot replace the common members.
    details = {} if listed else _fit_details(error.details)
    return {**details, **problem.model_dump(exclude_none=True)}


def _fit_details(details: Mapping[str, Any]) -> dict[str, Any]:
    """Cut long lists, and leave out what still does not fit."""
    fitted: dict[str, Any] = {}
    left = _MAX_DETAILS_BYTES
    for name, value in details.items():
        fitting: object = _fit_list(cast("list[object]", value), left) if isinstance(value, list) else value
        if _size(fitting) <= left:
            fitted[name] = fitting
            left -= _size(fitting)
    return fitted


def _fit_list(items: list[object], max_bytes: int) -> list[object]:
    while items and _size(items) > max_bytes:
        items = items[: len(items) // 2]
    return items


def _size(value: object) -> int:
    return len(json.dumps(value, default=str))


def _first_errors(errors: Sequence[FieldProblem]) -> list[FieldProblem]:
    """Return the first errors that fit into a response of a few kilobytes."""
    listed: list[FieldProblem] = []
    size = 0
    for error in errors[:_MAX_ERRORS]:
        size += _size(error.model_dump(exclude_none=True))
        if size > _MAX_ERRORS_BYTES:
            break
        listed.append(error)
    return listed


def _shorten(text: str, max_bytes: int) -> str:
    """Cut a text whose JSON is longer than `max_bytes`."""
    if _size(text) <= max_bytes:
        return text
    sizes = accumulate(_size(character) - 2 for character in text[:max_bytes])
    return text[: sum(size <= max_bytes - 3 for size in sizes)] + "..."


def _headers(error: LecternError) -> dict[str, str]:
    headers = {"Cache-Control": "no-store"}
    if isinstance(error, Unauthorized):
        headers["WWW-Authenticate"] = 'Bearer realm="lectern"'
    if isinstance(error, RateLimited) or "retry_after_seconds" in error.details:
        headers["Retry-After"] = str(error.details.get("retry_after_seconds", 1))
    return headers


async def _lectern_problem(request: Request, error: Exception) -> Response:
    assert isinstance(error, LecternError)
    if isinstance(error, Unavailable):
        _log_outage(request, error)
    elif error.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        logger.error("Request failed: %s", error.log_message, extra={"code": error.code}, exc_info=error)
    return problem_response(error, instance=request.url.path)


def _log_outage(request: Request, error: Unavailable) -> None:
    """Log one line for each request, because an outage fails all of them. The level `debug` adds the traceback."""
    traceback = error if logger.isEnabledFor(logging.DEBUG) else None
    extra = {"code": error.code, "path": request.url.path}
    logger.warning("Request failed: %s", error.log_message, extra=extra, exc_info=traceback)


async def _validation_problem(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    errors = [_field_problem(item) for item in error.errors()]
    message = "; ".join(f"{item.field}: {item.message}" for item in errors[:5])
    problem = InvalidRequest(message, hint=_known_fields(request, errors) or _list_of_ids(request, errors))
    if any(isinstance(item.get("input"), bytes) for item in error.errors()):  # FastAPI parses no other type
        problem = InvalidRequest("The body is not JSON.", hint="Send JSON with `Content-Type: application/json`.")
        errors = []
    elif errors[0].code == "json_invalid":
        context = cast("Mapping[str, str]", error.errors()[0]["ctx"])
        place = errors[0].field.removeprefix("body.")
        problem = InvalidRequest(
            f"The body is not valid JSON. {context['error']} at character {place}.", hint=_JSON_HINT
        )
    return problem_response(problem, instance=request.url.path, errors=errors)


def _known_fields(request: Request, errors: Sequence[FieldProblem]) -> str | None:
    """Name the fields of the body if the request has another one at its top level."""
    is_unknown = any(one.code == "extra_forbidden" and one.field.count(".") == 1 for one in errors)
    body = getattr(request.scope.get("route"), "body_field", None)
    kind = body.field_info.annotation if body and is_unknown else None
    if not (isinstance(kind, type) and issubclass(kind, BaseModel)):
        return None
    return f"Known fields: {', '.join(sorted(kind.model_fields))}."


def _list_of_ids(request: Request, errors: Sequence[FieldProblem]) -> str | None:
    """Name the list that has the ids, if a name or another text is in the place of an id in the path."""
    name = next((one.field.removeprefix("path.") for one in errors if one.code.startswith("uuid")), "")
    before, parameter, _ = getattr(request.scope.get("route"), "path", "").partition(f"/{{{name}}}")
    is_listed = parameter and "GET" in _methods_of(request, before)
    return f"`GET {before}` lists the ids." if is_listed else None


def _methods_of(request: Request, path: str) -> list[str]:
    """Return the methods of all routes of a path. A path has a route for each method."""
    scope: Scope = {"type": "http", "path": path, "root_path": "", "headers": []}
    routes = request.app.router.routes
    return [
        method
        for method in _METHODS
        if any(route.matches({**scope, "method": method})[0] is Match.FULL for route in routes)
    ]


def _field_problem(item: Mapping[str, Any]) -> FieldProblem:
    """Describe an invalid field without its value, which may be a password."""
    context: Mapping[str, Any] = item.get("ctx") or {}
    limit = {name: context[name] for name in _LIMITS if isinstance(context.get(name), int | float | str)}
    field = ".".join(str(part) for part in item["loc"]).encode("ascii", "backslashreplace").decode()
    field = _shorten(field, _MAX_FIELD_BYTES)
    code, message = describe_invalid(item)
    return FieldProblem(field=field, code=code, message=_shorten(message, _MAX_MESSAGE_BYTES), limit=limit or None)


_BY_STATUS: Final[dict[int, type[LecternError]]] = {
    HTTPStatus.BAD_REQUEST: InvalidRequest,  # FastAPI raises it for a body that cannot be parsed.
    HTTPStatus.NOT_FOUND: RouteNotFound,
    HTTPStatus.METHOD_NOT_ALLOWED: MethodNotAllowed,
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: BodyTooLarge,
}


async def _http_problem(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    kind = _BY_STATUS.get(error.status_code, LecternError)
    is_plain = error.detail == HTTPStatus(error.status_code).phrase
    headers, path = dict(error.headers or {}), request.url.path
    hint = _nearest_url(request, path) if kind is RouteNotFound else None
    if kind is MethodNotAllowed:
        headers["Allow"] = ", ".join(_methods_of(request, path))
        hint = f"Its methods: {headers['Allow']}."
    response = problem_response(kind(None if is_plain else error.detail, hint=hint), instance=path)
    response.headers.update(headers)
    return response


def _nearest_url(request: Request, path: str) -> str | None:
    """Name the URL without a slash at the end, or those of the API for chat clients."""
    shorter = path.rstrip("/")
    if shorter != path and _methods_of(request, shorter):
        return f"Call {_shorten(shorter, _MAX_PATH_BYTES)} without a slash at the end."
    return _OPENAI_HINT if path.startswith(OPENAI_PREFIX) else None


async def _database_problem(request: Request, error: Exception) -> Response:
    problem = DatabaseUnavailable(details={"retry_after_seconds": _RETRY_SECONDS})
    problem.__cause__ = error
    _log_outage(request, problem)
    return problem_response(problem, instance=request.url.path)


def add_problem_handlers(app: FastAPI, *, database_faults: Sequence[type[Exception]] = ()) -> None:
    """Register handlers for all errors. `database_faults` become 503 problems with a retry time."""
    for kind in database_faults:
        app.add_exception_handler(kind, _database_problem)
    app.add_exception_handler(LecternError, _lectern_problem)
    app.add_exception_handler(RequestValidationError, _validation_problem)
    app.add_exception_handler(HTTPException, _http_problem)


class UnexpectedErrors:
    """Middleware that logs unexpected errors and responds without their internals."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        has_started = False

        async def watch(message: Message) -> None:
            nonlocal has_started
            has_started = has_started or message["type"] == "http.response.start"
            await send(message)

        try:
            await self.app(scope, receive, watch)
        except ClientDisconnect:
            logger.info("The client disconnected before the request was read")
        except Exception:
            logger.exception("Request failed unexpectedly", extra={"path": scope["path"]})
            if has_started:
                raise
            await problem_response(LecternError(), instance=scope["path"])(scope, receive, send)
