"""Send requests to a real server, run with uvicorn as by `lectern serve`, from clients that need little CPU time.

The server reports in a header how long each request waited for Postgres and for the embedding of its query.
"""

import asyncio
import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from scale_library import ADMIN

from lectern.embedded.host import free_port

SETTINGS: Final = {
    "COOKIE_SECURE": "false",
    "LECTERN_RATE_LIMIT_PER_MINUTE": "0",
    "LECTERN_LOG_LEVEL": "WARNING",
    "JWT_SECRET_KEY": "jwt-secret-of-the-benchmark-0123456789",
    "BACKEND_API_KEY": "service-key-of-the-benchmark-0123456789",
    "ADMIN_EMAIL": ADMIN[0],
    "ADMIN_PASSWORD": ADMIN[1],
}


@dataclass(frozen=True, slots=True)
class RequestTiming:
    """Milliseconds of a request: in total as the client measures, the others as the server reports."""

    total: float
    sql: float
    embedding: float
    statement: float

    @property
    def added(self) -> float:
        return self.total - self.sql - self.embedding


class SearchClient:
    """A client with one persistent connection."""

    def __init__(self, url: str, headers: Mapping[str, str]) -> None:
        parts = urlsplit(url)
        self._address = (parts.hostname or "", parts.port or 80)
        self._headers = "".join(f"{name}: {value}\r\n" for name, value in headers.items())

    async def open(self) -> "SearchClient":
        """Connect."""
        self._reader, self._writer = await asyncio.open_connection(*self._address)
        return self

    async def post(self, path: str, body: Mapping[str, Any]) -> tuple[dict[str, str], Any]:
        """Return the headers and the body of a response. Raise RuntimeError if the request failed."""
        payload = json.dumps(body).encode()
        head = f"POST {path} HTTP/1.1\r\nHost: lectern.test\r\nContent-Type: application/json\r\n{self._headers}"
        self._writer.write(f"{head}Content-Length: {len(payload)}\r\n\r\n".encode() + payload)
        status, *lines = (await self._reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
        content = await self._reader.readexactly(int(headers["content-length"]))
        if " 20" not in status[:13]:
            raise RuntimeError(f"{status}: {content[:300]!r}")
        return headers, content

    async def search(self, body: Mapping[str, Any]) -> RequestTiming:
        """Search and return the timing."""
        started = time.perf_counter()
        headers, content = await self.post("/api/v1/search", body)
        total = (time.perf_counter() - started) * 1000
        sql, embedding = (float(value) for value in headers["x-benchmark"].split(","))
        return RequestTiming(total, sql, embedding, json.loads(content)["metadata"]["took_ms"]["search"])

    def close(self) -> None:
        """Close the connection."""
        self._writer.close()


async def sign_in_as_admin(url: str) -> str:
    """Return the access token of the administrator."""
    client = await SearchClient(url, {}).open()
    body = {"email": ADMIN[0], "password": ADMIN[1], "use_cookies": False}
    _, content = await client.post("/api/v1/auth/sign-in", body)
    client.close()
    token: str = json.loads(content)["access_token"]
    return token


@contextlib.asynccontextmanager
async def running_server(
    database_url: str,
    *,
    folder: Path,
    models: Path,
    processes: int = 1,
    result_cache_bytes: int = 0,
    replica_url: str = "",
) -> AsyncGenerator[tuple[str, int]]:
    """Run a server, and yield its URL and the id of its first process. By default it does not cache results."""
    port = free_port()
    _link_models(folder, models)
    environment = {
        **os.environ,
        **SETTINGS,
        "DATABASE_URL": database_url,
        "LECTERN_DATA_DIR": str(folder),
        "LECTERN_PORT": str(port),
        "LECTERN_API_PROCESSES": str(processes),
        "BENCHMARK_RESULT_CACHE_BYTES": str(result_cache_bytes),
        "DATABASE_REPLICA_URL": replica_url,
    }
    command = [sys.executable, str(Path(__file__).with_name("scale_server.py"))]
    with subprocess.Popen(command, env=environment) as process:  # noqa: ASYNC220 (started once)
        try:
            await _until_ready(port)
            yield f"http://127.0.0.1:{port}", process.pid
        finally:
            process.terminate()


def _link_models(folder: Path, models: Path) -> None:
    for path in (folder, models):
        path.mkdir(parents=True, exist_ok=True)
    if not (folder / "models").exists():
        (folder / "models").symlink_to(models, target_is_directory=True)


async def _until_ready(port: int) -> None:
    for _ in range(1200):
        with contextlib.suppress(OSError):
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.close()
            return
        await asyncio.sleep(0.1)
    raise RuntimeError("The server does not answer.")


async def load(
    url: str, headers: Mapping[str, str], bodies: Sequence[Mapping[str, Any]], *, clients: int, requests: int
) -> tuple[list[RequestTiming], float]:
    """Send the requests and return the timing of each, and the seconds for all of them."""
    connected = [await SearchClient(url, headers).open() for _ in range(clients)]
    timings: list[RequestTiming] = []
    numbers = iter(range(requests))

    async def work(client: SearchClient) -> None:
        for number in numbers:
            timings.append(await client.search(bodies[number % len(bodies)]))  # noqa: PERF401 (in the order of the responses)

    started = time.perf_counter()
    await asyncio.gather(*(work(client) for client in connected))
    seconds = time.perf_counter() - started
    for client in connected:
        client.close()
    return timings, seconds
