"""Kill the worker and Postgres at random moments of an ingestion, and check that nothing is lost or doubled.

    cd api && python -m benchmarks.kill_worker FOLDER [--workers 20] [--postgres 5] [--embeddings hash:384] [--seed N]

Jobs run all the time, because copies of the files with another last line are added until the last kill. Each kill waits
until a job reaches a random stage, and some random time more. A third crash in a row ends a job by design, so no kill
comes while a job has two. At the end every document must be `ready` once, and no invariant of
`lectern.operations.integrity` broken.
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
MAY_CRASH = "SELECT count(*) = 0 FROM jobs WHERE state = 'running' AND crashes >= 2"


async def describe_stages(library: Library) -> str:
    """Return the stages of the running jobs."""
    async with library.database.session(SYSTEM_SCOPE) as session:
        rows = await session.execute(text("SELECT coalesce(stage, '-') FROM jobs WHERE state = 'running'"))
        counts = Counter(rows.scalars())
    return ", ".join(f"{stage} x{count}" for stage, count in sorted(counts.items())) or "no running job"


class Killer:
    """The loop that adds documents and kills processes."""

    def __init__(
        self, library: Library, postgres: ThrowawayPostgres, files: list[Path], *, seed: int, longest_wait: float
    ) -> None:
        self.library = library
        self.postgres = postgres
        self.files = files
        self.longest_wait = longest_wait
        self.random = random.Random(seed)
        self.added: list[uuid.UUID] = []

    async def wait_for_stage(self, stage: str) -> None:
        """Add files until a job reaches the stage, and wait for a random time."""
        while True:
            while not await self.library.value(REACHED.format(stage)):
                await self.add_files()
                await asyncio.sleep(0.002)
            await asyncio.sleep(self.random.uniform(0, self.longest_wait) ** 2)  # mostly short, as stages are
            if await self.library.value(MAY_CRASH):
                return
            await self.wait_for(MAY_CRASH)

    async def add_files(self, count: int = 4) -> None:
        """Add files until `count` documents are unfinished."""
        query = "SELECT count(*) FROM documents WHERE status IN ('queued', 'processing')"
        while await self.library.value(query) < count:
            path = self.files[len(self.added) % len(self.files)]
            copy = path.read_bytes() + f"\n%{len(self.added)}".encode()
            self.added.append(await self.library.add(copy, filename=f"{len(self.added)}-{path.name}"))

    async def kill_worker(self, process: asyncio.subprocess.Process) -> asyncio.subprocess.Process:
        """Kill the worker and start another one."""
        print(f"  worker killed at: {await describe_stages(self.library)}")
        process.kill()
        await process.wait()
        return await self.library.start_worker_process()

    async def kill_postgres(self) -> None:
        """Kill Postgres and wait until it is restarted."""
        server, deadline = self.postgres.server, time.monotonic() + 60
        print(f"  Postgres killed at: {await describe_stages(self.library)}")
        assert server.pid is not None
        os.kill(server.pid, signal.SIGKILL)
        while server.is_running:  # noqa: ASYNC110 - a process that was killed has no event to wait for
            await asyncio.sleep(0.01)
        while not server.poll(deadline=deadline):  # noqa: ASYNC110 - nor has a server that starts
            await asyncio.sleep(0.05)
        await self.library.database.engine.dispose()

    async def run(self, victims: list[str]) -> None:
        """Kill one victim after the other, and report."""
        process = await self.library.start_worker_process()
        for victim in victims:
            await self.wait_for_stage(self.random.choice(STAGES))
            if victim == "worker":
                process = await self.kill_worker(process)
            else:
                await self.kill_postgres()
        started = time.monotonic()
        await self.wait_for("SELECT count(*) = 0 FROM documents WHERE status IN ('queued', 'processing')")
        print(f"all jobs finished {time.monotonic() - started:.1f} s after the last kill")
        process.terminate()
        await process.wait()
        await self.report()

    async def wait_for(self, query: str) -> None:
        """Wait until a query returns true."""
        while not await self.library.value(query):  # noqa: ASYNC110 - another process changes it
            await asyncio.sleep(0.05)

    async def report(self) -> None:
        """Print states, failures and broken invariants. Exit with 1 if there are failures or broken invariants."""
        async with self.library.database.session(SYSTEM_SCOPE) as session:
            states = dict((await session.execute(text("SELECT status, count(*) FROM documents GROUP BY 1"))).all())
            failures = (
                await session.execute(text("SELECT filename, error_code FROM documents WHERE status = 'failed'"))
            ).all()
        violations = await self.library.violations()
        print(f"{len(self.added)} documents: {states}; failures: {[tuple(row) for row in failures] or 'none'}")
        print("broken invariants:", violations or "none")
        if violations or failures:
            raise SystemExit(1)


async def main() -> None:
    """Kill on a temporary Postgres."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--workers", type=int, default=20, help="number of kills of the worker")
    parser.add_argument("--postgres", type=int, default=5, help="number of kills of Postgres")
    parser.add_argument("--embeddings", default="hash:384")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--longest-wait", type=float, default=1, help="square root of the longest wait, in seconds")
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
