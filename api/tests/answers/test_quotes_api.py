"""`POST /quotes/verify` and `GET /documents/{id}/stats` over HTTP."""

import uuid
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from benchmarks.throwaway import ThrowawayDatabase, ThrowawayPostgres
from sqlalchemy import text
from tests.api import Api, api_settings, open_api
from tests.search.library import Shelf, store_document

from lectern.db.scope import SYSTEM_SCOPE
from lectern.embeddings.generations import prepare_generation
from lectern.embeddings.providers.hash import HashProvider
from lectern.settings import EmbeddingsSettings

VERIFY = "/api/v1/quotes/verify"
PAGES = [
    "The bank does not charge a fee for payments of up to 1,500 euro.",
    "Cards are sent by post. Payments abroad cost 2.5% of the\namount, and never less than 5 euro.",
    "A fee is charged for paper statements. The fee is 3 euro.",
]
SECRET = "The vault opens at nine in the morning."


@asynccontextmanager
async def open_tariff(database: ThrowawayDatabase, folder: Path) -> AsyncGenerator[Api]:
    """Open an API with a tariff and a secret document in its library."""
    provider = HashProvider(64)
    generation = prepare_generation(database.owner_url, provider.info)
    settings = api_settings(database, folder)
    settings.embeddings = EmbeddingsSettings(provider="hash:64")
    async with open_api(settings) as made:
        shelf = Shelf(provider=provider, generation=generation)
        async with made.database.session(SYSTEM_SCOPE) as session:
            await store_document(session, PAGES, filename="tariff.pdf", tags=["fees"], shelf=shelf)
            await store_document(session, [SECRET], filename="secret.pdf", tags=["secret"], shelf=shelf)
        yield made


@pytest.fixture(scope="module")
async def api(postgres: ThrowawayPostgres, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Api]:
    """One API for all tests that change no document."""
    with postgres.fresh_database() as database:
        async with open_tariff(database, tmp_path_factory.mktemp("tariff")) as made:
            yield made


@pytest.fixture
async def own_api(database: ThrowawayDatabase, tmp_path: Path) -> AsyncGenerator[Api]:
    async with open_tariff(database, tmp_path) as made:
        yield made


async def verify(api: Api, quote: str, headers: dict[str, str] | None = None, **filters: Any) -> dict[str, Any]:
    headers = headers or (await api.person()).headers
    response = await api.client.post(VERIFY, json={"quote": quote, **filters}, headers=headers)
    assert response.status_code == 200, response.text
    return response.json()


@pytest.mark.parametrize("filters", [{}, {"documents": ["tariff.pdf"]}, {"tags": ["fees"]}])
async def test_exact_quotation_has_page_and_rectangles(api: Api, filters: dict[str, Any]) -> None:
    answer = await verify(api, "Payments abroad cost 2.5% of the amount", **filters)
    assert set(answer) == {"data", "metadata", "message"}
    assert (answer["data"]["verdict"], answer["data"]["similarity"]) == ("EXACT", 1.0)
    (place,) = answer["data"]["locations"]
    assert (place["document"], place["page_number"], place["last_page_number"]) == ("tariff.pdf", 2, 2)
    assert place["text"] == "Payments abroad cost 2.5% of the\namount"
    person = await api.person()
    rectangles = (await api.client.get(place["links"]["rectangles"], headers=person.headers)).json()
    assert rectangles["highlights"] == place["highlights"]
    assert place["highlights"][0]["rects"]
    assert answer["metadata"]["is_whole_text"] is ("documents" in filters)
    assert "page 2" in answer["message"]


