"""An ASGI application on a free loopback port, in this event loop."""

import asyncio
import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import uvicorn
from starlette.types import ASGIApp

from lectern_mcp.main import KEEP_ALIVE_SECONDS


@asynccontextmanager
async def serving(app: ASGIApp) -> AsyncGenerator[str]:
    """Yields the address; the application's lifespan runs inside."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        config = uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            lifespan="on",
            timeout_graceful_shutdown=2,
            timeout_keep_alive=KEEP_ALIVE_SECONDS,
        )
        server = uvicorn.Server(config)
        server.capture_signals = _no_signals  # pyright: ignore[reportAttributeAccessIssue]  # pytest keeps its own
        task = asyncio.create_task(server.serve(sockets=[listener]))
        while not server.started:
            if task.done():
                task.result()
            await asyncio.sleep(0.005)
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            await task


class _no_signals:  # noqa: N801 - stands in for a method
    def __enter__(self) -> None: ...

    def __exit__(self, *_: object) -> None: ...
