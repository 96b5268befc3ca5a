"""Health, readiness and metrics endpoints."""

from pathlib import Path

import psycopg
from tests.api import Api, api_settings, open_api

from lectern.db.engine import libpq_url
from lectern.embedded.throwaway import ThrowawayPostgres


async def test_alive_and_ready(api: Api) -> None:
    assert (await api.client.get("/health")).json() == {"status": "ok"}
    ready = await api.client.get("/ready")
    assert ready.status_code == 200
    assert ready.json() == {"status": "ready", "checks": {"database": "ok", "storage": "ok"}}


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


async def test_metrics_count_requests_by_route_and_not_by_address(api: Api) -> None:
    missing = 'lectern_http_requests_total{method="GET",route="/api/v1/documents/{document_id}",status="404"} '

    def count(metrics: str) -> float:
        return sum(float(line.removeprefix(missing)) for line in metrics.splitlines() if line.startswith(missing))

    editor = await api.person()
    before = count((await api.client.get("/metrics")).text)
    for number in range(3):
        await api.client.get(f"/api/v1/documents/00000000-0000-4000-8000-00000000000{number}", headers=editor.headers)
    await api.client.request("BREW", "/coffee")
    text = (await api.client.get("/metrics")).text
    assert count(text) == before + 3
    assert 'method="other",route="unmatched"' in text
    assert "coffee" not in text
