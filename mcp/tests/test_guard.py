"""Who is let in, in which order the checks come, and what a refused client is told."""

import json
from typing import Any

import httpx
import pytest
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from fake_api import PRINCIPAL, USER_KEY, FakeApi, key_record, problem
from harness import MakeService
from lectern_mcp.guard import CALLER_IN_SCOPE, MAX_BODY_BYTES, Guard

CHALLENGE = (
    'Bearer realm="lectern", resource_metadata="http://127.0.0.1:8001/.well-known/oauth-protected-resource/mcp", '
    'scope="search answers library extract connector"'
)
OTHER_KEY = "lk_another-key-0123456789abcdef0123456789ab"


class Clock:
    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


class Guarded:
    """A guard before an application that answers 200, and what that application was given."""

    def __init__(self, make_service: MakeService, **settings: Any) -> None:
        service = make_service(**settings)
        self.clock = Clock()
        self.scopes: list[Scope] = []
        self._guard = Guard(self._app, service._settings, service.principals, clock=self.clock)  # pyright: ignore[reportPrivateUsage]  # the guard alone is under test

    async def _app(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.scopes.append(scope)
        await PlainTextResponse("in")(scope, receive, send)

    async def send(self, method: str = "POST", path: str = "/mcp", **options: Any) -> httpx.Response:
        key = options.pop("key", USER_KEY)
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        client = options.pop("client", ("127.0.0.1", 5000))
        transport = httpx.ASGITransport(self._guard, client=client)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8001") as http:
            return await http.request(method, path, headers={**headers, **options.pop("headers", {})}, **options)


@pytest.fixture
def guarded(make_service: MakeService) -> Guarded:
    return Guarded(make_service)


def code_of(response: httpx.Response) -> str:
    return response.json()["error"]["data"]["code"]


async def test_a_good_key_is_let_in_with_its_caller(guarded: Guarded) -> None:
    response = await guarded.send()
    assert response.status_code == 200
    assert guarded.scopes[0][CALLER_IN_SCOPE].principal == PRINCIPAL


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "localhost@evil.example", "evil:8001", ""])
async def test_a_foreign_host_is_misdirected_even_with_a_good_key(guarded: Guarded, host: str) -> None:
    response = await guarded.send(headers={"Host": host})
    assert (response.status_code, code_of(response)) == (421, "HOST_NOT_ALLOWED")
    assert guarded.scopes == []


async def test_the_host_and_origin_of_the_public_address_are_served(make_service: MakeService) -> None:
    guarded = Guarded(make_service, public_url="https://docs.example")
    headers = {"Host": "docs.example", "Origin": "https://docs.example"}
    assert (await guarded.send(headers=headers)).status_code == 200
    assert (await guarded.send(headers=headers | {"Origin": "http://docs.example"})).status_code == 403


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:9", "127.0.0.1:8001", "[::1]:8001"])
async def test_a_listed_host_is_served_on_any_port(guarded: Guarded, host: str) -> None:
    assert (await guarded.send(headers={"Host": host})).status_code == 200


async def test_a_host_listed_with_a_port_is_served_on_that_port_only(make_service: MakeService) -> None:
    guarded = Guarded(make_service, allowed_hosts=["docs.example:443"])
    assert (await guarded.send(headers={"Host": "docs.example:443"})).status_code == 200
    assert (await guarded.send(headers={"Host": "docs.example:444"})).status_code == 421
    assert (await guarded.send(headers={"Host": "docs.example"})).status_code == 421


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://localhost", "http://localhost.evil:80"])
async def test_a_foreign_origin_is_refused_before_the_key_is_looked_at(
    api: FakeApi, guarded: Guarded, origin: str
) -> None:
    response = await guarded.send(headers={"Origin": origin}, key="")
    assert response.status_code == 403
    assert "www-authenticate" not in response.headers
    assert api.introspections == 0


async def test_a_listed_origin_is_served_on_any_port(guarded: Guarded) -> None:
    assert (await guarded.send(headers={"Origin": "http://localhost:6274"})).status_code == 200


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "OPTIONS", "PATCH"])
async def test_only_post_is_served(guarded: Guarded, method: str) -> None:
    response = await guarded.send(method, key="")
    assert (response.status_code, response.headers["allow"]) == (405, "POST")


