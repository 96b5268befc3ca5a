"""Print the CPU time of the service for one call, and the tokens of a default result.

    PYTHONPATH=mcp/src:mcp/tests/support python mcp/benchmarks/cost_per_call.py [CALLS]

The service runs as a process of its own. Its API is the fake one of the tests in this process. The kernel counts the
CPU time of the service (user and system). Compare on an idle machine anyway.
"""

import asyncio
import json
import os
import socket
import sys
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx

from fake_api import SERVICE_KEY, USER_KEY, FakeApi, hit, tag
from samples import ENGLISH, ITALIAN, TABLE, exact_tokens
from serving import serving

SOURCES = Path(__file__).parents[1] / "src"
CALLS = (("list_tags, one tag", 0), ("search, no hit", 0), ("search, five chunks of 800 tokens", 5))
MODERN = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "benchmark", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


@asynccontextmanager
async def service(api_url: str) -> AsyncGenerator[tuple[int, str]]:
    """Run the service, and yield its process id and URL."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    environment = {
        **os.environ,
        "PYTHONPATH": str(SOURCES),
        "BACKEND_API_KEY": SERVICE_KEY,
        "LECTERN_API_URL": api_url,
        "MCP_PORT": str(port),
        "MCP_RATE_LIMIT_PER_MINUTE": "0",
        "LECTERN_LOG_LEVEL": "INFO",
    }
    quiet = asyncio.subprocess.DEVNULL
    process = await asyncio.create_subprocess_exec(sys.executable, "-m", "lectern_mcp", env=environment, stderr=quiet)
    url = f"http://127.0.0.1:{port}"
    async with httpx.AsyncClient() as http:
        while True:
            try:
                await http.get(f"{url}/health")
                break
            except httpx.TransportError:
                await asyncio.sleep(0.05)
    try:
        yield process.pid, url
    finally:
        process.terminate()
        await process.wait()


def cpu_ms(pid: int) -> float:
    """Return the CPU time of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")


def memory_mib(pid: int) -> float:
    lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


async def call(http: httpx.AsyncClient, url: str, name: str, arguments: dict[str, Any], *, is_modern: bool) -> str:
    params: dict[str, Any] = {"name": name, "arguments": arguments}
    version = "2026-07-28" if is_modern else "2025-11-25"
    headers = {"MCP-Protocol-Version": version}
    if is_modern:
        params["_meta"] = MODERN
        headers |= {"Mcp-Method": "tools/call", "Mcp-Name": name}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    response = await http.post(f"{url}/mcp", json=body, headers=headers)
    assert response.status_code == 200, response.text
    return response.text


async def measure(pid: int, url: str, *, calls: int, name: str, arguments: dict[str, Any], is_modern: bool) -> str:
    headers = {
        "Authorization": f"Bearer {USER_KEY}",
        "Accept": "application/json, text/event-stream",
    }
    async with httpx.AsyncClient(headers=headers, timeout=30) as http:
        for _ in range(20):
            await call(http, url, name, arguments, is_modern=is_modern)
        before, latencies = cpu_ms(pid), list[float]()
        for _ in range(calls):
            started = time.perf_counter()
            await call(http, url, name, arguments, is_modern=is_modern)
            latencies.append((time.perf_counter() - started) * 1000)
        spent = (cpu_ms(pid) - before) / calls
    return f"{spent:5.1f} ms CPU, {sorted(latencies)[calls // 2]:5.1f} ms latency (p50)"


async def main() -> None:
    calls = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    api = FakeApi(tags=[tag("aml")])
    async with serving(api.app()) as api_url, service(api_url) as (pid, url):
        for is_modern in (False, True):
            era = "2026-07-28" if is_modern else "2025-11-25"
            for label, count in CALLS:
                text = ENGLISH * (800 // exact_tokens(ENGLISH))
                api.hits = [
                    hit(number, text, tokens=exact_tokens(text), match="diligence") for number in range(1, count + 1)
                ]
                name = label.split(",")[0]
                arguments = {"query": "due diligence"} if name == "search" else {}
                result = await measure(pid, url, calls=calls, name=name, arguments=arguments, is_modern=is_modern)
                print(f"{era}  {label:36} {result}", flush=True)
                api.seen.clear()
        print(f"memory of the service: {memory_mib(pid):.0f} MiB")
        await print_tokens(api, url)


async def print_tokens(api: FakeApi, url: str) -> None:
    headers = {"Authorization": f"Bearer {USER_KEY}", "Accept": "application/json, text/event-stream"}
    async with httpx.AsyncClient(headers=headers, timeout=30) as http:
        for label, sample in (("English", ENGLISH), ("Italian", ITALIAN), ("tables", TABLE)):
            text = sample * (800 // exact_tokens(sample))
            api.hits = [hit(number, text, tokens=exact_tokens(text)) for number in range(1, 6)]
            answer = json.loads(await call(http, url, "search", {"query": "x"}, is_modern=True))["result"]
            data = json.dumps(answer["structuredContent"], ensure_ascii=False, separators=(",", ":"))
            shown = exact_tokens(answer["content"][0]["text"])
            print(f"tokens of a default result, {label:8} text {shown}, data {exact_tokens(data)}")


if __name__ == "__main__":
    asyncio.run(main())
