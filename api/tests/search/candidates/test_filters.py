"""Filters are exact. Unknown names are rejected with suggestions."""

import uuid
from datetime import UTC, datetime, timedelta

import pytest
from tests.search.conftest import Library
from tests.search.library import Passage, Shelf, store_document

from lectern.collections.models import Collection
from lectern.db.scope import SYSTEM_SCOPE
from lectern.documents.models import Document
from lectern.http.references import UnknownReference
from lectern.search.schemas import SearchRequest, SearchResponse

NOBODY = "00000000-0000-4000-8000-00000000dead"


async def search(library: Library, **fields: object) -> SearchResponse:
    request = SearchRequest.model_validate({"query": "apples", "top_k": 20, **fields})
    return await library.engine().search_in_scope(request, SYSTEM_SCOPE)


async def names(library: Library, **fields: object) -> set[str]:
    return {hit.document for hit in (await search(library, **fields)).data}


@pytest.fixture
async def documents(library: Library) -> dict[str, uuid.UUID]:
    """Store four documents about apples: two English, one Italian, one in another collection."""
    other = uuid.uuid4()
    shelf = library.shelf
    async with library.database.session(SYSTEM_SCOPE) as session:
        session.add(Collection(id=other, name="Archive"))
        await session.flush()
        aside = Shelf(collection=other, provider=shelf.provider, generation=shelf.generation)
        return {
            "one": await store_document(session, ["apples"], filename="one.pdf", tags=["red", "sweet"], shelf=shelf),
            "two": await store_document(session, ["apples"], filename="two.pdf", tags=["red"], shelf=shelf),
            "tre": await store_document(session, [Passage("apples mele", "it")], filename="Tre.PDF", shelf=shelf),
            "old": await store_document(session, ["apples"], filename="old.pdf", tags=["sweet"], shelf=aside),
        }


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, {"one.pdf", "two.pdf", "Tre.PDF", "old.pdf"}),
        ({"tags": ["RED", "sweet"]}, {"one.pdf", "two.pdf", "old.pdf"}),
        ({"tags": {"all": ["red", "sweet"]}}, {"one.pdf"}),
        ({"tags": {"all": ["red", "Red"]}}, {"one.pdf", "two.pdf"}),
        ({"tags": {"none": ["red"]}}, {"Tre.PDF", "old.pdf"}),
        ({"tags": {"any": ["sweet"], "none": ["red"]}}, {"old.pdf"}),
        ({"documents": ["tre.pdf", "ONE.pdf"]}, {"one.pdf", "Tre.PDF"}),
        ({"collections": ["archive"]}, {"old.pdf"}),
        ({"collections": ["Archive"], "tags": ["red"]}, set[str]()),
        ({"language": "it"}, {"Tre.PDF"}),
    ],
)
async def test_filters_narrow_exactly(
    library: Library, documents: dict[str, uuid.UUID], fields: dict[str, object], expected: set[str]
) -> None:
    assert await names(library, **fields) == expected


async def test_ids_and_dates_filter_exactly(library: Library, documents: dict[str, uuid.UUID]) -> None:
    assert await names(library, documents=[str(documents["two"]), "one.pdf"]) == {"one.pdf", "two.pdf"}
    async with library.database.session(SYSTEM_SCOPE) as session:
        (await session.get_one(Document, documents["old"])).created_at = datetime(2020, 1, 1, tzinfo=UTC)
    yesterday = (datetime.now(UTC) - timedelta(days=1)).isoformat()
    assert await names(library, created_before=yesterday) == {"old.pdf"}
    assert await names(library, created_after=yesterday) == {"one.pdf", "two.pdf", "Tre.PDF"}


async def test_shared_filename_selects_both_documents(library: Library) -> None:
    async with library.database.session(SYSTEM_SCOPE) as session:
        for _ in range(2):
            await store_document(session, ["apples"], filename="same.pdf", shelf=library.shelf)
    assert len((await search(library, documents=["same.pdf"])).data) == 2


@pytest.mark.parametrize(
    ("fields", "code", "unknown", "close"),
    [
        ({"tags": ["red", "swete"]}, "unknown_tag", "swete", ["sweet"]),
        ({"tags": {"none": ["blue"]}}, "unknown_tag", "blue", []),
        ({"documents": ["ona.pdf"]}, "unknown_document", "ona.pdf", ["one.pdf"]),
        ({"documents": [NOBODY]}, "unknown_document", NOBODY, []),
        ({"collections": ["Archie"]}, "unknown_collection", "Archie", ["Archive"]),
        ({"language": "fr"}, "unknown_language", "fr", []),
    ],
)
async def test_unknown_name_is_rejected_with_suggestions(
    library: Library,
    documents: dict[str, uuid.UUID],
    fields: dict[str, object],
    code: str,
    unknown: str,
    close: list[str],
) -> None:
    with pytest.raises(UnknownReference) as refused:
        await search(library, **fields)
    details = refused.value.details
    assert refused.value.code == code
    assert details["unknown"] == [unknown]
    assert details["available"]
    assert details["close_matches"][: len(close)] == close
