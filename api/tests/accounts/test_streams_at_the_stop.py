"""A server that stops ends its event streams without waiting."""

import asyncio
import logging

import httpx
import pytest
import uvicorn
from tests.api import Api

from lectern.cli.services.http_protocol import LimitedProtocol


async def test_stopping_server_closes_its_event_streams_at_once(api: Api, caplog: pytest.LogCaptureFixture) -> None:
    config = uvicorn.Config(
        api.app, port=0, lifespan="off", log_config=None, http=LimitedProtocol, timeout_graceful_shutdown=60
    )
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve())
    async with asyncio.timeout(10):
        while not server.started:  # noqa: ASYNC110 - uvicorn sets a flag
            await asyncio.sleep(0.01)
    address = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    reader = await api.person("reader")
    async with (
        httpx.AsyncClient(base_url=address, timeout=20) as client,
        client.stream("GET", "/api/v1/events", headers=reader.headers) as stream,
    ):
        lines = stream.aiter_lines()
        assert "retry" in await anext(lines)
        server.should_exit = True
        async with asyncio.timeout(5):
            await serving
        with pytest.raises(httpx.RemoteProtocolError):
            _ = [line async for line in lines]
    assert api.app.state.events.subscriber_count == 0
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR] == []
