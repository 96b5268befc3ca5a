"""Administrators learn how their installation does; nobody else does."""

from dataclasses import asdict

import pytest
from tests.api import Api

from lectern import __version__
from lectern.extraction.sandbox.self_check import check_confinement

PATH = "/api/v1/system"


async def test_an_administrator_sees_versions_checks_counts_disk_and_model(api: Api) -> None:
    admin = await api.person("admin")
    await api.upload(admin.headers, b"First text.", filename="a.txt", tags=["hr"])
    other = await api.upload(admin.headers, b"Second text, longer.", filename="b.txt")
    document = other["document"]["id"]
    assert (await api.client.delete(f"/api/v1/documents/{document}", headers=admin.headers)).status_code == 204

    response = await api.client.get(PATH, headers=admin.headers)
    assert response.status_code == 200, response.text
    facts = response.json()
    assert facts["status"] == "ready"
    assert facts["checks"] == {"database": "ok", "storage": "ok", "model": "ok"}
    assert facts["versions"]["lectern"] == __version__
    assert facts["versions"]["postgres"]
    assert facts["versions"]["pgvector"]
    assert facts["library"]["documents"] == {"queued": 1, "processing": 0, "ready": 0, "failed": 0}
    assert facts["library"]["trashed_documents"] == 1
    assert facts["library"]["tags"] == 1
    assert facts["storage"]["kind"] == "folder"
    assert facts["storage"]["original_count"] == 2
    assert facts["storage"]["original_bytes"] == len(b"First text.") + len(b"Second text, longer.")
    assert facts["storage"]["database_bytes"] > 0
    assert 0 < facts["disk"]["free_bytes"] <= facts["disk"]["total_bytes"]
    assert facts["embeddings"]["dimensions"] > 0
    assert facts["confinement"] == asdict(check_confinement())


async def test_the_same_bytes_in_two_documents_are_one_original(api: Api) -> None:
    admin = await api.person("admin")
    await api.collection(admin, "Archive")
    await api.upload(admin.headers, b"1234567")
    await api.upload(admin.headers, b"1234567", collection="Archive")
    storage = (await api.client.get(PATH, headers=admin.headers)).json()["storage"]
    assert (storage["original_count"], storage["original_bytes"]) == (1, 7)


async def test_without_a_worker_nobody_is_counted_as_one(api: Api) -> None:
    admin = await api.person("admin")
    await api.upload(admin.headers)
    queue = (await api.client.get(PATH, headers=admin.headers)).json()["queue"]
    assert queue["workers"] == 0
    assert queue["queued"] == 1
    assert queue["oldest_queued_at"] is not None


async def test_unreachable_storage_is_reported_with_the_rest(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail() -> None:
        raise OSError

    monkeypatch.setitem(api.app.state.checks, "storage", fail)
    admin = await api.person("admin")
    facts = (await api.client.get(PATH, headers=admin.headers)).json()
    assert facts["status"] == "not_ready"
    assert facts["checks"] == {"database": "ok", "storage": "failed", "model": "ok"}
    assert facts["library"]["users"] >= 1


@pytest.mark.parametrize("role", ["editor", "reader"])
async def test_others_are_refused(api: Api, role: str) -> None:
    person = await api.person(role)
    assert (await api.client.get(PATH, headers=person.headers)).status_code == 403


async def test_a_key_of_an_administrator_is_no_administrator(api: Api) -> None:
    headers = await api.key(await api.person("admin"), toolsets=["search"])
    assert (await api.client.get(PATH, headers=headers)).status_code == 403
    assert (await api.client.get(PATH)).status_code == 401
