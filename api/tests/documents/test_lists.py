"""Lists of documents: every filter, every sort order, and pages without gaps or repetitions."""

import uuid
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from benchmarks.throwaway import ThrowawayPostgres
from tests.api import Api, Person, api_settings, open_api

DOCUMENTS = "/api/v1/documents"


@dataclass(slots=True)
class Shelf:
    """Some documents and a client that lists them."""

    api: Api
    person: Person

    async def names(self, **parameters: Any) -> list[str]:
        """Return the filenames that match a filter, in the requested order."""
        response = await self.api.client.get(DOCUMENTS, params=parameters, headers=self.person.headers)
        assert response.status_code == 200, response.text
        page = response.json()
        assert page["total"] == len(page["items"])
        return [item["filename"] for item in page["items"]]

    async def refused(self, **parameters: Any) -> dict[str, Any]:
        """Return the problem of an invalid filter."""
        response = await self.api.client.get(DOCUMENTS, params=parameters, headers=self.person.headers)
        assert response.status_code == 422, response.text
        return response.json()


@pytest.fixture(scope="module")
async def shelf(postgres: ThrowawayPostgres, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Shelf]:
    """The documents of all tests here, which only read them."""
    with postgres.fresh_database() as database:
        async with open_api(api_settings(database, tmp_path_factory.mktemp("shelf"))) as api:
            yield await fill(api)


async def fill(api: Api) -> Shelf:
    admin = await api.person("admin")
    await api.collection(admin, "shelf")
    for name, tags, more in (
        ("alpha.txt", ["red"], {"language": "en"}),
        ("Beta.md", ["red", "green"], {"language": "it"}),
        ("gamma.txt", ["green"], {"collection": "shelf"}),
        ("delta_100%.txt", [], {}),
    ):
        await api.upload(admin.headers, name.encode() * len(name), filename=name, tags=tags, **more)
    await api.sql("UPDATE documents SET status = 'ready', page_count = 9, title = 'Zulu' WHERE filename = 'alpha.txt'")
    await api.sql("UPDATE documents SET status = 'failed', error_code = 'corrupt' WHERE filename = 'gamma.txt'")
    return Shelf(api, admin)


@pytest.mark.parametrize(
    ("parameters", "names"),
    [
        ({}, {"alpha.txt", "Beta.md", "gamma.txt", "delta_100%.txt"}),
        ({"tags": "RED"}, {"alpha.txt", "Beta.md"}),
        ({"tags": ["red", "green"]}, {"alpha.txt", "Beta.md", "gamma.txt"}),
        ({"tags_all": ["red", "green"]}, {"Beta.md"}),
        ({"tags_none": "red"}, {"gamma.txt", "delta_100%.txt"}),
        ({"tags": "red", "tags_none": "green"}, {"alpha.txt"}),
        ({"is_untagged": "true"}, {"delta_100%.txt"}),
        ({"collections": "shelf"}, {"gamma.txt"}),
        ({"collections": ["shelf", "library"], "status": ["ready", "failed"]}, {"alpha.txt", "gamma.txt"}),
        ({"content_type": "text/markdown"}, {"Beta.md"}),
        ({"language": ["it", "en"]}, {"alpha.txt", "Beta.md"}),
        ({"q": "zUL"}, {"alpha.txt"}),
        ({"q": "0%"}, {"delta_100%.txt"}),
        ({"q": "_"}, {"delta_100%.txt"}),
        ({"created_from": "2100-01-01T00:00:00Z"}, set[str]()),
        ({"created_to": "2100-01-01T00:00:00+02:00", "status": "ready"}, {"alpha.txt"}),
        ({"is_deleted": "true"}, set[str]()),
    ],
)
async def test_filter_returns_matching_documents(shelf: Shelf, parameters: dict[str, Any], names: set[str]) -> None:
    assert set(await shelf.names(**parameters)) == names


@pytest.mark.parametrize(
    ("sort", "names"),
    [
        ("filename", ["alpha.txt", "Beta.md", "delta_100%.txt", "gamma.txt"]),
        ("-filename", ["gamma.txt", "delta_100%.txt", "Beta.md", "alpha.txt"]),
        ("title", ["Beta.md", "delta_100%.txt", "gamma.txt", "alpha.txt"]),
        ("size_bytes", ["Beta.md", "alpha.txt", "gamma.txt", "delta_100%.txt"]),
        ("created_at", ["alpha.txt", "Beta.md", "gamma.txt", "delta_100%.txt"]),
        ("-created_at", ["delta_100%.txt", "gamma.txt", "Beta.md", "alpha.txt"]),
    ],
)
async def test_list_is_sorted_as_requested(shelf: Shelf, sort: str, names: list[str]) -> None:
    found = await shelf.names(sort=sort)
    assert sorted(found) == sorted(names)
    if sort == "size_bytes":  # alpha.txt and gamma.txt are of one size
        assert (found[0], found[3]) == (names[0], names[3])
    else:
        assert found == names


