"""Change documents one by one and in bulk."""

import uuid
from typing import Any

import pytest
from tests.api import LIBRARY, Api, Person

from lectern.db.scope import SYSTEM_SCOPE

from .shelves import add_document

DOCUMENTS = "/api/v1/documents"


async def patch(api: Api, person: Person, document_id: str, **change: Any) -> dict[str, Any]:
    response = await api.client.patch(f"{DOCUMENTS}/{document_id}", json=change, headers=person.headers)
    return {"http": response.status_code, **response.json()}


async def bulk(api: Api, person: Person, **wanted: Any) -> dict[str, Any]:
    response = await api.client.post(f"{DOCUMENTS}/bulk", json=wanted, headers=person.headers)
    return {"http": response.status_code, **response.json()}


async def upload_ids(api: Api, person: Person, count: int, **more: Any) -> list[str]:
    items = [await api.upload(person.headers, f"text {number}".encode(), **more) for number in range(count)]
    return [item["document"]["id"] for item in items]


async def test_title_filename_tags_and_collection_can_be_changed(api: Api) -> None:
    admin = await api.person("admin")
    await api.collection(admin, "shelf")
    (document_id,) = await upload_ids(api, admin, 1, tags=["a", "b"])
    changed = await patch(
        api, admin, document_id, title="Fees", filename="fees.txt", tags=["B", "c"], collection="shelf"
    )
    assert (changed["title"], changed["filename"], changed["tags"]) == ("Fees", "fees.txt", ["b", "c"])
    for title in (" ", None):
        assert (await patch(api, admin, document_id, title="Fees"))["title"] == "Fees"
        assert (await patch(api, admin, document_id, title=title))["title"] is None
    assert changed["collection"]["name"] == "shelf"
    assert changed["updated_at"] > changed["created_at"]
    assert (await patch(api, admin, document_id, tags=[]))["tags"] == []


async def test_new_title_is_searchable_at_once_for_an_editor(api: Api) -> None:
    editor = await api.person()
    async with api.database.session(SYSTEM_SCOPE) as session:
        document_id = await add_document(session, collection_id=LIBRARY)
    matching = "SELECT count(*) FROM chunk_lexical WHERE tsv @@ to_tsquery('simple', 'zanzibar')"
    assert await api.sql(matching) == [(0,)]
    assert (await patch(api, editor, str(document_id), title="Zanzibar"))["http"] == 200
    assert await api.sql(matching) == [(2,)]


async def test_aliases_are_those_of_the_file_until_somebody_gives_others(api: Api) -> None:
    editor = await api.person()
    first, second = await upload_ids(api, editor, 2)
    information = '{"Ticker": "ZED; ZD", "Title": "Report"}'
    await api.sql("UPDATE documents SET information = CAST(:f AS jsonb) WHERE id = :i", f=information, i=first)

    async def named(name: str) -> Any:
        answer = await api.client.get(f"{DOCUMENTS}/named", params={"name": name}, headers=editor.headers)
        return answer.json().get("id") or answer.json()["code"]

    listed = (await api.client.get(DOCUMENTS, headers=editor.headers)).json()["items"]
    assert {item["id"]: item["aliases"] for item in listed} == {first: ["ZED", "ZD"], second: []}
    version_query = "SELECT token FROM library_version_tokens ORDER BY token"
    version = await api.sql(version_query)
    changed = await patch(api, editor, first, aliases=["Zeta  Bank, Inc.", "ZB", "zb"])
    assert changed["aliases"] == ["Zeta Bank, Inc.", "ZB"]
    assert await api.sql(version_query) != version
    assert [await named(name) for name in ("zeta bank", "zb", "zed")] == [first, first, "unknown_document"]
    details = await api.sql("SELECT details FROM audit_events WHERE action = 'document.update'")
    assert details == [({"aliases": ["Zeta Bank, Inc.", "ZB"]},)]

    assert (await patch(api, editor, second, aliases=["ZB"]))["http"] == 200
    assert await named("zb") == "ambiguous_document"
    assert (await patch(api, editor, second, title="Other"))["aliases"] == ["ZB"]
    assert (await patch(api, editor, second, aliases=[]))["aliases"] == []
    assert await named("zb") == first
    assert (await patch(api, editor, first, aliases=None))["aliases"] == ["ZED", "ZD"]
    assert await named("zed") == first


async def test_language_change_reprocesses_the_document(api: Api) -> None:
    editor = await api.person()
    (document_id,) = await upload_ids(api, editor, 1)
    await api.sql("UPDATE jobs SET state = 'succeeded'")
    await api.sql("UPDATE documents SET status = 'ready', language = 'en'")
    changed = await patch(api, editor, document_id, language="it")
    assert (changed["language"], changed["status"]) == ("it", "queued")
    assert changed["progress"]["state"] == "queued"
    again = await patch(api, editor, document_id, language="it")
    assert again["progress"]["job_id"] == changed["progress"]["job_id"]
    assert (await patch(api, editor, document_id, language="xx"))["code"] == "unknown_language"


async def test_document_cannot_move_to_a_collection_with_its_file(api: Api) -> None:
    admin = await api.person("admin")
    await api.collection(admin, "shelf")
    await api.upload(admin.headers, b"same", collection="shelf")
    item = await api.upload(admin.headers, b"same")
    moved = await patch(api, admin, item["document"]["id"], collection="shelf")
    assert (moved["http"], moved["code"]) == (409, "document_already_there")


