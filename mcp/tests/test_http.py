"""The service over real HTTP: both eras of the protocol, workers that share nothing, and what the guard leaves open."""

import asyncio
import json
import logging
from collections.abc import AsyncGenerator

import httpx
import pytest
from starlette.responses import Response

from fake_api import PRINCIPAL, SERVICE_KEY, USER_KEY, FakeApi, hit, key_record
from harness import MakeService, connecting
from lectern_mcp.guard import MAX_BODY_BYTES
from lectern_mcp.logs import JsonFormatter
from lectern_mcp.settings import VERSION
from serving import serving

HEADERS = {
    "Authorization": f"Bearer {USER_KEY}",
    "Accept": "application/json, text/event-stream",
    "Content-Type": "application/json",
}
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


@pytest.mark.parametrize(("mode", "version"), [("auto", "2026-07-28"), ("legacy", "2025-11-25")])
async def test_both_eras_of_the_protocol_are_served_at_one_address(
    api: FakeApi, served: str, mode: str, version: str
) -> None:
    api.hits = [hit(1, "A passage.")]
    async with connecting(served, mode=mode) as client:
        assert client.protocol_version == version
        result = await client.call_tool("search", {"query": "x"})
    assert result.structured_content["data"][0]["text"] == "<passage>\nA passage.</passage>"
    assert {call.headers["x-lectern-principal"] for call in api.calls} == {PRINCIPAL}


async def test_the_information_needs_no_key_and_names_the_tools_of_each_toolset(served: str) -> None:
    async with httpx.AsyncClient() as client:
        information = (await client.get(f"{served}/info")).json()
    assert (information["name"], information["version"]) == ("lectern", VERSION)
    assert information["transports"]["streamable-http"] == "/mcp"
    assert "search_by_tag" in information["toolsets"]["search"]


@pytest.fixture
async def two_workers(make_service: MakeService) -> AsyncGenerator[list[str]]:
    async with (
        serving(make_service(rate_limit_per_minute=0).app()) as first,
        serving(make_service(rate_limit_per_minute=0).app()) as second,
    ):
        yield [first, second]


async def test_a_conversation_may_go_on_in_another_worker_at_every_message(
    api: FakeApi, two_workers: list[str]
) -> None:
    """A load balancer does this to a client of the handshake protocol."""
    initialize = {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }
    messages = [{"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": initialize}]
    for number in range(1, 10):
        call = {"name": "search", "arguments": {"query": str(number)}}
        messages.append({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": call})
    async with httpx.AsyncClient(headers={**HEADERS, "MCP-Protocol-Version": "2025-11-25"}) as http:
        answers = [await http.post(f"{two_workers[at % 2]}/mcp", json=message) for at, message in enumerate(messages)]
    assert [answer.status_code for answer in answers] == [200] * 10
    assert not any("mcp-session-id" in answer.headers for answer in answers)
    assert [call.body["query"] for call in api.calls] == [str(number) for number in range(1, 10)]


async def test_callers_at_the_same_time_are_not_taken_for_each_other(api: FakeApi, served: str) -> None:
    keys = {f"lk_{number}": f"key:{number}" for number in range(8)}
    api.keys |= {key: {**key_record(), "principal": name} for key, name in keys.items()}

    async def ask(key: str, mode: str) -> None:
        async with connecting(served, key=key, mode=mode) as client:
            for _ in range(3):
                await client.call_tool("search", {"query": keys[key]})

    await asyncio.gather(*(ask(key, mode) for key in keys for mode in ("auto", "legacy")))
    assert len(api.calls) == 8 * 2 * 3
    assert all(call.headers["x-lectern-principal"] == call.body["query"] for call in api.calls)


async def test_health_needs_no_key_and_no_api(api: FakeApi, served: str) -> None:
    api.is_ready = False
    async with httpx.AsyncClient() as http:
        response = await http.get(f"{served}/health", headers={"Host": "10.1.2.3"})
    assert (response.status_code, response.json()) == (200, {"status": "ok", "version": VERSION})
    assert api.seen == []


async def test_ready_tells_whether_the_api_is(api: FakeApi, served: str) -> None:
    async with httpx.AsyncClient() as http:
        assert (await http.get(f"{served}/ready")).json() == {"status": "ready"}
        api.is_ready = False
        response = await http.get(f"{served}/ready")
    assert (response.status_code, response.json()) == (503, {"status": "unavailable"})


async def test_probes_answer_get_only(served: str) -> None:
    async with httpx.AsyncClient() as http:
        assert (await http.post(f"{served}/health")).status_code == 405


async def test_a_body_that_hides_its_size_is_refused_while_it_is_read(served: str) -> None:
    async def endless() -> AsyncGenerator[bytes]:
        for _ in range(MAX_BODY_BYTES // 1024 + 2):
            yield b" " * 1024

    async with httpx.AsyncClient(headers=HEADERS) as http:
        response = await http.post(f"{served}/mcp", content=endless())
    assert response.status_code == 413


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"null", b'{"jsonrpc": "2.0", "id": 1}', b"\xff\xfe", b"[" * 9_000])
async def test_a_body_that_is_no_json_rpc_is_a_client_error(served: str, body: bytes) -> None:
    async with httpx.AsyncClient(headers=HEADERS) as http:
        response = await http.post(f"{served}/mcp", content=body)
        assert 400 <= response.status_code < 500
        assert (await http.post(f"{served}/mcp", json=PING)).status_code == 200


@pytest.mark.parametrize("method", ["tools/list", "prompts/list", "resources/templates/list"])
async def test_an_unknown_cursor_is_refused(served: str, method: str) -> None:
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {"cursor": "nonsense"}}
    async with httpx.AsyncClient(headers=HEADERS) as http:
        response = await http.post(f"{served}/mcp", json=body)
    assert json.loads(response.text.split("data: ")[1])["error"]["code"] == -32602


