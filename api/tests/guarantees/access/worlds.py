"""Two worlds that differ only in what their callers may not see.

Both start as clones of one database, with the same people, keys and documents in scope. Then each world gets documents,
tags, collections and people out of scope. A caller that distinguishes the worlds has learned something foreign.
"""

import asyncio
import base64
import random
import shutil
import time
import uuid
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.throwaway import ThrowawayPostgres
from tests.accounts.oauth_client import connect_app
from tests.api import Api, Person, api_settings, open_api
from tests.ingestion.library import Library, open_library

from lectern.http.pagination import encode_cursor

from .snapshots import Snapshot
from .values import APP, MINE, OWN_WORD, Foreign

TOOLSETS = ["search", "answers", "library", "extract", "connector"]
FILL_SECONDS = 600
OF_AN_APP = "key of an app"
"""Callers with this name have the access token of an OAuth client."""
PAGED = ("documents", "tags", "collections", "jobs", "evaluations/golden", "threads")


TABLES = (
    *("documents", "tags", "collections", "jobs", "chunks", "users", "api_keys", "sessions"),
    *("saved_answers", "answer_threads"),
)


@dataclass(frozen=True, slots=True)
class Caller:
    """Somebody with a narrow scope. `own` holds valid values for parameters, by their names."""

    name: str
    headers: dict[str, str] = field(repr=False)
    own: dict[str, Any] = field(repr=False)
    can_write: bool = True


@dataclass(slots=True)
class World:
    """A running API with its database and its foreign part."""

    api: Api
    library: Library
    foreign: Foreign
    snapshot: Snapshot | None = None


@dataclass(slots=True)
class Worlds:
    """The pair, the callers that exist in both, and a person who sees everything."""

    pair: tuple[World, World]
    callers: list[Caller]
    admin: Caller
    started_at: str
    common_ids: set[str]


@asynccontextmanager
async def open_worlds(postgres: ThrowawayPostgres, folder: Path, *, seed: int) -> AsyncGenerator[Worlds]:
    """Build the common part, clone it and give each world its own foreign part."""
    choose = random.Random(seed)
    async with AsyncExitStack() as stack:
        base = stack.enter_context(postgres.fresh_database())
        async with _open_world(postgres, base.name, folder / "base", Foreign.draw(choose), is_first=True) as world:
            admin, callers = await _fill_common_part(world, choose)
            common_ids = await _all_ids(world.api)
            started_at = str((await world.api.sql("SELECT now() AT TIME ZONE 'UTC'"))[0][0]).replace(" ", "T")
        worlds: list[World] = []
        for number in range(2):
            database = stack.enter_context(postgres.fresh_database(template=base.name))
            copy = folder / f"world-{number}"
            await asyncio.to_thread(shutil.copytree, folder / "base", copy)
            opened = _open_world(postgres, database.name, copy, Foreign.draw(choose))
            worlds.append(await stack.enter_async_context(opened))
        await asyncio.gather(*(_fill_foreign_part(world, admin, count=3 + at) for at, world in enumerate(worlds)))
        for world in worlds:
            snapshot = Snapshot(world.library.urls.superuser_url, world.library.folder / "originals")
            world.snapshot = stack.enter_context(snapshot)
        own = callers[0].own
        yield Worlds((worlds[0], worlds[1]), callers, Caller("admin", admin.headers, own), started_at, common_ids)


@asynccontextmanager
async def _open_world(
    postgres: ThrowawayPostgres, database: str, folder: Path, foreign: Foreign, *, is_first: bool = False
) -> AsyncGenerator[World]:
    urls = postgres.database(database)
    async with open_library(urls, folder) as library:
        settings = api_settings(urls, folder)
        settings.embeddings, settings.storage = library.embeddings, library.settings.storage
        async with open_api(settings, is_new=not is_first) as api:
            _stop_expiry(api)
            yield World(api, library, foreign)


def _stop_expiry(api: Api) -> None:
    """Let no cache expire: both worlds fill theirs at slightly different times."""
    api.app.state.search_engine.cache.seconds = 3_600.0
    now = time.time()
    for cache in api.app.state.file_processor.caches.values():
        cache.clock = lambda: now


async def _fill_common_part(world: World, choose: random.Random) -> tuple[Person, list[Caller]]:
    """Add what both worlds share: documents in three collections, people and keys with scopes."""
    api = world.api
    admin = await api.person("admin")
    own = await api.collection(admin, "Own", is_open=False)
    shared = await api.collection(admin, "Shared", is_open=False)
    places = {"Library": "Library", "Own": own, "Shared": shared}
    ids: dict[str, str] = {}
    for name, place in places.items():
        for number in range(choose.randint(2, 3)):
            tags = [MINE] if number < 2 else ["untouched"] if place != shared else [MINE]
            filename = f"{name.lower()}-{number}.txt"
            text = f"{name} report {number}. The {OWN_WORD} budget of {choose.randint(100, 999)} euros is final."
            sent = await api.upload(admin.headers, text.encode(), filename=filename, tags=tags, collection=place)
            ids[f"{name}-{number}"] = sent["document"]["id"]
    async with world.library.worker():
        await world.library.until_status(*map(uuid.UUID, ids.values()), seconds=FILL_SECONDS)
    return admin, await _create_callers(api, admin, places, ids)


