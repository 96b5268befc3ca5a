"""The client of the REST API, which types the responses.

Over HTTP it asks with the service key on behalf of the caller, over stdio with the caller's own key.
"""

import logging
import re
from typing import Any, TypeVar
from uuid import UUID

import httpx
from pydantic import AliasChoices, BaseModel, Field, SecretStr, ValidationError

from lectern_mcp import api_models as api
from lectern_mcp.corrections import CORRECTIONS, corrected
from lectern_mcp.errors import Failure, code_of
from lectern_mcp.logs import REQUEST_ID
from lectern_mcp.principal import CALLER
from lectern_mcp.text import one_line
from lectern_mcp.tracing import PROPAGATOR

logger = logging.getLogger(__name__)
ModelT = TypeVar("ModelT", bound=BaseModel)
_BODY = re.compile(r"\bbody(?:\.(?=\w)|: )")
"""A field's path begins so in the API's words; the caller of a tool knows its own arguments only."""
CORRECTED_AT_MOST = 3
"""Tags, documents and collections of one request, each of which the API checks after the other."""
_PARTS = ("params", "json")
_NO_MODEL = ("The language model returned no answer.", "Read the passages with search_chunks.")
_UNREACHABLE = ("The Lectern API cannot be reached.", "Try again later, or check LECTERN_API_URL.")


class _Problem(BaseModel):
    """The fields of a problem (RFC 9457) that this service reads."""

    detail: str | None = None
    code: str = ""
    hint: str | None = None
    unknown: list[str] = []
    close_matches: list[str] = []
    corrections: dict[str, str] = {}
    available: list[str] = Field(default=[], validation_alias=AliasChoices("available", "existing"))


class ApiClient:
    """Every method raises a `Failure` if the API refuses or does not answer.

    Over HTTP the caller's own key is never sent. Requests carry the service key, the principal's id and the caller's
    address. Without a service key they carry `key`, which is the caller's own. The tool's deadline ends them.
    `introspect` and `is_ready`, which no tool runs, have `introspect_seconds`.
    The transport is used without httpx's client: cookies and redirects, which the API never sends, cost CPU time.
    """

    def __init__(
        self,
        transport: httpx.AsyncBaseTransport,
        url: str,
        *,
        key: SecretStr,
        is_service: bool,
        introspect_seconds: float,
    ) -> None:
        self._transport = transport
        self._url = url.rstrip("/")
        self._key = key
        self._is_service = is_service
        self._introspect_seconds = introspect_seconds
        self._timeout = httpx.Timeout(None, connect=introspect_seconds)

    async def introspect(self, key: SecretStr, client: str | None) -> api.KeyIntrospection:
        """Return the permissions of a caller's key, or of the own one."""
        if not self._is_service:
            return await self._introspect_own() if key == self._key else api.KeyIntrospection(is_active=False)
        body, seconds = {"key": key.get_secret_value(), "client": client}, self._introspect_seconds
        response = await self._send("POST", "/api/v1/keys/introspect", json=body, seconds=seconds)
        if not response.is_success:
            logger.error("Key validation failed; check BACKEND_API_KEY", extra={"status": response.status_code})
            raise Failure("INTERNAL_ERROR", *_UNREACHABLE)
        return _parse(api.KeyIntrospection, response)

    async def _introspect_own(self) -> api.KeyIntrospection:
        response = await self._send("GET", "/api/v1/auth/me", seconds=self._introspect_seconds)
        if response.status_code in {401, 403}:
            return api.KeyIntrospection(is_active=False)
        if not response.is_success:
            raise Failure("INTERNAL_ERROR", *_UNREACHABLE) if response.status_code == 404 else _failure(response)  # noqa: PLR2004 - another server
        me = _parse(api.PrincipalResponse, response)
        return api.KeyIntrospection(
            is_active=True, principal=f"{me.kind}:{me.id}", toolsets=me.toolsets, web_url=me.web_url
        )

    async def is_ready(self) -> bool:
        try:
            return (await self._send("GET", "/ready", seconds=self._introspect_seconds)).is_success
        except Failure:
            return False

    async def get_protected_resource(self) -> api.ProtectedResourceMetadata:
        """Return the OAuth metadata of this service, without a caller."""
        response = await self._send("GET", "/.well-known/oauth-protected-resource", seconds=self._introspect_seconds)
        if not response.is_success:
            raise Failure("INTERNAL_ERROR", *_UNREACHABLE)
        return _parse(api.ProtectedResourceMetadata, response)

    async def search(self, **wanted: object) -> api.SearchResponse:
        """Search. `wanted` has the fields of `SearchRequest`."""
        request = api.SearchRequest.model_validate({**wanted, "rectangles": False})
        body = request.model_dump(mode="json", exclude_unset=True)
        return await self.ask(api.SearchResponse, "POST", "search", json=body)

    async def list_documents(self, **filters: str | int | list[str] | None) -> api.PageDocumentResponse:
        return await self.ask(api.PageDocumentResponse, "GET", "documents", params=filters)

    async def list_tags(self, **filters: str | int | None) -> api.PageTagResponse:
        return await self.ask(api.PageTagResponse, "GET", "tags", params=filters)

    async def get_document(self, document_id: UUID) -> api.DocumentResponse:
        return await self.ask(api.DocumentResponse, "GET", f"documents/{document_id}")

    async def get_named_document(self, name: str) -> api.DocumentResponse:
        """Return a document by id, filename, title, ticker or company."""
        return await self.ask(api.DocumentResponse, "GET", "documents/named", params={"name": name})

    async def get_outline(self, document_id: UUID) -> api.OutlineResponse:
        return await self.ask(api.OutlineResponse, "GET", f"documents/{document_id}/outline")

    async def get_page(self, document_id: UUID, page_number: int) -> api.PageResponse:
        return await self.ask(api.PageResponse, "GET", f"documents/{document_id}/pages/{page_number}")

    async def ask(self, model: type[ModelT], method: str, path: str, **options: Any) -> ModelT:  # noqa: ANN401 - httpx's
        """Send a request to `path` behind `/api/v1/`. Parameters that are None are left out.

        A name with exactly one close name is replaced by it.
        """
        options["params"] = {name: value for name, value in options.get("params", {}).items() if value is not None}
        for _ in range(CORRECTED_AT_MOST):
            try:
                return _parse(model, await self._as_caller(method, path, **options))
            except Failure as failure:
                if not failure.unknown or not failure.corrections.keys() >= set(failure.unknown):
                    raise
                if (noted := CORRECTIONS.get()) is not None:
                    noted.update(failure.corrections)
                options |= {part: corrected(options[part], failure.corrections) for part in _PARTS if part in options}
        return _parse(model, await self._as_caller(method, path, **options))

    async def download(self, path: str, max_bytes: int) -> bytes:
        """Return bytes unchanged. A body over the limit is refused."""
        response = await self._as_caller("GET", path, headers={"Range": f"bytes=0-{max_bytes}"})
        if len(response.content) > max_bytes:
            hint = "Read its text with get_document_content."
            raise Failure("VALIDATION_ERROR", f"The file is larger than {max_bytes:,} bytes.", hint=hint)
        return response.content

    async def _as_caller(self, method: str, path: str, **options: Any) -> httpx.Response:  # noqa: ANN401 - httpx's
        caller = CALLER.get()
        principal = {"X-Lectern-Principal": caller.principal} if self._is_service else {}
        address = {"X-Lectern-Client": caller.client} if caller.client else {}
        options["headers"] = principal | address | options.get("headers", {})
        response = await self._send(method, f"/api/v1/{path}", **options)
        if response.is_success:
            return response
        raise _failure(response)

    async def _send(self, method: str, path: str, *, seconds: float | None = None, **options: Any) -> httpx.Response:  # noqa: ANN401 - httpx's options
        always = {"Authorization": f"Bearer {self._key.get_secret_value()}", "X-Request-ID": REQUEST_ID.get()}
        PROPAGATOR.inject(always)
        options["headers"] = always | options.get("headers", {})
        timeout = self._timeout if seconds is None else httpx.Timeout(seconds)
        extensions = {"timeout": timeout.as_dict()}
        request = httpx.Request(method, f"{self._url}{path}", extensions=extensions, **options)
        try:
            response = await self._transport.handle_async_request(request)
            try:
                await response.aread()
            finally:
                await response.aclose()
        except (httpx.TransportError, httpx.DecodingError) as error:
            logger.warning("No answer from the API", extra={"path": path, "error": type(error).__name__})
            is_slow = isinstance(error, httpx.ReadTimeout | httpx.WriteTimeout | httpx.PoolTimeout)
            raise (Failure("TIMEOUT") if is_slow else Failure("INTERNAL_ERROR", *_UNREACHABLE)) from error
        return response


