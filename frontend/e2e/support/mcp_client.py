"""An agent with a key: lists the tools of the MCP service and calls one. `mcp_client.py URL KEY TOOL ARGUMENTS`."""

import asyncio
import json
import sys
from typing import Any

import httpx
from mcp.client.streamable_http import streamable_http_client

from mcp import Client


async def main(url: str, key: str, tool: str, arguments: dict[str, Any]) -> None:
    """Print what the service answered as one JSON object."""
    async with (
        httpx.AsyncClient(headers={"Authorization": f"Bearer {key}"}, timeout=60) as http,
        Client(streamable_http_client(url, http_client=http)) as client,
    ):
        tools = await client.list_tools()
        answer = await client.call_tool(tool, arguments)
        print(json.dumps({"tools": [one.name for one in tools.tools], "answer": answer.model_dump(mode="json")}))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:4], json.loads(sys.argv[4])))
