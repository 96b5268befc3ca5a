"""Notes belong to their author, who may share them with everybody who sees the document."""

from typing import Any

import pytest
from tests.api import LIBRARY, Api, Person

from lectern.db.scope import SYSTEM_SCOPE

from .shelves import PAGES, add_document

Opened = tuple[Api, Person, Person, str]


@pytest.fixture
async def notes(api: Api) -> Opened:
    """An editor, an administrator and the address of the notes of a document without any."""
    async with api.database.session(SYSTEM_SCOPE) as session:
        document_id = await add_document(session, collection_id=LIBRARY)
    await api.sql("DELETE FROM notes")
    return api, await api.person("editor"), await api.person("admin"), f"/api/v1/documents/{document_id}/notes"


async def added(api: Api, person: Person, path: str, **values: Any) -> dict[str, Any]:
    body = {"char_start": 4, "char_end": 18, "text": " Ask whether this is summer time. ", **values}
    response = await api.client.post(path, json=body, headers=person.headers)
    assert response.status_code == 201, response.text
    return response.json()


async def listed(api: Api, person: Person, path: str, **query: Any) -> list[dict[str, Any]]:
    response = await api.client.get(path, params=query, headers=person.headers)
    assert response.status_code == 200, response.text
    return response.json()["items"]


async def test_note_keeps_its_passage_and_is_private_until_it_is_shared(notes: Opened) -> None:
    api, ada, admin, path = notes
    note = await added(api, ada, path)
    assert (note["quote"], note["page_number"], note["version"]) == (PAGES[0][4:18], 1, 1)
    assert (note["text"], note["is_mine"], note["is_outdated"]) == ("Ask whether this is summer time.", True, False)
    assert await listed(api, admin, path) == []  # not even administrators
    first = await added(api, ada, path, char_start=0, char_end=3)
    assert [one["id"] for one in await listed(api, ada, path)] == [first["id"], note["id"]]

    url = f"{path}/{note['id']}"
    shared = await api.client.patch(url, json={"is_shared": True}, headers=ada.headers)
    assert shared.json()["text"] == note["text"]
    assert shared.json()["updated_at"] > note["updated_at"]
    seen = await listed(api, admin, path)
    assert [(one["id"], one["is_mine"], one["author_name"]) for one in seen] == [
        (note["id"], False, note["author_name"])
    ]
    for method, body in (("PATCH", {"text": "Mine"}), ("DELETE", None)):
        refused = await api.client.request(method, url, json=body, headers=admin.headers)
        assert (refused.status_code, refused.json()["code"]) == (404, "note_not_found")
    assert (await api.client.delete(url, headers=ada.headers)).status_code == 204
    assert await listed(api, admin, path) == []


async def test_notes_come_in_pages(notes: Opened) -> None:
    api, ada, _, path = notes
    made = [(await added(api, ada, path, char_start=start, char_end=9))["id"] for start in (3, 1, 2)]
    first = (await api.client.get(path, params={"limit": 2}, headers=ada.headers)).json()
    assert first["total"] == 3
    rest = await listed(api, ada, path, cursor=first["next_cursor"])
    assert [note["id"] for note in [*first["items"], *rest]] == [made[1], made[2], made[0]]


async def test_ranges_beyond_the_text_and_foreign_documents_are_refused(notes: Opened) -> None:
    api, ada, admin, path = notes
    for start, end in ((5, 5), (0, 5_001), (1_000, 1_010), (10, 1_000)):
        body = {"char_start": start, "char_end": end, "text": "x"}
        refused = await api.client.post(path, json=body, headers=ada.headers)
        assert refused.status_code == 422, (start, end, refused.text)
    stranger = await api.person("reader")
    await api.client.patch(
        path.removesuffix("/notes"),
        json={"collection": await api.collection(admin, "Closed", is_open=False)},
        headers=admin.headers,
    )
    hidden = await api.client.get(path, headers=stranger.headers)
    assert hidden.json()["code"] == "document_not_found"
    key = await api.key(admin, toolsets=["library"], can_write=True)
    refused = await api.client.get(path, headers=key)
    assert refused.json()["code"] == "people_only"


async def test_notes_are_found_by_half_of_the_words_by_whoever_sees_them(notes: Opened) -> None:
    api, ada, admin, path = notes
    note = await added(api, ada, path)
    other = await added(api, ada, path, text="100 % certain", is_shared=True)

    async def found(person: Person, query: str) -> list[str]:
        response = await api.client.get("/api/v1/notes", params={"q": query}, headers=person.headers)
        assert response.status_code == 200, response.text
        assert response.json()["total"] == len(response.json()["items"])
        return [item["id"] for item in response.json()["items"]]

    assert await found(ada, "SUMMER whether") == [note["id"]]
    assert await found(ada, note["quote"].split()[0]) == [other["id"], note["id"]]
    assert await found(ada, "Is it summer?") == [note["id"]]
    assert await found(ada, "summer winter autumn") == []
    assert await found(ada, "CERT 100") == [other["id"]]
    assert await found(ada, "10") == []
    assert await found(ada, ".* |") == []  # no patterns
    assert await found(ada, "?") == []
    assert (await found(admin, "summer"), await found(admin, "100 %")) == ([], [other["id"]])
    assert (await api.client.get("/api/v1/notes?q=a", headers=await api.key(admin))).status_code == 403

    document = path.removesuffix("/notes")
    response = await api.client.get("/api/v1/notes?q=certain", headers=ada.headers)
    (item,) = response.json()["items"]
    assert f"/api/v1/documents/{item['document_id']}" == document
    assert item["document"]
    assert (await api.client.delete(document, headers=ada.headers)).status_code == 204
    assert await found(ada, "certain") == []
