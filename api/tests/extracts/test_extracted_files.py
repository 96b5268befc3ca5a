"""Test the extraction of real files: rows, headings, images, confidence, URLs and health."""

import base64
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest
from benchmarks.throwaway import ThrowawayDatabase
from tests.api import Api, Person, api_settings, open_api
from tests.extraction.ocr.test_office_images import INVOICE, image_paragraph, word
from tests.extraction.office_writer import docx, paragraph, word_table, xlsx

from lectern.chunking.chunker import chunk_document
from lectern.chunking.types import ChunkingOptions
from lectern.extraction.ocr.tesseract import Tesseract
from lectern.extraction.registry import extract_document
from lectern.extraction.types import ExtractionLimits
from lectern.extracts.tables import FileTable, find_rows
from lectern.extracts.urls import find_urls
from lectern.settings import EmbeddingsSettings

DOCUMENTS = Path(__file__).parents[3] / "test-docs" / "documents"
needs_tesseract = pytest.mark.skipif(
    Tesseract.find(("en",), tessdata="") is None, reason="needs Tesseract: apt-get install tesseract-ocr"
)
BRANCHES = [
    ["Branch", "Account", "Opened"],
    ["Genève Rive", "9876543210", "2024-05-05"],
    ["Zürich Nord", "1234567890", "2024-04-05"],
    ["Genève", "5550001112", "2024-05-04"],
]
PEOPLE = [["Name", "Salary"], ["Anna", "2500"], ["Bruno", "3100"]]
BOOK = xlsx({"Branches": BRANCHES, "People": PEOPLE})
HEADINGS = docx(
    paragraph("Report", style="H1")
    + paragraph("The year was good. See www.example.org/report and mail to info@www.example.net.")
    + paragraph("Revenue", style="H2")
    + word_table([["Year", "Sales"], ["2024", "10"], ["2025", "12"]])
)


@pytest.fixture
async def api(database: ThrowawayDatabase, tmp_path: Path) -> AsyncGenerator[tuple[Api, Person]]:
    settings = api_settings(database, tmp_path)
    settings.embeddings = EmbeddingsSettings(provider="hash:64")
    async with open_api(settings) as opened:
        yield opened, await opened.person("reader")


async def ask(api: tuple[Api, Person], operation: str, content: bytes, **body: Any) -> dict[str, Any]:
    opened, reader = api
    wanted = {"content": base64.b64encode(content).decode(), **body}
    answer = await opened.client.post(f"/api/v1/extracts/{operation}", json=wanted, headers=reader.headers, timeout=120)
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.mark.parametrize(
    ("query", "first", "matches"),
    [
        ("GEN", ["Genève Rive", "Genève"], 2),
        ("geneve", ["Genève", "Genève Rive"], 2),
        ("98765432", ["Genève Rive"], 1),
        ("2024-05-05", ["Genève Rive"], 1),
        ("the branch in Zurich opened", ["Zürich Nord"], 1),
        ("Lugano", [], 0),
        ("", ["Genève Rive", "Zürich Nord"], 5),
    ],
)
async def test_rows_are_found_by_cell_part_of_a_cell_and_words(
    api: tuple[Api, Person], query: str, first: list[str], matches: int
) -> None:
    found = await ask(api, "rows", BOOK, query=query, limit=2)
    assert [row["values"].get("Branch") for row in found["rows"]] == first
    assert found["match_count"] == matches
    assert sum(table["match_count"] for table in found["tables"]) == matches


async def test_each_searched_table_has_its_columns(api: tuple[Api, Person]) -> None:
    found = await ask(api, "rows", BOOK, query="Anna")
    assert found["sheets"] == ["Branches", "People"]
    assert [(one["name"], one["row_count"], one["match_count"]) for one in found["tables"]] == [
        ("Branches", 3, 0), ("People", 2, 1),
    ]  # fmt: skip
    assert [[column["name"] for column in one["columns"]] for one in found["tables"]] == [BRANCHES[0], PEOPLE[0]]
    assert [one["name"] for one in (await ask(api, "rows", BOOK, query="x", sheet="people"))["tables"]] == ["People"]


def test_a_row_that_contains_the_query_precedes_rows_that_share_words() -> None:
    table = FileTable(1, "Towns", ("Town", "Note"), (("York", "new"), ("New York", "old"), ("New Yorkers", "")))
    assert [(row.cells[0], row.score) for row in find_rows([table], "new york")] == [
        ("New York", 1.0), ("New Yorkers", 0.9),
    ]  # fmt: skip
    scores = {row.cells[0]: row.score for row in find_rows([table], "york castle")}
    assert scores == {"York": 0.4, "New York": 0.4, "New Yorkers": 0.2}


