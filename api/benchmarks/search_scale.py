"""Search over 100,000 passages and more: latency, recall, sizes, ingestion into a full index.

    python benchmarks/search_scale.py FOLDER SET... [--chunks N] [--pool N] [--requests N] [--only PART...]

FOLDER keeps the library: the first run builds it from passages of the sets (`scale_pool.py`), later ones only measure,
or let it grow first where more passages are asked for.
Questions are those of the sets, and their vectors come from the server's cache, as those of repeated questions do.
`SQL` is every exchange with Postgres of a request, `statement` the hybrid one alone, both as the server sees them;
`processor` is what a request costs the server's processes and Postgres, which a busy machine changes less than time.
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
from scale_library import ADMIN, LIBRARY, Server, kept_server
from scale_pool import read_pool
from scale_requests import Client, Taken, load, processor_milliseconds, quantiles, running_server
from throwaway import PASSWORD, standby_of

from lectern.embedded import cluster
from lectern.embeddings.provider import EmbeddingProvider
from lectern.embeddings.registry import create_provider
from lectern.settings import EmbeddingsSettings

PARTS: Final = ("latency", "cold", "indexes", "ingestion")
Case = tuple[str, str, dict[str, Any]]


async def sign_in_as_admin(url: str) -> str:
    """The administrator's token."""
    client = await Client(url, {}).open()
    body = {"email": ADMIN[0], "password": ADMIN[1], "use_cookies": False}
    _, answer = await client.post("/api/v1/auth/sign-in", body)
    client.close()
    token: str = json.loads(answer)["access_token"]
    return token


async def sign_in(url: str) -> dict[str, str]:
    """Keys by name, made by the administrator; `admin` is the administrator's own token."""
    tokens = {"admin": await sign_in_as_admin(url)}
    client = await Client(url, {"Authorization": f"Bearer {tokens['admin']}"}).open()
    scopes: dict[str, dict[str, Any]] = {
        "key, all": {},
        "key, all named": {"collections": [str(LIBRARY), scale_library.PART]},
        "key, 30 %": {"collections": [scale_library.PART]},
        "key, 1 %": {"tags": ["narrow"]},
    }
    for name, scope in scopes.items():
        _, answer = await client.post("/api/v1/keys", {"name": name, **scope})
        tokens[name] = json.loads(answer)["key"]
    client.close()
    return tokens


def cases(document: str) -> list[Case]:
    """Name, who asks, and what is added to the question."""
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


def show(name: str, taken: Sequence[Taken], *, clients: int, seconds: float, costs: tuple[float, float]) -> None:
    """One line."""
    columns = [quantiles([getattr(one, field) for one in taken]) for field in ("total", "sql", "statement", "added")]
    parts = "  ".join(f"{p50:7.1f} {p95:7.1f} {p99:7.1f}" for p50, p95, p99 in columns)
    api, postgres = (cost / len(taken) for cost in costs)
    print(f"{name:22s} {clients:3d}  {parts}  {len(taken) / seconds:6.1f}/s  {api:6.1f} {postgres:6.1f}", flush=True)


