"""Health, readiness and metrics endpoints."""

import asyncio
from pathlib import Path

import httpx
import psycopg
import pytest
from benchmarks.throwaway import ThrowawayDatabase, ThrowawayPostgres
from tests.api import Api, api_settings, open_api

from lectern.db.engine import libpq_url
from lectern.settings import EmbeddingsSettings

LOCAL = {"Host": "localhost:8000"}


async def test_alive_and_ready(api: Api) -> None:
    assert (await api.client.get("/health")).json() == {"status": "ok"}
    ready = await api.client.get("/ready")
    assert ready.status_code == 200
    assert ready.json() == {"status": "ready", "checks": {"database": "ok", "storage": "ok", "model": "ok"}}


async def test_not_ready_without_its_database_and_ready_again_with_it(
    postgres: ThrowawayPostgres, tmp_path: Path
) -> None:
    with postgres.fresh_database() as database, psycopg.connect(libpq_url(database.owner_url)) as owner:
        owner.autocommit = True
        async with open_api(api_settings(database, tmp_path)) as api:
            owner.execute("ALTER TABLE users RENAME TO hidden")
            response = await api.client.get("/ready")
            assert response.status_code == 503
            assert response.json()["checks"]["database"] == "failed"
            assert (await api.client.get("/health")).status_code == 200
            owner.execute("ALTER TABLE hidden RENAME TO users")
            assert (await api.client.get("/ready")).status_code == 200


@pytest.mark.skipif(not Path("/proc").exists(), reason="needs a folder that root cannot write to")
@pytest.mark.parametrize("is_there", [True, False], ids=["not writable", "removed"])
async def test_not_ready_without_its_folder_of_originals_and_ready_again_with_it(
    database: ThrowawayDatabase, tmp_path: Path, caplog: pytest.LogCaptureFixture, *, is_there: bool
) -> None:
    async with open_api(api_settings(database, tmp_path)) as api:
        folder = api.app.state.originals.folder
        moved = folder.rename(tmp_path / "moved")
        if is_there:
            folder.symlink_to("/proc")
        response = await api.client.get("/ready")
        assert response.status_code == 503
        assert response.json()["checks"] == {"database": "ok", "storage": "failed", "model": "ok"}
        assert str(folder) not in response.text
        assert any(str(folder) in str(getattr(record, "reason", "")) for record in caplog.records)
        folder.unlink(missing_ok=True)
        moved.rename(folder)
        assert (await api.client.get("/ready")).status_code == 200
        assert list(folder.iterdir()) == []


async def test_not_ready_until_its_model_is_loaded(
    database: ThrowawayDatabase, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    settings = api_settings(database, tmp_path)
    model_dir = tmp_path / "models"
    model_dir.write_text("a file where the folder of the model should be")
    settings.embeddings = EmbeddingsSettings(model_dir=model_dir)
    async with open_api(settings) as api:
        response = await api.client.get("/ready")
        assert response.status_code == 503
        assert response.json()["checks"] == {"database": "ok", "storage": "ok", "model": "failed"}
        assert "The embedding model cannot be loaded" in caplog.text
        model_dir.unlink()
        for _ in range(600):
            response = await api.client.get("/ready")
            if response.is_success:
                break
            await asyncio.sleep(0.1)
        assert response.status_code == 200
        assert list(model_dir.glob("*/model.onnx"))


async def test_metrics_count_requests_by_route_and_not_by_address(api: Api) -> None:
    missing = 'lectern_http_requests_total{method="GET",route="/api/v1/documents/{document_id}",status="404"} '

    def count(metrics: str) -> float:
        return sum(float(line.removeprefix(missing)) for line in metrics.splitlines() if line.startswith(missing))

    editor = await api.person()
    before = count((await api.client.get("/metrics", headers=LOCAL)).text)
    for number in range(3):
        await api.client.get(f"/api/v1/documents/00000000-0000-4000-8000-00000000000{number}", headers=editor.headers)
    await api.client.request("BREW", "/coffee")
    await api.client.post("/api/v1/search", json={"query": "tea"}, headers=editor.headers)
    text = (await api.client.get("/metrics", headers=LOCAL)).text
    assert count(text) == before + 3
    assert 'method="other",route="unmatched"' in text
    assert 'method="POST",route="/api/v1/search",status="200"' in text
    assert "coffee" not in text


@pytest.mark.parametrize(
    ("client", "headers", "status"),
    [
        ("127.0.0.1", LOCAL, 200),
        ("::1", {"Host": "[::1]:8000"}, 200),
        ("192.0.2.1", LOCAL, 401),
        ("127.0.0.1", {"Host": "kb.example.org"}, 401),
        ("127.0.0.1", {**LOCAL, "X-Forwarded-For": "127.0.0.1"}, 401),
        ("127.0.0.1", {**LOCAL, "Forwarded": "for=127.0.0.1"}, 401),
        ("127.0.0.1", {**LOCAL, "Authorization": "Bearer something"}, 200),
    ],
)
async def test_metrics_are_for_this_machine(api: Api, client: str, headers: dict[str, str], status: int) -> None:
    transport = httpx.ASGITransport(api.app, client=(client, 1))
    async with httpx.AsyncClient(transport=transport, base_url="http://lectern.test") as asking:
        assert (await asking.get("/metrics", headers=headers)).status_code == status


async def test_metrics_need_the_token_if_there_is_one(database: ThrowawayDatabase, tmp_path: Path) -> None:
    token = "token-of-the-tests-0123456789"
    async with open_api(api_settings(database, tmp_path, http={"metrics_token": token})) as api:
        for given, status in (("", 401), ("Bearer other", 401), (token, 401), (f"Bearer {token}", 200)):
            response = await api.client.get("/metrics", headers={**LOCAL, "Authorization": given})
            assert response.status_code == status, given


async def test_https_is_required_from_browsers_where_the_public_address_has_it(
    database: ThrowawayDatabase, tmp_path: Path
) -> None:
    for url, sent in (("https://kb.example.org", "max-age=31536000"), ("http://kb.example.org", None)):
        async with open_api(api_settings(database, tmp_path, http={"public_url": url}), is_new=True) as api:
            for path in ("/health", "/api/v1/nothing"):
                assert (await api.client.get(path)).headers.get("strict-transport-security") == sent