async def test_headings_of_a_word_file_keep_their_level(api: tuple[Api, Person]) -> None:
    (page,) = (await ask(api, "text", HEADINGS, format="docx"))["pages"]
    lines = page["text"].split("\n")
    assert "# Report" in lines
    assert "## Revenue" in lines
    assert page["character_count"] == len(page["text"])
    whole = await ask(api, "documents", HEADINGS)
    assert whole["text"] == page["text"]
    rest = await ask(api, "documents", HEADINGS, char_start=5)
    assert rest["text"] == page["text"][5:]
    (url,) = whole["urls"]
    assert (url["url"], url["category"]) == ("www.example.org/report", "general")
    assert whole["text"][url["char_start"] :].startswith("www.example.org")


async def test_headings_of_markdown_are_not_marked_twice(api: tuple[Api, Person]) -> None:
    source = (DOCUMENTS / "employee-handbook.md").read_bytes()
    (page, *_) = (await ask(api, "text", source, filename="employee-handbook.md"))["pages"]
    assert page["text"].startswith("# ") or "\n# " in page["text"]
    assert "# #" not in page["text"]


async def test_a_chunk_with_heading_text_and_table_is_a_table(api: tuple[Api, Person]) -> None:
    found = await ask(api, "chunks", HEADINGS)
    assert [chunk["content_type"] for chunk in found["chunks"] if "| 2024 |" in chunk["text"]] == ["table"]


def test_a_chunk_of_the_library_is_what_most_of_it_is(tmp_path: Path) -> None:
    path = tmp_path / "made.docx"
    path.write_bytes(docx(paragraph("Words about a year. " * 30) + word_table([["Year", "Sales"], ["2024", "10"]])))
    kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    document = extract_document(path, kind, limits=ExtractionLimits())
    (chunk,) = chunk_document(document, options=ChunkingOptions()).chunks
    assert chunk.content_type == "text"


@needs_tesseract
async def test_images_come_with_their_text_and_the_confidence_of_its_recognition(api: tuple[Api, Person]) -> None:
    whole = await ask(api, "documents", word(paragraph("Above.") + image_paragraph("p1"), one=INVOICE))
    (image,) = whole["images"]
    assert (image["page_number"], image["text"]) == (1, "Invoice 4711 of ACME\nTotal due 250 EUR")
    assert 0.8 < image["confidence"] <= 1
    assert whole["file"]["ocr_confidence"] == image["confidence"]
    assert image["text"] in whole["text"]


@needs_tesseract
async def test_the_confidence_of_a_picture_is_a_number(api: tuple[Api, Person]) -> None:
    found = await ask(api, "text", INVOICE, format="image")
    assert "Invoice 4711" in found["pages"][0]["text"]
    assert 0.8 < found["pages"][0]["ocr_confidence"] <= 1
    assert found["file"]["ocr_confidence"] == found["pages"][0]["ocr_confidence"]
    unscanned = await ask(api, "text", HEADINGS)
    assert (unscanned["file"]["ocr_confidence"], unscanned["pages"][0]["ocr_confidence"]) == (None, None)


@pytest.mark.parametrize(
    ("text", "urls"),
    [
        ("See www.example.org.", ["www.example.org"]),
        ("(www.example.org/a_(b)), WWW.Example.com/x?y=1", ["www.example.org/a_(b)", "WWW.Example.com/x?y=1"]),
        ("https://www.example.org/x and www.example.org/x", ["https://www.example.org/x", "www.example.org/x"]),
        ("www. is no address, nor is www.alone, a@www.example.org or awww.example.org", []),
    ],
)
def test_addresses_that_begin_with_www_are_urls(text: str, urls: list[str]) -> None:
    assert [found.url for found in find_urls(text)] == urls


async def test_the_health_lists_features_formats_limits_and_time(api: tuple[Api, Person]) -> None:
    opened, reader = api
    health = (await opened.client.get("/api/v1/extracts/health", headers=reader.headers, timeout=60)).json()
    assert health["features"] == {"text_recognition": True, "reranking": False}
    assert {"PDF", "DOCX", "CSV"} <= set(health["formats"])
    assert health["device"] == "cpu"
    assert "2020" < health["started_at"] <= health["timestamp"]
    security = health["security"]
    assert (security["fetches_private_addresses"], security["max_file_bytes"]) == (False, 52_428_800)
    assert security["unenforced"] is None or isinstance(security["unenforced"], list)