async def _create_callers(api: Api, admin: Person, places: dict[str, str], ids: dict[str, str]) -> list[Caller]:
    reader, editor, outsider = await api.person("reader"), await api.person("editor"), await api.person("editor")
    for person in (reader, editor):
        path = f"/api/v1/collections/{places['Own']}/members/{person.id}"
        body = {"can_write": person is editor}
        assert (await api.client.put(path, json=body, headers=admin.headers)).status_code == 200
    scopes: dict[str, tuple[str, Person, dict[str, Any]]] = {
        "key by collection": ("Own", admin, {"collections": [places["Own"]]}),
        "key by tag": ("Shared", admin, {"tags": [MINE]}),
        "key by document": ("Shared", admin, {"documents": [ids["Shared-0"], ids["Own-1"]]}),
        "key by collection and tag": ("Shared", admin, {"collections": [places["Shared"]], "tags": [MINE]}),
        "key of an editor": ("Own", editor, {}),
        OF_AN_APP: ("Shared", admin, {"collections": [places["Shared"]], "tags": [MINE]}),
    }
    made = [("reader", "Own", reader.headers), ("editor", "Own", editor.headers)]
    made += await _share_documents(api, admin, ids)
    made += [("editor without collections", "Library", outsider.headers), ("nobody", "Library", {})]
    for name, (place, maker, scope) in scopes.items():
        for can_write in (True, False):
            wanted = {"can_write": can_write, "toolsets": TOOLSETS, **scope}
            by_oauth = name == OF_AN_APP
            headers = await (connect_app(api, maker, **wanted) if by_oauth else api.key(maker, **wanted))
            made.append((f"{'writing' if can_write else 'reading'} {name}", place, headers))
    sees_tags = {name for name, (_, _, scope) in scopes.items() if "tags" in scope}
    await api.sql(
        "INSERT INTO oauth_clients (id, name, redirect_uris) VALUES (:id, 'App', ARRAY[:uri])",
        id=APP["client_id"],
        uri=APP["redirect_uri"],
    )
    common = await _own_values(api, admin)
    callers: list[Caller] = []
    for name, place, headers in made:
        document = ids[f"{place}-0"]
        own: dict[str, Any] = common | {
            "document_id": document,
            "document": document,
            "collection_id": places[place],
            "collection": places[place] if place != "Library" else "Library",
            "required_tags": [MINE] if any(name.endswith(key) for key in sees_tags) else [],
        }
        job = await api.sql("SELECT id FROM jobs WHERE document_id = :id LIMIT 1", id=document)
        chunk = await api.sql("SELECT id FROM chunks WHERE document_id = :id LIMIT 1", id=document)
        own |= {"job_id": str(job[0].id), "chunk_id": str(chunk[0].id)}
        can_write = name.startswith(("writing", "editor"))
        callers.append(Caller(name, headers, own | await _saved_values(api, headers), can_write))
    return callers


async def _share_documents(api: Api, admin: Person, ids: dict[str, str]) -> list[tuple[str, str, dict[str, str]]]:
    """Return people with a grant of a document or tag, the key of one, the owner of a tag, and a former receiver."""
    receiver, writer, former = await api.person("reader"), await api.person("editor"), await api.person("reader")
    tagged, owner = await api.person("reader"), await api.person("reader")
    shared = f"documents/{ids['Shared-0']}/grants"
    await api.sql("UPDATE users SET name = 'Receiver' WHERE id IN (:one, :other)", one=receiver.id, other=former.id)
    for person in (receiver, writer, former):
        listed = await _put(api, admin, shared, {"email": f"{person.id}@example.org"})
    grant = next(each["id"] for each in listed["grants"] if each["email"].startswith(str(former.id)))
    await api.client.delete(f"/api/v1/{shared}/{grant}", headers=admin.headers)
    (tag,) = await api.sql("SELECT id FROM tags WHERE name = :name", name=MINE)
    for person in (former, tagged):
        listed = await _put(api, admin, f"tags/{tag.id}/grants", {"email": f"{person.id}@example.org"})
    grant = next(each["id"] for each in listed["grants"] if each["email"].startswith(str(former.id)))
    await api.client.delete(f"/api/v1/tags/{tag.id}/grants/{grant}", headers=admin.headers)
    await api.sql("UPDATE users SET name = 'Owner' WHERE id = :id", id=owner.id)
    (own,) = await api.sql("SELECT id FROM collections WHERE name = 'Own'")
    await _put(api, admin, f"collections/{own.id}/members/{owner.id}", {"can_write": False})
    for path in (f"tags/{tag.id}/grants", f"documents/{ids['Own-0']}/grants"):
        await _put(api, admin, f"{path}/owner", {"email": f"{owner.id}@example.org"})
    key = await api.key(receiver, toolsets=TOOLSETS)
    return [
        ("reader with a grant", "Shared", receiver.headers),
        ("editor with a grant", "Shared", writer.headers),
        ("reading key of a reader with a grant", "Shared", key),
        ("reader with a shared tag", "Shared", tagged.headers),
        ("reader without the grant", "Library", former.headers),
        ("reader who owns a tag", "Own", owner.headers),
    ]