async def test_a_page_of_a_listed_origin_may_call(served: str) -> None:
    origin = {"Origin": "http://localhost:6274"}
    asked = origin | {
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization, mcp-protocol-version",
    }
    async with httpx.AsyncClient() as http:
        allowed = await http.options(f"{served}/mcp", headers=asked)
        foreign = await http.options(f"{served}/mcp", headers=asked | {"Origin": "http://evil.example"})
        unauthorized = await http.post(f"{served}/mcp", json=PING, headers=origin)
    assert (allowed.status_code, allowed.headers["access-control-allow-origin"]) == (200, origin["Origin"])
    assert (foreign.status_code, "access-control-allow-origin" in foreign.headers) == (400, False)
    assert unauthorized.headers["access-control-allow-origin"] == origin["Origin"]
    assert "WWW-Authenticate" in unauthorized.headers["access-control-expose-headers"]


async def test_an_answer_is_a_stream_for_clients_of_the_handshake_era(served: str) -> None:
    async with httpx.AsyncClient(headers=HEADERS) as http:
        response = await http.post(f"{served}/mcp", json=PING)
    assert response.headers["content-type"].startswith("text/event-stream")
    assert json.loads(response.text.split("data: ")[1]) == {"jsonrpc": "2.0", "id": 1, "result": {}}


async def test_one_request_has_one_id_from_the_client_to_the_api_and_the_log(
    api: FakeApi, make_service: MakeService, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.handler.setFormatter(JsonFormatter())
    caplog.set_level(logging.INFO)
    call = {"name": "search", "arguments": {"query": "x"}}
    headers = {**HEADERS, "X-Request-ID": "my-id-1"}
    async with serving(make_service().app()) as url, httpx.AsyncClient(headers=headers) as http:
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
        response = await http.post(f"{url}/mcp", json=body)
    assert response.headers["x-request-id"] == "my-id-1"
    assert api.calls[0].headers["x-request-id"] == "my-id-1"
    lines = [json.loads(line) for line in caplog.text.splitlines() if line.startswith("{")]
    ours = {line["message"]: line for line in lines if line["logger"].startswith("lectern_mcp")}
    assert ours["Tool called"]["request_id"] == ours["Request"]["request_id"] == "my-id-1"
    assert ours["Tool called"]["tool"] == "search"
    assert (ours["Request"]["status"], ours["Request"]["principal"]) == (200, PRINCIPAL)


async def test_no_key_and_no_query_is_ever_logged(
    api: FakeApi, make_service: MakeService, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.handler.setFormatter(JsonFormatter())
    caplog.set_level(logging.DEBUG, logger="lectern_mcp")
    async with serving(make_service().app()) as url:
        async with connecting(url) as client:
            await client.call_tool("search", {"query": "a very private question"})
            await client.call_tool("search", {"query": "a very private question", "wrong": "very private"})
        api.introspection_instead = Response("boom", 500)
        async with httpx.AsyncClient(headers={**HEADERS, "Authorization": "Bearer lk_wrong-and-secret"}) as http:
            assert (await http.post(f"{url}/mcp", json=PING)).status_code == 503
            api.introspection_instead = None
            assert (await http.post(f"{url}/mcp", json=PING)).status_code == 401
    ours = "\n".join(record for record in caplog.text.splitlines() if "lectern_mcp" in record)
    assert "Request" in ours
    for secret in (USER_KEY, SERVICE_KEY, "lk_wrong-and-secret", "very private"):
        assert secret not in ours
