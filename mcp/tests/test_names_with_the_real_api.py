"""Names of documents, tags and collections as models spell them, and short ids, in every tool on the real API."""

import json
import re
from collections.abc import AsyncGenerator
from typing import Any

import pytest
from mcp import Client, MCPError
from mcp.types import TextContent, TextResourceContents

from fake_api import SERVICE_KEY
from harness import connecting, held
from lectern_mcp.server import Service
from lectern_mcp.settings import McpSettings
from real_api import RealApi, real_api
from serving import serving

POLICY, TRAVEL = "aml-kyc-policy.pdf", "travel-and-expenses-policy.pdf"
TAGS = {POLICY: ("aml", "compliance"), TRAVEL: ("travel", "contracts")}
ON_ONE_DOCUMENT: list[tuple[str, dict[str, Any]]] = [
    ("search_chunks", {"query": "due diligence"}),
    ("query_documents", {"question": "When is enhanced due diligence required?"}),
    ("document_stats", {}),
    ("get_document_content", {}),
    ("get_document_original", {}),
    ("verify_quote", {"quote": "due diligence"}),
    ("get_document_summary", {}),
    ("get_outline", {}),
    ("read_pages", {"pages": "3"}),
    ("find_in_document", {"text": "due diligence"}),
    ("show_page", {"page_number": 1}),
]


@pytest.fixture(scope="module")
async def api(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[RealApi]:
    async with held(real_api(tmp_path_factory.mktemp("api"), documents=TAGS)) as made:
        yield made


@pytest.fixture(scope="module")
async def url(api: RealApi) -> AsyncGenerator[str]:
    settings = {"backend_api_key": SERVICE_KEY, "api_url": api.url, "rate_limit_per_minute": 0}
    async with held(serving(Service(McpSettings.model_validate(settings)).app())) as address:
        yield address


@pytest.fixture(scope="module")
async def client(api: RealApi, url: str) -> AsyncGenerator[Client]:
    key, _ = await api.key(toolsets=["search", "answers", "library"])
    async with held(connecting(url, key=key)) as connected:
        yield connected


@pytest.fixture(scope="module")
async def given(client: Client) -> dict[str, str]:
    """The document as results name it: its id in a list, and the links of a passage and of a document."""
    listed = {row["filename"]: row for row in (await call(client, "list_documents"))["data"]}
    found = await call(client, "search_by_document", query="due diligence", documents=[POLICY])
    links = {"LINK": found["data"][0]["url"], "LINK OF DOCUMENT": listed[POLICY]["url"]}
    return {"HANDLE": listed[POLICY]["id"]} | links


async def call(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result
    first = result.content[0]
    assert isinstance(first, TextContent)
    assert first.text.startswith(result.structured_content["message"])
    return result.structured_content


@pytest.mark.parametrize("name", ["aml-kyc-polcy.pdf", "AML KYC policy", "HANDLE", "ID", "LINK", "LINK OF DOCUMENT"])
@pytest.mark.parametrize(("tool", "arguments"), ON_ONE_DOCUMENT, ids=[tool for tool, _ in ON_ONE_DOCUMENT])
async def test_every_tool_takes_a_near_name_and_a_short_id(
    api: RealApi, client: Client, given: dict[str, str], tool: str, arguments: dict[str, Any], name: str
) -> None:
    document = {**given, "ID": api.ids[POLICY]}.get(name, name)
    result = await call(client, tool, document=document, **arguments)
    assert result["message"].startswith(f"Read '{name}' as '{POLICY}'.") is (name == "aml-kyc-polcy.pdf")
    assert api.ids[POLICY] not in json.dumps(result)


@pytest.mark.parametrize("name", ["aml-kyc-polcy.pdf", "aml-kyc-policy", "AML KYC policy", "HANDLE", "ID", "LINK"])
async def test_a_search_in_documents_takes_all_of_their_names(
    api: RealApi, client: Client, given: dict[str, str], name: str
) -> None:
    document = {**given, "ID": api.ids[POLICY]}.get(name, name)
    found = await call(client, "search_by_document", query="due diligence", documents=[document])
    assert {passage["document"] for passage in found["data"]} == {POLICY}


async def test_a_near_name_of_a_tag_or_collection_is_read_as_the_only_one_that_is_close(client: Client) -> None:
    found = await call(client, "search_by_tag", query="due diligence", tags=["complience"])
    assert found["message"].startswith("Read 'complience' as 'compliance'.")
    assert {passage["document"] for passage in found["data"]} == {POLICY}
    assert (await call(client, "list_documents", tags=["travle"]))["data"][0]["filename"] == TRAVEL
    collections = (await call(client, "list_collections"))["data"]["collections"]
    near = collections[0]["name"][:-1] + "x"
    assert (await call(client, "search", query="hotel", collection=near))["message"].startswith(f"Read '{near}' as")


@pytest.mark.parametrize(
    ("tool", "arguments", "names"),
    [
        ("search_by_tag", {"query": "x", "tags": ["zebra"]}, ["aml", "compliance", "travel"]),
        ("search_by_document", {"query": "x", "documents": ["policy"]}, [POLICY, TRAVEL]),
        ("search_by_document", {"query": "x", "documents": ["zebra.pdf"]}, [POLICY, TRAVEL]),
        ("document_stats", {"document": "policy"}, [POLICY, TRAVEL]),
    ],
)
async def test_other_names_are_refused_with_those_that_exist(
    client: Client, tool: str, arguments: dict[str, Any], names: list[str]
) -> None:
    result = await client.call_tool(tool, arguments)
    assert result.structured_content["code"] == "VALIDATION_ERROR"
    assert all(name in result.structured_content["hint"] for name in names), result.structured_content


async def test_a_query_is_never_changed(client: Client) -> None:
    found = await call(client, "search_by_tag", query="complience", tags=["complience"])
    assert found["message"].count("Read 'complience'") == 1


async def test_links_of_results_open_resources(api: RealApi, client: Client, given: dict[str, str]) -> None:
    (page,) = (await client.read_resource(given["LINK"])).contents
    assert (page.uri, page.mime_type) == (given["LINK"], "text/plain")
    (record,) = (await client.read_resource(given["LINK OF DOCUMENT"])).contents
    assert isinstance(record, TextResourceContents)
    assert json.loads(record.text)["id"] == api.ids[POLICY]
    with pytest.raises(MCPError):
        await client.read_resource(f"{api.url}/documents/{api.ids[POLICY]}")


async def test_the_ids_of_a_connector_are_short_and_taken(api: RealApi, url: str, given: dict[str, str]) -> None:
    key, _ = await api.key(toolsets=["connector"])
    async with connecting(url, key=key) as connector:
        found = await connector.call_tool("search", {"query": "due diligence"})
        ids = [result["id"] for result in found.structured_content["results"]]
        assert all(re.fullmatch(r"[0-9a-f]{8}:\d+:\d+-\d+", result_id) for result_id in ids)
        for wanted in (ids[0], given["HANDLE"], given["LINK"]):
            assert not (await connector.call_tool("fetch", {"id": wanted})).is_error


async def test_a_short_id_opens_a_resource(api: RealApi, client: Client) -> None:
    assert (await client.read_resource(f"lectern://documents/{api.ids[POLICY][:8]}/pages/3")).contents
