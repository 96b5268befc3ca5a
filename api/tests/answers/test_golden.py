"""Golden queries over HTTP, for pages and chunks."""

import uuid
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest
from benchmarks.throwaway import ThrowawayDatabase
from tests.answers.library import open_library
from tests.api import Api

GOLDEN = "/api/v1/evaluations/golden"
QUERY = "What is the fee for a paper statement?"


@pytest.fixture
async def api(filled_database: ThrowawayDatabase, tmp_path: Path) -> AsyncGenerator[Api]:
    async with open_library(filled_database, tmp_path) as made:
        yield made


async def passages(api: Api, headers: dict[str, str]) -> list[dict[str, Any]]:
    """Return the chunks of the tariff."""
    found = await api.client.post("/api/v1/search", json={"query": QUERY, "top_k": 20}, headers=headers)
    return [hit for hit in found.json()["data"] if hit["document"] == "tariff.pdf"]


async def star(api: Api, headers: dict[str, str], *, query: str = QUERY, **place: Any) -> dict[str, Any]:
    response = await api.client.post(GOLDEN, json={"query": query, **place}, headers=headers)
    assert response.status_code == 201, response.text
    return response.json()


async def golden(api: Api, headers: dict[str, str], **parameters: Any) -> dict[str, Any]:
    response = await api.client.get(GOLDEN, params=parameters, headers=headers)
    assert response.status_code == 200, response.text
    return response.json()


async def test_chunk_is_marked_separately_from_its_page(api: Api) -> None:
    reader = (await api.person(role="reader")).headers
    hit = (await passages(api, reader))[0]
    place = {"document": hit["document_id"], "page_number": hit["page_number"]}
    marked = await star(api, reader, **place, chunk_id=hit["chunk_id"])
    again = await star(api, reader, **place, chunk_id=hit["chunk_id"])
    whole = await star(api, reader, **place)

    assert marked["id"] == again["id"] != whole["id"]
    assert marked["chunk"] == {key: hit[key] for key in ("chunk_id", "char_start", "char_end")}
    assert (marked["is_chunk"], whole["is_chunk"], whole["chunk"]) == (True, False, None)
    await api.sql("UPDATE chunks SET content_hash = 'another text'")
    saved = (await golden(api, reader))["items"]
    assert [(one["is_chunk"], one["chunk"]) for one in saved] == [(False, None), (True, None)]


async def test_chunk_of_another_page_cannot_be_marked(api: Api) -> None:
    reader = (await api.person(role="reader")).headers
    hits = await passages(api, reader)
    one = hits[0]
    other = next(hit for hit in hits if hit["page_number"] != one["page_number"])
    wanted = {"query": QUERY, "document": "tariff.pdf", "page_number": one["page_number"]}
    for chunk_id in (other["chunk_id"], str(uuid.uuid4())):
        response = await api.client.post(GOLDEN, json=wanted | {"chunk_id": chunk_id}, headers=reader)
        assert (response.status_code, response.json()["code"]) == (404, "chunk_not_found")
    assert (await golden(api, reader))["total"] == 0


async def test_read_only_key_cannot_add_golden_queries(api: Api) -> None:
    admin = await api.person(role="admin")
    wanted = {"query": QUERY, "document": "tariff.pdf", "page_number": 3}
    read_key = await api.key(admin, toolsets=["answers"])
    refused = await api.client.post(GOLDEN, json=wanted, headers=read_key)
    assert (refused.status_code, refused.json()["code"]) == (403, "read_only")
    assert "--write" in refused.json()["hint"]
    assert (await golden(api, read_key))["total"] == 0
    await star(api, await api.key(admin, can_write=True, toolsets=["answers"]), document="tariff.pdf", page_number=3)
    assert (await golden(api, read_key))["total"] == 1


@pytest.mark.parametrize("number", [2**31, 2**63])
async def test_page_number_beyond_the_database_is_refused(api: Api, number: int) -> None:
    reader = (await api.person(role="reader")).headers
    wanted = {"query": QUERY, "document": "tariff.pdf", "page_number": number}
    response = await api.client.post(GOLDEN, json=wanted, headers=reader)
    assert (response.status_code, response.json()["code"]) == (422, "validation_error")
    (error,) = response.json()["errors"]
    assert (error["field"], error["limit"]) == ("body.page_number", {"le": 2**31 - 1})


async def test_golden_queries_can_be_filtered_by_text(api: Api) -> None:
    reader = (await api.person(role="reader")).headers
    wanted = await star(api, reader, document="tariff.pdf", page_number=3)
    for number in range(3):
        await star(api, reader, query=f"newer question {number}", document="vault.pdf", page_number=1)
    assert wanted["id"] not in [one["id"] for one in (await golden(api, reader, limit=3))["items"]]
    found = await golden(api, reader, limit=3, query=f"  {QUERY} ")
    assert ([one["id"] for one in found["items"]], found["total"], found["next_cursor"]) == ([wanted["id"]], 1, None)


async def test_last_ranks_are_stored_and_visible_to_administrators(api: Api) -> None:
    admin, reader = (await api.person(role="admin")).headers, (await api.person(role="reader")).headers
    answered = await star(api, admin, document="tariff.pdf", page_number=3)
    missed = await star(api, admin, query="zqx", document="vault.pdf", page_number=1)
    assert {one["last_asked_at"] for one in (await golden(api, admin))["items"]} == {None}
    refused = await api.client.post("/api/v1/evaluations/run", headers=reader)
    assert (refused.status_code, refused.json()["code"]) == (403, "admins_only")
    vault = "SELECT id FROM documents WHERE filename = 'vault.pdf'"
    await api.sql(f"DELETE FROM chunks WHERE document_id = ({vault})")

    response = await api.client.post("/api/v1/evaluations/run", headers=admin)

    run = response.json()
    assert response.status_code == 200, response.text
    assert (run["questions"], run["found"]) == (2, 1)
    assert run["measures"]["recall@1"]["value"] == 0.5
    ranks = {one["id"]: one["last_rank"] for one in (await golden(api, admin))["items"]}
    assert ranks == {answered["id"]: 1, missed["id"]: None}
    assert all(one["last_asked_at"] for one in (await golden(api, admin))["items"])
    seen = (await golden(api, reader))["items"]
    assert {(one["last_rank"], one["last_asked_at"]) for one in seen} == {(None, None)}
