"""Requests without the storage of originals get a 503 that names no bucket and no address."""

import logging
from pathlib import Path

import pytest
from benchmarks.throwaway import ThrowawayDatabase
from tests.api import api_settings, open_api
from tests.loopback import RefusingBucket, serving

from lectern.settings import StorageSettings


@pytest.mark.parametrize("status", [403, 404], ids=["refused", "missing"])
async def test_only_the_log_names_the_bucket(
    database: ThrowawayDatabase,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    status: int,
) -> None:
    caplog.set_level(logging.INFO)
    with serving(RefusingBucket, status) as endpoint:
        for name, value in {"ENDPOINT": endpoint, "REGION": "here", "ALLOW_HTTP": "true"}.items():
            monkeypatch.setenv(f"AWS_{name}", value)
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", "a")
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "b")
        settings = api_settings(database, tmp_path)
        settings.storage = StorageSettings(url="s3://zanzibar/lectern")
        async with open_api(settings) as api:
            editor = await api.person()
            headers = {**editor.headers, "Content-Type": "text/plain"}
            caplog.clear()
            refused = await api.client.post("/api/v1/documents", content=b"A note.", headers=headers)
            failed = [record for record in caplog.records if "Request failed" in record.getMessage()]
            ready = await api.client.get("/ready")

    assert (refused.status_code, refused.json()["code"]) == (503, "storage_unavailable")
    assert "zanzibar" not in refused.text
    assert endpoint.removeprefix("http://") not in refused.text
    assert [(record.levelname, "zanzibar" in record.getMessage(), record.exc_info) for record in failed] == [
        ("WARNING", True, None)
    ]
    assert ready.json()["checks"]["storage"] == "failed"
    assert "zanzibar" not in ready.text
    assert any("zanzibar" in str(getattr(record, "reason", "")) for record in caplog.records)
