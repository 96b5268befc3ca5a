"""A worker serves its own metrics if they have a port."""

import asyncio
import dataclasses

import httpx
import pytest
from pydantic import SecretStr

from lectern.embedded.host import free_port
from lectern.errors import Misconfigured
from lectern.settings import HttpSettings
from lectern.worker import run_worker

from .library import Library

TOKEN = "a-token-for-prometheus"


async def test_stages_embeddings_and_the_pool_are_measured(library: Library) -> None:
    port, stopping = free_port(), asyncio.Event()
    http = HttpSettings(worker_metrics_port=port, metrics_token=SecretStr(TOKEN))
    document_id = await library.add(b"The lighthouse of Sovereign Bay was lit in 1871.")
    working = asyncio.create_task(run_worker(dataclasses.replace(library.settings, http=http), stopping=stopping))
    await library.until_status(document_id)

    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}") as client:
        headers = {"Authorization": f"Bearer {TOKEN}"}

        async def has_embedded() -> bool:  # a stage is counted after its commit
            return 'stage="embed"' in (await client.get("/metrics", headers=headers)).text

        await library.until(has_embedded)
        text = (await client.get("/metrics", headers=headers)).text
        refused = await client.get("/metrics")
        other = await client.get("/", headers=headers)
    stopping.set()
    await working

    for line in (
        'lectern_ingestion_stage_pages_total{stage="extract"} 1.0',
        'lectern_ingestion_stage_pages_total{stage="embed"} 1.0',
        'lectern_embeddings_total{cached="no",kind="passage"} 1.0',
        'lectern_database_pool{state="waiting"} 0.0',
    ):
        assert line in text.splitlines(), text
    assert (refused.status_code, other.status_code) == (401, 404)
    assert "lighthouse" not in text


async def test_a_port_in_use_ends_the_start_with_a_hint(library: Library) -> None:
    port = free_port()
    server = await asyncio.start_server(lambda _reader, writer: writer.close(), "127.0.0.1", port)
    settings = dataclasses.replace(library.settings, http=HttpSettings(worker_metrics_port=port))
    async with server:
        with pytest.raises(Misconfigured) as raised:
            await run_worker(settings, stopping=asyncio.Event())
    assert "LECTERN_WORKER_METRICS_PORT" in (raised.value.hint or "")
