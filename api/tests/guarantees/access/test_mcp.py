"""No MCP tool, resource or completion distinguishes a foreign value from an invented one."""

import itertools
import os
import random
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
from lectern_mcp.server import Service
from lectern_mcp.settings import McpSettings
from mcp import Client, MCPError
from mcp.types import PromptReference
from pydantic import SecretStr
from tests.api import SERVICE_KEY

from .comparing import Normalizer
from .probes import Operation, Probe
from .values import OWN
from .worlds import TOOLSETS, Caller, World, Worlds

RESOURCES = ("", "/outline", "/pages/1", "/pages/1/image", "/original")
CALLS = int(os.environ.get("LECTERN_LEAK_CALLS", "1500")) // 4


@asynccontextmanager
async def connected(world: World, caller: Caller) -> AsyncGenerator[Client]:
    """Connect a client of a new MCP service to the API of one world."""
    key = caller.headers["Authorization"].removeprefix("Bearer ")
    settings: dict[str, Any] = {"backend_api_key": SERVICE_KEY, "mcp_api_key": SecretStr(key), "toolsets": TOOLSETS}
    async with Client(Service(McpSettings(**settings), httpx.ASGITransport(world.api.app)).server) as client:
        yield client


async def tool_probes(client: Client) -> list[Probe]:
    """Return every field of every tool with its foreign values."""
    probes: list[Probe] = []
    for tool in (await client.list_tools()).tools:
        schemas = tool.input_schema.get("$defs", {})
        operation = Operation(tool.name, "TOOL", "", {}, tool.input_schema, is_upload=False, schemas=schemas)
        probes += operation.probes()
    return probes


async def outcome(client: Client, action: tuple[str, Any]) -> Any:
    """Return what a client gets: the result or the error, as JSON."""
    kind, value = action
    try:
        match kind:
            case "resource":
                result = await client.read_resource(value)
            case "completion":
                result = await client.complete(PromptReference(type="ref/prompt", name="research"), value)
            case _:
                result = await client.call_tool(kind, value)
    except MCPError as error:
        return {"code": error.code, "message": str(error)}
    return result.model_dump(mode="json")


def actions(probes: list[Probe], caller: Caller, world: World, choose: random.Random) -> list[tuple[str, Any]]:
    """Return the calls to compare, each with a value that is foreign in this world."""
    found: list[tuple[str, Any]] = []
    for probe in probes:
        requests = probe.requests(caller, world.foreign)
        found.append((probe.operation.name, choose.choice(requests).json))
    for name in ("document", "deleted_document"):
        found += [("resource", f"lectern://documents/{world.foreign.ids[name]}{part}") for part in RESOURCES]
    for name, text in (("tag", world.foreign.tag), ("document", world.foreign.filename), ("document_id", OWN["q"])):
        found.append(("completion", {"name": name, "value": text[:6]}))
    return found


@pytest.mark.timeout(600)
async def test_no_tool_distinguishes_a_foreign_value_from_an_invented_one(worlds: Worlds) -> None:
    normalizer = Normalizer(worlds.common_ids, worlds.started_at)
    choose = random.Random(5)
    found: dict[str, str] = {}
    calls = 0
    keys = [caller for caller in worlds.callers if " key " in caller.name]
    for caller in itertools.cycle(choose.sample(keys, k=len(keys))):
        if calls >= CALLS:
            break
        async with connected(worlds.pair[0], caller) as first, connected(worlds.pair[1], caller) as second:
            probes = await tool_probes(first)
            assert {probe.operation.name for probe in probes} == {
                tool.name for tool in (await second.list_tools()).tools
            }
            for action in actions(probes, caller, choose.choice(worlds.pair), choose):
                outcomes = [await outcome(client, action) for client in (first, second)]
                calls += 2
                compared = normalizer.compare_json(*outcomes)
                if not compared.is_equal:
                    found.setdefault(action[0], f"{caller.name}: {action}\n{compared}")
    print(f"{calls} MCP calls", file=sys.stderr)
    assert not found, f"{len(found)} tools\n\n" + "\n\n".join(found.values())