async def test_names_equal_to_the_words_are_first_and_those_that_begin_with_them_next(
    postgres: ThrowawayPostgres, tmp_path: Path
) -> None:
    with postgres.fresh_database() as database:
        async with open_api(api_settings(database, tmp_path)) as api:
            admin = await api.person("admin")
            for name in ("report 2025.pdf", "r.pdf", "report 2025 b.pdf", "report 2025 a.pdf", "draft report 2025.pdf"):
                await api.upload(admin.headers, name.encode(), filename=name)
            await api.sql("UPDATE documents SET title = 'Report 2025' WHERE filename = 'r.pdf'")
            library, seen = Shelf(api, admin), list[str]()
            whole = await library.names(sort="name_match", q="REPORT 2025")
            cursor: str | None = ""
            while cursor is not None:
                parameters = {"sort": "name_match", "q": "REPORT 2025", "limit": "1"}
                parameters |= {"cursor": cursor} if cursor else {}
                page = (await api.client.get(DOCUMENTS, params=parameters, headers=admin.headers)).json()
                seen += [item["filename"] for item in page["items"]]
                cursor = page["next_cursor"]
    assert whole == ["r.pdf", "report 2025.pdf", "report 2025 a.pdf", "report 2025 b.pdf", "draft report 2025.pdf"]
    assert seen == whole


@pytest.mark.parametrize("key", ["created_at", "filename", "title", "size_bytes", "page_count", "status"])
@pytest.mark.parametrize("direction", ["", "-"])
async def test_pages_have_no_gaps_or_repetitions(shelf: Shelf, key: str, direction: str) -> None:
    whole = await shelf.names(sort=direction + key)
    seen: list[str] = []
    cursor: str | None = None
    for _ in whole:
        parameters = {"sort": direction + key, "limit": "1"} | ({"cursor": cursor} if cursor else {})
        response = await shelf.api.client.get(DOCUMENTS, params=parameters, headers=shelf.person.headers)
        page = response.json()
        assert page["total"] == len(whole)
        seen += [item["filename"] for item in page["items"]]
        cursor = page["next_cursor"]
    assert cursor is None
    assert seen == whole


async def test_next_page_continues_despite_new_documents(shelf: Shelf) -> None:
    first = {"sort": "filename", "limit": "2"}
    page = (await shelf.api.client.get(DOCUMENTS, params=first, headers=shelf.person.headers)).json()
    new = await shelf.api.upload(shelf.person.headers, b"new", filename="aaa.txt")
    parameters = {**first, "cursor": page["next_cursor"]}
    page = (await shelf.api.client.get(DOCUMENTS, params=parameters, headers=shelf.person.headers)).json()
    path = f"{DOCUMENTS}/{new['document']['id']}"
    await shelf.api.client.delete(path, params={"purge": True}, headers=shelf.person.headers)
    assert [item["filename"] for item in page["items"]] == ["delta_100%.txt", "gamma.txt"]


async def test_cursor_of_another_filter_is_rejected(shelf: Shelf) -> None:
    response = await shelf.api.client.get(DOCUMENTS, params={"limit": 1}, headers=shelf.person.headers)
    problem = await shelf.refused(cursor=response.json()["next_cursor"], status="ready", limit=1)
    assert problem["code"] == "broken_cursor"


async def test_unknown_names_are_rejected_with_suggestions(shelf: Shelf) -> None:
    problem = await shelf.refused(tags=["red", "gren"])
    assert (problem["code"], problem["unknown"]) == ("unknown_tag", ["gren"])
    assert (problem["close_matches"], problem["available"]) == (["green"], ["green", "red"])
    assert "'green'" in problem["hint"]
    assert (await shelf.refused(collections="nowhere"))["code"] == "unknown_collection"
    assert (await shelf.refused(tags_none=str(uuid.uuid4())))["code"] == "unknown_tag"


@pytest.mark.parametrize(
    "parameters",
    [
        {"status": "done"},
        {"sort": "colour"},
        {"limit": 0},
        {"limit": 10**9},
        {"created_from": "yesterday"},
        {"created_from": "2026-01-01T00:00:00"},
        {"created_from": "2026-01-02T00:00:00Z", "created_to": "2026-01-01T00:00:00Z"},
        {"language": "english"},
        {"tag": "red"},
        {"q": ""},
        {"q": "x" * 201},
    ],
)
async def test_invalid_filter_is_rejected(shelf: Shelf, parameters: dict[str, Any]) -> None:
    await shelf.refused(**parameters)
