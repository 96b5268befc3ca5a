"""`lectern serve`: the API."""

import asyncio
import signal
import sys
from collections.abc import Coroutine
from types import FrameType
from typing import Final, NoReturn

from lectern.cli.ports import require_free_port
from lectern.logs import configure_logging
from lectern.settings import Settings, load_settings

SHUTDOWN_SECONDS: Final = 5  # event streams never end by themselves


def serve() -> None:
    """Run the API (LECTERN_HOST, LECTERN_PORT) against DATABASE_URL."""
    settings = load_settings()
    configure_logging(settings.logging)
    require_free_port(settings.http.host, settings.http.port, hint="Stop it, or set LECTERN_PORT.")
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _leave)
    _run(_serve(settings))


def _run(serving: Coroutine[None, None, None]) -> None:
    """On libuv's event loop, which takes a tenth off what a search costs; there is none for Windows."""
    if sys.platform == "win32":
        asyncio.run(serving)
        return
    import uvloop

    uvloop.run(serving)


async def _serve(settings: Settings) -> None:
    """The application is opened here, not by uvicorn, which would bury the reason of a failed start in tracebacks."""
    import uvicorn

    from lectern.app import create_app

    app = create_app(settings)
    config = uvicorn.Config(
        app,
        host=settings.http.host,
        port=settings.http.port,
        lifespan="off",
        log_config=None,
        access_log=False,
        forwarded_allow_ips=settings.http.trusted_proxies,
        server_header=False,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
    )
    async with app.router.lifespan_context(app):
        await uvicorn.Server(config).serve()


def _leave(_number: int, _frame: FrameType | None) -> NoReturn:
    """Before uvicorn handles signals, and when it hands one on after its shutdown: end, closing what is open."""
    raise SystemExit(0)
