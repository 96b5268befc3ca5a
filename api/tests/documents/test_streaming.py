"""Large uploads stream through a real server in constant memory. Interrupted uploads leave nothing."""

import asyncio
import os
import socket
import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from benchmarks.throwaway import ThrowawayDatabase, ThrowawayPostgres
from tests.api import ADMIN_EMAIL, ADMIN_PASSWORD, SERVICE_KEY

LARGE = 96 * 1024 * 1024
PIECE = b"All work and no play makes a dull page of text.\n" * 1365
DOCUMENTS = "/api/v1/documents"


@dataclass(slots=True)
class Served:
    """The API in its own process."""

    pid: int
    port: int
    folder: Path
    client: httpx.AsyncClient

    def peak_megabytes(self) -> float:
        status = Path(f"/proc/{self.pid}/status").read_text(encoding="utf-8")
        return int(status.split("VmHWM:")[1].split()[0]) / 1024

    def files(self) -> list[Path]:
        return [path for path in self.folder.rglob("*") if path.is_file()]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def environment(database: ThrowawayDatabase, folder: Path, port: int) -> dict[str, str]:
    return {
        **os.environ,
        "DATABASE_URL": database.service_url,
        "LECTERN_DATA_DIR": str(folder),
        "LECTERN_STORAGE_URL": (folder / "store").as_uri(),
        "LECTERN_PORT": str(port),
        "LECTERN_RATE_LIMIT_PER_MINUTE": "0",
        "LECTERN_EMBEDDINGS": "hash:32",  # loading a model takes longer than the tests
        "JWT_SECRET_KEY": "jwt-secret-of-the-tests-0123456789-abcdef",
        "BACKEND_API_KEY": SERVICE_KEY,
        "ADMIN_EMAIL": ADMIN_EMAIL,
        "ADMIN_PASSWORD": ADMIN_PASSWORD,
    }


@pytest.fixture(scope="module")
async def served(postgres: ThrowawayPostgres, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Served]:
    folder, port = tmp_path_factory.mktemp("served"), free_port()
    with postgres.fresh_database() as database:
        async with serve(environment(database, folder, port), folder=folder, port=port) as made:
            yield made


@asynccontextmanager
async def serve(variables: dict[str, str], *, folder: Path, port: int) -> AsyncGenerator[Served]:
    """Run the API, and sign in as the administrator."""
    process = await asyncio.create_subprocess_exec(sys.executable, "-m", "lectern", "serve", env=variables)
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=120) as client:
        try:
            await until_ready(client, process)
            body = {"email": ADMIN_EMAIL, "password": ADMIN_PASSWORD, "use_cookies": False}
            token = (await client.post("/api/v1/auth/sign-in", json=body)).json()["access_token"]
            client.headers["Authorization"] = f"Bearer {token}"
            yield Served(process.pid, port, folder / "store", client)
        finally:
            process.terminate()
            await process.wait()


async def until_ready(client: httpx.AsyncClient, process: asyncio.subprocess.Process) -> None:
    async with asyncio.timeout(60):
        while process.returncode is None:
            try:
                if (await client.get("/ready")).status_code == 200:
                    return
            except httpx.ConnectError:
                await asyncio.sleep(0.1)
    pytest.fail("The server ended before it was ready.")


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):
        while not is_so():  # noqa: ASYNC110 - another process makes it so, and does not tell
            await asyncio.sleep(0.02)


async def pieces(size: int) -> AsyncGenerator[bytes]:
    for _ in range(size // len(PIECE)):
        yield PIECE


async def form(size: int) -> AsyncGenerator[bytes]:
    yield b'--B\r\nContent-Disposition: form-data; name="files"; filename="large.txt"\r\n\r\n'
    async for piece in pieces(size):
        yield piece
    yield b"\r\n--B--\r\n"


@pytest.mark.skipif(
    not Path("/proc/self/status").exists(), reason="needs /proc to read a process's memory: run on Linux"
)
async def test_large_files_stream_in_constant_memory(served: Served) -> None:
    await served.client.post(DOCUMENTS, content=b"warm")
    before = served.peak_megabytes()
    body = await served.client.post(DOCUMENTS, content=pieces(LARGE), params={"filename": "a.txt"})
    assert body.status_code == 202
    headers = {"Content-Type": "multipart/form-data; boundary=B"}
    again = await served.client.post(DOCUMENTS, content=form(LARGE), headers=headers)
    item = again.json()["items"][0]
    assert item["is_duplicate"]
    received = 0
    url = f"{DOCUMENTS}/{item['document']['id']}/original"
    async with served.client.stream("GET", url) as response:
        async for piece in response.aiter_raw():
            received += len(piece)
    assert received == item["document"]["size_bytes"] == LARGE // len(PIECE) * len(PIECE)
    assert served.peak_megabytes() - before < 48


async def test_interrupted_upload_leaves_nothing(served: Served) -> None:
    authorization = served.client.headers["Authorization"]
    files, documents = served.files(), (await served.client.get(DOCUMENTS)).json()["total"]
    _, writer = await asyncio.open_connection("127.0.0.1", served.port)
    head = f"POST {DOCUMENTS} HTTP/1.1\r\nHost: x\r\nAuthorization: {authorization}\r\nContent-Length: 90000000\r\n\r\n"
    writer.write(head.encode() + PIECE * 20)
    await writer.drain()
    await until(lambda: len(served.files()) > len(files))  # the upload is being written
    writer.close()
    await writer.wait_closed()
    await until(lambda: served.files() == files)
    assert (await served.client.get(DOCUMENTS)).json()["total"] == documents
