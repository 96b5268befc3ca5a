"""Reading a document by its outline, pages, words and pictures, and adding documents, on the real API."""

import re
from base64 import b64decode, b64encode
from collections.abc import AsyncGenerator
from typing import Any

import pytest
from mcp import Client, MCPError
from mcp.types import BlobResourceContents, ImageContent, TextResourceContents
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from harness import call, connecting, held, serving_all_toolsets
from real_api import DOCUMENTS, RealApi, real_api
from serving import serving

POLICY, HANDBOOK = "aml-kyc-policy.pdf", "employee-handbook.md"


@pytest.fixture(scope="module")
async def api(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[RealApi]:
    documents = {POLICY: ("aml",), HANDBOOK: ("people",)}
    async with held(real_api(tmp_path_factory.mktemp("api"), documents=documents)) as made:
        yield made


@pytest.fixture(scope="module")
async def url(api: RealApi) -> AsyncGenerator[str]:
    async with held(serving_all_toolsets(api.url)) as address:
        yield address


@pytest.fixture(scope="module")
async def client(api: RealApi, url: str) -> AsyncGenerator[Client]:
    key, _ = await api.key(toolsets=["search", "library"], can_write=True)
    async with held(connecting(url, key=key)) as connected:
        yield connected


async def test_the_summary_has_facts_headings_and_first_lines(api: RealApi, client: Client) -> None:
    summary = (await call(client, "get_document_summary", document=HANDBOOK))["data"]
    assert (summary["document"], summary["tags"], summary["status"]) == (HANDBOOK, ["people"], "ready")
    assert summary["url"] == f"{api.url}/d/{api.ids[HANDBOOK][:8]}"
    assert summary["headings"]
    assert len(summary["preview"]) > 100


async def test_the_outline_is_that_of_the_api(api: RealApi, client: Client) -> None:
    outline = (await call(client, "get_outline", document=POLICY))["data"]
    items = (await api.client.get(f"/api/v1/documents/{api.ids[POLICY]}/outline")).json()["items"]
    assert [heading["title"] for heading in outline["headings"]] == [item["title"] for item in items]


async def test_pages_are_whole_and_the_message_says_how_to_go_on(api: RealApi, client: Client) -> None:
    answer = await call(client, "read_pages", document=POLICY, pages="2-99", max_tokens=1_500)
    data = answer["data"]
    numbers = [page["page_number"] for page in data["pages"]]
    assert numbers == list(range(2, 2 + len(numbers)))
    assert numbers[-1] < data["page_count"]
    assert f'pages="{numbers[-1] + 1}-{data["page_count"]}"' in answer["message"]
    for page in data["pages"]:
        whole = await api.client.get(f"/api/v1/documents/{api.ids[POLICY]}/pages/{page['page_number']}")
        assert page["text"] == whole.json()["text"] or page["is_truncated"]
    beyond = await client.call_tool("read_pages", {"document": POLICY, "pages": "999"})
    assert beyond.structured_content["hint"] == f"The document has {data['page_count']} pages."
    backwards = await client.call_tool("read_pages", {"document": POLICY, "pages": "3-1"})
    assert backwards.structured_content["error"] == "The range of pages 3-1 is reversed."
    assert backwards.structured_content["hint"] == 'Call again with pages="1-3".'


async def test_words_are_found_with_page_and_url(client: Client) -> None:
    answer = await call(client, "find_in_document", document=POLICY, text="DUE diligence")
    assert answer["data"]["matches"]
    for match in answer["data"]["matches"]:
        assert "due diligence" in match["text"].lower()
        assert re.search(rf"/{match['page_number']}/\d+-\d+$", match["url"])
    nothing = await call(client, "find_in_document", document=POLICY, text="zzzz")
    assert nothing["message"] == "0 of 0 matches. Use fewer words, or search_by_document to find by meaning."


async def test_a_page_is_shown_as_a_picture(client: Client) -> None:
    result = await client.call_tool("show_page", {"document": POLICY, "page_number": 1})
    (image,) = [block for block in result.content if isinstance(block, ImageContent)]
    assert image.mime_type == "image/webp"
    assert b64decode(image.data)[8:12] == b"WEBP"
    undrawn = await client.call_tool("show_page", {"document": HANDBOOK, "page_number": 1})
    assert undrawn.structured_content["hint"].endswith("Read the text of the page instead.")
    beyond = await client.call_tool("show_page", {"document": POLICY, "page_number": 999})
    assert beyond.structured_content["hint"].startswith("The document has ")


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("get_document_content", {}),
        ("get_outline", {}),
        ("read_pages", {"pages": "1"}),
        ("find_in_document", {"text": "word"}),
        ("document_stats", {"term": "word"}),
    ],
)
async def test_a_file_that_was_not_read_is_no_empty_text(client: Client, tool: str, arguments: dict[str, str]) -> None:
    await client.call_tool("add_document", {"text": " ", "filename": "blank.txt"})
    result = await client.call_tool(tool, {"document": "blank.txt", **arguments})
    assert result.structured_content["code"] == "PROCESSING_ERROR"
    assert "only white space" in result.structured_content["error"]


