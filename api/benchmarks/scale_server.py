"""Serve the API for `search_scale.py` like `lectern serve`, with the waiting time of each request in a header.

`X-Benchmark: SQL,EMBEDDING` has the milliseconds of all round trips to Postgres, and of embedding the query.
"""

import functools
import os
import time
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from typing import Any, ParamSpec, TypeVar

import psycopg
import uvicorn
from starlette.types import ASGIApp, Message, Receive, Scope, Send

import lectern.cli.services.serve
from lectern.embeddings.cache import CachedQueries
from lectern.settings import ResultCacheSettings, load_settings

P = ParamSpec("P")
R = TypeVar("R")
WAITING_MS: ContextVar[list[float] | None] = ContextVar("waiting_ms", default=None)


def patch_clients() -> None:
    """Time round trips to Postgres and embeddings for the request that needs them."""
    psycopg.AsyncConnection.wait = add_timing(psycopg.AsyncConnection.wait, column=0)  # pyright: ignore[reportAttributeAccessIssue] (for this process)
    CachedQueries.embed_query = add_timing(CachedQueries.embed_query, column=1)  # pyright: ignore[reportAttributeAccessIssue] (for this process)


def add_timing(function: Callable[P, Awaitable[R]], *, column: int) -> Callable[P, Awaitable[R]]:
    """Return the function, with its milliseconds added to the waiting time of the request."""

    @functools.wraps(function)
    async def timed(*arguments: P.args, **options: P.kwargs) -> R:
        started = time.perf_counter()
        try:
            return await function(*arguments, **options)
        finally:
            waiting_ms = WAITING_MS.get()
            if waiting_ms is not None:
                waiting_ms[column] += (time.perf_counter() - started) * 1000

    return timed


class TimingHeader:
    """Middleware that adds the header."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        waiting_ms = [0.0, 0.0]
        token = WAITING_MS.set(waiting_ms)

        async def send_with_header(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"].append((b"x-benchmark", f"{waiting_ms[0]:.3f},{waiting_ms[1]:.3f}".encode()))
            await send(message)

        try:
            await self.app(scope, receive, send_with_header)
        finally:
            WAITING_MS.reset(token)


def application() -> TimingHeader:
    """Return the application of each process."""
    patch_clients()
    load_settings().result_cache = ResultCacheSettings(max_bytes=int(os.environ["BENCHMARK_RESULT_CACHE_BYTES"]))
    return TimingHeader(lectern.cli.services.serve.application())


if __name__ == "__main__":
    settings = load_settings()
    several: dict[str, Any] = {"factory": True, "lifespan": "on", "workers": settings.http.processes}
    options: dict[str, Any] = {"host": "127.0.0.1", "port": settings.http.port}
    uvicorn.run("scale_server:application", log_config=None, access_log=False, **several, **options)
