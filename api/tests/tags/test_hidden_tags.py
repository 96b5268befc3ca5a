"""Tags out of sight make no difference: their names are free, and changes do not reach them."""

import asyncio
import uuid
from typing import Any

import pytest
from tests.api import Api, Person

from lectern.db.scope import SYSTEM_SCOPE
from lectern.tags.service import delete_orphaned_tags

TAGS = "/api/v1/tags"
DOCUMENTS = "/api/v1/documents"
SECRET = {"color": "red", "description": "SECRET"}


@pytest.fixture
async def admin(api: Api) -> Person:
    made = await api.person("admin")
    await api.collection(made, "closed", is_open=False)
    return made


async def hide(api: Api, admin: Person, name: str, content: bytes = b"hidden") -> dict[str, Any]:
    """Add a tag with a description to a document of the closed collection."""
    made = (await api.client.post(TAGS, json={"name": name, **SECRET}, headers=admin.headers)).json()
    await api.upload(admin.headers, content, tags=[name], collection="closed")
    return made


async def names(api: Api, headers: dict[str, str]) -> dict[str, int]:
    page = (await api.client.get(TAGS, headers=headers)).json()
    assert page["total"] == len(page["items"])
    return {tag["name"]: tag["document_count"] for tag in page["items"]}


def shape(body: dict[str, Any], name: str) -> str:
    """The body without its id, its time and the name."""
    varying = {"id", "created_at", "request_id", "instance"}
    return str({key: value for key, value in body.items() if key not in varying}).replace(name, "NAME")


async def test_hidden_name_is_free(api: Api, admin: Person) -> None:
    editor = await api.person()
    await hide(api, admin, "hidden")
    made = [await api.client.post(TAGS, json={"name": name}, headers=editor.headers) for name in ("hidden", "new")]
    assert [response.status_code for response in made] == [201, 201]
    assert shape(made[0].json(), "hidden") == shape(made[1].json(), "new")
    own = (await api.client.post(TAGS, json={"name": "own"}, headers=editor.headers)).json()
    for name in ("Hidden", "NEW"):
        taken = await api.client.patch(f"{TAGS}/{own['id']}", json={"name": name}, headers=editor.headers)
        assert (taken.status_code, taken.json()["code"]) == (409, "tag_name_taken"), "the editor's own tags"


async def test_rename_to_a_hidden_name(api: Api, admin: Person) -> None:
    editor = await api.person()
    await hide(api, admin, "hidden")
    for name in ("hidden", "new"):
        own = (await api.client.post(TAGS, json={"name": f"own {name}"}, headers=editor.headers)).json()
        changed = await api.client.patch(f"{TAGS}/{own['id']}", json={"name": name}, headers=editor.headers)
        assert (changed.status_code, changed.json()["name"]) == (200, name)


@pytest.mark.parametrize("way", ["upload", "patch", "bulk"])
async def test_attached_name_shows_nothing_of_a_hidden_tag(api: Api, admin: Person, way: str) -> None:
    editor = await api.person()
    hidden = await hide(api, admin, "Hidden")
    shapes: list[str] = []
    for name in ("hidden", "unheard"):
        item = await api.upload(editor.headers, name.encode(), tags=[name] if way == "upload" else [])
        document_id = item["document"]["id"]
        if way == "patch":
            await api.client.patch(f"{DOCUMENTS}/{document_id}", json={"tags": [name]}, headers=editor.headers)
        if way == "bulk":
            body = {"action": "tag", "ids": [document_id], "tags": [name]}
            await api.client.post(f"{DOCUMENTS}/bulk", json=body, headers=editor.headers)
        document = (await api.client.get(f"{DOCUMENTS}/{document_id}", headers=editor.headers)).json()
        assert document["tags"] == [name], "not in the letters of the hidden tag"
        (tag,) = (await api.client.get(TAGS, params={"q": name}, headers=editor.headers)).json()["items"]
        assert tag["id"] != hidden["id"]
        shapes.append(shape(tag, name))
    assert shapes[0] == shapes[1]
    assert "SECRET" not in shapes[0]


