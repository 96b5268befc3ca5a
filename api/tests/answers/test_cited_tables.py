"""Table rows in answers."""

from pathlib import Path
from typing import Any

from benchmarks.throwaway import ThrowawayDatabase
from sqlalchemy import update
from tests.answers.library import ask, open_library
from tests.search.library import Passage, store_document

from lectern.db.scope import SYSTEM_SCOPE
from lectern.documents.models import DocumentPage
from lectern.extraction.registry import extract_document
from lectern.extraction.types import ExtractionLimits

SAMPLES = Path(__file__).parents[3] / "test-docs" / "documents"
REPORT = SAMPLES / "annual-report-2025.pdf"
TRAVEL_POLICY = SAMPLES / "travel-and-expenses-policy.pdf"
HANDBOOK = "The annual bonus depends on three parts:\n\n| Part | Weight |\n|---|---|\n| Personal goals | 25 % |"

STOCK = (
    "| item | price\\|net | stock |\n| --- | --- | --- |\n"
    "| lamp Alpha\\|One | 12 | 7 |\n| sensor Beta\\|Two | 13 | 8 |\n| cable Gamma\\|Three | 14 | 9 |"
)
AMOUNTS = "| name | amount |\n| --- | --- |\n| Mario Rossi | 1.234,50 |\n| Luca Bianchi | 2.000,00 |"


async def ask_about_page(
    database: ThrowawayDatabase, folder: Path, question: str, *, path: Path, number: int
) -> dict[str, Any]:
    page = extract_document(path, "application/pdf", limits=ExtractionLimits()).pages[number - 1]
    async with open_library(database, folder) as api:
        async with api.database.session(SYSTEM_SCOPE) as session:
            stored = await store_document(session, [page.text], filename=path.name)
            boxes = update(DocumentPage).where(DocumentPage.document_id == stored).values(boxes=page.boxes)
            await session.execute(boxes)
        return (await ask(api, question, documents=[str(stored)]))["data"]


async def test_a_row_is_quoted_with_its_header(filled_database: ThrowawayDatabase, tmp_path: Path) -> None:
    question = "Which office does Sara Lindqvist have?"
    data = await ask_about_page(filled_database, tmp_path, question, path=REPORT, number=11)
    row = ["Sara Lindqvist", "Director", "2021", "Yes"]
    assert data["citations"][0]["table"] == {"header": ["Name", "Office", "Since", "Independent"], "rows": [row]}
    assert data["answer"].startswith("Name | Office | Since | Independent … Sara Lindqvist | Director | 2021 | Yes")
    assert data["citations"][0]["snippet"] == "Sara Lindqvist\tDirector\t2021\tYes"


async def test_the_first_row_below_two_header_lines_repeats_neither(
    filled_database: ThrowawayDatabase, tmp_path: Path
) -> None:
    question = "What is the limit per night in Milan, Rome and Venice?"
    data = await ask_about_page(filled_database, tmp_path, question, path=TRAVEL_POLICY, number=3)
    header = "Place | Limit per night (EUR) | Meals per day (EUR)"
    assert data["answer"] == f"{header} … Milan, Rome, Venice | 165 | 55"


async def test_a_markdown_row_is_cited_cell_by_cell(filled_database: ThrowawayDatabase, tmp_path: Path) -> None:
    async with open_library(filled_database, tmp_path) as api:
        async with api.database.session(SYSTEM_SCOPE) as session:
            stored = await store_document(session, [HANDBOOK], filename="handbook.md")
        question = "How much of the annual bonus depends on personal goals?"
        data = (await ask(api, question, documents=[str(stored)]))["data"]
    assert data["citations"][0]["table"] == {"header": ["Part", "Weight"], "rows": [["Personal goals", "25 %"]]}
    assert data["answer"].count("Weight") == 1


async def ask_about_table(
    database: ThrowawayDatabase, folder: Path, question: str, *, rows: str | list[list[str]]
) -> dict[str, Any]:
    text = rows if isinstance(rows, str) else "\n".join(f"| {' | '.join(row)} |" for row in rows)
    async with open_library(database, folder) as api:
        async with api.database.session(SYSTEM_SCOPE) as session:
            stored = await store_document(session, [Passage(text, content_type="table")], filename="table.csv")
        return (await ask(api, question, documents=[str(stored)]))["data"]


async def test_the_header_above_the_first_row_is_quoted_once(
    filled_database: ThrowawayDatabase, tmp_path: Path
) -> None:
    data = await ask_about_table(filled_database, tmp_path, "What is the amount of Mario Rossi?", rows=AMOUNTS)
    assert data["citations"][0]["table"] == {"header": ["name", "amount"], "rows": [["Mario Rossi", "1.234,50"]]}
    assert data["answer"].count("amount") == 1


async def test_a_row_of_three_columns_has_its_header_and_cells_may_have_bars(
    filled_database: ThrowawayDatabase, tmp_path: Path
) -> None:
    data = await ask_about_table(filled_database, tmp_path, "What is the stock of the sensor Beta Two?", rows=STOCK)
    row = ["sensor Beta|Two", "13", "8"]
    assert data["citations"][0]["table"] == {"header": ["item", "price|net", "stock"], "rows": [row]}
    assert data["answer"] == "item | price|net | stock … sensor Beta|Two | 13 | 8"


async def test_a_row_of_words_has_its_header(filled_database: ThrowawayDatabase, tmp_path: Path) -> None:
    rows = [
        ["employee", "role", "city"],
        ["---"] * 3,
        ["Ada Riva", "head of payroll", "Lodi"],
        ["Ugo Sala", "fitter", "Asti"],
    ]
    data = await ask_about_table(filled_database, tmp_path, "Who is head of payroll?", rows=rows)
    assert data["citations"][0]["table"] == {"header": rows[0], "rows": [rows[2]]}


async def test_a_long_header_is_no_answer(filled_database: ThrowawayDatabase, tmp_path: Path) -> None:
    names = ["city", *(f"rent of branch number {number}" for number in range(9))]
    rows = [names, ["---"] * 10, ["Lodi", *["7"] * 9], ["Pavia", *["8"] * 9]]
    data = await ask_about_table(filled_database, tmp_path, "What is the rent of branch number 3?", rows=rows)
    assert not any(citation["snippet"].startswith("| city") for citation in data["citations"])


async def test_a_sentence_is_no_table(filled_database: ThrowawayDatabase, tmp_path: Path) -> None:
    async with open_library(filled_database, tmp_path) as api:
        data = (await ask(api, "What is the fee for a paper statement?"))["data"]
    assert [citation["table"] for citation in data["citations"]] == [None]