async def measure_latency(
    server: Server, arguments: argparse.Namespace, questions: Sequence[str], *, parts: Sequence[str]
) -> None:
    """Every case with every number of clients, and the first round after a restart of Postgres."""
    document = scale_library.any_document(server.database)
    (arguments.folder / "api").mkdir(exist_ok=True)
    options = {"folder": arguments.folder / "api", "models": arguments.cache / "models"}
    options |= {"processes": arguments.processes, "result_cache_bytes": arguments.result_cache_bytes}
    async with AsyncExitStack() as stack:
        if arguments.replica:
            standby = stack.enter_context(standby_of(server.postgres, settings={}))
            service = {"database": cluster.DATABASE, "user": cluster.SERVICE, "password": PASSWORD}
            options["replica_url"] = standby.url(**service)
        url, pid = await stack.enter_async_context(running_server(server.database.service_url, **options))
        tokens = await sign_in(url)
        titles = "  ".join(f"{name + ' p50/p95/p99':>23s}" for name in ("API", "SQL", "statement", "added"))
        print(f"{'milliseconds':22s} {'n':>3s}  {titles}  {'rate':>8s}  processor: API, Postgres")
        for name, who, extra in cases(document):
            headers = {"Authorization": f"Bearer {tokens[who]}"}
            bodies = [{"query": question, **extra} for question in questions]
            await load(url, headers, bodies, clients=1, requests=len(bodies))
            if "cold" in parts and name in {"no filter", "key: all collections"}:
                server.restart()
                taken, seconds = await load(url, headers, bodies, clients=1, requests=len(bodies))
                show(f"{name}, cold", taken, clients=1, seconds=seconds, costs=(0, 0))
                await load(url, headers, bodies, clients=1, requests=len(bodies))
            for clients in arguments.clients if "latency" in parts else ():
                postgres = server.postgres.pid or 0
                before = [processor_milliseconds(process, with_children=True) for process in (pid, postgres)]
                taken, seconds = await load(url, headers, bodies, clients=clients, requests=arguments.requests)
                after = [processor_milliseconds(process, with_children=True) for process in (pid, postgres)]
                costs = (after[0] - before[0], after[1] - before[1])
                show(name, taken, clients=clients, seconds=seconds, costs=costs)


async def measure(server: Server, provider: EmbeddingProvider, arguments: argparse.Namespace) -> None:
    """What was asked for."""
    every = [question.text for folder in arguments.sets for question in corpora.read_questions(folder)]
    step = max(len(every) // arguments.questions, 1)
    questions = every[::step][: arguments.questions]
    print(f"\n{scale_library.count_chunks(server.database):,} passages, {len(questions)} questions")
    for name, (kind, rows, mebibytes) in scale_library.sizes(server.database).items():
        print(f"  {'table' if kind == 'r' else 'index'} {name:40s} {rows:>10,} rows {mebibytes:>9,.1f} MiB")
    if {"latency", "cold"} & set(arguments.only):
        await measure_latency(server, arguments, questions, parts=arguments.only)
    if "indexes" in arguments.only:
        await measure_indexes(server.database.service_url, provider, questions)
    if "ingestion" in arguments.only:
        await measure_ingestion(server, provider, arguments, questions)


async def main(arguments: argparse.Namespace) -> None:
    """Build if need be, then measure."""
    provider = create_provider(EmbeddingsSettings(threads=arguments.threads), model_dir=arguments.cache / "models")
    await provider.prepare()
    with kept_server(arguments.folder) as server:
        if scale_library.count_chunks(server.database) < arguments.chunks:
            pool = await read_pool(arguments.sets, provider, cache=arguments.cache, size=arguments.pool)
            print("pool:", {language: len(passages) for language, passages in pool.items()})
            took = scale_library.build(server.database, pool, provider.info, chunks=arguments.chunks)
            print("built in seconds:", {name: round(seconds, 1) for name, seconds in took.items()})
        await measure(server, provider, arguments)
    await provider.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("sets", nargs="+", type=Path)
    parser.add_argument("--chunks", type=int, default=100_000)
    parser.add_argument("--pool", type=int, default=1_000)
    parser.add_argument("--questions", type=int, default=40)
    parser.add_argument("--requests", type=int, default=200)
    parser.add_argument("--clients", type=int, nargs="+", default=[1, 8, 32])
    parser.add_argument("--processes", type=int, default=1, help="of the API")
    parser.add_argument("--result-cache-bytes", type=int, default=0, help="size of the result cache; 0 switches it off")
    parser.add_argument("--replica", action="store_true", help="search on a standby on the same machine")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--cache", type=Path, default=corpora.DEFAULT_CACHE)
    asyncio.run(main(parser.parse_args()))
