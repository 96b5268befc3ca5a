"""Metrics of the installation, and that dashboard and alerts name none that is missing."""

import asyncio
import json
import re
import shutil
import subprocess
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from benchmarks.throwaway import ThrowawayDatabase
from tests.api import Api, api_settings, open_api

from lectern.db.scope import SYSTEM_SCOPE

LOCAL = {"host": "127.0.0.1"}
DEPLOY = Path(__file__).parents[3] / "deploy"
OF_OTHER_SERVICES = {"lectern_mcp_tool_seconds_count", "lectern_ingestion_stage_pages_total"}  # tested there
FINISHED = """
UPDATE jobs SET state = 'failed', error_code = 'no_text', finished_at = now(), page_count = 12, chunks_embedded = 30,
    timings_seconds = '{"extract": 2.5, "embed": 0.5}' WHERE document_id = :id
"""


@pytest.fixture
async def api(database: ThrowawayDatabase, tmp_path: Path) -> AsyncGenerator[Api]:
    async with open_api(api_settings(database, tmp_path)) as made:
        yield made


async def scrape(api: Api) -> str:
    api.app.state.installation_metrics.forget()
    response = await api.client.get("http://127.0.0.1/metrics")
    assert response.status_code == 200, response.text
    return response.text


BACKUP = """
INSERT INTO audit_events (at, actor, action, target) VALUES
    (to_timestamp(1000), 'user:x', 'backup.write', 'backup:installation'),
    (to_timestamp(2000), 'user:x', 'backup.fail', 'backup:installation')
"""


async def use_everything(api: Api) -> None:
    """A queued job, a failed one, a webhook, a search that is repeated, and an answer."""
    admin = await api.person("admin")
    failed = (await api.upload(admin.headers, b"One."))["document"]["id"]
    await api.upload(admin.headers, b"Two.", filename="two.txt")
    await api.sql(FINISHED, id=failed)
    await api.sql("INSERT INTO webhooks (id, url, secret, created_by) VALUES (gen_random_uuid(), 'x', 'x', 'system')")
    await api.sql(BACKUP)
    for _ in range(2):
        found = await api.client.post("/api/v1/search", json={"query": "one"}, headers=admin.headers)
        assert found.status_code == 200
    answer = await api.client.post("/api/v1/answers", json={"question": "What is one?"}, headers=admin.headers)
    assert answer.status_code == 200


def count_embedded_queries(text: str) -> float:
    """Return the counter of computed query embeddings. The application has counted for earlier tests too."""
    found = re.search(r'^lectern_embeddings_total\{cached="no",kind="query"\} (.+)$', text, re.MULTILINE)
    return float(found[1]) if found else 0.0


async def test_metrics_tell_of_queue_failures_searches_and_answers(api: Api) -> None:
    embedded = count_embedded_queries(await scrape(api))
    await use_everything(api)
    text = await scrape(api)
    assert count_embedded_queries(text) == embedded + 2
    for line in (
        'lectern_queue_jobs{kind="ingest",state="queued"} 1.0',
        'lectern_jobs_last_hour{code="no_text",kind="ingest",state="failed"} 1.0',
        "lectern_failed_jobs_last_hour 1.0",
        'lectern_ingestion_stage_seconds_last_hour{stage="extract"} 2.5',
        'lectern_webhooks{state="active"} 1.0',
        "lectern_database_up 1.0",
        "lectern_workers 0.0",
        "lectern_backup_success_timestamp_seconds 1000.0",
        "lectern_backup_failed 1.0",
    ):
        assert line in text.splitlines(), line
    assert re.search(r"^lectern_answer_seconds_count\{outcome=", text, re.MULTILINE)
    assert re.search(r'^lectern_search_seconds_count\{cached="no"\} ', text, re.MULTILINE)


@pytest.mark.parametrize("path", ["grafana/lectern.json", "prometheus/alerts.yml"])
async def test_every_metric_that_is_named_exists(api: Api, path: str) -> None:
    await use_everything(api)
    existing = set(re.findall(r"^(lectern_\w+)", await scrape(api), re.MULTILINE))
    named = set(re.findall(r"\blectern_\w+", (DEPLOY / path).read_text(encoding="utf-8"))) - OF_OTHER_SERVICES
    assert named
    assert named - existing == set()


async def test_sessions_beyond_the_pool_wait(api: Api) -> None:
    database, size = api.app.state.database, api.app.state.database.measure_pool()["size"]
    leaving = asyncio.Event()

    async def hold() -> None:
        async with database.session(SYSTEM_SCOPE):
            await leaving.wait()

    holding = [asyncio.create_task(hold()) for _ in range(size + 3)]
    for _ in range(500):
        if database.measure_pool() == {"size": size, "in_use": size, "waiting": 3}:
            break
        await asyncio.sleep(0.01)
    text = api.app.state.metrics.render().decode()
    leaving.set()
    await asyncio.gather(*holding)

    assert f'lectern_database_pool{{state="in_use"}} {size}.0' in text
    assert 'lectern_database_pool{state="waiting"} 3.0' in text
    assert database.measure_pool()["waiting"] == 0


@pytest.mark.needs("promtool, of the Debian package `prometheus`")
def test_alerts_fire_when_they_should(tmp_path: Path) -> None:
    promtool = shutil.which("promtool")
    if promtool is None:
        pytest.skip("promtool, of the Debian package `prometheus`")
    cases = tmp_path / "cases.yml"
    text = Path(__file__).with_name("alerts_test.yml").read_text(encoding="utf-8")
    cases.write_text(text.replace("RULES", str(DEPLOY / "prometheus" / "alerts.yml")), encoding="utf-8")

    run = subprocess.run([promtool, "test", "rules", str(cases)], capture_output=True, text=True, check=False)

    assert run.returncode == 0, run.stdout + run.stderr


def test_dashboard_has_a_query_in_every_panel() -> None:
    dashboard = json.loads((DEPLOY / "grafana" / "lectern.json").read_text(encoding="utf-8"))
    assert all(panel["targets"] for panel in dashboard["panels"])
