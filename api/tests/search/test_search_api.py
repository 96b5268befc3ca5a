"""`POST /search` over HTTP: access, invalid input and the response shape."""

import uuid
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from benchmarks.throwaway import ThrowawayDatabase, ThrowawayPostgres
from tests.api import Api, api_settings, open_api

from lectern.db.scope import SYSTEM_SCOPE
from lectern.embeddings.generations import prepare_generation
from lectern.embeddings.providers.hash import HashProvider
from lectern.settings import EmbeddingsSettings, ResultCacheSettings

from .library import Shelf, store_document

SEARCH = "/api/v1/search"


@pytest.fixture(scope="module")
async def api(postgres: ThrowawayPostgres, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Api]:
    """An API with two documents in its library, for tests that change no document."""
    provider = HashProvider(64)
    with postgres.fresh_database() as database:
        generation = prepare_generation(database.owner_url, provider.info)
        settings = api_settings(database, tmp_path_factory.mktemp("searching"))
        settings.embeddings = EmbeddingsSettings(provider="hash:64")
        async with open_api(settings) as made:
            shelf = Shelf(provider=provider, generation=generation)
            async with made.database.session(SYSTEM_SCOPE) as session:
                for text, name, tag in (
                    ("Pears are sold here.", "pears", "fruit"),
                    ("Secret pears.", "secret", "secret"),
                ):
                    await store_document(session, [text], filename=f"{name}.pdf", tags=[tag], shelf=shelf)
            yield made


async def test_response_has_hits_coverage_and_next_steps(api: Api) -> None:
    person = await api.person()
    body = {"query": "pears", "explain": True}
    response = await api.client.post(SEARCH, json=body, headers=person.headers)
    assert response.status_code == 200
    answer = response.json()
    assert set(answer) == {"data", "metadata", "message"}
    assert answer["metadata"]["returned"] == len(answer["data"]) == 2
    assert answer["metadata"]["coverage"]["documents_searched"] == 2
    hit = answer["data"][0]
    assert hit["links"]["document"] == f"/api/v1/documents/{hit['document_id']}"
    assert hit["explain"]["share"] == 1.0
    sizes = [abs(feature["contribution"]) for feature in hit["explain"]["features"]]
    assert sizes == sorted(sizes, reverse=True)
    assert (await api.client.get(hit["links"]["page"], headers=person.headers)).status_code == 200
    assert (await api.client.get(hit["links"]["document"], headers=person.headers)).status_code == 200


async def test_highlights_equal_the_document_rectangles_of_the_snippet(api: Api) -> None:
    person = await api.person()
    response = await api.client.post(SEARCH, json={"query": "pears sold"}, headers=person.headers)
    hit = response.json()["data"][0]
    (highlight,) = hit["highlights"]
    assert highlight["page_number"] == hit["page_number"]
    assert highlight["rects"][0] == pytest.approx({"x": 0, "y": 0.1, "w": 1, "h": 0.1}, abs=1e-4)
    linked = await api.client.get(hit["links"]["rectangles"], headers=person.headers)
    assert linked.json()["highlights"] == hit["highlights"]
    bare = await api.client.post(SEARCH, json={"query": "pears", "rectangles": False}, headers=person.headers)
    assert all(hit["highlights"] == [] for hit in bare.json()["data"])


async def test_search_requires_authentication(api: Api) -> None:
    response = await api.client.post(SEARCH, json={"query": "pears"})
    assert (response.status_code, response.json()["code"]) == (401, "unauthorized")


async def test_key_finds_and_names_only_documents_in_scope(api: Api) -> None:
    admin = await api.person("admin")
    key = await api.key(admin, tags=["fruit"])
    response = await api.client.post(SEARCH, json={"query": "secret pears"}, headers=key)
    assert [hit["document"] for hit in response.json()["data"]] == ["pears.pdf"]
    refused = await api.client.post(SEARCH, json={"query": "pears", "tags": ["secret"]}, headers=key)
    problem = refused.json()
    assert (refused.status_code, problem["code"]) == (422, "unknown_tag")
    assert problem["available"] == ["fruit"]


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"query": ""},
        {"query": "   "},
        {"query": "a\u0000b"},
        {"query": "x" * 4_001},
        {"query": "pears", "top_k": 0},
        {"query": "pears", "top_k": 10**9},
        {"query": "pears", "tag": ["fruit"]},
        {"query": "pears", "tags": {"some": ["fruit"]}},
        {"query": "pears", "tags": "fruit"},
        {"query": "pears", "created_after": "2024-01-01T00:00:00"},
        {"query": "pears", "created_after": "2024-01-02T00:00:00Z", "created_before": "2024-01-01T00:00:00Z"},
        {"query": "pears", "language": "italiano"},
        {"query": ["pears"]},
    ],
    ids=lambda body: str(body)[:40],
)
async def test_invalid_input_is_rejected_with_field_and_limit(api: Api, body: dict[str, object]) -> None:
    person = await api.person()
    response = await api.client.post(SEARCH, json=body, headers=person.headers)
    assert (response.status_code, response.json()["code"]) == (422, "validation_error")
    assert response.json()["errors"]


