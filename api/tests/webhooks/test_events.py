"""Events are written in the transaction of the change, and carry names but no text."""

import json
import uuid

import pytest

from lectern.db.scope import SYSTEM_SCOPE

from .conftest import Desk

SECRET_TEXT = b"Nobody outside may read of zanzibar."


async def events(desk: Desk) -> list[dict[str, object]]:
    await desk.publish()
    return (await desk.call("GET", "/events", params={"after": 0, "limit": 200}))["items"]


async def test_life_of_a_document_is_told_in_order(desk: Desk) -> None:
    await desk.create()
    headers, client = desk.admin.headers, desk.api.client
    collection = await desk.api.collection(desk.admin, "Contracts")
    document = await desk.upload(content=SECRET_TEXT, filename="lease.txt", tags=["2025", "signed"])
    url = f"/api/v1/documents/{document}"
    await client.patch(url, json={"tags": ["2026"], "collection": "Contracts"}, headers=headers)
    await client.delete(url, headers=headers)
    await client.post(f"{url}/restore", headers=headers)
    listed = await events(desk)
    assert [each["type"] for each in listed] == [
        "collection.created", "document.created", "document.updated", "document.trashed", "document.restored",
    ]  # fmt: skip
    created, updated = listed[1]["data"], listed[2]["data"]
    assert isinstance(created, dict)
    assert isinstance(updated, dict)
    assert updated["changes"] == ["collection", "tags"]
    described = {
        "id": str(document),
        "filename": "lease.txt",
        "title": None,
        "status": "queued",
        "version": 1,
        "collection": {"id": collection, "name": "Contracts"},
        "tags": ["2026"],
        "url": f"{desk.api.app.state.webhook_sender.base_url}/documents/{document}",
    }
    assert created["document"] == updated["document"] == described
    assert b"zanzibar" not in json.dumps(listed).encode()


async def test_purged_document_leaves_its_id_only(desk: Desk) -> None:
    await desk.create()
    document = await desk.upload(filename="vault.txt", tags=["hidden"])
    response = await desk.api.client.delete(
        f"/api/v1/documents/{document}", params={"purge": True}, headers=desk.admin.headers
    )
    assert response.status_code == 200
    listed = await events(desk)
    assert [each["type"] for each in listed][-1] == "document.purged"
    assert {json.dumps(each["data"]) for each in listed if each["type"] == "document.created"} == {
        json.dumps({"document": {"id": str(document)}})
    }
    stored = await desk.api.sql("SELECT e::text FROM webhook_events e")
    assert not any("vault" in row[0] or "hidden" in row[0] for row in stored)


async def test_change_that_is_rolled_back_has_no_event(desk: Desk) -> None:
    await desk.create()
    document = await desk.upload()
    before = len(await events(desk))

    class Broken(Exception):
        """Roll back."""

    with pytest.raises(Broken):
        await trash_and_fail(desk, document, Broken())
    assert len(await events(desk)) == before


async def trash_and_fail(desk: Desk, document: uuid.UUID, error: Exception) -> None:
    from sqlalchemy import text

    async with desk.api.database.session(SYSTEM_SCOPE) as session:
        await session.execute(text("UPDATE documents SET deleted_at = now() WHERE id = :id"), {"id": document})
        raise error


async def test_nothing_is_recorded_without_a_webhook(desk: Desk) -> None:
    await desk.upload()
    assert await events(desk) == []
    await desk.create()
    await desk.upload(filename="other.txt", content=b"Other.")
    assert [each["type"] for each in await events(desk)] == ["document.created"]


async def test_scoped_writer_writes_events_and_reads_none(desk: Desk) -> None:
    await desk.create()
    key = await desk.api.key(desk.admin, can_write=True, toolsets=["library"])
    await desk.api.upload(key, b"By a key.", filename="key.txt")
    assert [each["type"] for each in await events(desk)] == ["document.created"]
    for headers in (key, (await desk.api.person("editor")).headers):
        response = await desk.api.client.get("/api/v1/webhooks/events", headers=headers)
        assert response.status_code == 403


async def test_events_are_listed_by_cursor(desk: Desk) -> None:
    await desk.create()
    for number in range(5):
        await desk.upload(filename=f"{number}.txt", content=str(number).encode())
    await events(desk)
    first = await desk.call("GET", "/events", params={"limit": 3})
    rest = await desk.call("GET", "/events", params={"after": first["next_cursor"]})
    assert [each["cursor"] for each in first["items"] + rest["items"]] == [1, 2, 3, 4, 5]
    assert await desk.call("GET", "/events", params={"after": rest["next_cursor"]}) == {
        "items": [],
        "next_cursor": 5,
    }
