"""`lectern serve`: the API, in one process or in several that share the port."""

import asyncio
import gc
import multiprocessing
import os
import shutil
import signal
import sys
import tempfile
import threading
from collections.abc import Coroutine
from functools import partial
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, Final, NoReturn

from lectern.cli.garbage import loading
from lectern.cli.services.environment import require_free_port
from lectern.embedded.host import find_process
from lectern.logs import configure_logging
from lectern.settings import Settings, load_settings
from lectern.tracing import start_tracing

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

    from fastapi import FastAPI
    from starlette.types import Receive, Scope, Send

SHUTDOWN_SECONDS: Final = 5
KEEP_ALIVE_SECONDS: Final = 75  # longer than clients and proxies reuse an idle connection
HEALTH_SECONDS: Final = 30  # a process that does not answer its parent for so long is replaced
GARBAGE_OBJECTS: Final = 10_000  # a search makes some 1,000
METRICS_FOLDER: Final = "PROMETHEUS_MULTIPROC_DIR"  # the name is prometheus_client's


def serve() -> None:
    """Run the API (LECTERN_HOST, LECTERN_PORT) against DATABASE_URL."""
    settings = load_settings()
    configure_logging(settings.logging)
    require_free_port(settings.http.host, settings.http.port, hint="Stop it, or set LECTERN_PORT.")
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _leave)
    if settings.http.processes == 1:
        _run(_serve(settings))
    else:
        _share(settings)


def _run(serving: Coroutine[None, None, None]) -> None:
    """Run on libuv's event loop, which takes a tenth off the time of a search. Windows has none."""
    if sys.platform == "win32":
        asyncio.run(serving)
        return
    import uvloop

    uvloop.run(serving)


async def _serve(settings: Settings) -> None:
    """Open the application here: uvicorn would hide the reason of a failed start in tracebacks."""
    with loading():
        import uvicorn

        from lectern.app import create_app

    start_tracing("api")
    app = create_app(settings)
    config = uvicorn.Config(app, lifespan="off", **_options(settings))
    async with app.router.lifespan_context(app):
        collect_less_garbage()
        await uvicorn.Server(config).serve()


def _share(settings: Settings) -> None:
    """Run processes under uvicorn's supervisor, which replaces one that dies or hangs. They count requests in files."""
    from uvicorn import Config
    from uvicorn.config import STARTUP_FAILURE
    from uvicorn.supervisors import Multiprocess

    class ProcessSupervisor(Multiprocess):
        """Replace a process as soon as it has ended, without waiting for its answer to a health check."""

        def keep_subprocess_alive(self) -> None:
            for process in self.processes:
                process.child_conn.close()  # the child has its own, and reading ends when nobody can write
            super().keep_subprocess_alive()

    several: dict[str, Any] = {"factory": True, "lifespan": "on", "workers": settings.http.processes}
    with tempfile.TemporaryDirectory(prefix="lectern-metrics-") as folder:
        os.putenv(METRICS_FOLDER, folder)  # for the processes; nothing here reads it
        app = partial(application, Path(folder))
        config = Config(app, timeout_worker_healthcheck=HEALTH_SECONDS, **several, **_options(settings))
        shared = config.bind_socket()
        shared.listen(config.backlog)  # now, or two programs could hold the port until one of them listens
        supervisor = ProcessSupervisor(config, [shared])
        supervisor.run()
    if any(process.exitcode == STARTUP_FAILURE for process in supervisor.processes):
        _run(_open(settings))  # raises what they met, and the command line says it in one line
        sys.exit(STARTUP_FAILURE)


async def _open(settings: Settings) -> None:
    from lectern.app import create_app

    app = create_app(settings)
    async with app.router.lifespan_context(app):
        return


def application(counts: Path | None = None) -> "Served":
    """Return the application of one of several processes. It ends with its parent and removes `counts`."""
    with loading():
        from lectern.app import create_app

    settings = load_settings()
    configure_logging(settings.logging)
    start_tracing("api")
    if counts is not None:
        _forget_gauges_of_dead_processes(counts)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_after, args=(parent, counts), daemon=True).start()
    return Served(create_app(settings))


class Served:
    """Application for a server that runs its lifespan. A failed start is one line, not a traceback."""

    def __init__(self, app: "FastAPI") -> None:
        self._app = app

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        else:
            await self._app(scope, receive, send)

    async def _live(self, receive: "Receive", send: "Send") -> None:
        await receive()
        try:
            async with self._app.router.lifespan_context(self._app):
                collect_less_garbage()
                await send({"type": "lifespan.startup.complete"})
                await receive()
        except Exception as error:  # noqa: BLE001 - the parent meets it again and says it as it is
            await send({"type": "lifespan.startup.failed", "message": f"The API cannot start: {type(error).__name__}"})
        else:
            await send({"type": "lifespan.shutdown.complete"})


def collect_less_garbage() -> None:
    """Look for reference cycles less often, and never among what the start has made: each look takes 130 ms."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(GARBAGE_OBJECTS)


def _options(settings: Settings) -> dict[str, Any]:
    return {
        "host": settings.http.host,
        "port": settings.http.port,
        "http": "lectern.cli.services.http_protocol:LimitedProtocol",
        "log_config": None,
        "access_log": False,
        "forwarded_allow_ips": settings.http.trusted_proxies,
        "server_header": False,
        "timeout_keep_alive": KEEP_ALIVE_SECONDS,
        "timeout_graceful_shutdown": SHUTDOWN_SECONDS,
    }


def _forget_gauges_of_dead_processes(counts: Path) -> None:
    """Remove what a process counted that this one may replace, except its counters."""
    for file in counts.glob("gauge_live*_*.db"):
        if find_process(int(file.stem.rpartition("_")[2])) is None:
            file.unlink(missing_ok=True)


def _end_after(parent: "BaseProcess", counts: Path | None) -> None:
    """End this process after its parent, and remove the counts that a killed parent leaves behind."""
    parent.join()
    if counts is not None:
        shutil.rmtree(counts, ignore_errors=True)  # another of the processes may be doing the same
    os.kill(os.getpid(), signal.SIGTERM)


def _leave(_number: int, _frame: FrameType | None) -> NoReturn:
    """End and close everything, before uvicorn handles signals and after its shutdown."""
    raise SystemExit(0)
