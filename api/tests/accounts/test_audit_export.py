"""The audit log is exported as lines of JSON, and records reads where that is switched on."""

import csv
import io
import json
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest
from benchmarks.throwaway import ThrowawayDatabase
from tests.api import Api, api_settings, open_api

AUDIT = "/api/v1/system/audit"


@pytest.fixture
async def recording(database: ThrowawayDatabase, tmp_path: Path) -> AsyncGenerator[Api]:
    settings = api_settings(database, tmp_path)
    settings.accounts = settings.accounts.model_copy(update={"audit_reads": True})
    async with open_api(settings, is_new=True) as made:
        yield made


async def exported(api: Api, **parameters: str) -> list[dict[str, Any]]:
    admin = await api.person("admin")
    response = await api.client.get(f"{AUDIT}/export", params=parameters, headers=admin.headers)
    assert response.status_code == 200, response.text
    assert response.headers["content-type"].startswith("application/x-ndjson")
    assert "lectern-audit.jsonl" in response.headers["content-disposition"]
    return [json.loads(line) for line in response.text.splitlines()]


async def test_export_has_every_event_once_oldest_first(api: Api) -> None:
    await api.sql(
        "INSERT INTO audit_events (at, actor, action) SELECT timestamptz '2026-01-01' + make_interval(hours => n),"
        " 'system', 'test.event' FROM generate_series(1, 2500) AS n"
    )
    events = await exported(api, action="test.event")
    assert len(events) == len({event["id"] for event in events}) == 2_500
    assert [event["id"] for event in events] == sorted(event["id"] for event in events)
    some = await exported(api, action="test.event", since="2026-01-02T00:00:00Z", until="2026-01-03T00:00:00Z")
    assert [event["at"] for event in some] == [event["at"] for event in events[23:47]]
    (first, *_) = await exported(api, action="audit.export")
    assert first["details"] == {"action": "test.event"}


async def test_only_administrators_export(api: Api) -> None:
    for role in ("editor", "reader"):
        person = await api.person(role)
        assert (await api.client.get(f"{AUDIT}/export", headers=person.headers)).status_code == 403
    assert (await api.client.get(f"{AUDIT}/export")).status_code == 401
    admin = await api.person("admin")
    wrong = await api.client.get(f"{AUDIT}/export", params={"since": "2026-01-02"}, headers=admin.headers)
    assert wrong.status_code == 422, "a time without its zone"
    reversed_range = {"since": "2026-01-02T00:00:00Z", "until": "2026-01-01T00:00:00Z"}
    wrong = await api.client.get(f"{AUDIT}/export", params=reversed_range, headers=admin.headers)
    assert [error["message"] for error in wrong.json()["errors"]] == ["The time is before since."]


async def read_something(api: Api) -> str:
    editor = await api.person("editor")
    document_id = (await api.upload(editor.headers))["document"]["id"]
    get, post = api.client.get, api.client.post
    assert (await get(f"/api/v1/documents/{document_id}/original", headers=editor.headers)).status_code == 200
    path = f"/api/v1/documents/{document_id}/versions/1/original"
    assert (await get(path, headers=editor.headers)).status_code == 200
    found = await post("/api/v1/search", json={"query": "secret \0 project"}, headers=editor.headers)
    assert found.status_code in {200, 422}
    answer = await post("/api/v1/answers", json={"question": "Which project is secret?"}, headers=editor.headers)
    assert answer.status_code == 200
    messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Who leads it?"}]
    chat = await post("/v1/chat/completions", json={"model": "lectern", "messages": messages}, headers=editor.headers)
    assert chat.status_code == 200
    assert (await get("/api/v1/documents/x%00y/original", headers=editor.headers)).status_code in {404, 422}
    return document_id


async def test_reads_are_recorded_where_they_are_switched_on(recording: Api) -> None:
    document_id = await read_something(recording)
    events = await exported(recording)
    reads = [(event["action"], event["target"], event["details"]) for event in events]
    assert reads.count(("document.download", f"document:{document_id}", {})) == 2
    assert ("search.query", "", {"query": "secret  project"}) in reads
    assert ("answer.ask", "", {"question": "Which project is secret?"}) in reads
    assert ("answer.ask", "", {"question": "Who leads it?"}) in reads


async def test_reads_are_not_recorded_by_default(api: Api) -> None:
    await read_something(api)
    actions = {event["action"] for event in await exported(api)}
    assert actions.isdisjoint({"document.download", "search.query", "answer.ask"})


async def test_csv_has_names_and_no_formulas(api: Api) -> None:
    admin, editor = await api.person("admin"), await api.person("editor")
    document_id = (await api.upload(editor.headers))["document"]["id"]
    path = f"/api/v1/documents/{document_id}"
    await api.client.patch(path, json={"title": "=1+1"}, headers=editor.headers)
    parameters = {"format": "csv", "target": f"document:{document_id}"}
    response = await api.client.get(f"{AUDIT}/export", params=parameters, headers=admin.headers)
    assert response.headers["content-type"].startswith("text/csv")
    assert "lectern-audit.csv" in response.headers["content-disposition"]
    uploaded, updated = csv.DictReader(io.StringIO(response.text))
    assert [uploaded["action"], updated["action"]] == ["document.upload", "document.update"]
    assert updated["actor"] == f"user:{editor.id}"
    assert updated["actor_name"]
    assert updated["target_name"] == "'=1+1"
    assert json.loads(updated["details"])["before"].keys() == {"title"}
    refused = await api.client.get(f"{AUDIT}/export", params={"format": "xml"}, headers=admin.headers)
    assert [refused.status_code, refused.json()["code"]] == [422, "validation_error"]
    unknown = await api.client.get(f"{AUDIT}/export", params={"who": "me"}, headers=admin.headers)
    assert unknown.status_code == 422


async def test_events_have_todays_names_and_the_values_before(api: Api) -> None:
    admin, editor = await api.person("admin"), await api.person("editor")
    tag = (await api.client.post("/api/v1/tags", json={"name": "old"}, headers=editor.headers)).json()
    await api.client.patch(f"/api/v1/tags/{tag['id']}", json={"name": "new"}, headers=editor.headers)
    parameters = {"target": f"tag:{tag['id']}"}
    page = (await api.client.get(AUDIT, params=parameters, headers=admin.headers)).json()
    assert [event["target_name"] for event in page["items"]] == ["new", "new"]
    assert page["items"][0]["details"] == {"name": "new", "before": {"name": "old"}}
    await api.client.delete(f"/api/v1/tags/{tag['id']}", headers=editor.headers)
    page = (await api.client.get(AUDIT, params=parameters, headers=admin.headers)).json()
    assert {event["target_name"] for event in page["items"]} == {None}
