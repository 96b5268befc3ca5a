"""The test of a key: the real API calls the real MCP process as an agent does."""

from collections.abc import AsyncGenerator
from typing import Any

import httpx
import pytest

from harness import held
from process import running
from real_api import RealApi, real_api

DOCUMENT = "aml-kyc-policy.pdf"


@pytest.fixture(scope="module")
async def api(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[RealApi]:
    async with held(real_api(tmp_path_factory.mktemp("api"), documents={DOCUMENT: ("aml",)})) as made:
        yield made


@pytest.fixture
async def mcp_url(api: RealApi, unused_tcp_port: int) -> AsyncGenerator[str]:
    """The address of the MCP service, which the API has in its settings."""
    url, settings = f"http://127.0.0.1:{unused_tcp_port}/mcp", api.settings.http
    api.settings.http = settings.model_copy(update={"mcp_url": url})
    async with held(running(unused_tcp_port, LECTERN_API_URL=api.url)):
        yield url
    api.settings.http = settings


async def run_test(api: RealApi, key_id: str) -> httpx.Response:
    return await api.client.post(f"/api/v1/keys/{key_id}/test")


async def test_a_key_is_tested_with_the_tools_that_it_sees_and_a_measured_call(api: RealApi, mcp_url: str) -> None:
    expected = {
        "search": "list_tags",
        "answers": "search_chunks",
        "library": "list_collections",
        "extract": "detect_language",
        "connector": "search",
    }
    called: dict[str, str] = {}
    for toolset in expected:
        _, key_id = await api.key(toolsets=[toolset])
        response = await run_test(api, key_id)
        assert response.status_code == 200, response.text
        tested, view = response.json(), (await api.client.get(f"/api/v1/keys/{key_id}/view")).json()
        assert tested["url"] == mcp_url
        assert set(tested["tools"]) <= set(view["tools"])
        assert 0 < tested["latency_ms"] < 8_000
        called[toolset] = tested["called_tool"]
        print(f"{toolset}: {len(tested['tools'])} tools, {tested['called_tool']} in {tested['latency_ms']} ms")
    assert called == expected


async def test_the_token_of_a_test_is_no_key_of_the_api(api: RealApi, mcp_url: str) -> None:
    seen: list[str] = []

    async def listen(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            seen.extend(value.decode() for name, value in scope["headers"] if name == b"authorization")
            await send({"type": "http.response.start", "status": 500, "headers": []})
            await send({"type": "http.response.body", "body": b""})

    from serving import serving

    _, key_id = await api.key()
    async with serving(listen) as url:
        api.settings.http = api.settings.http.model_copy(update={"mcp_url": f"{url}/mcp"})
        assert (await run_test(api, key_id)).json()["code"] == "mcp_failed"
    (token,) = seen
    async with httpx.AsyncClient(base_url=api.url, headers={"Authorization": token}) as thief:
        for path in ("/api/v1/auth/me", "/api/v1/documents", "/api/v1/keys"):
            assert (await thief.get(path)).status_code == 401
    assert (await api.client.get(f"/api/v1/keys/{key_id}")).json()["last_used_at"] is None


async def test_a_service_that_is_not_there_or_refuses_is_a_typed_failure(
    api: RealApi, mcp_url: str, unused_tcp_port_factory: Any
) -> None:
    _, key_id = await api.key()
    away = f"http://127.0.0.1:{unused_tcp_port_factory()}/mcp"
    api.settings.http = api.settings.http.model_copy(update={"mcp_url": away})
    problem = (await run_test(api, key_id)).json()
    assert (problem["status"], problem["code"]) == (503, "mcp_unreachable")
    assert problem["detail"] == f"The MCP service does not answer at {away}."
    assert "LECTERN_MCP_URL" in problem["hint"]

    api.settings.http = api.settings.http.model_copy(update={"mcp_url": f"http://other.example/mcp,{mcp_url}"})
    problem = (await run_test(api, key_id)).json()
    assert (problem["status"], problem["code"]) == (503, "mcp_failed")
    assert "Host" in problem["detail"]


async def test_a_key_that_works_elsewhere_only_fails_with_the_reason(api: RealApi, mcp_url: str) -> None:
    _, key_id = await api.key(allowed_networks=["10.0.0.0/8"])
    problem = (await run_test(api, key_id)).json()
    assert (problem["status"], problem["code"]) == (503, "mcp_failed")
    assert "allowed networks" in problem["hint"]


async def test_a_revoked_key_is_not_tested(api: RealApi, mcp_url: str) -> None:
    _, key_id = await api.key()
    await api.revoke(key_id)
    problem = (await run_test(api, key_id)).json()
    assert (problem["status"], problem["code"]) == (409, "api_key_inactive")
