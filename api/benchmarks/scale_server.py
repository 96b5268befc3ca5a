"""The API of `search_scale.py`: as `lectern serve` runs it, and every response says what it waited for.

`X-Benchmark: SQL,EMBEDDING` in milliseconds: every exchange with Postgres from here and back, and the query's vector.
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
WAITED: ContextVar[list[float] | None] = ContextVar("waited", default=None)


def watch_exchanges() -> None:
    """Count every exchange with Postgres for the request that makes it."""
    psycopg.AsyncConnection.wait = clocked(psycopg.AsyncConnection.wait, place=0)  # pyright: ignore[reportAttributeAccessIssue] (for this process)
    CachedQueries.embed_query = clocked(CachedQueries.embed_query, place=1)  # pyright: ignore[reportAttributeAccessIssue] (for this process)


def clocked(function: Callable[P, Awaitable[R]], *, place: int) -> Callable[P, Awaitable[R]]:
    """The function, whose milliseconds are added to what the request has waited for."""

    @functools.wraps(function)
    async def timed(*arguments: P.args, **options: P.kwargs) -> R:
        begun = time.perf_counter()
        try:
            return await function(*arguments, **options)
        finally:
            waited = WAITED.get()
            if waited is not None:
                waited[place] += (time.perf_counter() - begun) * 1000

    return timed


class SayWaited:
    """Adds the header."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        waited = [0.0, 0.0]
        token = WAITED.set(waited)

        async def say(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"].append((b"x-benchmark", f"{waited[0]:.3f},{waited[1]:.3f}".encode()))
            await send(message)

        try:
            await self.app(scope, receive, say)
        finally:
            WAITED.reset(token)


def application() -> SayWaited:
    """What each process serves."""
    watch_exchanges()
    load_settings().result_cache = ResultCacheSettings(max_bytes=int(os.environ["BENCHMARK_RESULT_CACHE_BYTES"]))
    return SayWaited(lectern.cli.services.serve.application())


if __name__ == "__main__":
    settings = load_settings()
    several: dict[str, Any] = {"factory": True, "lifespan": "on", "workers": settings.http.processes}
    options: dict[str, Any] = {"host": "127.0.0.1", "port": settings.http.port}
    uvicorn.run("scale_server:application", log_config=None, access_log=False, **several, **options)
