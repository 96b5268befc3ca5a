"""Everyone with upload permission can load the sample documents, once."""

from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks.throwaway import ThrowawayDatabase
from tests.api import Api, api_settings, open_api

DOCUMENTS = 15


async def state(api: Api, headers: dict[str, str]) -> dict[str, Any]:
    response = await api.client.get("/api/v1/samples", headers=headers)
    assert response.status_code == 200, response.text
    return response.json()


async def test_administrator_loads_samples_with_collections_and_tags(api: Api) -> None:
    admin = await api.person("admin")
    assert await state(api, admin.headers) == {"is_available": True, "document_count": DOCUMENTS, "loaded_count": 0}

    response = await api.client.post("/api/v1/samples", headers=admin.headers)
    assert response.status_code == 202, response.text
    items = response.json()["items"]
    assert [item["is_duplicate"] for item in items] == [False] * DOCUMENTS
    assert all(item["job_id"] for item in items)
    by_name = {item["filename"]: item["document"] for item in items}
    assert by_name["aml-kyc-policy.pdf"]["collection"]["name"] == "Bank policies"
    assert set(by_name["aml-kyc-policy.pdf"]["tags"]) == {"policy", "compliance", "aml"}
    assert (await state(api, admin.headers))["loaded_count"] == DOCUMENTS


async def test_loading_twice_adds_no_duplicates_and_restores_trash(api: Api) -> None:
    admin = await api.person("admin")
    first = (await api.client.post("/api/v1/samples", headers=admin.headers)).json()["items"]
    gone = first[0]["document"]["id"]
    await api.client.delete(f"/api/v1/documents/{gone}", headers=admin.headers)
    assert (await state(api, admin.headers))["loaded_count"] == DOCUMENTS - 1

    again = (await api.client.post("/api/v1/samples", headers=admin.headers)).json()["items"]
    assert Counter((item["is_duplicate"], item["is_restored"]) for item in again) == {
        (True, False): DOCUMENTS - 1,
        (True, True): 1,
    }
    assert await api.sql("SELECT count(*) FROM documents") == [(DOCUMENTS,)]
    assert [item["document"]["id"] for item in again] == [item["document"]["id"] for item in first]


async def test_editor_loads_samples_into_visible_collections_and_the_default_one(api: Api) -> None:
    admin, editor, reader = await api.person("admin"), await api.person(), await api.person("reader")
    await api.collection(admin, "Bank policies", is_open=True)
    response = await api.client.post("/api/v1/samples", headers=editor.headers)
    assert response.status_code == 202, response.text
    assert {item["document"]["collection"]["name"] for item in response.json()["items"]} == {"Bank policies", "Library"}
    assert (await state(api, reader.headers))["loaded_count"] == DOCUMENTS


async def test_restricted_uploader_cannot_load_samples(api: Api) -> None:
    admin, reader = await api.person("admin"), await api.person("reader")
    collection = await api.collection(admin, "mine")
    reading = await api.key(admin)
    narrow = await api.key(admin, can_write=True, collections=[collection])
    for headers, code in ((reader.headers, "read_only"), (reading, "read_only"), (narrow, "outside_key")):
        response = await api.client.post("/api/v1/samples", headers=headers)
        assert (response.status_code, response.json()["code"]) == (403, code)
    assert await api.sql("SELECT count(*) FROM documents") == [(0,)]
    assert await api.sql("SELECT count(*) FROM collections WHERE name = 'Bank policies'") == [(0,)]


async def test_closed_collection_with_the_same_name_is_unchanged(api: Api) -> None:
    admin, editor = await api.person("admin"), await api.person()
    await api.collection(admin, "Bank policies", is_open=False)
    response = await api.client.post("/api/v1/samples", headers=editor.headers)
    assert {item["document"]["collection"]["name"] for item in response.json()["items"]} == {"Library"}


async def test_installation_without_samples_reports_it(database: ThrowawayDatabase, tmp_path: Path) -> None:
    settings = api_settings(database, tmp_path, documents={"samples_dir": tmp_path / "nowhere"})
    async with open_api(settings) as api:
        admin = await api.person("admin")
        assert await state(api, admin.headers) == {"is_available": False, "document_count": 0, "loaded_count": 0}
        response = await api.client.post("/api/v1/samples", headers=admin.headers)
        assert (response.status_code, response.json()["code"]) == (404, "samples_not_shipped")
