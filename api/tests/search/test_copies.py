"""Exact copies of a document are one hit."""

import uuid
from collections.abc import Sequence

import pytest
from sqlalchemy import update

from lectern.db.scope import SYSTEM_SCOPE, Scope
from lectern.documents.models import Document

from .conftest import Library, store

LEASE = ["The rent is 900 euros a month.", "The deposit is three months of rent.", "The rent is due on the fifth."]
QUERY = "rent in euros a month"


async def store_copies(library: Library, filenames: Sequence[str]) -> list[uuid.UUID]:
    """Store the same file under several names."""
    ids = [await store(library, LEASE, filename=filename) for filename in filenames]
    async with library.database.session(SYSTEM_SCOPE) as session:
        values = {"sha256": uuid.uuid4().hex, "is_duplicate_allowed": True}
        await session.execute(update(Document).where(Document.id.in_(ids)).values(**values))
    return ids


@pytest.mark.parametrize("copies", [2, 4, 30])
async def test_copies_take_one_place_and_are_named(library: Library, copies: int) -> None:
    names = [f"lease {number}.pdf" for number in range(copies)]
    ids = await store_copies(library, names)
    await store(library, ["The rent of the garage is 90 euros."], filename="garage.pdf")
    response = await library.search(QUERY, top_k=4)
    assert sorted(hit.page_number for hit in response.data if hit.document != "garage.pdf") == [1, 2, 3]
    assert {hit.document for hit in response.data} >= {"garage.pdf"}
    first = response.data[0]
    assert sorted([first.document, *(copy.document for copy in first.also_in)]) == sorted(names)
    assert {first.document_id, *(copy.document_id for copy in first.also_in)} == set(ids)
    assert all(copy.page_number == first.page_number for copy in first.also_in)


async def test_equal_passages_of_other_files_stay(library: Library) -> None:
    for year in (2023, 2024):
        await store(library, LEASE, filename=f"lease {year}.pdf")
    response = await library.search(QUERY, top_k=2)
    assert [hit.page_number for hit in response.data] == [1, 1]
    assert all(not hit.also_in for hit in response.data)


async def test_a_scope_without_the_copies_is_not_told_of_them(library: Library) -> None:
    own, *_ = await store_copies(library, ["mine.pdf", "theirs.pdf", "other.pdf"])
    scope = Scope(actor="key:1", documents=frozenset({own}))
    response = await library.search(QUERY, scope=scope, top_k=3)
    assert {hit.document for hit in response.data} == {"mine.pdf"}
    assert all(not hit.also_in for hit in response.data)
    assert "theirs" not in response.model_dump_json()


async def test_a_repeated_passage_of_one_document_stays(library: Library) -> None:
    await store(library, ["The rent is 900 euros a month."] * 3)
    response = await library.search(QUERY, top_k=3)
    assert sorted(hit.page_number for hit in response.data) == [1, 2, 3]
