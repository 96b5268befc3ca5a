"""Measure search latency while a worker ingests files, and without it.

    cd api && python -m benchmarks.search_beside_ingestion SET... [--rounds N] [--seconds S] [--processes N]

One client searches for questions of the sets. Their vectors are in the cache. The worker is suspended every other S
seconds, and both numbers are from the same library and the same minute. Extraction and indexing come first, then
embedding. Each has a line.
"""

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import psutil
from benchmarks.throwaway import fresh_library
from tests.ingestion.library import Library, open_library

from lectern.jobs.service import BULK
from lectern.settings import EmbeddingsSettings

sys.path.insert(0, str(Path(__file__).parent))

import corpora
from scale_requests import load, running_server, sign_in_as_admin
from timing import quantiles

UNINDEXED = "SELECT count(*) FROM documents WHERE keyword_ready_at IS NULL AND status <> 'failed'"


def process_tree(pid: int) -> list[psutil.Process]:
    """Return a process and its descendants."""
    process = psutil.Process(pid)
    return [process, *process.children(recursive=True)]


async def search(url: str, headers: dict[str, str], questions: Sequence[str], *, seconds: float) -> list[float]:
    """Search for some seconds, and return the milliseconds of each search."""
    bodies = [{"query": question} for question in questions]
    end, milliseconds = time.monotonic() + seconds, list[float]()
    while time.monotonic() < end:
        timings, _ = await load(url, headers, bodies, clients=1, requests=len(bodies))
        milliseconds += [one.total for one in timings]
    return milliseconds


async def measure(arguments: argparse.Namespace, library: Library) -> None:
    """Queue the files, search, and print a line for each stage."""
    files = sorted(path for folder in arguments.sets for path in (folder / "pdfs").iterdir() if path.is_file())
    questions = [question.text for question in corpora.read_questions(arguments.sets)][:20]
    options = {"folder": arguments.cache / "api", "models": arguments.cache / "models"}
    async with running_server(library.urls.service_url, processes=arguments.processes, **options) as (url, _):
        headers = {"Authorization": f"Bearer {await sign_in_as_admin(url)}"}
        for path in files:
            await library.add(path, priority=BULK)
        worker = await library.start_worker_process()
        await asyncio.sleep(arguments.seconds)
        await search(url, headers, questions, seconds=1)
        busy: dict[str, list[float]] = {"extract and index": [], "embed": []}
        idle: dict[str, list[float]] = {stage: [] for stage in busy}
        for _ in range(arguments.rounds):
            stage = "extract and index" if await library.value(UNINDEXED) else "embed"
            busy[stage] += await search(url, headers, questions, seconds=arguments.seconds)
            processes = process_tree(worker.pid)
            for process in processes:
                process.suspend()
            idle[stage] += await search(url, headers, questions, seconds=arguments.seconds)
            for process in processes:
                process.resume()
        for stage in [stage for stage in busy if busy[stage]]:
            (p50, p95, _), (idle50, idle95, _) = quantiles(busy[stage]), quantiles(idle[stage])
            print(f"{stage:20s} p50 {p50:6.1f}, idle {idle50:6.1f} ms ({p50 / idle50:.2f})", end="   ")
            print(f"p95 {p95:6.1f}, idle {idle95:6.1f} ({p95 / idle95:.2f})   {len(busy[stage])} searches")
        print(f"{await library.value('SELECT count(*) FROM chunks')} chunks at the end")
        worker.terminate()
        await worker.wait()


async def run(arguments: argparse.Namespace) -> None:
    """Measure on a temporary Postgres."""
    embeddings = EmbeddingsSettings(model_dir=arguments.cache / "models")
    with fresh_library() as urls, tempfile.TemporaryDirectory() as folder:
        async with open_library(urls, Path(folder), embeddings=embeddings) as library:
            await measure(arguments, library)


def main() -> None:
    """Measure with the arguments."""
    parser = corpora.make_parser(__doc__)
    parser.add_argument("sets", nargs="+", type=Path)
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--seconds", type=float, default=4)
    parser.add_argument("--processes", type=int, default=1, help="number of API processes")
    asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    main()
