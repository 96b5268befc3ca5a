"""Jobs over REST: lists, cancellation, retries and permissions."""

import asyncio
import uuid
from collections.abc import AsyncGenerator, AsyncIterator
from pathlib import Path

import httpx
import pytest
import uvicorn
from benchmarks.throwaway import ThrowawayDatabase
from tests.api import Api, api_settings, open_api


@pytest.fixture
async def api(database: ThrowawayDatabase, tmp_path: Path) -> AsyncGenerator[Api]:
    async with open_api(api_settings(database, tmp_path)) as made:
        yield made


async def test_jobs_are_listed_in_groups_and_pages(api: Api) -> None:
    editor = await api.person()
    for number in range(3):
        await api.upload(editor.headers, f"Text {number}.".encode(), filename=f"{number}.txt")
    first = (await api.client.get("/api/v1/jobs", params={"limit": 2}, headers=editor.headers)).json()
    assert first["total"] == 3
    assert [job["filename"] for job in first["items"]] == ["2.txt", "1.txt"]
    second = await api.client.get(
        "/api/v1/jobs", params={"limit": 2, "cursor": first["next_cursor"]}, headers=editor.headers
    )
    assert [job["filename"] for job in second.json()["items"]] == ["0.txt"]
    assert second.json()["next_cursor"] is None
    for state, count in (("in_progress", 3), ("needs_attention", 0), ("done", 0)):
        listed = await api.client.get("/api/v1/jobs", params={"state": state}, headers=editor.headers)
        assert listed.json()["total"] == count


async def test_retried_jobs_and_trashed_documents_need_no_attention(api: Api) -> None:
    editor = await api.person()

    async def needing() -> list[str]:
        listed = await api.client.get("/api/v1/jobs", params={"state": "needs_attention"}, headers=editor.headers)
        assert listed.json()["total"] == len(listed.json()["items"])
        return [job["filename"] for job in listed.json()["items"]]

    for name in ("again.txt", "trashed.txt", "left.txt"):
        await api.upload(editor.headers, name.encode(), filename=name)
    jobs = (await api.client.get("/api/v1/jobs", headers=editor.headers)).json()["items"]
    ids = {job["filename"]: job["document_id"] for job in jobs}
    for job in jobs:
        await api.client.post(f"/api/v1/jobs/{job['id']}/cancel", headers=editor.headers)
    assert await needing() == ["left.txt", "trashed.txt", "again.txt"]
    read_again = await api.client.post(f"/api/v1/documents/{ids['again.txt']}/ingest", headers=editor.headers)
    assert read_again.status_code == 202
    await api.client.delete(f"/api/v1/documents/{ids['trashed.txt']}", headers=editor.headers)
    assert await needing() == ["left.txt"]
    await api.client.post(f"/api/v1/documents/{ids['trashed.txt']}/restore", headers=editor.headers)
    restored = await api.client.get(f"/api/v1/documents/{ids['trashed.txt']}", headers=editor.headers)
    assert await needing() == (["left.txt", "trashed.txt"] if restored.json()["status"] == "failed" else ["left.txt"])


async def test_job_is_cancelled_and_retried(api: Api) -> None:
    editor = await api.person()
    await api.upload(editor.headers)
    job = (await api.client.get("/api/v1/jobs", headers=editor.headers)).json()["items"][0]
    cancelled = await api.client.post(f"/api/v1/jobs/{job['id']}/cancel", headers=editor.headers)
    assert cancelled.json()["state"] == "cancelled"
    document = await api.client.get(f"/api/v1/documents/{job['document_id']}", headers=editor.headers)
    assert (document.json()["status"], document.json()["error"]["code"]) == ("failed", "cancelled")
    again = await api.client.post(f"/api/v1/jobs/{job['id']}/cancel", headers=editor.headers)
    assert (again.status_code, again.json()["code"]) == (409, "job_not_cancellable")
    retried = await api.client.post(
        f"/api/v1/jobs/{job['id']}/retry", json={"password": "secret"}, headers=editor.headers
    )
    assert (retried.status_code, retried.json()["state"]) == (202, "queued")
    assert "secret" not in retried.text
    audited = await api.sql(
        "SELECT action FROM audit_events WHERE target = :target ORDER BY id", target=f"job:{job['id']}"
    )
    assert [row.action for row in audited] == ["job.cancel", "job.retry"]


async def test_readers_can_list_jobs_and_outsiders_cannot(api: Api) -> None:
    editor, reader = await api.person(), await api.person("reader")
    uploaded = await api.upload(editor.headers)
    job = (await api.client.get("/api/v1/jobs", headers=reader.headers)).json()["items"][0]
    refused = await api.client.post(f"/api/v1/jobs/{job['id']}/cancel", headers=reader.headers)
    assert refused.status_code == 403
    other = await api.upload(editor.headers, b"Other.", filename="other.txt")
    narrow = await api.key(editor, documents=[other["document"]["id"]], can_write=True)
    unseen = await api.client.get(f"/api/v1/jobs/{job['id']}", headers=narrow)
    assert (unseen.status_code, unseen.json()["code"]) == (404, "job_not_found")
    assert (await api.client.get("/api/v1/jobs", headers=narrow)).json()["total"] == 1
    events = f"/api/v1/documents/{uploaded['document']['id']}/events"
    assert (await api.client.get(events, headers=narrow)).status_code == 404
    assert (await api.client.get(f"/api/v1/jobs/{uuid.uuid4()}", headers=editor.headers)).status_code == 404
    assert (await api.client.get("/api/v1/jobs")).status_code == 401


async def test_real_server_streams_events(api: Api) -> None:
    editor = await api.person()
    server = uvicorn.Server(uvicorn.Config(api.app, port=0, lifespan="off", log_config=None))
    serving = asyncio.create_task(server.serve())
    async with asyncio.timeout(10):
        while not server.started:  # noqa: ASYNC110 - uvicorn sets a flag
            await asyncio.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    async with (
        httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=20) as client,
        client.stream("GET", "/api/v1/events", headers=editor.headers) as response,
    ):
        assert response.headers["content-type"].startswith("text/event-stream")
        lines = response.aiter_lines()
        assert await until_line(lines, "event: refetch")
        await api.upload(editor.headers)
        assert await until_line(lines, "event: document")
    server.should_exit = True
    await serving
    assert api.app.state.events.subscriber_count == 0


async def until_line(lines: AsyncIterator[str], wanted: str) -> bool:
    async with asyncio.timeout(20):
        async for line in lines:
            if line == wanted:
                return True
    return False