async def test_a_trailing_slash_is_the_same_address(guarded: Guarded) -> None:
    assert (await guarded.send(path="/mcp/")).status_code == 200
    assert guarded.scopes[0]["path"] == "/mcp"


@pytest.mark.parametrize("body", [b"{}", b'"x"', b'{"id": 1, "method": "ping"}', b'{"jsonrpc": "2.0", "id": 1}'])
async def test_json_without_a_message_is_refused_in_plain_words(guarded: Guarded, body: bytes) -> None:
    response = await guarded.send(content=body)
    assert response.status_code == 400
    error = response.json()["error"]
    assert error["message"] == "This is not a JSON-RPC message."
    assert '"method": "tools/list"' in error["data"]["hint"]


@pytest.mark.parametrize("body", [b"[]", b' \n[{"jsonrpc": "2.0", "id": 1, "method": "ping"}]'])
async def test_a_batch_is_refused_in_plain_words(guarded: Guarded, body: bytes) -> None:
    response = await guarded.send(content=body)
    assert (response.status_code, code_of(response)) == (400, "VALIDATION_ERROR")
    assert response.json()["error"]["message"] == "Batches are not served."


async def test_another_path_is_not_found(guarded: Guarded) -> None:
    assert (await guarded.send(path="/.well-known/oauth-protected-resource")).status_code == 404
    assert (await guarded.send("GET", "/mcp/../secret", key="")).status_code == 404


async def test_a_body_that_announces_itself_too_large_is_refused_before_the_key_is_looked_at(
    api: FakeApi, guarded: Guarded
) -> None:
    response = await guarded.send(content=b"x" * (MAX_BODY_BYTES + 1))
    assert (response.status_code, api.introspections) == (413, 0)
    assert (await guarded.send(content=b"x" * MAX_BODY_BYTES)).status_code == 200


@pytest.mark.parametrize("header", ["", "Basic abc", "Bearer", "Bearer ", USER_KEY])
async def test_without_a_key_the_challenge_names_realm_and_scope_and_no_error(
    guarded: Guarded, api: FakeApi, header: str
) -> None:
    response = await guarded.send(headers={"Authorization": header}, key="")
    assert response.status_code == 401
    assert response.headers["www-authenticate"] == CHALLENGE
    assert api.introspections == 0


async def test_a_wrong_key_is_told_so(guarded: Guarded) -> None:
    response = await guarded.send(key=OTHER_KEY)
    assert response.status_code == 401
    assert response.headers["www-authenticate"] == f'{CHALLENGE}, error="invalid_token"'
    assert code_of(response) == "UNAUTHORIZED"
    assert OTHER_KEY not in response.text


async def test_two_keys_in_one_request_are_no_key(guarded: Guarded) -> None:
    pair = [("Authorization", f"Bearer {USER_KEY}"), ("Authorization", f"Bearer {OTHER_KEY}")]
    transport = httpx.ASGITransport(guarded._guard)  # pyright: ignore[reportPrivateUsage]  # repeated headers need a list
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as http:
        assert (await http.post("/mcp", headers=pair)).status_code == 401


async def test_an_expired_key_is_a_wrong_key(api: FakeApi, guarded: Guarded) -> None:
    api.keys[OTHER_KEY] = key_record(expires_at="2020-01-01T00:00:00Z")
    assert (await guarded.send(key=OTHER_KEY)).status_code == 401


async def test_a_key_for_other_toolsets_only_is_forbidden(api: FakeApi, guarded: Guarded) -> None:
    api.keys[OTHER_KEY] = key_record(toolsets=("other",))
    response = await guarded.send(key=OTHER_KEY)
    assert response.status_code == 403
    assert 'error="insufficient_scope"' in response.headers["www-authenticate"]


@pytest.mark.parametrize("status", [401, 403, 500, 503])
async def test_an_api_that_cannot_tell_whose_key_it_is_is_503_and_never_401(
    api: FakeApi, guarded: Guarded, status: int
) -> None:
    api.introspection_instead = problem(status, "x", "no")
    response = await guarded.send()
    assert response.status_code == 503
    assert response.headers["retry-after"] == "5"
    assert "www-authenticate" not in response.headers
    api.introspection_instead = None
    assert (await guarded.send()).status_code == 200


