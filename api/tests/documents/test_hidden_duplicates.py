"""Files, names and collections out of sight make no difference to a key that tags or documents limit.

Each test sends the same request with a value that exists out of sight and with an invented one.
"""

import asyncio
import re
import shutil
import uuid
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from benchmarks.throwaway import ThrowawayPostgres
from tests.api import LIBRARY, Api, Person, api_settings, open_api

DOCUMENTS = "/api/v1/documents"
COLLECTIONS = "/api/v1/collections"
Response = tuple[int, str]


@dataclass(slots=True)
class World:
    """A shared collection with documents of two tags, a closed collection, and a writer key for one of the tags."""

    api: Api
    admin: Person
    mine: dict[str, str]
    document_id: str
    closed_id: str

    async def send(self, method: str, path: str, *secrets: str, **options: Any) -> Response:
        """Return the status and the body without ids, times, hashes and the given values."""
        headers = {**self.mine, **options.pop("headers", {})}
        response = await self.api.client.request(method, path, headers=headers, **options)
        body = response.text
        for secret in secrets:
            body = body.replace(secret, "SECRET")
        for pattern in (
            r"[0-9a-f]{8}-[0-9a-f-]{27}",
            r"[0-9a-f]{64}|[0-9a-f]{32}",
            r"\d{4}-\d\d-\d\dT[^\"]+",
            r"\b\d+\b",
        ):
            body = re.sub(pattern, "X", body)
        return response.status_code, body

    async def upload(self, content: bytes, name: str = "new.txt", **parameters: str) -> Response:
        values = {"collection": "Library", "tags": "mine", "filename": name, **parameters}
        return await self.send("POST", DOCUMENTS, name, content=content, params=values)

    async def replace(self, content: bytes, document_id: str | None = None) -> Response:
        path = f"{DOCUMENTS}/{document_id or self.document_id}/content"
        return await self.send("PUT", path, content=content, headers={"Content-Type": "text/plain"})

    async def own(self, content: bytes, **parameters: str) -> str:
        item = await self.api.upload(self.mine, content, tags=["mine"], **{"collection": "Library", **parameters})
        return item["document"]["id"]


@dataclass(frozen=True, slots=True)
class Template:
    """A world to be copied: its database, its folder, and what its tests know of it."""

    database: str
    folder: Path
    world: World


@pytest.fixture(scope="module")
async def template(postgres: ThrowawayPostgres, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Template]:
    folder = tmp_path_factory.mktemp("template")
    with postgres.fresh_database() as database:
        async with open_api(api_settings(database, folder)) as api:
            world = await fill(api)
        yield Template(database.name, folder, world)


@pytest.fixture
async def world(postgres: ThrowawayPostgres, template: Template, tmp_path: Path) -> AsyncGenerator[World]:
    """A copy, because filling takes longer than copying."""
    await asyncio.to_thread(shutil.copytree, template.folder, tmp_path, dirs_exist_ok=True)
    with postgres.fresh_database(template=template.database) as database:
        async with open_api(api_settings(database, tmp_path), is_new=True) as api:  # its people exist already
            yield replace(template.world, api=api)


async def fill(api: Api) -> World:
    admin = await api.person("admin")
    closed = await api.collection(admin, "closed", is_open=False)
    await api.collection(admin, "Open", is_open=True)
    item = await api.upload(admin.headers, b"own", tags=["mine"], filename="own.txt")
    await api.upload(admin.headers, b"in the open one", tags=["mine"], collection="Open")
    for number in range(2):
        await api.upload(admin.headers, f"foreign {number}".encode(), tags=["theirs"], filename="twice.txt")
    await api.upload(admin.headers, b"foreign", tags=["theirs"], filename="once.txt")
    await api.upload(admin.headers, b"foreign", tags=["theirs"], filename="once.txt", collection="Open")
    await api.upload(admin.headers, b"secret", collection="closed")
    mine = await api.key(admin, can_write=True, tags=["mine"])
    return World(api, admin, mine, item["document"]["id"], closed)


async def same(one: Awaitable[Response], other: Awaitable[Response], status: int) -> None:
    of_foreign, of_invented = await one, await other
    assert of_foreign == of_invented
    assert of_foreign[0] == status


async def test_upload_of_a_hidden_file_is_a_new_document(world: World) -> None:
    await same(world.upload(b"foreign"), world.upload(b"invented"), 202)
    again = await world.api.upload(world.mine, b"foreign", tags=["mine"], collection="Library")
    assert again["is_duplicate"] is True, "the key's own document is a duplicate"
    rows = await world.api.sql(
        "SELECT count(*), count(DISTINCT sha256) FROM documents WHERE collection_id = :id AND size_bytes = 7",
        id=LIBRARY,
    )
    assert tuple(rows[0]) == (2, 1)


