"""Every endpoint treats a document outside the scope as missing."""

import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from fastapi.routing import APIRoute
from tests.api import LIBRARY, Api, Person

from lectern.app import ROUTERS
from lectern.db.scope import SYSTEM_SCOPE

from .shelves import add_document

BODIES: dict[tuple[str, str], dict[str, Any]] = {
    ("PATCH", "/documents/{document_id}"): {"json": {"title": "stolen"}},
    ("POST", "/documents/{document_id}/notes"): {"json": {"char_start": 0, "char_end": 1, "text": "stolen"}},
    ("PATCH", "/documents/{document_id}/notes/{note_id}"): {"json": {"text": "stolen"}},
    ("PUT", "/documents/{document_id}/grants"): {"json": {"email": "thief@example.org"}},
    ("PUT", "/documents/{document_id}/grants/owner"): {"json": {"email": "thief@example.org"}},
    ("GET", "/documents/{document_id}/find"): {"params": {"q": "fees"}},
    ("GET", "/documents/{document_id}/rectangles"): {"params": {"char_start": 0, "char_end": 5}},
}


FOR_PEOPLE = ("/documents/{document_id}/notes", "/documents/{document_id}/grants")
"""Keys are refused there before the document is looked up."""
FOR_ADMINISTRATORS = ("/documents/{document_id}/grants/owner",)
"""Others are refused there."""


def document_endpoints() -> Iterator[tuple[str, str]]:
    """Return method and path of every endpoint about one document, including future ones."""
    for router in ROUTERS:
        for route in router.routes:
            if isinstance(route, APIRoute) and "{document_id}" in route.path:
                for method in sorted(route.methods or ()):
                    yield method, route.path.removeprefix("/api/v1")


@dataclass(slots=True)
class World:
    """An open collection with two documents, one of them tagged, and a closed collection with a third."""

    admin: Person
    editor: Person
    tagged: uuid.UUID
    plain: uuid.UUID
    closed: uuid.UUID
    closed_collection: str


@pytest.fixture
async def world(api: Api) -> World:
    admin, editor = await api.person("admin"), await api.person("editor")
    closed_collection = await api.collection(admin, "closed", is_open=False)
    made = await api.client.post("/api/v1/tags", json={"name": "public"}, headers=admin.headers)
    tag_id = uuid.UUID(made.json()["id"])
    async with api.database.session(SYSTEM_SCOPE) as session:
        tagged = await add_document(session, collection_id=LIBRARY, tag_ids=[tag_id], filename="tagged.txt")
        plain = await add_document(session, collection_id=LIBRARY, filename="plain.txt")
        closed = await add_document(session, collection_id=uuid.UUID(closed_collection), filename="secret.txt")
    return World(admin, editor, tagged, plain, closed, closed_collection)


async def ask(
    api: Api, headers: dict[str, str], method: str, path: str, document_id: uuid.UUID
) -> tuple[int, dict[str, Any]]:
    """Return status and body without values that differ between requests."""
    options = BODIES.get((method, path), {})
    values = {"page_number": 1, "number": 1, "note_id": uuid.UUID(int=1), "grant_id": uuid.UUID(int=1)}
    url = "/api/v1" + path.format(document_id=document_id, **values)
    response = await api.client.request(method, url, headers=headers, **options)
    is_json = bool(response.content) and "json" in response.headers.get("content-type", "")
    body: dict[str, Any] = response.json() if is_json else {}
    return response.status_code, {name: body[name] for name in body if name not in {"request_id", "instance"}}


async def test_every_endpoint_treats_a_hidden_document_as_missing(api: Api, world: World) -> None:
    by_collection = await api.key(world.admin, can_write=True, collections=[str(LIBRARY)])
    by_tag = await api.key(world.admin, can_write=True, tags=["public"])
    by_document = await api.key(world.admin, can_write=True, documents=["tagged.txt"])
    askers = [
        (world.editor.headers, world.closed),
        (by_collection, world.closed),
        (by_tag, world.plain),
        (by_tag, world.closed),
        (by_document, world.plain),
    ]
    endpoints = list(document_endpoints())
    assert len(endpoints) >= 13
    for method, path in endpoints:
        for headers, hidden in askers:
            of_hidden = await ask(api, headers, method, path, hidden)
            of_none = await ask(api, headers, method, path, uuid.uuid4())
            assert of_hidden == of_none, (method, path)
            is_refused = path.startswith(FOR_PEOPLE) and headers != world.editor.headers
            expected = 403 if is_refused or path in FOR_ADMINISTRATORS else 404
            assert of_hidden[0] == expected, (method, path, of_hidden)
    assert await api.sql("SELECT title FROM documents WHERE title IS NOT NULL OR deleted_at IS NOT NULL") == []


