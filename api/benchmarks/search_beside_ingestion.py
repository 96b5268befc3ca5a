"""What a search takes while a real worker reads, indexes and embeds real files, beside the same without it.

    cd api && python -m benchmarks.search_beside_ingestion SET... [--rounds N] [--seconds S] [--processes N]

One client asks the questions of the sets, which are in the cache of query vectors; the worker is stopped (SIGSTOP)
every other S seconds, so that both numbers are of the same library and of the same minute. Reading and indexing come
first, then embedding; a line for each stage.
"""

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import psutil
from benchmarks.throwaway import throwaway_postgres
from tests.ingestion.library import Library, open_library

from lectern.db.migrations.runner import migrate
from lectern.jobs.service import BULK
from lectern.settings import EmbeddingsSettings

sys.path.insert(0, str(Path(__file__).parent))

import corpora
from scale_requests import load, quantiles, running_server
from search_scale import sign_in_as_admin

UNREAD = "SELECT count(*) FROM documents WHERE keyword_ready_at IS NULL AND status <> 'failed'"


def family(pid: int) -> list[psutil.Process]:
    """A process and all below it."""
    process = psutil.Process(pid)
    return [process, *process.children(recursive=True)]


async def ask(url: str, headers: dict[str, str], questions: Sequence[str], *, seconds: float) -> list[float]:
    """Milliseconds of each search until the time is over."""
    bodies = [{"query": question} for question in questions]
    until, taken = time.monotonic() + seconds, list[float]()
    while time.monotonic() < until:
        done, _ = await load(url, headers, bodies, clients=1, requests=len(bodies))
        taken += [one.total for one in done]
    return taken


async def run(arguments: argparse.Namespace, library: Library) -> None:
    files = sorted(path for folder in arguments.sets for path in (folder / "pdfs").iterdir() if path.is_file())
    questions = [question.text for folder in arguments.sets for question in corpora.read_questions(folder)][:20]
    options = {"folder": arguments.cache / "api", "models": arguments.cache / "models"}
    async with running_server(library.urls.service_url, processes=arguments.processes, **options) as (url, _):
        headers = {"Authorization": f"Bearer {await sign_in_as_admin(url)}"}
        for path in files:
            await library.add(path, priority=BULK)
        worker = await library.start_worker_process()
        await asyncio.sleep(arguments.seconds)
        await ask(url, headers, questions, seconds=1)
        beside: dict[str, list[float]] = {"reading and indexing": [], "embedding": []}
        alone: dict[str, list[float]] = {stage: [] for stage in beside}
        for _ in range(arguments.rounds):
            stage = "reading and indexing" if await library.value(UNREAD) else "embedding"
            beside[stage] += await ask(url, headers, questions, seconds=arguments.seconds)
            stopped = family(worker.pid)
            for process in stopped:
                process.suspend()
            alone[stage] += await ask(url, headers, questions, seconds=arguments.seconds)
            for process in stopped:
                process.resume()
        for stage in [stage for stage in beside if beside[stage]]:
            (p50, p95, _), (idle50, idle95, _) = quantiles(beside[stage]), quantiles(alone[stage])
            print(f"{stage:20s} p50 {p50:6.1f} beside {idle50:6.1f} ms ({p50 / idle50:.2f})", end="   ")
            print(f"p95 {p95:6.1f} beside {idle95:6.1f} ({p95 / idle95:.2f})   {len(beside[stage])} searches")
        print(f"{await library.value('SELECT count(*) FROM chunks')} passages at the end")
        worker.terminate()
        await worker.wait()


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="+", type=Path)
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--seconds", type=float, default=4)
    parser.add_argument("--processes", type=int, default=1, help="of the API")
    parser.add_argument("--cache", type=Path, default=corpora.DEFAULT_CACHE)
    arguments = parser.parse_args()
    embeddings = EmbeddingsSettings(model_dir=arguments.cache / "models")
    with throwaway_postgres() as postgres, tempfile.TemporaryDirectory() as folder:
        postgres.prepare_template(migrate)
        with postgres.fresh_database() as urls:
            async with open_library(urls, Path(folder), embeddings=embeddings) as library:
                await run(arguments, library)


if __name__ == "__main__":
    asyncio.run(main())