async def test_guessing_keys_is_slowed_by_address_and_leaves_known_keys_alone(api: FakeApi, guarded: Guarded) -> None:
    assert (await guarded.send()).status_code == 200
    guesses = [(await guarded.send(key=f"guess-{number}")).status_code for number in range(12)]
    assert guesses == [401] * 10 + [429] * 2
    asked = api.introspections
    assert (await guarded.send(key="guess-12")).status_code == 429
    assert api.introspections == asked
    assert (await guarded.send()).status_code == 200
    assert (await guarded.send(key="guess-13", client=("10.0.0.9", 1))).status_code == 401
    guarded.clock.now += 6
    assert (await guarded.send(key="guess-14")).status_code == 401


async def test_every_answer_carries_a_request_id_and_a_clients_own_is_kept(guarded: Guarded) -> None:
    assert (await guarded.send(headers={"X-Request-ID": "abc-123"})).headers["x-request-id"] == "abc-123"
    for bad in ("x" * 65, "line\tbreak", "<script>", "a,b"):
        given = (await guarded.send(headers={"X-Request-ID": bad})).headers["x-request-id"]
        assert given != bad
        assert len(given) == 32
    assert len((await guarded.send(key="")).headers["x-request-id"]) == 32


async def test_a_refusal_is_a_json_rpc_error_with_code_and_hint(guarded: Guarded) -> None:
    body = json.loads((await guarded.send(key="")).text)
    assert (body["jsonrpc"], body["id"], body["error"]["code"]) == ("2.0", None, -32600)
    assert set(body["error"]["data"]) == {"error", "code", "hint"}


@pytest.mark.parametrize("version", ["banana", "1999-01-01", "2099-01-01", "2025-11-25,2026-07-28"])
async def test_an_unknown_version_of_the_protocol_is_refused_with_those_that_are_served(
    served: str, version: str
) -> None:
    listing: dict[str, Any] = {"jsonrpc": "2.0", "id": 7, "method": "tools/list"}
    modern = {"_meta": {"io.modelcontextprotocol/protocolVersion": version}}
    headers = {"Authorization": f"Bearer {USER_KEY}", "Accept": "application/json, text/event-stream"}
    async with httpx.AsyncClient() as http:
        for message in (listing, {**listing, "params": modern}, {**listing, "method": "initialize"}):
            sent = headers | {"MCP-Protocol-Version": version}
            response = await http.post(f"{served}/mcp", json=message, headers=sent)
            assert (response.status_code, response.json()["id"]) == (400, 7)
            error = response.json()["error"]
            assert (error["code"], error["message"]) == (-32022, f"Unsupported protocol version: {version}.")
            assert error["data"]["supported"] == ["2026-07-28"]
            assert error["data"]["requested"] == version
            assert "2025-11-25, 2026-07-28" in error["data"]["hint"]


async def test_a_handshake_with_an_unknown_version_is_answered_with_a_version_that_is_served(served: str) -> None:
    params = {"protocolVersion": "banana", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    message = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}
    headers = {"Authorization": f"Bearer {USER_KEY}", "Accept": "application/json, text/event-stream"}
    async with httpx.AsyncClient() as http:
        response = await http.post(f"{served}/mcp", json=message, headers=headers)
    assert json.loads(response.text.partition("data: ")[2])["result"]["protocolVersion"] == "2025-11-25"


async def test_hosts_and_origins_may_be_listed_in_any_case(make_service: MakeService) -> None:
    guarded = Guarded(make_service, allowed_hosts=["Docs.Example"], allowed_origins=["HTTPS://Docs.Example"])
    headers = {"Host": "docs.example", "Origin": "https://DOCS.example"}
    assert (await guarded.send(headers=headers)).status_code == 200


async def test_metadata_is_open_to_all_but_checks_host_and_origin(guarded: Guarded, api: FakeApi) -> None:
    for path in ("/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-protected-resource"):
        assert (await guarded.send("GET", path, key="")).status_code == 200
        assert (await guarded.send("POST", path, key="")).status_code == 404
        assert (await guarded.send("GET", path, key="", headers={"Host": "evil.example"})).status_code == 421
        assert (await guarded.send("GET", path, key="", headers={"Origin": "https://evil.example"})).status_code == 403
    assert api.introspections == 0