async def test_hidden_ids_and_names_are_unknown(api: Api, admin: Person) -> None:
    editor = await api.person()
    hidden = await hide(api, admin, "hidden")
    own = (await api.client.post(TAGS, json={"name": "own"}, headers=editor.headers)).json()
    answers: list[list[tuple[int, str]]] = []
    for tag_id, name in ((hidden["id"], "hidden"), (str(uuid.uuid4()), "unheard")):
        requests: list[tuple[str, str, dict[str, Any]]] = [
            ("GET", f"{TAGS}/{tag_id}", {}),
            ("PATCH", f"{TAGS}/{tag_id}", {"color": "blue"}),
            ("DELETE", f"{TAGS}/{tag_id}", {}),
            ("POST", f"{TAGS}/{own['id']}/merge", {"tags": [name]}),
            ("GET", f"{DOCUMENTS}?tags={name}", {}),
            ("GET", f"{DOCUMENTS}?tags={tag_id}", {}),
            ("POST", "/api/v1/keys", {"name": "k", "tags": [name]}),
        ]
        responses = [
            await api.client.request(method, path, json=body, headers=editor.headers) for method, path, body in requests
        ]
        answers.append([(one.status_code, shape(one.json(), name).replace(tag_id, "ID")) for one in responses])
    assert answers[0] == answers[1]
    assert [status for status, _ in answers[0]] == [404, 404, 404, 422, 422, 422, 422]


@pytest.mark.parametrize("method", ["PATCH", "DELETE", "MERGE"])
async def test_change_does_not_tell_or_reach_hidden_documents(api: Api, admin: Person, method: str) -> None:
    editor = await api.person()
    await api.upload(editor.headers, b"1", tags=["shared", "alone", "target"])
    await api.upload(admin.headers, b"2", tags=["shared"], collection="closed")
    everywhere = await api.key(admin, tags=["shared"])
    of_editor = await api.key(editor, tags=["shared"])
    tags = (await api.client.get(TAGS, headers=editor.headers)).json()["items"]
    ids = {tag["name"]: tag["id"] for tag in tags}
    shapes: list[tuple[int, str]] = []
    for name in ("shared", "alone"):
        path, body = f"{TAGS}/{ids[name]}", {"name": f"{name} renamed", "color": "teal"}
        if method == "MERGE":
            path, body = f"{TAGS}/{ids['target']}/merge", {"tags": [name]}
        verb = "POST" if method == "MERGE" else method
        response = await api.client.request(verb, path, json=body, headers=editor.headers)
        shapes.append((response.status_code, shape(response.json(), name) if response.content else ""))
        if method == "PATCH":
            assert response.json()["id"] == ids[name]
    assert shapes[0] == shapes[1]
    hidden = (await api.client.get(DOCUMENTS, params={"collections": "closed"}, headers=admin.headers)).json()
    assert hidden["items"][0]["tags"] == ["shared"], "the hidden document keeps its tag"

    async def is_closed_seen(headers: dict[str, str]) -> bool:
        seen = (await api.client.get(DOCUMENTS, headers=headers)).json()["items"]
        return "closed" in {item["collection"]["name"] for item in seen}

    assert await is_closed_seen(everywhere), "keys keep what they saw"
    assert not await is_closed_seen(of_editor)
    keys = (await api.client.get("/api/v1/keys", headers=editor.headers)).json()["items"]
    assert [len(key["tag_ids"]) for key in keys] == [1], "the editor's key does not tell either"


async def test_tag_of_a_document_that_one_only_reads_is_not_changed(api: Api, admin: Person) -> None:
    editor = await api.person()
    (closed,) = await api.sql("SELECT id FROM collections WHERE name = 'closed'")
    member = f"/api/v1/collections/{closed.id}/members/{editor.id}"
    await api.client.put(member, json={"can_write": False}, headers=admin.headers)
    await hide(api, admin, "read")
    (tag,) = (await api.client.get(TAGS, headers=editor.headers)).json()["items"]
    for method in ("PATCH", "DELETE"):
        refused = await api.client.request(method, f"{TAGS}/{tag['id']}", json={"name": "x"}, headers=editor.headers)
        assert (refused.status_code, refused.json()["code"]) == (403, "tags_not_yours")
    assert (await api.client.patch(f"{TAGS}/{tag['id']}", json={"name": "x"}, headers=admin.headers)).status_code == 200