async def test_quotation_across_a_footer_is_exact(own_api: Api) -> None:
    pages = [
        "The rate of interest is fixed\nTariff of the bank, page 1",
        "for the whole of the year. It may be changed then.",
        "To say it again: the rate of interest is fixed for the whole of the year.",
    ]
    async with own_api.database.session(SYSTEM_SCOPE) as session:
        document_id = await store_document(session, pages, filename="rates.pdf")
        passage = f"The rate of interest is fixed\n{pages[1]}"
        values = {"text": passage, "end": len(pages[0]) + 1 + len(pages[1]), "id": document_id}
        await session.execute(
            text(
                "UPDATE chunks SET text = :text, char_end = :end, last_page_number = 2"
                " WHERE document_id = :id AND chunk_index = 0"
            ),
            values,
        )
    data = (await verify(own_api, "interest is fixed for the whole of the year", documents=["rates.pdf"]))["data"]
    assert data["verdict"] == "EXACT"
    assert [(place["page_number"], place["last_page_number"]) for place in data["locations"]] == [(1, 2), (3, 3)]


async def test_dropped_not_is_near(api: Api) -> None:
    data = (await verify(api, "The bank does charge a fee for payments of up to 1,500 euro."))["data"]
    assert data["verdict"] == "NEAR"
    assert data["differences"] == [{"kind": "missing", "quoted": "", "found": "not"}]
    assert data["locations"][0]["text"].startswith("The bank does not charge")


async def test_missing_quotation_reports_what_was_read(api: Api) -> None:
    answer = await verify(api, "Dividends are paid in gold on the first of May", documents=["tariff.pdf"])
    assert answer["data"] == {"verdict": "NOT_FOUND", "similarity": None, "locations": [], "differences": []}
    assert "in the text of these documents" in answer["message"]
    assert "Name the document" in (await verify(api, "Dividends are paid in gold on the first of May"))["message"]


async def test_quotations_are_checked_in_scope_only(api: Api) -> None:
    assert (await verify(api, SECRET))["data"]["verdict"] == "EXACT"
    person = await api.person(role="admin")
    made = await api.client.post(
        "/api/v1/keys", json={"name": "k", "tags": ["fees"], "toolsets": ["library"]}, headers=person.headers
    )
    headers = {"Authorization": f"Bearer {made.json()['key']}"}
    assert (await verify(api, SECRET, headers))["data"]["verdict"] == "NOT_FOUND"
    response = await api.client.post(VERIFY, json={"quote": SECRET, "documents": ["secret.pdf"]}, headers=headers)
    assert (response.status_code, response.json()["code"]) == (422, "unknown_document")


async def test_invalid_quotations_are_rejected(api: Api) -> None:
    headers = (await api.person()).headers
    for body in ({"quote": " "}, {"quote": "x" * 4_001}, {}, {"quote": "a", "pages": [1]}):
        response = await api.client.post(VERIFY, json=body, headers=headers)
        assert response.status_code == 422
    assert (await api.client.post(VERIFY, json={"quote": "a"})).status_code == 401


async def test_stats_count_words_and_term_by_page(api: Api) -> None:
    headers = (await api.person()).headers
    listed = (await api.client.get("/api/v1/documents", params={"q": "tariff"}, headers=headers)).json()
    url = f"/api/v1/documents/{listed['items'][0]['id']}/stats"
    plain = (await api.client.get(url, headers=headers)).json()
    assert (plain["page_count"], plain["term"], plain["term_count"], plain["term_pages"]) == (3, None, None, None)
    assert plain["word_count"] == sum(len(page.split()) for page in PAGES)
    counted = (await api.client.get(url, params={"term": "FEE"}, headers=headers)).json()
    assert counted["term_count"] == 3
    assert counted["term_pages"] == [{"page_number": 1, "count": 1}, {"page_number": 3, "count": 2}]
    for nothing in ("", "  \t"):
        refused = await api.client.get(url, params={"term": nothing}, headers=headers)
        assert refused.status_code == 422
    missing = await api.client.get(f"/api/v1/documents/{uuid.uuid4()}/stats", headers=headers)
    assert (missing.status_code, missing.json()["code"]) == (404, "document_not_found")
