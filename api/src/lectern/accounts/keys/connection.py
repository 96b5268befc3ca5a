"""Call the MCP service as an agent does, to test a key.

The service gets a token that is valid for seconds and that only it can use. The secret of a key is not stored.
"""

import time
import uuid
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from pydantic import BaseModel, SecretStr, ValidationError

from lectern.accounts.errors import McpFailed, McpUnreachable
from lectern.accounts.keys.schemas import KeyTestResponse
from lectern.accounts.principals import Principal
from lectern.accounts.tokens import TokenClaims, Tokens
from lectern.http.addresses import McpTarget

if TYPE_CHECKING:
    import httpx

TOKEN_LIFE: Final = timedelta(seconds=30)
_TIMEOUT_SECONDS: Final = 8.0
_PROTOCOL: Final = "2025-06-18"
_CALLS: Final[dict[str, dict[str, str]]] = {
    "list_tags": {},
    "list_collections": {},
    "search_chunks": {"query": "test"},
    "detect_language": {"text": "Good morning, everyone."},
    "search": {"query": "test"},
}
"""A cheap tool of each toolset. The first one that the key sees is called."""


class _Tool(BaseModel):
    name: str


class _Text(BaseModel):
    text: str = ""


class _Result(BaseModel):
    tools: list[_Tool] = []
    content: list[_Text] = []
    isError: bool = False  # noqa: N815 - named by the protocol


class _Error(BaseModel):
    message: str = ""


class _Message(BaseModel):
    result: _Result | None = None
    error: _Error | None = None


def sign_test_token(tokens: Tokens, principal: Principal, key_id: uuid.UUID) -> SecretStr:
    """Return a token with which the MCP service acts for a key. It names the key in place of a session."""
    claims = TokenClaims(principal.require_person(), key_id)
    return SecretStr(tokens.sign(claims, audience="lectern:key-test", now=datetime.now(UTC), life=TOKEN_LIFE))


def read_test_token(tokens: Tokens, token: SecretStr) -> uuid.UUID | None:
    """Return the key that a token is for, or None if it is no valid one."""
    claims = tokens.read(token.get_secret_value(), audience="lectern:key-test")
    return claims.session_id if claims else None


async def call_mcp(target: McpTarget, token: SecretStr) -> KeyTestResponse:
    """List the tools, then call one and measure it. Raises McpUnreachable, McpFailed."""
    import httpx

    headers = {
        "Authorization": f"Bearer {token.get_secret_value()}",
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": _PROTOCOL,
        "Host": target.host,
    }
    try:
        async with httpx.AsyncClient(headers=headers, timeout=_TIMEOUT_SECONDS, trust_env=False) as http:
            client = {"name": "lectern-key-test", "version": "1"}
            opening = {"protocolVersion": _PROTOCOL, "capabilities": {}, "clientInfo": client}
            await _ask(http, target.url, "initialize", opening)
            tools = [tool.name for tool in (await _ask(http, target.url, "tools/list", {})).tools]
            called = next((name for name in _CALLS if name in tools), None)
            started = time.perf_counter()
            if called:
                await _ask(http, target.url, "tools/call", {"name": called, "arguments": _CALLS[called]})
            seconds = time.perf_counter() - started
    except (httpx.TransportError, httpx.DecodingError) as error:
        raise McpUnreachable(f"The MCP service does not answer at {target.url}.") from error
    latency_ms = round(seconds * 1000, 1) if called else None
    return KeyTestResponse(url=target.url, tools=tools, called_tool=called, latency_ms=latency_ms)


async def _ask(http: "httpx.AsyncClient", url: str, method: str, parameters: dict[str, Any]) -> _Result:
    request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters}
    response = await http.post(url, json=request)
    try:
        message = _Message.model_validate_json(_last_event(response.text))
    except ValidationError:
        raise McpFailed(f"The MCP service answered {response.status_code} at {url}.") from None
    if message.error or message.result is None:
        reason = message.error.message if message.error else f"HTTP {response.status_code}"
        raise McpFailed(f"The MCP service refused: {_shorten(reason)}")
    if message.result.isError:
        reason = " ".join(part.text for part in message.result.content)
        raise McpFailed(f"A tool failed: {_shorten(reason)}")
    return message.result


def _last_event(body: str) -> str:
    """Return the message in a body that is JSON or a stream of events."""
    events = [line[5:].strip() for line in body.splitlines() if line.startswith("data:")]
    return next((event for event in reversed(events) if event), body)


def _shorten(text: str) -> str:
    return " ".join(text.split())[:200]
