"""Kills the worker and Postgres at random moments of an ingestion and looks whether anything is lost or doubled.

    cd api && python -m benchmarks.kill_worker FOLDER [--workers 20] [--postgres 5] [--embeddings hash:384] [--seed N]

Files are added again, changed by a comment line or a byte at their end, until all kills are done, so that there is
always something under way. Each kill waits until a job reaches a stage drawn at random, and a random moment more. A
third crash in a row without lasting progress ends a job by design (it has a test of its own), so a job that had two is
left to get on first. Afterwards everything must be `ready` exactly once, and no rule of `ingestion/invariants.py`
broken.
"""

import argparse
import asyncio
import os
import random
import signal
import tempfile
import time
import uuid
from collections import Counter
from pathlib import Path

from benchmarks.throwaway import ThrowawayPostgres, throwaway_postgres
from sqlalchemy import text
from tests.ingestion.library import Library, open_library

from lectern.db.migrations.runner import migrate
from lectern.db.scope import SYSTEM_SCOPE
from lectern.settings import EmbeddingsSettings

STAGES = ("extract", "chunk", "index", "embed")
REACHED = "SELECT count(*) > 0 FROM jobs WHERE state = 'running' AND stage = '{}'"
FORGIVING = "SELECT count(*) = 0 FROM jobs WHERE state = 'running' AND crashes >= 2"


async def stages(library: Library) -> str:
    async with library.database.session(SYSTEM_SCOPE) as session:
        rows = await session.execute(text("SELECT state, coalesce(stage, '-') FROM jobs WHERE state = 'running'"))
        found = Counter(f"{stage}" for _, stage in rows)
    return ", ".join(f"{stage} x{count}" for stage, count in sorted(found.items())) or "nothing running"


class Killer:
    """Feeds the library and kills what serves it."""

    def __init__(
        self, library: Library, postgres: ThrowawayPostgres, files: list[Path], *, seed: int, longest_wait: float
    ) -> None:
        self.library = library
        self.postgres = postgres
        self.files = files
        self.longest_wait = longest_wait
        self.random = random.Random(seed)
        self.added: list[uuid.UUID] = []

    async def reach(self, stage: str) -> None:
        """Keep files coming until a job is at that stage, and wait for a random moment within it, or after it."""
        while True:
            while not await self.library.value(REACHED.format(stage)):
                await self.feed()
                await asyncio.sleep(0.002)
            await asyncio.sleep(self.random.uniform(0, self.longest_wait) ** 2)  # stages are short: rather soon
            if await self.library.value(FORGIVING):
                return
            await self.until(FORGIVING)

    async def feed(self, least: int = 4) -> None:
        """Add files until so many documents are unfinished."""
        query = "SELECT count(*) FROM documents WHERE status IN ('queued', 'processing')"
        while await self.library.value(query) < least:
            path = self.files[len(self.added) % len(self.files)]
            copy = path.read_bytes() + f"\n%{len(self.added)}".encode()
            self.added.append(await self.library.add(copy, filename=f"{len(self.added)}-{path.name}"))

    async def kill_worker(self, process: asyncio.subprocess.Process) -> asyncio.subprocess.Process:
        print(f"  worker killed at: {await stages(self.library)}")
        process.kill()
        await process.wait()
        return await self.library.start_worker_process()

    async def kill_postgres(self) -> None:
        server, deadline = self.postgres.server, time.monotonic() + 60
        print(f"  Postgres killed at: {await stages(self.library)}")
        assert server.pid is not None
        os.kill(server.pid, signal.SIGKILL)
        while server.is_running:  # noqa: ASYNC110 - a process that was killed has no event to wait for
            await asyncio.sleep(0.01)
        while not server.poll(deadline=deadline):  # noqa: ASYNC110 - nor has a server that comes up
            await asyncio.sleep(0.05)
        await self.library.database.engine.dispose()

    async def run(self, victims: list[str]) -> None:
        process = await self.library.start_worker_process()
        for victim in victims:
            await self.reach(self.random.choice(STAGES))
            if victim == "worker":
                process = await self.kill_worker(process)
            else:
                await self.kill_postgres()
        await self.settle(process)

    async def until(self, query: str) -> None:
        while not await self.library.value(query):  # noqa: ASYNC110 - it is a poll from outside
            await asyncio.sleep(0.05)

    async def settle(self, process: asyncio.subprocess.Process) -> None:
        began = time.monotonic()
        await self.until("SELECT count(*) = 0 FROM documents WHERE status IN ('queued', 'processing')")
        print(f"everything settled {time.monotonic() - began:.1f} s after the last kill")
        process.terminate()
        await process.wait()
        await self.report()

    async def report(self) -> None:
        async with self.library.database.session(SYSTEM_SCOPE) as session:
            states = dict((await session.execute(text("SELECT status, count(*) FROM documents GROUP BY 1"))).all())
            failures = (
                await session.execute(text("SELECT filename, error_code FROM documents WHERE status = 'failed'"))
            ).all()
        violations = await self.library.violations()
        print(f"{len(self.added)} documents: {states}; failures: {[tuple(row) for row in failures] or 'none'}")
        print("broken rules:", violations or "none")
        if violations or failures:
            raise SystemExit(1)


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--workers", type=int, default=20)
    parser.add_argument("--postgres", type=int, default=5)
    parser.add_argument("--embeddings", default="hash:384")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--longest-wait", type=float, default=1, help="after a stage is reached: its root, in seconds")
    parser.add_argument("--model-dir", type=Path, default=Path.home() / ".cache" / "lectern-benchmarks" / "models")
    arguments = parser.parse_args()
    victims = ["worker"] * arguments.workers + ["postgres"] * arguments.postgres
    random.Random(arguments.seed).shuffle(victims)
    embeddings = EmbeddingsSettings(provider=arguments.embeddings, model_dir=arguments.model_dir)
    files = sorted(path for path in arguments.folder.iterdir() if path.is_file())
    with throwaway_postgres() as postgres, tempfile.TemporaryDirectory() as folder:
        postgres.prepare_template(migrate)
        with postgres.fresh_database() as urls:
            async with open_library(urls, Path(folder), embeddings=embeddings) as library:
                killer = Killer(library, postgres, files, seed=arguments.seed, longest_wait=arguments.longest_wait)
                await killer.run(victims)


if __name__ == "__main__":
    asyncio.run(main())
