"""Table rows in answers."""

from pathlib import Path

from sqlalchemy import update
from tests.answers.library import ask, open_library
from tests.search.library import store_document

from lectern.db.scope import SYSTEM_SCOPE
from lectern.documents.models import DocumentPage
from lectern.embedded.throwaway import ThrowawayDatabase
from lectern.extraction.registry import extract_document
from lectern.extraction.types import ExtractedPage, ExtractionLimits

REPORT = Path(__file__).parents[3] / "test-docs" / "documents" / "annual-report-2025.pdf"
HANDBOOK = "The annual bonus depends on three parts:\n\n| Part | Weight |\n|---|---|\n| Personal goals | 25 % |"


def read_page(number: int) -> ExtractedPage:
    return extract_document(REPORT, "application/pdf", limits=ExtractionLimits()).pages[number - 1]


async def test_a_row_is_quoted_with_its_header(filled_database: ThrowawayDatabase, tmp_path: Path) -> None:
    page = read_page(11)
    async with open_library(filled_database, tmp_path) as api:
        async with api.database.session(SYSTEM_SCOPE) as session:
            stored = await store_document(session, [page.text], filename="board.pdf")
            boxes = update(DocumentPage).where(DocumentPage.document_id == stored).values(boxes=page.boxes)
            await session.execute(boxes)
        data = (await ask(api, "Which office does Sara Lindqvist have?", documents=[str(stored)]))["data"]
    row = ["Sara Lindqvist", "Director", "2021", "Yes"]
    assert data["citations"][0]["table"] == {"header": ["Name", "Office", "Since", "Independent"], "rows": [row]}
    assert data["answer"].startswith("Name Office Since Independent … Sara Lindqvist Director 2021 Yes")
    assert data["citations"][0]["snippet"] == "Sara Lindqvist Director 2021 Yes"


async def test_a_markdown_row_is_cited_cell_by_cell(filled_database: ThrowawayDatabase, tmp_path: Path) -> None:
    async with open_library(filled_database, tmp_path) as api:
        async with api.database.session(SYSTEM_SCOPE) as session:
            stored = await store_document(session, [HANDBOOK], filename="handbook.md")
        question = "How much of the annual bonus depends on personal goals?"
        data = (await ask(api, question, documents=[str(stored)]))["data"]
    assert data["citations"][0]["table"] == {"header": ["Part", "Weight"], "rows": [["Personal goals", "25 %"]]}
    assert data["answer"].count("Weight") == 1


async def test_a_sentence_is_no_table(filled_database: ThrowawayDatabase, tmp_path: Path) -> None:
    async with open_library(filled_database, tmp_path) as api:
        data = (await ask(api, "What is the fee for a paper statement?"))["data"]
    assert [citation["table"] for citation in data["citations"]] == [None]
