"""Measure search over 100,000 chunks and more: latency, recall of the indexes, sizes, and ingestion into full indexes.

    python benchmarks/search_scale.py FOLDER SET... [--chunks N] [--pool N] [--requests N] [--only PART...]

FOLDER is the library's. The first run builds it from chunks of the sets (`scale_pool.py`). Later runs only measure it,
or add chunks first if there are fewer than N.
The questions are those of the sets. Their vectors come from the server's cache, as with repeated questions.
`SQL` is all round trips of a request to Postgres, and `statement` the search statement alone, as the server measures.
`CPU` is the CPU time of a request in the API and in Postgres. A busy machine changes it less than latency.
"""

import argparse
import asyncio
import json
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, Final

import corpora
import scale_library
from scale_indexes import measure_indexes, measure_ingestion
from scale_library import LIBRARY, Server, open_server
from scale_pool import read_pool
from scale_requests import RequestTiming, SearchClient, load, running_server, sign_in_as_admin
from throwaway import PASSWORD, standby_of
from timing import cpu_seconds_with_children, quantiles

from lectern.embedded import cluster
from lectern.embeddings.provider import EmbeddingProvider
from lectern.embeddings.registry import create_provider
from lectern.settings import EmbeddingsSettings

PARTS: Final = ("latency", "cold", "indexes", "ingestion")
Case = tuple[str, str, dict[str, Any]]


async def create_keys(url: str) -> dict[str, str]:
    """Create API keys with different scopes. Return them by name, and the administrator's token as `admin`."""
    tokens = {"admin": await sign_in_as_admin(url)}
    client = await SearchClient(url, {"Authorization": f"Bearer {tokens['admin']}"}).open()
    scopes: dict[str, dict[str, Any]] = {
        "key, all": {},
        "key, all named": {"collections": [str(LIBRARY), scale_library.PART]},
        "key, 30 %": {"collections": [scale_library.PART]},
        "key, 1 %": {"tags": ["narrow"]},
    }
    for name, scope in scopes.items():
        _, content = await client.post("/api/v1/keys", {"name": name, **scope})
        tokens[name] = json.loads(content)["key"]
    client.close()
    return tokens


def cases(document: str) -> list[Case]:
    """Return name, token name and filters of each case."""
    part = {"collections": [scale_library.PART]}
    return [
        ("no filter", "admin", {}),
        ("30 % of tags", "admin", {"tags": ["broad"]}),
        ("1 % tag", "admin", {"tags": ["narrow"]}),
        ("one document", "admin", {"documents": [document]}),
        ("30 % collection", "admin", part),
        ("key: everything", "key, all", {}),
        ("key: all collections", "key, all named", {}),
        ("key: 30 % collection", "key, 30 %", {}),
        ("key: 1 % tag", "key, 1 %", {}),
    ]


def print_timings(
    name: str, timings: Sequence[RequestTiming], *, clients: int, seconds: float, cpu_seconds: tuple[float, float]
) -> None:
    """Print a line with quantiles, rate and CPU time of the requests."""
    fields = ("total", "sql", "statement", "added")
    columns = [quantiles([getattr(one, field) for one in timings]) for field in fields]
    parts = "  ".join(f"{p50:7.1f} {p95:7.1f} {p99:7.1f}" for p50, p95, p99 in columns)
    api, postgres = (1000 * spent / len(timings) for spent in cpu_seconds)
    print(f"{name:22s} {clients:3d}  {parts}  {len(timings) / seconds:6.1f}/s  {api:6.1f} {postgres:6.1f}", flush=True)


