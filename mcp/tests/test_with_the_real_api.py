"""From an uploaded file to a cited page over MCP: the service on the real API, its database and its worker."""

import asyncio
import json
from collections.abc import AsyncGenerator
from typing import Any

import httpx
import pytest
from mcp import Client, MCPError
from mcp.types import TextContent, TextResourceContents

from fake_api import SERVICE_KEY
from harness import connecting, held
from lectern_mcp.server import Service
from lectern_mcp.settings import McpSettings
from real_api import ENVIRONMENT_KEY, RealApi, real_api
from serving import serving

PUBLIC, PRIVATE = "travel-and-expenses-policy.pdf", "aml-kyc-policy.pdf"


@pytest.fixture(scope="module")
async def api(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[RealApi]:
    documents = {PUBLIC: ("travel",), PRIVATE: ("aml", "confidential")}
    async with held(real_api(tmp_path_factory.mktemp("api"), documents=documents)) as made:
        yield made


@pytest.fixture(scope="module")
async def url(api: RealApi) -> AsyncGenerator[str]:
    settings = {"api_url": api.url, "rate_limit_per_minute": 0, "key_cache_seconds": 0.05}
    service = Service(McpSettings.model_validate({"backend_api_key": SERVICE_KEY, **settings}))
    async with held(serving(service.app())) as address:
        yield address


@pytest.fixture
async def client(url: str) -> AsyncGenerator[Client]:
    async with held(connecting(url, key=ENVIRONMENT_KEY)) as connected:
        yield connected


async def test_a_question_finds_a_passage_whose_page_can_be_opened(client: Client) -> None:
    result = await client.call_tool("search", {"query": "enhanced due diligence politically exposed persons"})
    first = result.structured_content["data"][0]
    assert first["document"] == PRIVATE
    (page,) = (await client.read_resource(first["url"])).contents
    assert isinstance(page, TextResourceContents)
    assert first["text"].split("\n")[1][:40] in page.text


async def test_the_outline_and_the_record_of_a_document_are_resources(api: RealApi, client: Client) -> None:
    uri = f"lectern://documents/{api.ids[PRIVATE]}"
    (outline,) = (await client.read_resource(f"{uri}/outline")).contents
    (record,) = (await client.read_resource(uri)).contents
    assert isinstance(outline, TextResourceContents)
    assert isinstance(record, TextResourceContents)
    assert "1. Purpose and scope (p. 3)\n  1.1 Definitions (p. 3)\n" in outline.text
    assert json.loads(record.text)["filename"] == PRIVATE


async def test_documents_and_tags_are_listed_and_filtered(client: Client) -> None:
    tags = (await client.call_tool("list_tags", {})).structured_content["data"]
    assert [(tag["name"], tag["document_count"]) for tag in tags] == [("aml", 1), ("confidential", 1), ("travel", 1)]
    listed = await client.call_tool("list_documents", {"tags": ["aml", "travel"], "status": "ready", "limit": 1})
    assert listed.structured_content["metadata"]["total"] == 2
    cursor = listed.structured_content["metadata"]["next_cursor"]
    arguments = {"tags": ["aml", "travel"], "status": "ready", "limit": 1, "cursor": cursor}
    other = await client.call_tool("list_documents", arguments)
    names = {result.structured_content["data"][0]["filename"] for result in (listed, other)}
    assert names == {PUBLIC, PRIVATE}
    assert other.structured_content["metadata"]["next_cursor"] is None


@pytest.mark.parametrize(
    ("tool", "filter_"),
    [("search_by_tag", {"tags": ["travel"]}), ("search_by_document", {"documents": [PUBLIC.upper()]})],
)
async def test_a_filter_keeps_to_its_documents(client: Client, tool: str, filter_: dict[str, Any]) -> None:
    result = await client.call_tool(tool, {"query": "policy approval customers", "top_k": 20, **filter_})
    assert result.structured_content["data"]
    assert {passage["document"] for passage in result.structured_content["data"]} == {PUBLIC}


async def test_a_document_may_be_named_by_id(api: RealApi, client: Client) -> None:
    arguments = {"query": "policy", "documents": [api.ids[PRIVATE]]}
    result = await client.call_tool("search_by_document", arguments)
    assert {passage["document"] for passage in result.structured_content["data"]} == {PRIVATE}


async def test_a_cursor_of_another_list_is_refused(client: Client) -> None:
    result = await client.call_tool("list_documents", {"cursor": "nonsense"})
    assert result.structured_content["code"] == "VALIDATION_ERROR"


async def test_a_key_for_some_tags_sees_nothing_else_by_any_way(api: RealApi, url: str) -> None:
    key, _ = await api.key(tags=["travel"])
    async with connecting(url, key=key) as client:
        found = await client.call_tool("search", {"query": "due diligence policy", "top_k": 20})
        assert {passage["document"] for passage in found.structured_content["data"]} == {PUBLIC}
        tags = await client.call_tool("list_tags", {})
        assert [tag["name"] for tag in tags.structured_content["data"]] == ["travel"]
        listed = await client.call_tool("list_documents", {})
        assert [row["filename"] for row in listed.structured_content["data"]] == [PUBLIC]
        for arguments in ({"documents": [PRIVATE]}, {"documents": [api.ids[PRIVATE]]}):
            refused = await client.call_tool("search_by_document", {"query": "x", **arguments})
            assert refused.is_error
            assert "confidential" not in str(refused)
        for path in ("", "/outline", "/pages/1"):
            with pytest.raises(MCPError) as caught:
                await client.read_resource(f"lectern://documents/{api.ids[PRIVATE]}{path}")
            assert caught.value.code == -32602


async def test_over_standard_streams_the_own_key_is_enough_and_says_what_may_be_seen(api: RealApi) -> None:
    key, key_id = await api.key(tags=["travel"], toolsets=["search", "library"])
    settings = McpSettings.model_validate({"mcp_api_key": key, "api_url": api.url, "key_cache_seconds": 0.05})
    async with Client(Service(settings).server) as client:
        assert "read_pages" in {tool.name for tool in (await client.list_tools()).tools}
        found = await client.call_tool("search", {"query": "due diligence policy", "top_k": 20})
        assert {passage["document"] for passage in found.structured_content["data"]} == {PUBLIC}
        assert found.structured_content["data"][0]["url"].startswith(api.url)
        hidden = await client.call_tool("read_pages", {"document": api.ids[PRIVATE]})
        assert hidden.is_error
        async with serving(Service(settings).app()) as url, httpx.AsyncClient() as http:  # for no other caller
            headers = {"Authorization": f"Bearer {ENVIRONMENT_KEY}"}
            assert (await http.post(f"{url}/mcp", json={}, headers=headers)).status_code == 401
        await api.revoke(key_id)
        await asyncio.sleep(0.1)
        with pytest.raises(MCPError, match="Unknown, revoked or expired key"):
            await client.call_tool("search", {"query": "policy"})


async def test_a_revoked_key_is_refused_soon_after(api: RealApi, url: str) -> None:
    key, key_id = await api.key()
    body = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    headers = {"Authorization": f"Bearer {key}", "Accept": "application/json, text/event-stream"}
    async with httpx.AsyncClient(headers=headers) as http:
        assert (await http.post(f"{url}/mcp", json=body)).status_code == 200
        await api.revoke(key_id)
        while (response := await http.post(f"{url}/mcp", json=body)).status_code == 200:
            pass
    assert response.status_code == 401
    assert 'error="invalid_token"' in response.headers["www-authenticate"]


async def test_a_revoked_key_that_is_still_believed_here_gets_nothing_from_the_api(api: RealApi) -> None:
    key, key_id = await api.key()
    settings = McpSettings.model_validate({"backend_api_key": SERVICE_KEY, "api_url": api.url, "key_cache_seconds": 60})
    async with serving(Service(settings).app()) as url, connecting(url, key=key) as client:
        assert not (await client.call_tool("search", {"query": "policy"})).is_error
        await api.revoke(key_id)
        result = await client.call_tool("search", {"query": "policy"})
    assert result.structured_content["code"] == "UNAUTHORIZED"
    assert result.structured_content["error"] == "Unknown, revoked or expired key, or not for your address."
    assert "cookie" not in result.structured_content["hint"]


async def test_a_key_has_the_tools_of_its_toolsets_at_once(api: RealApi, url: str) -> None:
    view = "/api/v1/keys/{}/view"
    for toolset in ("search", "answers", "library", "extract"):
        key, key_id = await api.key(toolsets=[toolset])
        async with connecting(url, key=key) as client:
            names = {tool.name for tool in (await client.list_tools()).tools}
        assert names == set((await api.client.get(view.format(key_id))).json()["tools"])


async def test_a_key_works_from_its_networks_only(api: RealApi, url: str) -> None:
    key, _ = await api.key(allowed_networks=["10.0.0.0/8"])
    proxied = {"Authorization": f"Bearer {key}", "Accept": "application/json, text/event-stream"}
    body: dict[str, Any] = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "list_tags", "arguments": {}},
    }
    async with httpx.AsyncClient() as http:
        for address, status in (("10.0.0.7", 200), ("192.0.2.1", 401)):
            headers = {**proxied, "X-Forwarded-For": address}
            assert (await http.post(f"{url}/mcp", json=body, headers=headers)).status_code == status
        assert (await http.post(f"{url}/mcp", json=body, headers=proxied)).status_code == 401


