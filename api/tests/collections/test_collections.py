"""Collections: access, and what happens to their documents."""

from tests.api import LIBRARY, Api

COLLECTIONS = "/api/v1/collections"


async def test_a_collection_is_made_changed_and_deleted_by_administrators(api: Api) -> None:
    admin, editor = await api.person("admin"), await api.person()
    made = await api.client.post(COLLECTIONS, json={"name": "Legal", "is_open": False}, headers=admin.headers)
    assert made.status_code == 201
    address = f"{COLLECTIONS}/{made.json()['id']}"
    again = await api.client.post(COLLECTIONS, json={"name": "Legal"}, headers=admin.headers)
    assert again.json()["code"] == "collection_name_taken"
    taken = await api.client.patch(address, json={"name": "Library"}, headers=admin.headers)
    assert taken.json()["code"] == "collection_name_taken"
    changed = await api.client.patch(address, json={"name": "Law", "description": "d"}, headers=admin.headers)
    assert (changed.json()["name"], changed.json()["description"]) == ("Law", "d")
    for method, path in (("POST", COLLECTIONS), ("PATCH", address), ("DELETE", address)):
        refused = await api.client.request(method, path, json={"name": "x"}, headers=editor.headers)
        assert refused.json()["code"] == "admins_only"
    assert (await api.client.delete(address, headers=admin.headers)).status_code == 204
    assert (await api.client.get(address, headers=admin.headers)).json()["code"] == "collection_not_found"


async def test_a_closed_collection_is_there_for_its_members_only(api: Api) -> None:
    admin, editor = await api.person("admin"), await api.person()
    closed = await api.collection(admin, "closed", is_open=False)
    address = f"{COLLECTIONS}/{closed}"
    assert (await api.client.get(address, headers=editor.headers)).status_code == 404
    member = f"{address}/members/{editor.id}"
    members = (await api.client.put(member, json={"can_write": False}, headers=admin.headers)).json()
    assert [(item["user_id"], item["can_write"]) for item in members] == [(str(editor.id), False)]
    assert (await api.client.get(address, headers=editor.headers)).json()["can_write"] is False
    await api.client.put(member, json={"can_write": True}, headers=admin.headers)
    assert (await api.client.get(address, headers=editor.headers)).json()["can_write"] is True
    assert (await api.client.delete(member, headers=admin.headers)).status_code == 204
    assert (await api.client.get(address, headers=editor.headers)).status_code == 404
    assert (await api.client.delete(member, headers=admin.headers)).json()["code"] == "user_not_found"


async def test_a_collection_is_writable_for_a_key_that_may_add_documents_to_it(api: Api) -> None:
    admin = await api.person("admin")
    await api.collection(admin, "closed", is_open=False)
    items = [await api.upload(admin.headers, collection=name) for name in ("Library", "closed")]
    documents = [item["document"]["id"] for item in items]
    await api.client.post("/api/v1/tags", json={"name": "mine"}, headers=admin.headers)
    for document in documents:
        await api.client.patch(f"/api/v1/documents/{document}", json={"tags": ["mine"]}, headers=admin.headers)
    for limit, writable in (
        ({}, ["Library", "closed"]),
        ({"documents": documents}, []),
        ({"tags": ["mine"]}, ["Library"]),
        ({"tags": ["mine"], "collections": ["closed"]}, ["closed"]),
    ):
        body = {"name": "k", "toolsets": ["library"], "can_write": True, **limit}
        key = (await api.client.post("/api/v1/keys", json=body, headers=admin.headers)).json()["key"]
        headers = {"Authorization": f"Bearer {key}"}
        listed = (await api.client.get(COLLECTIONS, headers=headers)).json()["items"]
        assert [item["name"] for item in listed if item["can_write"]] == writable, limit
        for item in listed:
            options = {"collection": item["name"], "tags": ["mine"], "filename": f"{item['name']}.txt"}
            added = await api.client.post(
                "/api/v1/documents",
                content=b"text",
                params=options,
                headers={**headers, "Content-Type": "application/octet-stream"},
            )
            assert (added.status_code == 202) is item["can_write"], added.text


async def test_closing_a_collection_takes_effect_at_once(api: Api) -> None:
    admin, editor = await api.person("admin"), await api.person()
    shelf = await api.collection(admin, "shelf")
    await api.upload(editor.headers, collection="shelf")
    await api.client.patch(f"{COLLECTIONS}/{shelf}", json={"is_open": False}, headers=admin.headers)
    assert (await api.client.get("/api/v1/documents", headers=editor.headers)).json()["total"] == 0