async def measure_latency(
    server: Server, arguments: argparse.Namespace, questions: Sequence[str], *, parts: Sequence[str]
) -> None:
    """Print every case with every number of clients, and some after a restart of Postgres."""
    document = scale_library.first_document(server.database)
    options = {"folder": arguments.folder / "api", "models": arguments.cache / "models"}
    options |= {"processes": arguments.processes, "result_cache_bytes": arguments.result_cache_bytes}
    async with AsyncExitStack() as stack:
        if arguments.replica:
            standby = stack.enter_context(standby_of(server.postgres, settings={}))
            service = {"database": cluster.DATABASE, "user": cluster.SERVICE, "password": PASSWORD}
            options["replica_url"] = standby.url(**service)
        url, pid = await stack.enter_async_context(running_server(server.database.service_url, **options))
        tokens = await create_keys(url)
        titles = "  ".join(f"{name + ' p50/p95/p99':>23s}" for name in ("API", "SQL", "statement", "added"))
        print(f"{'milliseconds':22s} {'n':>3s}  {titles}  {'rate':>8s}  CPU: API, Postgres")
        for name, token, extra in cases(document):
            headers = {"Authorization": f"Bearer {tokens[token]}"}
            bodies = [{"query": question, **extra} for question in questions]
            await load(url, headers, bodies, clients=1, requests=len(bodies))
            if "cold" in parts and name in {"no filter", "key: all collections"}:
                server.restart()
                timings, seconds = await load(url, headers, bodies, clients=1, requests=len(bodies))
                print_timings(f"{name}, cold", timings, clients=1, seconds=seconds, cpu_seconds=(0, 0))
                await load(url, headers, bodies, clients=1, requests=len(bodies))
            for clients in arguments.clients if "latency" in parts else ():
                processes = (pid, server.postgres.pid or 0)
                before = [cpu_seconds_with_children(process) for process in processes]
                timings, seconds = await load(url, headers, bodies, clients=clients, requests=arguments.requests)
                after = [cpu_seconds_with_children(process) for process in processes]
                spent = (after[0] - before[0], after[1] - before[1])
                print_timings(name, timings, clients=clients, seconds=seconds, cpu_seconds=spent)


async def measure(server: Server, provider: EmbeddingProvider, arguments: argparse.Namespace) -> None:
    """Print the sizes of the library and the chosen measurements."""
    every = [question.text for question in corpora.read_questions(arguments.sets)]
    step = max(len(every) // arguments.questions, 1)
    questions = every[::step][: arguments.questions]
    print(f"\n{scale_library.count_chunks(server.database):,} chunks, {len(questions)} questions")
    for name, (kind, rows, mebibytes) in scale_library.sizes(server.database).items():
        print(f"  {'table' if kind == 'r' else 'index'} {name:40s} {rows:>10,} rows {mebibytes:>9,.1f} MiB")
    if {"latency", "cold"} & set(arguments.only):
        await measure_latency(server, arguments, questions, parts=arguments.only)
    if "indexes" in arguments.only:
        await measure_indexes(server.database.service_url, provider, questions)
    if "ingestion" in arguments.only:
        await measure_ingestion(server, provider, arguments, questions)


async def run(arguments: argparse.Namespace) -> None:
    """Build the library if it is too small, and measure it."""
    provider = create_provider(EmbeddingsSettings(threads=arguments.threads), model_dir=arguments.cache / "models")
    await provider.prepare()
    with open_server(arguments.folder) as server:
        if scale_library.count_chunks(server.database) < arguments.chunks:
            pool = await read_pool(arguments.sets, provider, cache=arguments.cache, size=arguments.pool)
            print("pool:", {language: len(chunks) for language, chunks in pool.items()})
            steps = scale_library.build(server.database, pool, provider.info, chunks=arguments.chunks)
            print("build, seconds:", {name: round(seconds, 1) for name, seconds in steps.items()})
        await measure(server, provider, arguments)
    await provider.close()


def main() -> None:
    """Measure the library of the folder."""
    parser = corpora.make_parser(__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("sets", nargs="+", type=Path)
    parser.add_argument("--chunks", type=int, default=100_000)
    parser.add_argument("--pool", type=int, default=1_000)
    parser.add_argument("--questions", type=int, default=40)
    parser.add_argument("--requests", type=int, default=200)
    parser.add_argument("--clients", type=int, nargs="+", default=[1, 8, 32])
    parser.add_argument("--processes", type=int, default=1, help="number of API processes")
    parser.add_argument("--result-cache-bytes", type=int, default=0, help="size of the result cache, 0 for none")
    parser.add_argument("--replica", action="store_true", help="search on a standby on the same machine")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS)
    asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    main()