async def _share_for_a_moment(api: Api, admin: Person, path: str) -> None:
    for receiver in await api.sql("SELECT email FROM users WHERE name = 'Receiver'"):
        listed = await _put(api, admin, path, {"email": receiver.email})
        grant = next(each["id"] for each in listed["grants"] if each["email"] == receiver.email)
        taken = await api.client.delete(f"/api/v1/{path}/{grant}", headers=admin.headers)
        assert taken.status_code == 204


async def _own_values(api: Api, admin: Person) -> dict[str, Any]:
    """Return valid values that are the same for every caller."""
    tags = await api.sql("SELECT id FROM tags WHERE name = :name", name=MINE)
    nothing = str(uuid.UUID(int=7))
    own = {"tag_id": str(tags[0].id), "user_id": str(admin.id)}
    return own | dict.fromkeys(("golden_query_id", "note_id", "grant_id"), nothing)


async def _saved_values(api: Api, headers: dict[str, str]) -> dict[str, Any]:
    """Save an answer of the caller, and an API key if it may make one."""
    body = {"question": f"What is the {OWN_WORD} budget?", "save": True}
    saved = await api.client.post("/api/v1/answers", json=body, headers=headers)
    made = await api.client.post("/api/v1/keys", json={"name": "own"}, headers=headers)
    found = saved.json()["data"]["id"] if saved.is_success else None
    key = made.json()["api_key"]["id"] if made.is_success else None
    thread = saved.json()["data"]["thread_id"] if saved.is_success else None
    return {
        "answer_id": found or str(uuid.UUID(int=8)),
        "thread_id": thread or str(uuid.UUID(int=10)),
        "key_id": key or str(uuid.UUID(int=9)),
    }


async def _fill_foreign_part(world: World, admin: Person, *, count: int) -> None:
    """Add what the callers may not see. `count` documents make the worlds differ in numbers too."""
    api, foreign = world.api, world.foreign
    other = await api.person("editor")
    hidden = await api.collection(admin, foreign.collection, is_open=False)
    shared = next(row.id for row in await api.sql("SELECT id FROM collections WHERE name = 'Shared'"))
    person = {"email": foreign.email, "password": foreign.password, "name": foreign.person, "role": "editor"}
    user = await _post(api, admin, "users", person)
    path = f"collections/{hidden}/members/{other.id}"
    await api.client.put(f"/api/v1/{path}", json={"can_write": True}, headers=admin.headers)
    for name in (foreign.tag, foreign.orphan_tag):
        await _post(api, admin, "tags", {"name": name, "description": foreign.sentence, "color": "red"})
    await _add_documents(world, admin, places=(hidden, str(shared)), count=count)
    await _use_foreign_part(world, admin, other, count=count)
    key = await _post(api, admin, "keys", {"name": foreign.key_name, "tags": [foreign.tag]})
    foreign.ids |= {"collection": hidden, "user": user["id"], "key": key["api_key"]["id"]}
    foreign.ids["session"] = str(other.session_id)
    foreign.texts |= {"secret": key["key"]}
    await _read_ids(api, admin, foreign)


async def _add_documents(world: World, admin: Person, *, places: Sequence[str], count: int) -> None:
    """Upload the foreign files, two of them with one name, and wait until they are ready."""
    api, foreign = world.api, world.foreign
    files = [(name, foreign.content(name)) for name in (foreign.filename, foreign.common_filename)]
    files += [(foreign.common_filename, foreign.content("again"))]
    files += [(f"{foreign.word}-{number}.txt", foreign.content(str(number))) for number in range(count)]
    added: list[uuid.UUID] = []
    for filename, content in files:
        for place in places:
            sent = await api.upload(admin.headers, content, filename=filename, tags=[foreign.tag], collection=place)
            added.append(uuid.UUID(sent["document"]["id"]))
    async with world.library.worker():
        await world.library.until_status(*added, seconds=FILL_SECONDS)
    title = {"title": foreign.title}
    await api.client.patch(f"/api/v1/documents/{added[0]}", json=title, headers=admin.headers)
    await api.client.delete(f"/api/v1/documents/{added[-1]}", headers=admin.headers)
    foreign.ids |= {"document": str(added[0]), "deleted_document": str(added[-1])}