@pytest.mark.parametrize(
    "change",
    [
        *({}, {"title": 3}, {"filename": " "}, {"language": "english"}, {"tags": [""]}, {"status": "ready"}),
        *({"aliases": [" "]}, {"aliases": ["..."]}, {"aliases": ["a" * 201]}, {"aliases": ["a"] * 51}),
    ],
)
async def test_invalid_changes_are_rejected(shared_api: Api, change: dict[str, Any]) -> None:
    editor = await shared_api.person()
    (document_id,) = await upload_ids(shared_api, editor, 1)
    assert (await patch(shared_api, editor, document_id, **change))["http"] == 422


async def test_reprocessing_hides_the_password(api: Api) -> None:
    editor = await api.person()
    (document_id,) = await upload_ids(api, editor, 1)
    await api.sql("UPDATE jobs SET state = 'failed'")
    body = {"password": "open sesame"}
    response = await api.client.post(f"{DOCUMENTS}/{document_id}/ingest", json=body, headers=editor.headers)
    assert (response.status_code, response.json()["status"]) == (202, "queued")
    assert "sesame" not in response.text
    rows = await api.sql("SELECT actor || action || details::text FROM audit_events")
    assert not any("sesame" in row[0] for row in rows)
    without = await api.client.post(f"{DOCUMENTS}/{document_id}/ingest", headers=editor.headers)
    assert without.status_code == 202


async def test_matching_documents_are_tagged_and_untagged(api: Api) -> None:
    editor = await api.person()
    await upload_ids(api, editor, 5, tags=["old"])
    other = await api.upload(editor.headers, b"other", tags=["new"])
    done = await bulk(api, editor, action="tag", filter={"tags": ["old"]}, tags=["new"])
    assert (done["matched"], done["changed"], done["skipped"]) == (5, 5, 0)
    done = await bulk(api, editor, action="tag", filter={}, tags=["new"])
    assert (done["matched"], done["changed"], done["skipped"]) == (6, 0, 6)
    done = await bulk(api, editor, action="untag", ids=[other["document"]["id"]], tags=["new"])
    assert (done["matched"], done["changed"]) == (1, 1)
    page = (await api.client.get("/api/v1/tags", headers=editor.headers)).json()
    assert {tag["name"]: tag["document_count"] for tag in page["items"]} == {"old": 5, "new": 5}


async def test_matching_documents_are_moved_except_existing_files(api: Api) -> None:
    admin = await api.person("admin")
    await api.collection(admin, "shelf")
    ids = await upload_ids(api, admin, 3)
    await api.upload(admin.headers, b"text 0", collection="shelf")
    done = await bulk(api, admin, action="move", ids=ids, collection="shelf")
    assert (done["matched"], done["changed"], done["skipped"]) == (3, 2, 1)
    left = await api.client.get(DOCUMENTS, params={"collections": "Library"}, headers=admin.headers)
    assert [item["id"] for item in left.json()["items"]] == [ids[0]]


async def test_matching_documents_are_reprocessed(api: Api) -> None:
    editor = await api.person()
    await upload_ids(api, editor, 3)
    await api.sql("UPDATE jobs SET state = 'failed'")
    await api.sql("UPDATE documents SET status = 'failed', error_code = 'corrupt'")
    done = await bulk(api, editor, action="reingest", filter={"status": ["failed"]})
    assert done["changed"] == 3
    assert len(await api.sql("SELECT id FROM jobs WHERE state = 'queued'")) == 3
    assert await api.sql("SELECT id FROM documents WHERE error_code IS NOT NULL") == []


async def test_unknown_ids_are_not_matched(api: Api) -> None:
    editor = await api.person()
    (document_id,) = await upload_ids(api, editor, 1)
    done = await bulk(api, editor, action="delete", ids=[document_id, str(uuid.uuid4())])
    assert (done["matched"], done["changed"]) == (1, 1)


async def test_documents_trashed_by_a_filter_can_be_restored(api: Api) -> None:
    editor = await api.person()
    before, *ids = await upload_ids(api, editor, 4)
    await bulk(api, editor, action="delete", ids=[before])
    done = await bulk(api, editor, action="delete", filter={})
    assert set(done["ids"]) == set(ids)
    assert (await bulk(api, editor, action="restore", ids=done["ids"]))["changed"] == len(ids)
    again = await bulk(api, editor, action="delete", filter={"is_deleted": True})
    assert again["ids"] is None  # documents trashed earlier are not restored by this action


@pytest.mark.parametrize(
    "wanted",
    [
        {"action": "delete"},
        {"action": "delete", "ids": []},
        {"action": "delete", "ids": [str(uuid.UUID(int=1))], "filter": {}},
        {"action": "delete", "filter": {}, "tags": ["a"]},
        {"action": "delete", "filter": {"colour": "red"}},
        {"action": "tag", "filter": {}},
        {"action": "tag", "filter": {}, "tags": []},
        {"action": "move", "filter": {}},
        {"action": "move", "filter": {}, "collection": "nowhere"},
        {"action": "untag", "filter": {}, "tags": ["nothing"]},
        {"action": "explode", "filter": {}},
    ],
)
async def test_invalid_bulk_action_is_rejected_and_changes_nothing(shared_api: Api, wanted: dict[str, Any]) -> None:
    editor = await shared_api.person()
    await upload_ids(shared_api, editor, 1)
    assert (await bulk(shared_api, editor, **wanted))["http"] == 422
    assert (await shared_api.client.get(DOCUMENTS, headers=editor.headers)).json()["total"] == 1
