"""Text, pages, chunks, rectangles and outline of a document use the same offsets."""

import uuid
from dataclasses import dataclass
from typing import Any

import pytest
from tests.api import LIBRARY, Api

from lectern.db.scope import SYSTEM_SCOPE
from lectern.documents.parts.schemas import PageHighlight

from .shelves import PAGES, add_document

TEXT = "\n".join(PAGES)


@dataclass(slots=True)
class Opened:
    """A ready document and a client that reads it."""

    api: Api
    headers: dict[str, str]
    id: uuid.UUID

    async def get(self, part: str, **parameters: Any) -> dict[str, Any]:
        response = await self.api.client.get(
            f"/api/v1/documents/{self.id}/{part}", params=parameters, headers=self.headers
        )
        return {"status": response.status_code, **response.json()}


@pytest.fixture
async def opened(api: Api) -> Opened:
    reader = await api.person("reader")
    async with api.database.session(SYSTEM_SCOPE) as session:
        document_id = await add_document(session, collection_id=LIBRARY)
    return Opened(api, reader.headers, document_id)


async def test_chunks_are_in_reading_order_and_filterable_by_page(opened: Opened) -> None:
    chunks = await opened.get("chunks")
    assert [chunk["text"] for chunk in chunks["items"]] == list(PAGES)
    assert [TEXT[chunk["char_start"] : chunk["char_end"]] for chunk in chunks["items"]] == list(PAGES)
    first = await opened.get("chunks", limit=1)
    second = await opened.get("chunks", limit=1, cursor=first["next_cursor"])
    assert [first["items"][0]["chunk_index"], second["items"][0]["chunk_index"]] == [0, 1]
    assert second["next_cursor"] is None
    of_page = await opened.get("chunks", page_number=2)
    assert [chunk["page_number"] for chunk in of_page["items"]] == [2]
    assert of_page["total"] == 1


async def test_page_ledger_and_a_single_page_are_returned(opened: Opened) -> None:
    ledger = await opened.get("pages")
    assert [(page["page_number"], page["kind"], page["char_start"]) for page in ledger["items"]] == [
        (1, "text", 0),
        (2, "text", len(PAGES[0]) + 1),
    ]
    assert "text" not in ledger["items"][0]
    assert (await opened.get("pages/2"))["text"] == PAGES[1]
    for number in ("3", "0", "-1", str(10**30)):
        assert (await opened.get(f"pages/{number}"))["code"] == "page_not_found"


async def test_text_range_equals_the_slice_of_the_whole(opened: Opened) -> None:
    assert (await opened.get("content"))["text"] == TEXT
    border = len(PAGES[0])
    for start in (0, 5, border - 1, border, border + 1, len(TEXT) - 1, len(TEXT), len(TEXT) + 9):
        for length in (1, 2, 7, 1000):
            part = await opened.get("content", char_start=start, max_characters=length)
            assert part["text"] == TEXT[start : start + length], (start, length)
            assert part["char_count"] == len(TEXT)
            end = min(start + length, len(TEXT))
            assert part["next_char_start"] == (end if end < len(TEXT) else None)


async def test_range_has_rectangles_on_its_pages(opened: Opened) -> None:
    (highlight,) = (await opened.get("rectangles", char_start=0, char_end=4))["highlights"]
    assert highlight["page_number"] == 1
    (rect,) = highlight["rects"]
    assert rect == pytest.approx({"x": 0.0, "y": 0.1, "w": 0.04, "h": 0.1}, abs=1e-4)
    both = (await opened.get("rectangles", char_start=len(PAGES[0]) - 4, char_end=len(PAGES[0]) + 4))["highlights"]
    assert [item["page_number"] for item in both] == [1, 2]
    assert (await opened.get("rectangles", char_start=10_000, char_end=10_001))["highlights"] == []


def test_highlights_of_earlier_saved_answers_are_read() -> None:
    assert PageHighlight.model_validate({"page": 2, "rects": []}).model_dump() == {"page_number": 2, "rects": []}


async def test_page_has_its_words_with_rectangles_if_they_are_wanted(opened: Opened) -> None:
    assert (await opened.get("pages/1"))["words"] is None
    page = await opened.get("pages/1", words=True)
    first = page["words"][0]
    (rect,) = (await opened.get("rectangles", char_start=first["start"], char_end=first["end"]))["highlights"][0][
        "rects"
    ]
    assert {side: first[side] for side in "xywh"} == pytest.approx(rect, abs=1e-4)
    assert all(page["text"][word["start"] : word["end"]].strip() for word in page["words"])


@pytest.mark.parametrize(("start", "end"), [(5, 5), (6, 5), (-1, 5), (0, 100_001), (0, 10**12)])
async def test_invalid_range_is_rejected(opened: Opened, start: int, end: int) -> None:
    assert (await opened.get("rectangles", char_start=start, char_end=end))["status"] == 422


@pytest.mark.parametrize(
    ("part", "parameters"),
    [
        ("content", {}),
        ("find", {"q": "fees"}),
        ("outline", {}),
        ("pages/1", {}),
        ("rectangles", {"char_start": 0, "char_end": 4}),
    ],
)
async def test_text_that_was_not_read_is_no_empty_text(
    opened: Opened, part: str, parameters: dict[str, str | int]
) -> None:
    await opened.api.sql("UPDATE documents SET status = 'processing', page_count = NULL")
    answer = await opened.get(part, **parameters)
    assert (answer["status"], answer["code"]) == (409, "document_has_no_text")
    assert answer["detail"] == "The document has no text yet: it is processing."
    await opened.api.sql(
        "UPDATE documents SET status = 'failed', error_code = 'encrypted', error_message = 'It is locked.', "
        "error_hint = 'Send its password.'"
    )
    answer = await opened.get(part, **parameters)
    assert (answer["code"], answer["detail"]) == ("document_has_no_text", "It is locked.")
    assert (answer["hint"], answer["error_code"]) == ("Send its password.", "encrypted")


async def test_lists_of_a_document_that_was_not_read_are_empty(opened: Opened) -> None:
    await opened.api.sql("DELETE FROM chunks; DELETE FROM pages; UPDATE documents SET page_count = NULL")
    for part in ("chunks", "pages"):
        answer = await opened.get(part)
        assert (answer["items"], answer["total"]) == ([], 0)


async def test_outline_is_returned(opened: Opened) -> None:
    assert (await opened.get("outline"))["items"] == [{"title": "Fees", "level": 1, "page_number": 1}]
