"""Print the CPU time that a search costs above a search over REST, in the service and in the API.

    PYTHONPATH=mcp/src:mcp/tests/support:mcp/benchmarks:api/benchmarks python mcp/benchmarks/cost_over_rest.py 100 5

The numbers are searches of a round, and rounds.

API and service run as processes of their own, over the sample documents. A round has searches through the service, then
as many over REST. Every query is new and misses the result cache. The kernel counts the CPU time of both processes.
The database is not included, because its time is the same.
"""

import asyncio
import itertools
import json
import sys
import tempfile
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from statistics import median

import httpx
from cost_per_call import call, cpu_ms, service

from real_api import DOCUMENTS, real_api

Search = Callable[[str], Awaitable[None]]
QUESTIONS = DOCUMENTS.parent / "sources" / "questions.jsonl"


async def serve() -> None:
    """Run the API with the sample documents until standard input ends. Print its address and a key."""
    names = [path.name for path in DOCUMENTS.iterdir() if "scansione" not in path.name]
    with tempfile.TemporaryDirectory() as folder:
        async with real_api(Path(folder), documents=dict.fromkeys(names, ())) as api:
            key, _ = await api.key(toolsets=["search"])
            print(json.dumps({"url": api.url, "key": key}), flush=True)
            await asyncio.to_thread(sys.stdin.read)


@asynccontextmanager
async def api_process() -> AsyncGenerator[tuple[int, str, str]]:
    """Run the API, and yield its process id, its URL and a key."""
    pipe = asyncio.subprocess.PIPE
    command = [sys.executable, __file__, "--serve"]
    process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, stderr=asyncio.subprocess.DEVNULL)
    assert process.stdin
    assert process.stdout
    try:
        about = json.loads(await process.stdout.readline())
        yield process.pid, about["url"], about["key"]
    finally:
        process.stdin.close()
        await process.wait()


async def main(searches: int, rounds: int) -> None:
    questions = [json.loads(line)["question"] for line in QUESTIONS.read_text(encoding="utf-8").splitlines()]
    queries = (f"{question} {number}" for number, question in enumerate(itertools.cycle(questions)))
    async with api_process() as (api_pid, api_url, key), service(api_url) as (pid, url):
        headers = {"Authorization": f"Bearer {key}", "Accept": "application/json, text/event-stream"}
        async with httpx.AsyncClient(headers=headers, timeout=60) as http:

            async def through_service(query: str) -> None:
                await call(http, url, "search", {"query": query}, is_modern=True)

            async def directly(query: str) -> None:
                body = {"query": query, "top_k": 5, "rectangles": False}
                (await http.post(f"{api_url}/api/v1/search", json=body)).raise_for_status()

            async def spent(search: Search, times: int) -> tuple[float, float]:
                before = cpu_ms(pid), cpu_ms(api_pid)
                for query in itertools.islice(queries, times):
                    await search(query)
                return (cpu_ms(pid) - before[0]) / times, (cpu_ms(api_pid) - before[1]) / times

            for search in (through_service, directly):
                await spent(search, 30)
            above: list[float] = []
            for number in range(rounds):
                of_service, of_api = await spent(through_service, searches)
                _, of_rest = await spent(directly, searches)
                above.append(of_service + of_api - of_rest)
                line = f"service {of_service:.2f} ms, API {of_api:.2f} ms, API over REST {of_rest:.2f} ms"
                print(f"round {number + 1}: {line}, above {above[-1]:.2f} ms", flush=True)
            print(f"{median(above):.1f} ms of CPU a search above REST, {min(above):.1f} to {max(above):.1f}")


if __name__ == "__main__":
    if "--serve" in sys.argv:
        asyncio.run(serve())
    else:
        numbers = [int(argument) for argument in sys.argv[1:]]
        searches, rounds = (*numbers, *(100, 5)[len(numbers) :])
        asyncio.run(main(searches, rounds))