async def test_lists_totals_and_counts_cover_only_documents_in_scope(api: Api, world: World) -> None:
    async def names(headers: dict[str, str]) -> list[str]:
        page = (await api.client.get("/api/v1/documents", headers=headers)).json()
        assert page["total"] == len(page["items"])
        return sorted(item["filename"] for item in page["items"])

    assert await names(world.admin.headers) == ["plain.txt", "secret.txt", "tagged.txt"]
    assert await names(world.editor.headers) == ["plain.txt", "tagged.txt"]
    by_tag = await api.key(world.admin, tags=["public"])
    assert await names(by_tag) == ["tagged.txt"]
    assert await names(await api.key(world.admin, collections=["closed"])) == ["secret.txt"]
    assert await names(await api.key(world.admin, documents=["plain.txt"])) == ["plain.txt"]
    both = await api.key(world.admin, documents=["plain.txt", "tagged.txt"], tags=["public"])
    assert await names(both) == ["tagged.txt"]
    page = (await api.client.get("/api/v1/collections", headers=world.editor.headers)).json()
    assert [item["name"] for item in page["items"]] == ["Library"]
    assert page["total"] == 1
    counted = (await api.client.get("/api/v1/collections", headers=by_tag)).json()["items"]
    assert {item["name"]: item["document_count"] for item in counted} == {"Library": 1}


async def test_names_out_of_scope_are_not_found_or_suggested(api: Api, world: World) -> None:
    key = await api.key(world.admin, collections=[str(LIBRARY)])
    for parameters in ({"collections": "closed"}, {"tags": "secret"}):
        response = await api.client.get("/api/v1/documents", params=parameters, headers=key)
        assert response.status_code == 422
        assert "secret.txt" not in response.text
        assert response.json().get("available") in (["Library"], ["public"]), response.text


async def test_key_sees_at_most_what_its_creator_sees(api: Api, world: World) -> None:
    members = f"/api/v1/collections/{world.closed_collection}/members/{world.editor.id}"
    put = await api.client.put(members, json={"can_write": False}, headers=world.admin.headers)
    assert put.status_code == 200
    key = await api.key(world.editor)

    async def count() -> int:
        return (await api.client.get("/api/v1/documents", headers=key)).json()["total"]

    assert await count() == 3
    await api.client.delete(members, headers=world.admin.headers)
    assert await count() == 2


async def test_read_only_key_changes_nothing(api: Api, world: World) -> None:
    key = await api.key(world.admin)
    for method, path in document_endpoints():
        if method not in {"GET", "HEAD"}:
            status, body = await ask(api, key, method, path, world.plain)
            code = "people_only" if path.startswith(FOR_PEOPLE) else "read_only"
            assert (status, body["code"]) == (403, code), (method, path)


async def test_read_only_member_cannot_change_documents_of_a_closed_collection(api: Api, world: World) -> None:
    members = f"/api/v1/collections/{world.closed_collection}/members/{world.editor.id}"
    await api.client.put(members, json={"can_write": False}, headers=world.admin.headers)
    status, body = await ask(api, world.editor.headers, "PATCH", "/documents/{document_id}", world.closed)
    assert (status, body["code"]) == (403, "read_only")
    bulk = {"action": "delete", "filter": {"status": ["ready"]}}
    response = await api.client.post("/api/v1/documents/bulk", json=bulk, headers=world.editor.headers)
    assert response.status_code == 403
    await api.client.put(members, json={"can_write": True}, headers=world.admin.headers)
    status, body = await ask(api, world.editor.headers, "PATCH", "/documents/{document_id}", world.closed)
    assert (status, body["title"]) == (200, "stolen")