async def test_the_old_secret_of_a_rotated_key_gets_nothing_while_it_is_cached(api: RealApi) -> None:
    key, key_id = await api.key()
    settings = McpSettings.model_validate({"backend_api_key": SERVICE_KEY, "api_url": api.url, "key_cache_seconds": 60})
    async with serving(Service(settings).app()) as url, connecting(url, key=key) as client:
        assert not (await client.call_tool("list_tags", {})).is_error
        rotated = (await api.client.post(f"/api/v1/keys/{key_id}/rotate", json={"overlap_hours": 0})).json()
        refused = await client.call_tool("list_tags", {})
        assert refused.structured_content["code"] == "UNAUTHORIZED"
        async with connecting(url, key=rotated["key"]) as other:
            assert not (await other.call_tool("list_tags", {})).is_error


async def test_a_wrong_service_key_is_503_for_the_caller(api: RealApi) -> None:
    settings = McpSettings.model_validate({"backend_api_key": "x" * 32, "api_url": api.url})
    async with serving(Service(settings).app()) as url, httpx.AsyncClient() as http:
        headers = {"Authorization": f"Bearer {ENVIRONMENT_KEY}"}
        assert (await http.post(f"{url}/mcp", json={}, headers=headers)).status_code == 503


async def test_the_service_is_ready_when_the_api_is(url: str) -> None:
    async with httpx.AsyncClient() as http:
        assert (await http.get(f"{url}/ready")).json() == {"status": "ready"}