async def test_one_collection_is_the_default_one(api: Api) -> None:
    admin = await api.person("admin")
    shelf = await api.collection(admin, "shelf")
    refused = await api.client.delete(f"{COLLECTIONS}/{LIBRARY}", headers=admin.headers)
    assert refused.json()["code"] == "default_collection"
    undone = await api.client.patch(f"{COLLECTIONS}/{LIBRARY}", json={"is_default": False}, headers=admin.headers)
    assert undone.json()["code"] == "default_collection"
    await api.client.patch(f"{COLLECTIONS}/{shelf}", json={"is_default": True}, headers=admin.headers)
    listed = (await api.client.get(COLLECTIONS, headers=admin.headers)).json()["items"]
    assert {item["name"]: item["is_default"] for item in listed} == {"Library": False, "shelf": True}
    item = await api.upload(admin.headers)
    assert item["document"]["collection"]["name"] == "shelf"


async def test_a_collection_with_documents_is_deleted_only_when_they_move(api: Api) -> None:
    admin = await api.person("admin")
    shelf = await api.collection(admin, "shelf")
    address = f"{COLLECTIONS}/{shelf}"
    kept = await api.upload(admin.headers, b"one", collection="shelf")
    binned = await api.upload(admin.headers, b"two", collection="shelf")
    await api.client.delete(f"/api/v1/documents/{binned['document']['id']}", headers=admin.headers)
    assert (await api.client.delete(address, headers=admin.headers)).json()["code"] == "collection_not_empty"
    itself = await api.client.delete(address, params={"move_to": "shelf"}, headers=admin.headers)
    assert itself.status_code == 409
    moved = await api.client.delete(address, params={"move_to": "Library"}, headers=admin.headers)
    assert moved.status_code == 204
    document = await api.client.get(f"/api/v1/documents/{kept['document']['id']}", headers=admin.headers)
    assert document.json()["collection"]["name"] == "Library"


async def test_a_file_that_the_other_collection_has_already_keeps_the_collection(api: Api) -> None:
    admin = await api.person("admin")
    shelf = await api.collection(admin, "shelf")
    await api.upload(admin.headers, b"same", collection="shelf")
    await api.upload(admin.headers, b"same", collection="Library")
    response = await api.client.delete(f"{COLLECTIONS}/{shelf}", params={"move_to": "Library"}, headers=admin.headers)
    assert (response.status_code, response.json()["code"]) == (409, "collection_not_empty")
    assert (await api.client.get(f"{COLLECTIONS}/{shelf}", headers=admin.headers)).json()["document_count"] == 1


async def test_collections_are_listed_in_pages_by_name(api: Api) -> None:
    admin = await api.person("admin")
    for name in ("a", "z", "m"):
        await api.collection(admin, name)
    first = (await api.client.get(COLLECTIONS, params={"limit": 2}, headers=admin.headers)).json()
    parameters = {"limit": 2, "cursor": first["next_cursor"]}
    second = (await api.client.get(COLLECTIONS, params=parameters, headers=admin.headers)).json()
    assert [item["name"] for item in first["items"] + second["items"]] == ["Library", "a", "m", "z"]
    assert second["next_cursor"] is None


async def test_a_collection_is_got_by_name_and_another_name_is_refused_with_close_ones(api: Api) -> None:
    admin, editor = await api.person("admin"), await api.person()
    inbox = await api.collection(admin, "Inbox 2025")
    await api.collection(admin, "Closed shelf", is_open=False)
    named = f"{COLLECTIONS}/named"
    for name in (inbox, "Inbox 2025", "inbox 2025"):
        got = await api.client.get(named, params={"name": name}, headers=editor.headers)
        assert (got.json()["id"], got.json()["name"]) == (inbox, "Inbox 2025")
    near = (await api.client.get(named, params={"name": "Inbx 2025"}, headers=editor.headers)).json()
    assert (near["code"], near["corrections"]) == ("unknown_collection", {"Inbx 2025": "Inbox 2025"})
    for name in ("Inbox 2024", "Closed shelf"):
        other = (await api.client.get(named, params={"name": name}, headers=editor.headers)).json()
        assert (other["code"], other["corrections"]) == ("unknown_collection", {})
        assert "Closed shelf" not in str(other["available"])


async def test_a_name_that_fits_several_collections_in_another_case_is_refused(api: Api) -> None:
    admin = await api.person("admin")
    ids = {name: await api.collection(admin, name) for name in ("Board", "BOARD")}
    for name, collection_id in ids.items():
        got = await api.client.get(f"{COLLECTIONS}/named", params={"name": name}, headers=admin.headers)
        assert got.json()["id"] == collection_id
    refused = await api.client.get(f"{COLLECTIONS}/named", params={"name": "board"}, headers=admin.headers)
    assert (refused.status_code, refused.json()["code"]) == (422, "ambiguous_collection")
    assert "'BOARD', 'Board'" in refused.json()["hint"]