async def _use_foreign_part(world: World, admin: Person, other: Person, *, count: int) -> None:
    """Search, ask and label as other people do, which fills caches and histories."""
    api, foreign = world.api, world.foreign
    golden = {"query": foreign.word, "document": foreign.ids["document"], "page_number": 1}
    foreign.ids["golden"] = (await _post(api, admin, "evaluations/golden", golden))["id"]
    for is_shared in (True, False):
        note = {"char_start": 0, "char_end": 5, "text": foreign.sentence, "is_shared": is_shared}
        path = f"documents/{foreign.ids['document']}/notes"
        foreign.ids["note"] = (await _post(api, admin, path, note))["id"]
    # grants of a document that the callers see and may not share, and of one that they do not see
    shared = (await api.sql("SELECT id FROM documents WHERE filename = 'shared-0.txt'"))[0].id
    for document in (shared, foreign.ids["document"]):
        listed = await _put(api, admin, f"documents/{document}/grants", {"email": foreign.email})
    foreign.ids["grant"] = listed["grants"][0]["id"]
    (tag,) = await api.sql("SELECT id FROM tags WHERE name = :name", name=foreign.tag)
    shared_tag = f"tags/{tag.id}/grants"
    foreign.ids["tag_grant"] = (await _put(api, admin, shared_tag, {"email": foreign.email}))["grants"][0]["id"]
    (owner,) = await api.sql("SELECT email FROM users WHERE name = 'Owner'")
    foreign.texts["owner"] = owner.email
    for path in (f"documents/{foreign.ids['document']}/grants", shared_tag):
        if count % 2:
            await _share_for_a_moment(api, admin, path)  # in one world only: a grant that was taken back
        # A caller owns a document and a tag out of sight, in one world only.
        await _put(api, admin, f"{path}/owner", {"email": foreign.email if count % 2 else owner.email})
    # private notes on a document that the callers see
    own = (await api.sql("SELECT id FROM documents WHERE filename = 'own-0.txt'"))[0].id
    for _ in range(count):
        await _post(api, admin, f"documents/{own}/notes", {"char_start": 0, "char_end": 5, "text": foreign.sentence})
    for person in (admin, other):
        await _post(api, person, "search", {"query": foreign.word})
        saved = await _post(api, person, "answers", {"question": foreign.question, "save": True})
        foreign.ids |= {"answer": saved["data"]["id"], "thread": saved["data"]["thread_id"]}
    for name in map(str, range(count)):
        file = base64.b64encode(foreign.content(name)).decode()
        await _post(api, admin, "extracts/text", {"content": file, "filename": f"{name}.txt"})


async def _read_ids(api: Api, admin: Person, foreign: Foreign) -> None:
    """Read the ids and cursors that only somebody with access can know."""
    document = uuid.UUID(foreign.ids["document"])
    for name, table in (("job", "jobs"), ("chunk", "chunks")):
        rows = await api.sql(f"SELECT id FROM {table} WHERE document_id = :id LIMIT 1", id=document)
        foreign.ids[name] = str(rows[0].id)
    tags = await api.sql("SELECT id FROM tags WHERE name = :name", name=foreign.tag)
    rows = await api.sql("SELECT sha256 FROM documents WHERE id = :id", id=document)
    foreign.ids["tag"] = str(tags[0].id)
    foreign.texts["sha256"] = rows[0].sha256
    for path in PAGED:
        page = (await api.client.get(f"/api/v1/{path}", params={"limit": 1}, headers=admin.headers)).json()
        if page.get("next_cursor"):
            foreign.cursors.append(page["next_cursor"])
    foreign.cursors.append(encode_cursor("created_at", [foreign.ids["document"]]))


async def _all_ids(api: Api) -> set[str]:
    rows = [row for table in TABLES for row in await api.sql(f"SELECT id::text FROM {table}")]
    return {row.id for row in rows}


async def _post(api: Api, person: Person, path: str, body: dict[str, Any]) -> dict[str, Any]:
    return await _send(api, person, "POST", path, body)


async def _put(api: Api, person: Person, path: str, body: dict[str, Any]) -> dict[str, Any]:
    return await _send(api, person, "PUT", path, body)


async def _send(api: Api, person: Person, method: str, path: str, body: dict[str, Any]) -> dict[str, Any]:
    response = await api.client.request(method, f"/api/v1/{path}", json=body, headers=person.headers)
    assert response.is_success, response.text
    return response.json()