async def test_upload_of_a_hidden_file_changes_nothing_of_the_hidden_document(world: World) -> None:
    await world.upload(b"foreign", language="it")
    rows = await world.api.sql(
        "SELECT d.language, array_agg(t.name) FROM documents d JOIN document_tags dt ON dt.document_id = d.id"
        " JOIN tags t ON t.id = dt.tag_id WHERE filename = 'once.txt' AND collection_id = :id GROUP BY 1",
        id=LIBRARY,
    )
    assert [tuple(row) for row in rows] == [(None, ["theirs"])]


@pytest.mark.parametrize("name", ["once.txt", "twice.txt"])
async def test_hidden_names_get_no_new_version(world: World, name: str) -> None:
    versioned = {"on_same_name": "new_version"}
    await same(world.upload(b"1", name, **versioned), world.upload(b"2", "free.txt", **versioned), 202)


async def test_own_name_gets_a_new_version(world: World) -> None:
    status, body = await world.upload(b"another", "own.txt", on_same_name="new_version")
    assert (status, '"is_new_version":true' in body) == (202, True)


async def test_new_version_with_a_hidden_file(world: World) -> None:
    await same(world.replace(b"foreign"), world.replace(b"invented"), 202)
    await world.own(b"second")
    status, body = await world.replace(b"second")
    assert (status, "document_already_there" in body) == (409, True)


async def test_move_to_a_collection_with_a_hidden_file(world: World) -> None:
    foreign, invented = await world.own(b"foreign"), await world.own(b"invented")

    async def move(document_id: str) -> Response:
        return await world.send("PATCH", f"{DOCUMENTS}/{document_id}", json={"collection": "Open"})

    await same(move(foreign), move(invented), 200)


async def test_bulk_move_to_a_collection_with_a_hidden_file(world: World) -> None:
    foreign, invented = await world.own(b"foreign"), await world.own(b"invented")

    async def move(document_id: str) -> Response:
        body = {"action": "move", "ids": [document_id], "collection": "Open"}
        return await world.send("POST", f"{DOCUMENTS}/bulk", json=body)

    await same(move(foreign), move(invented), 200)
    moved = (await world.api.client.get(DOCUMENTS, params={"collections": "Open"}, headers=world.mine)).json()
    assert moved["total"] == 3


@pytest.mark.parametrize("is_bulk", [False, True])
async def test_restore_beside_a_hidden_file(world: World, *, is_bulk: bool) -> None:
    foreign, invented = await world.own(b"foreign"), await world.own(b"invented")
    for document_id in (foreign, invented):
        await world.send("DELETE", f"{DOCUMENTS}/{document_id}")

    async def restore(document_id: str) -> Response:
        if is_bulk:
            body = {"action": "restore", "ids": [document_id]}
            return await world.send("POST", f"{DOCUMENTS}/bulk", json=body)
        return await world.send("POST", f"{DOCUMENTS}/{document_id}/restore")

    await same(restore(foreign), restore(invented), 200)


async def test_whole_view_still_finds_duplicates(world: World) -> None:
    await world.own(b"foreign")
    item = await world.api.upload(world.admin.headers, b"foreign", filename="again.txt")
    assert item["is_duplicate"] is True
    own = await world.own(b"third")
    path = f"{DOCUMENTS}/{own}/content"
    headers = {**world.admin.headers, "Content-Type": "text/plain"}
    refused = await world.api.client.put(path, content=b"foreign", headers=headers)
    assert (refused.status_code, refused.json()["code"]) == (409, "document_already_there")
    trashed = await world.own(b"foreign 1")
    await world.send("DELETE", f"{DOCUMENTS}/{trashed}")
    refused = await world.api.client.post(f"{DOCUMENTS}/{trashed}/restore", headers=world.admin.headers)
    assert (refused.status_code, refused.json()["code"]) == (409, "document_already_there")


async def test_two_scopes_upload_the_same_bytes_at_once(world: World) -> None:
    theirs = await world.api.key(world.admin, can_write=True, tags=["theirs"])
    uploads = [
        world.api.upload(headers, b"at once", tags=[tag], collection="Library")
        for headers, tag in ((world.mine, "mine"), (theirs, "theirs")) * 4
    ]
    items = await asyncio.gather(*uploads)
    by_scope = [{item["document"]["id"] for item in items[number::2]} for number in range(2)]
    assert [len(ids) for ids in by_scope] == [1, 1]
    assert by_scope[0].isdisjoint(by_scope[1])
    assert [item["is_duplicate"] for item in items].count(False) == 2


