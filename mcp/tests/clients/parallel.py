"""Connect twenty clients of a library at once. Each lists the tools and searches.

Usage: `parallel.py URL QUERY LIBRARY=KEY...`. Prints a line of JSON for each library: how many succeeded, and the
errors of the others. One client runs before them, because the time to import a library is not the service's.
"""
# pyright: basic, reportMissingImports=false

import asyncio
import json
import sys
import time
import traceback

CLIENTS = 20
URL, QUERY, *PAIRS = sys.argv[1:]
HEADERS: dict[str, str] = {}
ARGUMENTS = {"query": QUERY}


Outcome = tuple[set[str], str]
"""The names of the tools, and the text of the search's result."""


async def mcp_client(mode: str) -> Outcome:
    import httpx2
    from mcp import Client
    from mcp.client.streamable_http import streamable_http_client

    async with (
        httpx2.AsyncClient(headers=HEADERS) as http,
        Client(streamable_http_client(URL, http_client=http), mode=mode) as client,
    ):
        tools = await client.list_tools()
        result = await client.call_tool("search", ARGUMENTS)
        assert not result.is_error, result
        return {tool.name for tool in tools.tools}, str(result.content)


async def fastmcp_client() -> Outcome:
    from fastmcp import Client
    from fastmcp.client.transports import StreamableHttpTransport

    async with Client(StreamableHttpTransport(URL, headers=HEADERS)) as client:
        tools = await client.list_tools()
        result = await client.call_tool("search", ARGUMENTS)  # raises when the tool fails
        return {tool.name for tool in tools}, str(result.content)


async def langchain_client() -> Outcome:
    from langchain_mcp_adapters.client import MultiServerMCPClient

    server = {"transport": "streamable_http", "url": URL, "headers": HEADERS}
    tools = {tool.name: tool for tool in await MultiServerMCPClient({"lectern": server}).get_tools()}
    return set(tools), str(await tools["search"].ainvoke(ARGUMENTS))  # raises when the tool fails


async def pydantic_ai_client() -> Outcome:
    from pydantic_ai.mcp import MCPToolset

    async with MCPToolset(URL, headers=HEADERS) as toolset:
        tools = await toolset.list_tools()
        result = await toolset.direct_call_tool("search", ARGUMENTS)  # raises when the tool fails
        return {tool.name for tool in tools}, str(result)


async def openai_agents_client() -> Outcome:
    from agents.mcp import MCPServerStreamableHttp

    async with MCPServerStreamableHttp(params={"url": URL, "headers": HEADERS}) as server:
        tools = await server.list_tools()
        result = await server.call_tool("search", ARGUMENTS)
        assert "isError=True" not in str(result), result
        assert "is_error=True" not in str(result), result
        return {tool.name for tool in tools}, str(result.content)


LIBRARIES = {
    "mcp-2026-07-28": lambda: mcp_client("2026-07-28"),
    "mcp-handshake": lambda: mcp_client("legacy"),
    "mcp-auto": lambda: mcp_client("auto"),
    "fastmcp": fastmcp_client,
    "langchain-mcp-adapters": langchain_client,
    "pydantic-ai": pydantic_ai_client,
    "openai-agents": openai_agents_client,
}


async def run(name: str) -> None:
    connect = LIBRARIES[name]
    await connect()
    started = time.monotonic()
    outcomes = await asyncio.gather(*(connect() for _ in range(CLIENTS)), return_exceptions=True)
    failures = [outcome for outcome in outcomes if isinstance(outcome, BaseException)]
    succeeded = [tools for tools, text in (o for o in outcomes if not isinstance(o, BaseException)) if text]
    report = {
        "library": name,
        "succeeded": len(succeeded),
        "tools": sorted(set.intersection(*succeeded)) if succeeded else [],
        "errors": ["".join(traceback.format_exception(failure))[-2_000:] for failure in failures],
        "seconds": round(time.monotonic() - started, 2),
    }
    print(json.dumps(report))


async def main() -> None:
    for name, key in (pair.split("=") for pair in PAIRS):
        HEADERS["Authorization"] = f"Bearer {key}"
        await run(name)


asyncio.run(main())
