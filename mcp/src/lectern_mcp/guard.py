"""The outermost layer: authorization and limits, decided before the body is read.

The order is part of the contract: Host (421), Origin (403), path (404), method (405), size (413), key (401, 403, 503;
429 after many wrong ones), then the SDK's application. Every response carries `X-Request-ID`. No response or log
contains a key.
"""

import logging
import math
import re
import time
import uuid
from collections.abc import Mapping

from mcp.types import INVALID_REQUEST, UNSUPPORTED_PROTOCOL_VERSION
from mcp_types.version import KNOWN_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS
from pydantic import JsonValue, SecretStr, TypeAdapter, ValidationError
from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lectern_mcp.errors import Failure
from lectern_mcp.limits import Clock, TokenBuckets
from lectern_mcp.logs import REQUEST_ID
from lectern_mcp.metadata import METADATA_PATH, METADATA_PATHS, PATH
from lectern_mcp.metrics import PATH as METRICS_PATH
from lectern_mcp.metrics import CallMetrics
from lectern_mcp.principal import Caller, Principals
from lectern_mcp.settings import McpSettings
from lectern_mcp.text import one_line
from lectern_mcp.tracing import continue_trace

logger = logging.getLogger(__name__)
PROBES = frozenset({"/health", "/ready", "/info"})
_PUBLIC = frozenset({METRICS_PATH, *METADATA_PATHS})
_ROUTES = frozenset({PATH, *_PUBLIC})
CALLER_IN_SCOPE = "lectern_mcp.caller"
MAX_BODY_BYTES = 262_144
FAILED_KEYS_PER_MINUTE = 10
_WRONG_KEYS = "Too many requests with wrong keys from this address."
_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
_PORT = re.compile(r":\d+$")
JsonId = str | int | None
_JSON: TypeAdapter[JsonValue] = TypeAdapter(JsonValue)


class _Refused(Exception):
    def __init__(
        self,
        status: int,
        failure: Failure,
        headers: dict[str, str] | None = None,
        *,
        code: int = INVALID_REQUEST,
        request: JsonId = None,
        more: Mapping[str, JsonValue] | None = None,
    ) -> None:
        error = {"code": code, "message": failure.message, "data": {**failure.as_dict(), **(more or {})}}
        self.response = JSONResponse({"jsonrpc": "2.0", "id": request, "error": error}, status, headers)
        super().__init__(status)


