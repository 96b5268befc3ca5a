"""The toolset `connector` and the links of every tool, on the real API and by real clients."""

import json
from collections.abc import AsyncGenerator
from typing import Any

import pytest
from mcp import Client
from mcp.types import CallToolResult, TextContent

from harness import connecting, held, serving_all_toolsets
from real_api import RealApi, real_api

POLICY, TRAVEL = "aml-kyc-policy.pdf", "travel-and-expenses-policy.pdf"
QUERY = "When is enhanced due diligence required?"


@pytest.fixture(scope="module")
async def api(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[RealApi]:
    documents = {POLICY: ("aml",), TRAVEL: ("travel",)}
    async with held(real_api(tmp_path_factory.mktemp("api"), documents=documents)) as made:
        yield made


@pytest.fixture(scope="module")
async def url(api: RealApi) -> AsyncGenerator[str]:
    async with held(serving_all_toolsets(api.url)) as address:
        yield address


@pytest.fixture(scope="module")
async def client(api: RealApi, url: str) -> AsyncGenerator[Client]:
    key, _ = await api.key(toolsets=["connector"])
    async with held(connecting(url, key=key)) as connected:
        yield connected


def content(result: CallToolResult) -> dict[str, Any]:
    """Return the structured content, after checking that the text is the same JSON."""
    (block,) = result.content
    assert isinstance(block, TextContent)
    assert json.loads(block.text) == result.structured_content
    return result.structured_content


async def test_both_tools_have_the_shape_that_connectors_require(api: RealApi, client: Client) -> None:
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert [(name, list(tool.input_schema["properties"])) for name, tool in tools.items()] == [
        ("search", ["query"]),
        ("fetch", ["id"]),
    ]
    found = content(await client.call_tool("search", {"query": QUERY}))
    assert set(found) == {"results"}
    assert all(set(result) == {"id", "title", "url"} for result in found["results"])
    best = found["results"][0]
    assert best["url"].startswith(f"{api.url}/d/{api.ids[POLICY][:8]}/")
    fetched = content(await client.call_tool("fetch", {"id": best["id"]}))
    assert set(fetched) == {"id", "title", "text", "url", "metadata"}
    assert (fetched["id"], fetched["metadata"]["document"]) == (best["id"], POLICY)
    assert "nhanced due diligence" in fetched["text"]
    assert "never instructions" in fetched["metadata"]["notice"]


async def test_fetching_on_reads_the_whole_document(api: RealApi, client: Client) -> None:
    whole = (await api.client.get(f"/api/v1/documents/{api.ids[POLICY]}/content")).json()["text"]
    pieces: list[str] = []
    wanted: str | None = POLICY
    while wanted:
        fetched = content(await client.call_tool("fetch", {"id": wanted}))
        assert fetched["url"] == f"{api.url}/d/{api.ids[POLICY][:8]}"
        pieces.append(fetched["text"])
        wanted = fetched["metadata"]["next_id"]
    assert "".join(pieces) == whole


@pytest.mark.parametrize("wanted", ["nothing.pdf", "00000000-0000-0000-0000-000000000000:1:0-9"])
async def test_an_unknown_id_is_a_failure_of_the_tool(client: Client, wanted: str) -> None:
    result = await client.call_tool("fetch", {"id": wanted})
    assert result.is_error
    assert result.structured_content["code"] in {"NOT_FOUND", "VALIDATION_ERROR"}


async def test_with_connector_among_others_its_search_is_offered(api: RealApi, url: str) -> None:
    key, _ = await api.key(toolsets=["search", "connector"])
    async with connecting(url, key=key) as both:
        names = [tool.name for tool in (await both.list_tools()).tools]
        assert len(names) == len(set(names)) == 6
        assert "results" in content(await both.call_tool("search", {"query": QUERY}))
    other, _ = await api.key(toolsets=["search"])
    async with connecting(url, key=other) as plain:
        result = await plain.call_tool("search", {"query": QUERY})
        assert "data" in result.structured_content


async def test_every_passage_citation_and_document_has_a_url_to_its_characters(api: RealApi, url: str) -> None:
    key, _ = await api.key(toolsets=["search", "answers", "library"])
    async with connecting(url, key=key) as client:
        passages = (await client.call_tool("search", {"query": QUERY})).structured_content["data"]
        answer = (await client.call_tool("query_documents", {"question": QUERY})).structured_content["data"]
        quotes = (await client.call_tool("verify_quote", {"quote": "Enhanced due diligence"})).structured_content
        listed = (await client.call_tool("list_documents", {})).structured_content["data"]
    for place in [*passages, *answer["citations"], *quotes["data"]["locations"]]:
        document, pages, characters = str(place["url"]).removeprefix(f"{api.url}/d/").split("/")
        assert document == api.ids[place["document"]][:8]
        start, end = characters.split("-")
        path = f"/api/v1/documents/{api.ids[place['document']]}"
        bounds = {"char_start": start, "char_end": end}
        highlights = (await api.client.get(f"{path}/rectangles", params=bounds)).json()["highlights"]
        first, last = place["page_number"], place.get("last_page_number", place["page_number"])
        assert pages == (f"{first}-{last}" if last > first else f"{first}")
        marked = {highlight["page_number"] for highlight in highlights}
        assert marked
        assert marked <= set(range(first, last + 1))
    assert {row["url"] for row in listed} == {f"{api.url}/d/{document[:8]}" for document in api.ids.values()}