async def test_the_example_of_pages_is_a_page(client: Client) -> None:
    result = await client.call_tool("read_pages", {"document": POLICY, "pages": "all"})
    assert result.structured_content["hint"].startswith('Example: pages: "7".')


async def test_a_search_is_limited_to_a_collection_and_can_rerank(client: Client) -> None:
    found = await call(client, "search", query="due diligence", collection="Library", rerank=False)
    assert found["data"]
    unknown = await client.call_tool("search", {"query": "due diligence", "collection": "Attic"})
    assert unknown.structured_content["code"] == "VALIDATION_ERROR"


async def test_documents_are_added_from_text_content_and_url_and_can_be_searched(api: RealApi, client: Client) -> None:
    async def serve(_: Request) -> Response:
        return Response((DOCUMENTS / "avviso-chiusura-ponte.txt").read_bytes())

    note = "# Parking\n\nThe blue garage closes at 21:47 on Sundays."
    added = await call(client, "add_document", text=note, filename="parking.md", tags=["notes"], collection="Library")
    assert (added["data"]["status"], added["data"]["is_duplicate"]) == ("ready", False)
    found = await call(client, "search_by_tag", query="When does the blue garage close?", tags=["notes"])
    assert found["data"][0]["document"] == "parking.md"
    again = await call(client, "add_document", content=b64encode(note.encode()).decode(), filename="parking.md")
    assert again["data"]["is_duplicate"]
    async with serving(Starlette(routes=[Route("/avviso.txt", serve)])) as files:
        fetched = await call(client, "add_document", url=f"{files}/avviso.txt")
    assert (fetched["data"]["document"], fetched["data"]["status"]) == ("avviso.txt", "ready")
    assert (await api.client.get("/api/v1/documents/named", params={"name": fetched["data"]["document_id"]})).json()[
        "filename"
    ] == "avviso.txt"


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({}, "VALIDATION_ERROR"),
        ({"text": "a", "url": "https://example.org/"}, "VALIDATION_ERROR"),
        ({"text": "a"}, "VALIDATION_ERROR"),
        ({"content": "no base64!", "filename": "a.txt"}, "VALIDATION_ERROR"),
        ({"url": "http://192.168.0.1/a.txt"}, "VALIDATION_ERROR"),
        ({"text": "a", "filename": "a.md", "collection": "Attic"}, "VALIDATION_ERROR"),
    ],
)
async def test_what_cannot_be_added_is_refused(client: Client, arguments: dict[str, Any], code: str) -> None:
    result = await client.call_tool("add_document", arguments)
    assert result.is_error
    assert result.structured_content["code"] == code, result.structured_content


async def test_a_key_that_only_reads_adds_nothing(api: RealApi, url: str) -> None:
    key, _ = await api.key(toolsets=["library"])
    async with connecting(url, key=key) as reader:
        for source in ({"text": "a", "filename": "a.md"}, {"url": "https://example.org/a.txt"}):
            refused = await reader.call_tool("add_document", source)
            assert refused.structured_content["code"] == "UNAUTHORIZED"


async def test_documents_are_listed_as_resources_and_read_with_their_type(api: RealApi, client: Client) -> None:
    listed = {resource.name: resource for resource in (await client.list_resources()).resources}
    assert {POLICY, HANDBOOK, "tool_descriptions"} <= set(listed)
    policy, handbook = listed[POLICY], listed[HANDBOOK]
    assert (policy.mime_type, handbook.mime_type) == ("application/pdf", "text/markdown")
    assert policy.uri == f"lectern://documents/{api.ids[POLICY]}/original"
    (blob,) = (await client.read_resource(policy.uri)).contents
    assert isinstance(blob, BlobResourceContents)
    assert blob.mime_type == "application/pdf"
    assert b64decode(blob.blob) == (DOCUMENTS / POLICY).read_bytes()
    (text,) = (await client.read_resource(handbook.uri)).contents
    assert isinstance(text, TextResourceContents)
    assert text.mime_type == "text/markdown"
    with pytest.raises(MCPError):
        await client.list_resources(cursor="nonsense")
