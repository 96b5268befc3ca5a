"""The MCP service as a process of its own."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx

from fake_api import SERVICE_KEY

SOURCES = str(Path(__file__).parents[2] / "src")
COMMAND = ["-m", "lectern_mcp"]


def environment(**variables: str) -> dict[str, str]:
    """Return the variables of a process: those of the test and the service key."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("MCP_", "LECTERN_", "BACKEND_"))}
    return {**kept, "PYTHONPATH": SOURCES, "BACKEND_API_KEY": SERVICE_KEY, **variables}


@asynccontextmanager
async def running(port: int, **variables: str) -> AsyncGenerator[asyncio.subprocess.Process]:
    """The service as its own process, answering /health; ended by SIGTERM, it must leave no temporary files."""
    with TemporaryDirectory() as folder:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *COMMAND,
            env=environment(MCP_PORT=str(port), TMPDIR=folder, **variables),
            stderr=asyncio.subprocess.PIPE,
        )
        try:
            async with httpx.AsyncClient() as http, asyncio.timeout(90):  # a busy machine starts slowly
                while True:
                    assert process.returncode is None, await errors_of(process)
                    try:
                        await http.get(f"http://127.0.0.1:{port}/health")
                        break
                    except httpx.TransportError:
                        await asyncio.sleep(0.05)
            yield process
        finally:
            if process.returncode is None:
                process.send_signal(signal.SIGTERM)
            await asyncio.wait_for(process.wait(), timeout=60)
        assert files_in(folder) == []


def files_in(folder: str) -> list[Path]:
    """List what a folder holds."""
    return list(Path(folder).iterdir())


async def errors_of(process: asyncio.subprocess.Process) -> str:
    """Return standard error until the process ends. Start it early: a full pipe would halt the process."""
    return (await process.stderr.read()).decode() if process.stderr else ""