def _parse(model: type[ModelT], response: httpx.Response) -> ModelT:
    try:
        return model.model_validate_json(response.content)
    except ValidationError as error:
        fields = sorted({".".join(map(str, item["loc"])) for item in error.errors()})
        logger.error("Unexpected response of the API", extra={"model": model.__name__, "fields": fields})  # noqa: TRY400 - the traceback would quote the answer
        raise Failure("INTERNAL_ERROR") from None


def _failure(response: httpx.Response) -> Failure:
    """Convert a problem of the API to a failure. The text of a 5xx is not passed on."""
    try:
        problem = _Problem.model_validate_json(response.content)
    except ValidationError:
        problem = _Problem()
    code = code_of(response.status_code, problem.code)
    if response.is_server_error:
        logger.error("The API failed", extra={"status": response.status_code, "problem": problem.code})
        return Failure(code, *_NO_MODEL) if problem.code.startswith("answer_model_") else Failure(code)
    if problem.code == "unauthorized":  # the API's hint is about its own sign-in
        return Failure(code)
    hints = [problem.hint] if problem.hint else []
    if wait := response.headers.get("Retry-After"):
        hints.append(f"Try again in {wait} s.")
    if problem.available and not problem.close_matches and problem.available[0] not in (problem.hint or ""):
        hints.append(f"Available: {', '.join(problem.available[:20])}.")
    # A list of wrong fields is no sentence in the API.
    message = problem.detail and f"{one_line(_BODY.sub('', problem.detail), 600).rstrip('.')}."
    failure = Failure(code, message, hint=one_line(" ".join(hints), 1_000))
    failure.unknown, failure.corrections = problem.unknown, problem.corrections
    return failure
