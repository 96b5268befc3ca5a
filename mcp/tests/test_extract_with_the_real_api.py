"""The thirteen tools that read files outside the library, on the real API: outputs, limits, sizes, and every code."""

import base64
import struct
import zlib
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from mcp import Client
from mcp.types import TextContent, TextResourceContents
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from harness import connecting, held, serving_all_toolsets
from lectern_mcp.results import tokens_of
from real_api import DOCUMENTS, RealApi, real_api
from samples import exact_tokens
from serving import serving

POLICY = "aml-kyc-policy.pdf"
SALES = "Branch,Month,Net sales\n" + "".join(f"Town {n},2025-{n % 12 + 1:02d},{n * 1000}\n" for n in range(1, 61))
TOOLS = {
    "process_document",
    "chunk_document",
    "retrieve_chunks",
    "query_spreadsheet",
    "extract_pdf_text",
    "extract_docx_text",
    "extract_pptx_text",
    "extract_xlsx_tables",
    "extract_csv_tables",
    "extract_image_text",
    "detect_language",
    "get_system_health",
    "manage_cache",
}


def encoded(content: bytes) -> str:
    return base64.b64encode(content).decode()


def blank_picture() -> bytes:
    """A white PNG of 40 x 40 pixels."""

    def part(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", 40, 40, 8, 0, 0, 0, 0)
    rows = zlib.compress((b"\x00" + b"\xff" * 40) * 40)
    return b"\x89PNG\r\n\x1a\n" + part(b"IHDR", header) + part(b"IDAT", rows) + part(b"IEND", b"")


async def _file(request: Request) -> Response:
    name: str = request.path_params["name"]
    if name == "broken":
        return Response("no", 500)
    return Response(SALES if name == "sales.csv" else (DOCUMENTS / name).read_bytes())


@pytest.fixture(scope="module")
async def files() -> AsyncGenerator[str]:
    async with held(serving(Starlette(routes=[Route("/{name}", _file)]))) as url:
        yield url


@pytest.fixture(scope="module")
async def api(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[RealApi]:
    async with held(real_api(tmp_path_factory.mktemp("api"), documents={})) as made:
        yield made


@pytest.fixture(scope="module")
async def client(api: RealApi) -> AsyncGenerator[Client]:
    async with held(connected_with(api)) as connected:
        yield connected


@asynccontextmanager
async def connected_with(api: RealApi, **wanted: Any) -> AsyncGenerator[Client]:
    """A client with a new key."""
    key, _ = await api.key(toolsets=["extract"], **wanted)
    async with held(serving_all_toolsets(api.url)) as url, held(connecting(url, key=key)) as connected:
        yield connected


async def call(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """Return the structured result of a tool. Check that no form of it has more than 6,000 tokens."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result
    assert tokens_of(result) <= 6_000, tokens_of(result)
    assert all(exact_tokens(block.text) <= 6_000 for block in result.content if isinstance(block, TextContent))
    return result.structured_content


async def test_there_are_thirteen_tools_and_each_says_what_it_is(client: Client) -> None:
    tools = (await client.list_tools()).tools
    assert {tool.name for tool in tools} == TOOLS
    for tool in tools:
        assert tool.title
        assert "Returns" in (tool.description or "")
        assert tool.annotations is not None
        assert tool.annotations.read_only_hint is (tool.name != "manage_cache")


async def test_a_file_at_an_address_is_read_cut_and_searched(client: Client, files: str) -> None:
    url = f"{files}/{POLICY}"
    whole = await call(client, "process_document", url=url)
    assert whole["data"]["file"]["filename"] == POLICY
    assert whole["metadata"]["truncated"]
    pages = await call(client, "extract_pdf_text", url=url)
    assert pages["data"]["pages"][0]["page_number"] == 1
    found = await call(client, "retrieve_chunks", url=url, query="enhanced due diligence")
    assert len(found["data"]["chunks"]) == 5
    assert "due diligence" in found["data"]["chunks"][0]["text"].lower()


async def test_following_the_cursor_visits_each_chunk_exactly_once(client: Client, files: str) -> None:
    seen: list[int] = []
    cursor: str | None = None
    while True:
        part = await call(client, "chunk_document", url=f"{files}/{POLICY}", cursor=cursor)
        seen += [chunk["chunk_index"] for chunk in part["data"]["chunks"]]
        cursor = part["metadata"]["next_cursor"]
        if cursor is None:
            break
    assert seen == list(range(part["data"]["chunk_count"]))


async def test_tables_and_their_rows(client: Client, files: str) -> None:
    tables = await call(client, "extract_csv_tables", url=f"{files}/sales.csv")
    assert tables["data"]["tables"][0]["row_count"] == 60
    assert len(tables["data"]["tables"][0]["rows"]) == 20
    rows = await call(client, "query_spreadsheet", url=f"{files}/sales.csv", query="Town 42", limit=1)
    assert [row["values"]["Net sales"] for row in rows["data"]["rows"]] == ["42000"]
    assert (rows["data"]["match_count"], rows["message"]) == (1, "1 of 1 matching rows.")
    many = await call(client, "query_spreadsheet", url=f"{files}/sales.csv", query="Town", limit=20)
    assert (many["data"]["match_count"], many["message"]) == (60, "20 of 60 matching rows.")
    assert [column["name"] for column in many["data"]["tables"][0]["columns"]] == ["Branch", "Month", "Net sales"]


async def test_a_language_is_told_and_the_health_and_the_caches_are_shown(client: Client) -> None:
    told = await call(client, "detect_language", text="Le comité s'est réuni mardi pour discuter du budget.")
    assert (told["data"]["language"], told["data"]["name"]) == ("fr", "French")
    health = (await call(client, "get_system_health"))["data"]
    assert (health["status"], health["device"], "PDF" in health["formats"]) == ("ok", "cpu", True)
    assert {one["name"] for one in (await call(client, "manage_cache"))["data"]["caches"]} == {
        "download",
        "document",
        "retriever",
    }


async def test_caches_are_cleared_only_with_write_access(api: RealApi, client: Client) -> None:
    await call(client, "extract_csv_tables", content=encoded(SALES.encode()))
    refused = await client.call_tool("manage_cache", {"action": "clear"})
    assert refused.structured_content["code"] == "UNAUTHORIZED"
    assert "--write" in refused.structured_content["hint"]
    assert any(one["entries"] for one in (await call(client, "manage_cache"))["data"]["caches"])
    async with connected_with(api, can_write=True) as writer:
        await call(writer, "extract_csv_tables", content=encoded(SALES.encode()))
        cleared = await call(writer, "manage_cache", action="clear")
    assert cleared["data"]["cleared"] > 0
    assert all(one["entries"] == 0 for one in cleared["data"]["caches"])


@pytest.mark.parametrize(
    "tool", ["extract_docx_text", "extract_pptx_text", "extract_xlsx_tables", "extract_image_text"]
)
async def test_a_tool_of_one_format_refuses_the_others(client: Client, files: str, tool: str) -> None:
    result = await client.call_tool(tool, {"url": f"{files}/{POLICY}"})
    assert result.structured_content["code"] == "VALIDATION_ERROR"
    assert "application/pdf" in result.structured_content["error"]


@pytest.mark.parametrize(
    ("tool", "arguments", "code"),
    [
        ("process_document", {}, "VALIDATION_ERROR"),
        ("process_document", {"url": "http://169.254.169.254/latest/meta-data/"}, "VALIDATION_ERROR"),
        ("process_document", {"url": "http://[::1]/"}, "VALIDATION_ERROR"),
        ("process_document", {"url": "http://2130706433/"}, "VALIDATION_ERROR"),
        ("process_document", {"url": "file:///etc/passwd"}, "VALIDATION_ERROR"),
        ("process_document", {"url": "http://x.org/" + "a" * 2_048}, "VALIDATION_ERROR"),
        ("extract_pdf_text", {"content": encoded(b"%PDF-1.7 broken")}, "PROCESSING_ERROR"),
        ("extract_image_text", {"content": encoded(blank_picture())}, "PROCESSING_ERROR"),
        ("chunk_document", {"url": "BROKEN"}, "DOWNLOAD_ERROR"),
        ("chunk_document", {"content": encoded(b"One line."), "cursor": "next"}, "VALIDATION_ERROR"),
        ("chunk_document", {"content": encoded(b"One line."), "cursor": "7"}, "VALIDATION_ERROR"),
    ],
)
async def test_what_cannot_be_read_is_an_error_with_its_code_and_never_an_empty_answer(
    client: Client, files: str, tool: str, arguments: dict[str, Any], code: str
) -> None:
    given = {name: f"{files}/broken" if value == "BROKEN" else value for name, value in arguments.items()}
    result = await client.call_tool(tool, given)
    assert result.is_error
    assert result.structured_content["code"] == code, result.structured_content
    assert set(result.structured_content) == {"error", "code", "hint"}


async def test_nothing_is_added_to_the_library(api: RealApi, client: Client, files: str) -> None:
    await call(client, "process_document", url=f"{files}/{POLICY}")
    assert (await api.client.get("/api/v1/documents")).json()["total"] == 0


async def test_the_formats_are_a_resource(client: Client) -> None:
    (contents,) = (await client.read_resource("rag://supported-formats")).contents
    assert isinstance(contents, TextResourceContents)
    assert '"application/pdf"' in contents.text