async def test_who_sees_both_tags_of_a_name_uses_them_as_one(api: Api, admin: Person) -> None:
    editor = await api.person()
    await hide(api, admin, "twin")
    await api.upload(editor.headers, b"open", tags=["twin", "more"])
    tags = (await api.client.get(TAGS, params={"q": "twin"}, headers=admin.headers)).json()["items"]
    assert sorted(tag["description"] for tag in tags) == ["", "SECRET"]
    for parameters in ({"tags": "twin"}, {"tags_all": "twin"}):
        assert (await api.client.get(DOCUMENTS, params=parameters, headers=admin.headers)).json()["total"] == 2
    both = {"tags_all": ["twin", "more"]}
    assert (await api.client.get(DOCUMENTS, params=both, headers=admin.headers)).json()["total"] == 1
    for wanted, count in ((["twin"], 2), (["twin", "more"], 1)):
        body = {"query": "open", "tags": {"all": wanted}}
        found = (await api.client.post("/api/v1/search", json=body, headers=admin.headers)).json()
        assert found["metadata"]["coverage"]["documents_in_scope"] == count
    item = await api.upload(admin.headers, b"next", tags=["twin"], collection="closed")
    assert item["document"]["tags"] == ["twin"]
    assert (await names(api, editor.headers))["twin"] == 1
    item = await api.upload(admin.headers, b"in the open", tags=["twin"])
    assert "SECRET" not in (await api.client.get(TAGS, headers=editor.headers)).text, "the tag of the same collection"
    merged = await api.client.post(f"{TAGS}/{tags[0]['id']}/merge", json={"tags": ["twin"]}, headers=admin.headers)
    assert (merged.status_code, merged.json()["tag"]["document_count"]) == (200, 4)


async def test_unused_tag_is_visible_to_its_maker_only(api: Api, admin: Person) -> None:
    maker, other = await api.person(), await api.person()
    await api.client.post(TAGS, json={"name": "planned"}, headers=maker.headers)
    assert await names(api, maker.headers) == {"planned": 0}
    assert await names(api, other.headers) == {}
    assert await names(api, admin.headers) == {"planned": 0}


@pytest.mark.parametrize("way", ["purge", "untag", "replace"])
async def test_attached_tag_goes_with_its_last_document(api: Api, admin: Person, way: str) -> None:
    editor, other = await api.person(), await api.person()
    await api.client.post(TAGS, json={"name": "made"}, headers=editor.headers)
    document_id = (await api.upload(editor.headers, tags=["made", "merger with acme"]))["document"]["id"]
    assert set(await names(api, other.headers)) == {"made", "merger with acme"}
    if way == "purge":
        await api.client.delete(f"{DOCUMENTS}/{document_id}", params={"purge": True}, headers=editor.headers)
    if way == "untag":
        body = {"action": "untag", "ids": [document_id], "tags": ["made", "merger with acme"]}
        await api.client.post(f"{DOCUMENTS}/bulk", json=body, headers=editor.headers)
    if way == "replace":
        await api.client.patch(f"{DOCUMENTS}/{document_id}", json={"tags": []}, headers=editor.headers)
    assert await names(api, other.headers) == {}
    assert await names(api, editor.headers) == {"made": 0}
    assert [row.name for row in await api.sql("SELECT name FROM tags")] == ["made"]


async def test_tag_that_a_key_names_stays(api: Api, admin: Person) -> None:
    document_id = (await api.upload(admin.headers, tags=["inbox"]))["document"]["id"]
    key = await api.key(admin, tags=["inbox"])
    await api.client.delete(f"{DOCUMENTS}/{document_id}", params={"purge": True}, headers=admin.headers)
    assert await names(api, key) == {"inbox": 0}
    await api.sql("UPDATE api_keys SET revoked_at = now()")
    async with api.database.session(SYSTEM_SCOPE) as session:
        await delete_orphaned_tags(session)
    assert await api.sql("SELECT id FROM tags") == []


async def test_changed_tag_stays_with_who_changed_it(api: Api, admin: Person) -> None:
    editor = await api.person()
    document_id = (await api.upload(admin.headers, tags=["kyc"]))["document"]["id"]
    (tag,) = (await api.client.get(TAGS, headers=editor.headers)).json()["items"]
    await api.client.patch(f"{TAGS}/{tag['id']}", json={"color": "lime"}, headers=editor.headers)
    await api.client.delete(f"{DOCUMENTS}/{document_id}", params={"purge": True}, headers=admin.headers)
    assert await names(api, editor.headers) == {"kyc": 0}


async def test_tag_is_not_lost_when_its_last_document_goes_at_the_same_moment(api: Api, admin: Person) -> None:
    editor = await api.person()
    for number in range(12):
        before = (await api.upload(editor.headers, f"old {number}".encode(), tags=["busy"]))["document"]["id"]
        purge = api.client.delete(f"{DOCUMENTS}/{before}", params={"purge": True}, headers=editor.headers)
        item, purged = await asyncio.gather(api.upload(editor.headers, f"new {number}".encode(), tags=["busy"]), purge)
        assert purged.status_code == 200
        document_id = item["document"]["id"]
        document = (await api.client.get(f"{DOCUMENTS}/{document_id}", headers=editor.headers)).json()
        assert document["tags"] == ["busy"]
        await api.client.delete(f"{DOCUMENTS}/{document_id}", params={"purge": True}, headers=editor.headers)