@pytest.mark.parametrize("tags", ["fruit", {"some": ["fruit"]}, 5, None])
async def test_wrong_form_of_tags_is_refused_with_the_right_ones(api: Api, tags: object) -> None:
    person = await api.person()
    for path, words in ((SEARCH, "query"), ("/api/v1/answers", "question")):
        response = await api.client.post(path, json={words: "pears", "tags": tags}, headers=person.headers)
        (error,) = response.json()["errors"]
        assert (error["field"], error["code"]) == ("body.tags", "tag_filter")
        assert error["message"] == "Must be a list of names, or an object with `any`, `all` or `none`"


async def test_name_of_a_language_is_refused_with_an_example_of_its_code(api: Api) -> None:
    person = await api.person()
    response = await api.client.post(SEARCH, json={"query": "x", "language": "italiano"}, headers=person.headers)
    (error,) = response.json()["errors"]
    assert (error["field"], error["message"]) == ("body.language", "Must be a language code such as en or it")


@pytest.mark.parametrize("query", ["?", "...", "¿ _ !", "€"])
async def test_query_without_words_is_rejected(api: Api, query: str) -> None:
    person = await api.person()
    for path, field in ((SEARCH, "query"), ("/api/v1/answers", "question"), ("/api/v1/quotes/verify", "quote")):
        response = await api.client.post(path, json={field: query}, headers=person.headers)
        assert (response.status_code, response.json()["code"]) == (422, "query_without_words"), path


@pytest.mark.parametrize("query", ["x?", "7", "水", "ما"])
async def test_one_letter_or_digit_is_a_query(api: Api, query: str) -> None:
    person = await api.person()
    response = await api.client.post(SEARCH, json={"query": query}, headers=person.headers)
    assert response.status_code == 200


async def test_response_is_cached_until_something_changes(database: ThrowawayDatabase, tmp_path: Path) -> None:
    provider = HashProvider(64)
    shelf = Shelf(provider=provider, generation=prepare_generation(database.owner_url, provider.info))
    settings = api_settings(database, tmp_path, http={"rate_limit_per_minute": 1_000})  # each request is counted
    settings.embeddings = EmbeddingsSettings(provider="hash:64")
    async with open_api(settings) as api:
        async with api.database.session(SYSTEM_SCOPE) as session:
            document_id = await store_document(session, ["Pears are sold here."], filename="pears.pdf", shelf=shelf)
            await store_document(session, ["Secret pears."], filename="secret.pdf", shelf=shelf)
        person = await api.person()
        other = await api.key(person)

        async def ask(headers: dict[str, str], query: str = "pears") -> tuple[bool, int]:
            answer = (await api.client.post(SEARCH, json={"query": query}, headers=headers)).json()
            return answer["metadata"]["is_cached"], answer["metadata"]["returned"]

        assert [await ask(person.headers) for _ in range(2)] == [(False, 2), (True, 2)]
        assert await ask(other) == (False, 2)
        gone = await api.client.delete(f"/api/v1/documents/{document_id}", headers=person.headers)
        assert gone.status_code in {200, 204}
        assert [await ask(person.headers) for _ in range(2)] == [(False, 1), (True, 1)]
        assert [await ask(other) for _ in range(2)] == [(False, 1), (True, 1)]


async def test_result_cache_can_be_disabled(database: ThrowawayDatabase, tmp_path: Path) -> None:
    settings = api_settings(database, tmp_path)
    settings.result_cache = ResultCacheSettings.model_validate({"max_bytes": 0}, by_name=True)
    async with open_api(settings) as api:
        person = await api.person()
        for _ in range(2):
            answer = await api.client.post(SEARCH, json={"query": "pears"}, headers=person.headers)
            assert answer.json()["metadata"]["is_cached"] is False


async def test_unknown_documents_are_rejected(api: Api) -> None:
    person = await api.person()
    body = {"query": "pears", "documents": [str(uuid.uuid4())]}
    response = await api.client.post(SEARCH, json=body, headers=person.headers)
    assert (response.status_code, response.json()["code"]) == (422, "unknown_document")


async def test_why_reports_the_stage_that_lost_a_chunk_in_scope(api: Api) -> None:
    person = await api.person()
    body = {"query": "pears", "document": "pears.pdf", "quote": "Pears are sold"}
    found = await api.client.post(f"{SEARCH}/why", json=body, headers=person.headers)
    assert found.status_code == 200
    assert found.json()["stage"] == "found"
    narrowed = await api.client.post(f"{SEARCH}/why", json=body | {"tags": ["secret"]}, headers=person.headers)
    assert (narrowed.json()["stage"], narrowed.json()["change"]["field"]) == ("scope", "tags")
    unknown = await api.client.post(f"{SEARCH}/why", json=body | {"document": "no.pdf"}, headers=person.headers)
    assert (unknown.status_code, unknown.json()["code"]) == (422, "unknown_document")
