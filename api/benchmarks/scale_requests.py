"""Requests to a real server, run with uvicorn as `lectern serve` does it, from clients that cost little.

The server says in a header how long each request waited for Postgres and for the embedding of its query.
"""

import asyncio
import contextlib
import json
import os
import statistics
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

TICKS: Final = os.sysconf("SC_CLK_TCK")
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
class Taken:
    """Milliseconds of one request: as the client saw it, and what the server says of it."""

    total: float
    sql: float
    embedding: float
    statement: float

    @property
    def added(self) -> float:
        return self.total - self.sql - self.embedding


class Client:
    """One connection that is kept."""

    def __init__(self, url: str, headers: Mapping[str, str]) -> None:
        parts = urlsplit(url)
        self._address = (parts.hostname or "", parts.port or 80)
        self._headers = "".join(f"{name}: {value}\r\n" for name, value in headers.items())

    async def open(self) -> "Client":
        self._reader, self._writer = await asyncio.open_connection(*self._address)
        return self

    async def post(self, path: str, body: Mapping[str, Any]) -> tuple[dict[str, str], Any]:
        """Headers and the body, decoded. Raises for anything but success."""
        payload = json.dumps(body).encode()
        head = f"POST {path} HTTP/1.1\r\nHost: lectern.test\r\nContent-Type: application/json\r\n{self._headers}"
        self._writer.write(f"{head}Content-Length: {len(payload)}\r\n\r\n".encode() + payload)
        status, *lines = (await self._reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
        answer = await self._reader.readexactly(int(headers["content-length"]))
        if " 20" not in status[:13]:
            raise RuntimeError(f"{status}: {answer[:300]!r}")
        return headers, answer

    async def search(self, body: Mapping[str, Any]) -> Taken:
        begun = time.perf_counter()
        headers, answer = await self.post("/api/v1/search", body)
        total = (time.perf_counter() - begun) * 1000
        sql, embedding = (float(value) for value in headers["x-benchmark"].split(","))
        return Taken(total, sql, embedding, json.loads(answer)["metadata"]["took_ms"]["search"])

    def close(self) -> None:
        self._writer.close()


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
    """Its address and the number of its (first) process. It searches for each request, unless it may keep responses."""
    port = free_port()
    if not (folder / "models").exists():
        (folder / "models").symlink_to(models, target_is_directory=True)
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
) -> tuple[list[Taken], float]:
    """What each request took, and the seconds for all of them."""
    opened = [await Client(url, headers).open() for _ in range(clients)]
    taken: list[Taken] = []
    numbers = iter(range(requests))

    async def work(client: Client) -> None:
        for number in numbers:
            taken.append(await client.search(bodies[number % len(bodies)]))  # noqa: PERF401 (in the order of the answers)

    begun = time.perf_counter()
    await asyncio.gather(*(work(client) for client in opened))
    seconds = time.perf_counter() - begun
    for client in opened:
        client.close()
    return taken, seconds


def processor_milliseconds(pid: int, *, with_children: bool = False) -> float:
    """Processor time of a process so far; with its living and its ended children."""
    own = _ticks(pid, ended=with_children)
    if with_children:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
        own += sum(_ticks(int(child), ended=False) for child in children)
    return own * 1000 / TICKS


def _ticks(pid: int, *, ended: bool) -> int:
    with contextlib.suppress(OSError):
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return sum(int(value) for value in fields[11 : 15 if ended else 13])
    return 0


def quantiles(values: Sequence[float]) -> tuple[float, float, float]:
    """p50, p95 and p99."""
    ordered = sorted(values)
    return statistics.median(ordered), ordered[int(len(ordered) * 0.95)], ordered[int(len(ordered) * 0.99)]