async def test_a_passage_cut_short_still_shows_a_matched_word(client: Client) -> None:
    async def search(max_tokens: int) -> list[dict[str, Any]]:
        arguments = {"query": "revision history of this policy", "top_k": 11, "max_tokens": max_tokens}
        return (await client.call_tool("search", arguments)).structured_content["data"]

    def is_matched(passage: dict[str, Any]) -> bool:
        return any(word in passage["text"].lower() for word in ("revision", "history", "policy"))

    whole = await search(20_000)
    assert not any(passage.get("is_truncated") for passage in whole)
    matched = {(passage["document"], passage["page_number"]) for passage in whole if is_matched(passage)}
    cut: list[dict[str, Any]] = []
    for budget in range(500, 1000, 50):  # the room for texts depends on the tokens of random ids
        cut += [passage for passage in (await search(budget))[:3] if passage.get("is_truncated")]
    cut = [passage for passage in cut if (passage["document"], passage["page_number"]) in matched]
    assert cut
    assert all(map(is_matched, cut)), cut


async def test_nothing_found_is_said_with_what_to_do(client: Client) -> None:
    result = await client.call_tool("search", {"query": "zzzz qqqq"})
    (block,) = result.content
    assert isinstance(block, TextContent)
    assert not result.is_error
    assert result.structured_content["message"]