async def test_purge_keeps_bytes_that_another_document_uses(world: World) -> None:
    def stored() -> set[str]:
        folder = world.api.app.state.settings.embedded.data_dir / "store"
        return {path.name for path in folder.rglob("*") if path.is_file()}

    theirs = await world.api.key(world.admin, can_write=True, tags=["theirs"])
    before = stored()
    mine = await world.own(b"kept once")
    their = (await world.api.upload(theirs, b"kept once", tags=["theirs"], collection="Library"))["document"]["id"]
    assert len(stored() - before) == 1
    for headers, document_id, left in ((world.mine, mine, 1), (theirs, their, 0)):
        purged = await world.api.client.delete(f"{DOCUMENTS}/{document_id}", params={"purge": True}, headers=headers)
        assert purged.status_code == 200, purged.text
        assert len(stored() - before) == left


async def test_collections_without_visible_documents_are_hidden(world: World) -> None:
    listed = (await world.api.client.get(COLLECTIONS, headers=world.mine)).json()
    assert ([item["name"] for item in listed["items"]], listed["total"]) == (["Library", "Open"], 2)
    await same(
        world.send("GET", f"{COLLECTIONS}/{world.closed_id}"), world.send("GET", f"{COLLECTIONS}/{uuid.uuid4()}"), 404
    )
    by_document = await world.api.key(world.admin, documents=["own.txt"])
    listed = (await world.api.client.get(COLLECTIONS, headers=by_document)).json()
    assert [(item["name"], item["document_count"]) for item in listed["items"]] == [("Library", 1)]


@pytest.mark.parametrize("kind", ["filter", "search", "upload", "move", "bulk"])
async def test_hidden_collections_are_as_unknown_as_invented_ones(world: World, kind: str) -> None:
    async def use(name: str) -> Response:
        requests: dict[str, Callable[[], Awaitable[Response]]] = {
            "filter": lambda: world.send("GET", DOCUMENTS, name, params={"collections": name}),
            "search": lambda: world.send("POST", "/api/v1/search", name, json={"query": "x", "collections": [name]}),
            "upload": lambda: world.send(
                "POST", DOCUMENTS, name, content=b"x", params={"collection": name, "tags": "mine"}
            ),
            "move": lambda: world.send("PATCH", f"{DOCUMENTS}/{world.document_id}", name, json={"collection": name}),
            "bulk": lambda: world.send(
                "POST",
                f"{DOCUMENTS}/bulk",
                name,
                json={"action": "move", "ids": [world.document_id], "collection": name},
            ),
        }
        return await requests[kind]()

    await same(use("closed"), use("clotted"), 422)
    await same(use(world.closed_id), use(str(uuid.uuid4())), 422)


async def test_key_adds_to_open_collections_it_sees_and_to_those_it_names(world: World) -> None:
    await world.api.upload(world.admin.headers, b"seen there", tags=["mine"], collection="closed")
    status, body = await world.upload(b"new", collection="closed")
    assert (status, '"read_only"' in body) == (403, True), "visible, closed and not named"
    await world.api.collection(world.admin, "empty", is_open=False)
    named = await world.api.key(world.admin, can_write=True, tags=["mine"], collections=["empty", "closed"])
    for collection in ("empty", "closed"):
        item = await world.api.upload(named, b"new", tags=["mine"], collection=collection)
        assert item["document"]["collection"]["name"] == collection
    listed = (await world.api.client.get(COLLECTIONS, headers=named)).json()["items"]
    assert [item["name"] for item in listed] == ["closed", "empty"]


async def test_key_for_a_tag_without_documents_uploads_its_first_one(api: Api) -> None:
    admin = await api.person("admin")
    await api.client.post("/api/v1/tags", json={"name": "inbox"}, headers=admin.headers)
    parameters = {"filename": "a.txt", "tags": "inbox"}
    without = await api.key(admin, can_write=True, tags=["inbox"])
    refused = await api.client.post(DOCUMENTS, content=b"first", params=parameters, headers=without)
    assert (refused.status_code, refused.json()["code"]) == (422, "unknown_collection")
    assert "lists the collection" in refused.json()["hint"]
    key = await api.key(admin, can_write=True, tags=["inbox"], collections=["Library"])
    item = await api.upload(key, b"first", tags=["inbox"])
    assert item["document"]["tags"] == ["inbox"]