class Guard:
    """Admit a request to `app` with its `Caller`, or refuse it. Probes, metadata and metrics need no key."""

    def __init__(
        self,
        app: ASGIApp,
        settings: McpSettings,
        principals: Principals,
        clock: Clock = time.monotonic,
        metrics: CallMetrics | None = None,
    ) -> None:
        self._metrics = metrics or CallMetrics()
        self._app = app
        self._settings = settings
        self._principals = principals
        per_minute = FAILED_KEYS_PER_MINUTE
        self._failed_keys = TokenBuckets(per_minute=per_minute, burst=per_minute, clock=clock)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] in PROBES:
            await self._app(scope, receive, send)
            return
        if scope["path"] == f"{PATH}/":
            scope = {**scope, "path": PATH, "raw_path": PATH.encode()}
        given, started = _header(scope, b"x-request-id"), time.monotonic()
        request_id = given if _REQUEST_ID.fullmatch(given) else uuid.uuid4().hex
        REQUEST_ID.set(request_id)
        continue_trace(Headers(scope=scope))
        line: dict[str, object] = {"method": scope["method"], "path": scope["path"], "client": _address(scope)}

        status = 499  # the client disconnected before the response

        async def watched(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                line["status"] = status = message["status"]
                message["headers"] = [*message.get("headers", ()), (b"x-request-id", request_id.encode())]
            await send(message)

        try:
            caller = await self._admit(scope)
            line["principal"] = caller.principal if caller else None
            receive = await _check_message(scope, receive)
            await self._app({**scope, CALLER_IN_SCOPE: caller}, receive, watched)
        except _Refused as refused:
            await refused.response(scope, receive, watched)
        finally:
            seconds = time.monotonic() - started
            route = scope["path"] if scope["path"] in _ROUTES else "unmatched"
            self._metrics.observe(method=scope["method"], route=route, status=status, seconds=seconds)
            level = logging.DEBUG if scope["path"] == METRICS_PATH else logging.INFO
            logger.log(level, "Request", extra={**line, "took_ms": round(seconds * 1000, 1)})

    async def _admit(self, scope: Scope) -> Caller | None:
        if scope["path"] == METRICS_PATH and self._settings.metrics_token:
            return None  # Prometheus calls any name, and the token is checked
        origin, length = _header(scope, b"origin"), _header(scope, b"content-length")
        if not _is_listed(_header(scope, b"host"), self._settings.hosts):
            raise _Refused(421, Failure("HOST_NOT_ALLOWED"))
        if origin and not _is_listed(origin, self._settings.origins):
            raise _Refused(403, Failure("UNAUTHORIZED", "This Origin is refused.", hint="See MCP_ALLOWED_ORIGINS."))
        if scope["path"] in _PUBLIC and scope["method"] == "GET":
            return None
        if scope["path"] != PATH:
            raise _Refused(404, Failure("NOT_FOUND", "There is nothing here.", hint=f"The endpoint is {PATH}."))
        if scope["method"] != "POST":
            hint = "This server keeps no sessions and opens no streams."
            raise _Refused(405, Failure("VALIDATION_ERROR", "Only POST is served.", hint=hint), {"Allow": "POST"})
        if length.isdigit() and int(length) > MAX_BODY_BYTES:
            hint = "Send the url of a file instead of its content."
            raise _Refused(413, Failure("VALIDATION_ERROR", f"The limit is {MAX_BODY_BYTES} bytes.", hint))
        return await self._authenticate(scope)

    async def _authenticate(self, scope: Scope) -> Caller:
        scheme, _, token = _header(scope, b"authorization").partition(" ")
        key, address = SecretStr(token.strip()), _address(scope)
        if scheme.lower() != "bearer" or not key:
            failure = Failure("UNAUTHORIZED", "The API key is missing.", hint="Send it as Authorization: Bearer KEY.")
            raise _Refused(401, failure, self._challenge(scope))
        if not self._principals.remembers(key, address) and (wait := self._failed_keys.wait_seconds(address)):
            raise _Refused(429, Failure("RATE_LIMITED", _WRONG_KEYS), {"Retry-After": str(math.ceil(wait))})
        try:
            caller = await self._principals.resolve(key, address)
        except Failure as failure:
            if failure.code != "UNAUTHORIZED":
                raise _Refused(503, failure, {"Retry-After": "5"}) from None
            self._failed_keys.take(address)
            raise _Refused(401, failure, self._challenge(scope, "invalid_token")) from None
        if caller.toolsets.isdisjoint(self._settings.toolsets):
            failure = Failure("UNAUTHORIZED", "This key may use none of the enabled toolsets.")
            raise _Refused(403, failure, self._challenge(scope, "insufficient_scope"))
        return caller

    def _challenge(self, scope: Scope, error: str | None = None) -> dict[str, str]:
        metadata = f"{origin_of(scope)}{METADATA_PATH}"
        value = f'Bearer realm="lectern", resource_metadata="{metadata}", scope="{" ".join(self._settings.toolsets)}"'
        return {"WWW-Authenticate": f'{value}, error="{error}"' if error else value}


async def _check_message(scope: Scope, receive: Receive) -> Receive:
    """Refuse a JSON-RPC batch by its first byte, JSON without a message, and an unknown version of the protocol.

    The returned `receive` gives what was read once more.
    """
    read = [await receive()]
    body: bytes = read[0].get("body", b"")
    if body.lstrip()[:1] == b"[":
        raise _Refused(400, Failure("VALIDATION_ERROR", "Batches are not served.", hint="Send one message at a time."))
    message = _parse(body)
    fields = message if isinstance(message, dict) and message.get("jsonrpc") == "2.0" else {}
    if message is not None and fields.keys().isdisjoint(("method", "result", "error")):
        hint = 'Use an MCP client, or send {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}.'
        raise _Refused(400, Failure("VALIDATION_ERROR", "This is not a JSON-RPC message.", hint=hint))
    version = one_line(_header(scope, b"mcp-protocol-version"), 32)
    if scope["method"] == "POST" and version and version not in KNOWN_PROTOCOL_VERSIONS:
        hint = f"Send one of {', '.join(KNOWN_PROTOCOL_VERSIONS)} as MCP-Protocol-Version."
        failure = Failure("VALIDATION_ERROR", f"Unsupported protocol version: {version}.", hint=hint)
        # The list is that of server/discover, which the handshake does not need.
        more: dict[str, JsonValue] = {"supported": [*MODERN_PROTOCOL_VERSIONS], "requested": version}
        raise _Refused(400, failure, code=UNSUPPORTED_PROTOCOL_VERSION, request=_id_of(body), more=more)

    async def replay() -> Message:
        return read.pop() if read else await receive()

    return replay


def _id_of(body: bytes) -> JsonId:
    """Return the id of a request, None if the body has none or comes in parts."""
    message = _parse(body)
    given = message.get("id") if isinstance(message, dict) else None
    return given if isinstance(given, str | int) else None


def _parse(body: bytes) -> JsonValue:
    """Return the value of a body, None if it is not JSON or comes in parts."""
    try:
        return _JSON.validate_json(body)
    except ValidationError:
        return None


def origin_of(scope: Scope) -> str:
    """Return the origin that the client called, for a request whose Host is listed."""
    return f"{scope['scheme']}://{_header(scope, b'host')}"


def _address(scope: Scope) -> str:
    return (scope.get("client") or ("unknown", 0))[0]


def _header(scope: Scope, name: bytes) -> str:
    """Join all values of a header, so that a repeated header never matches an allowed value."""
    return b",".join(value for key, value in scope["headers"] if key == name).decode("latin-1").strip()


def _is_listed(value: str, allowed: list[str]) -> bool:
    return not {value.lower(), _PORT.sub("", value.lower())}.isdisjoint(map(str.lower, allowed))
