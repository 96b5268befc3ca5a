"""Long files outside the library: from the front, page by page, with a way to go on and nothing left out."""

from collections.abc import AsyncGenerator

import pytest
from mcp import Client
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from harness import call, connecting, held
from lectern_mcp.server import Service
from lectern_mcp.settings import McpSettings
from long_pdf import LINES_A_PAGE, SENTENCE, long_pdf
from real_api import SERVICE_KEY, RealApi, real_api
from serving import serving

PAGES = 120
FILES = {
    "long.pdf": long_pdf(PAGES),
    "long.txt": "".join(f"Line {number}. {SENTENCE}\n" for number in range(1, 4_001)).encode(),
    "tables.csv": "".join(f"Name {n},{n},{SENTENCE}\n" for n in range(200)).encode(),
}


async def _file(request: Request) -> Response:
    return Response(FILES[request.path_params["name"]])


@pytest.fixture(scope="module")
async def api(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[RealApi]:
    async with held(real_api(tmp_path_factory.mktemp("api"), documents={})) as made:
        yield made


@pytest.fixture(scope="module")
async def client(api: RealApi) -> AsyncGenerator[Client]:
    key, _ = await api.key(toolsets=["extract"])
    settings = {"backend_api_key": SERVICE_KEY, "api_url": api.url, "rate_limit_per_minute": 0}
    app = Service(McpSettings.model_validate(settings)).app()
    async with held(serving(app)) as url, held(connecting(url, key=key)) as connected:
        yield connected


@pytest.fixture(scope="module")
async def files() -> AsyncGenerator[str]:
    async with held(serving(Starlette(routes=[Route("/{name}", _file)]))) as url:
        yield url


async def test_the_first_pages_of_a_long_file_are_whole_and_the_message_says_how_to_go_on(
    client: Client, files: str
) -> None:
    answer = await call(client, "extract_pdf_text", url=f"{files}/long.pdf")
    pages = answer["data"]["pages"]
    assert [page["page_number"] for page in pages] == list(range(1, len(pages) + 1))
    assert all(page["text"].count(SENTENCE) == LINES_A_PAGE for page in pages[:-1])
    assert len(pages) > 2
    assert answer["metadata"]["truncated"]
    cursor = answer["metadata"]["next_cursor"]
    assert answer["message"] == f'Pages 1-{len(pages)} of {PAGES}. For more, call again with cursor="{cursor}".'


async def test_following_the_cursor_reads_each_character_of_a_long_file_once(client: Client, files: str) -> None:
    texts: dict[int, str] = {}
    cursor: str | None = None
    while True:
        arguments = {"pages": "100-", "max_tokens": 20_000, "cursor": cursor}
        answer = await call(client, "extract_pdf_text", url=f"{files}/long.pdf", **arguments)
        for page in answer["data"]["pages"]:
            assert page["char_start"] == len(texts.get(page["page_number"], ""))
            texts[page["page_number"]] = texts.get(page["page_number"], "") + page["text"]
        cursor = answer["metadata"]["next_cursor"]
        if cursor is None:
            break
    assert list(texts) == list(range(100, PAGES + 1))
    for number, text in texts.items():
        assert text.startswith(f"Page {number} begins.")
        assert text.rstrip().endswith(f"Page {number} ends.")
        assert text.count(SENTENCE) == LINES_A_PAGE
    assert not answer["metadata"]["truncated"]


@pytest.mark.parametrize(("pages", "wanted"), [("7", [7]), ("119-120", [119, 120]), (" 3 - 4 ", [3, 4])])
async def test_a_range_of_pages_is_read(client: Client, files: str, pages: str, wanted: list[int]) -> None:
    answer = await call(client, "extract_pdf_text", url=f"{files}/long.pdf", pages=pages)
    assert [page["page_number"] for page in answer["data"]["pages"]] == wanted
    assert answer["metadata"] == {"next_cursor": None, "truncated": False}


@pytest.mark.parametrize(
    "arguments",
    [
        {"pages": "0"},
        {"pages": "9-3"},
        {"pages": "all"},
        {"pages": "121-130"},
        {"cursor": "7"},
        {"cursor": "x"},
        {"pages": "1-3", "cursor": "4.0"},
        {"pages": "5-", "cursor": "4.0"},
    ],
)
async def test_pages_and_cursors_that_do_not_exist_are_refused(
    client: Client, files: str, arguments: dict[str, str]
) -> None:
    result = await client.call_tool("extract_pdf_text", {"url": f"{files}/long.pdf", **arguments})
    assert result.structured_content["code"] == "VALIDATION_ERROR"


async def test_the_text_of_a_processed_file_continues_by_cursor_to_its_end(client: Client, files: str) -> None:
    text, cursor = "", None
    while True:
        arguments = {"url": f"{files}/long.txt", "max_tokens": 20_000, "cursor": cursor}
        answer = await call(client, "process_document", **arguments)
        assert answer["data"]["char_start"] == len(text)
        text += answer["data"]["text"]
        cursor = answer["metadata"]["next_cursor"]
        assert answer["metadata"]["truncated"] is (cursor is not None)
        if cursor is None:
            break
    assert text.splitlines() == FILES["long.txt"].decode().splitlines()


async def test_a_processed_file_keeps_half_of_the_result_for_its_text(client: Client, files: str) -> None:
    answer = await call(client, "process_document", url=f"{files}/tables.csv", filename="tables.csv", max_tokens=1_000)
    assert answer["metadata"]["truncated"]
    assert len(answer["data"]["text"]) > 500


async def test_tables_that_do_not_fit_come_with_the_next_call(client: Client, files: str) -> None:
    answer = await call(client, "extract_csv_tables", url=f"{files}/tables.csv")
    assert answer["data"]["tables"][0]["row_count"] in {199, 200}
    assert answer["metadata"]["truncated"]
    assert "query_spreadsheet" in answer["message"]
