"""Which requests count towards the limits, and what a caller gets who sends too many."""

import asyncio
from contextlib import AsyncExitStack

import pytest
from mcp import Client, MCPError
from mcp.types import CallToolResult

from fake_api import USER_KEY, FakeApi, document, hit, key_record
from harness import MakeService, connecting, held
from lectern_mcp.errors import Failure
from lectern_mcp.limits import MAX_WAIT_SECONDS, CallLimits
from serving import serving

PARALLEL = 20
OTHER_KEY = "lk_another-key-0123456789abcdef0123456789ab"


class Clock:
    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


async def list_and_call(url: str, mode: str) -> CallToolResult:
    async with connecting(url, mode=mode) as client:
        await client.list_tools()
        return await client.call_tool("search", {"query": "x"})


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_twenty_new_clients_at_once_list_and_call_on_default_settings(
    api: FakeApi, make_service: MakeService, mode: str
) -> None:
    api.hits = [hit(1, "One passage.")]
    async with serving(make_service().app()) as url:
        results = await asyncio.gather(*(list_and_call(url, mode) for _ in range(PARALLEL)))
    assert [result.is_error for result in results] == [False] * PARALLEL


async def test_connecting_and_listing_are_free(make_service: MakeService) -> None:
    async with serving(make_service(rate_limit_burst=1).app()) as url, AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(connecting(url, mode="legacy")) for _ in range(5)]
        for client in clients:
            await client.list_tools()
            await client.list_resources()
            await client.list_prompts()
        assert not (await clients[0].call_tool("search", {"query": "x"})).is_error


async def test_a_call_too_many_is_a_failure_of_the_tool_with_the_seconds_to_wait(make_service: MakeService) -> None:
    service = make_service(rate_limit_per_minute=6, rate_limit_burst=2)
    async with held(Client(service.server)) as client:
        results = [await client.call_tool("search", {"query": "x"}) for _ in range(3)]
        with pytest.raises(MCPError) as refused:
            await client.read_resource("rag://tool-descriptions")
    assert [result.is_error for result in results] == [False, False, True]
    assert results[2].structured_content == {
        "error": "Too many calls with this key.",
        "code": "RATE_LIMITED",
        "hint": "Call again in 10 s.",
    }
    assert refused.value.data["code"] == "RATE_LIMITED"


async def test_reading_a_resource_counts_like_a_call(api: FakeApi, make_service: MakeService) -> None:
    api.documents = [document(1)]
    async with held(Client(make_service(rate_limit_per_minute=6, rate_limit_burst=1).server)) as client:
        await client.read_resource(f"lectern://documents/{api.documents[0]['id']}")
        assert (await client.call_tool("search", {"query": "x"})).is_error


async def test_a_call_waits_for_a_turn_that_is_near(make_service: MakeService) -> None:
    service = make_service(rate_limit_per_minute=600, rate_limit_burst=1)
    async with held(Client(service.server)) as client:
        results = await asyncio.gather(*(client.call_tool("search", {"query": "x"}) for _ in range(8)))
    assert [result.is_error for result in results] == [False] * 8


async def test_one_caller_does_not_use_up_the_limit_of_another(api: FakeApi, make_service: MakeService) -> None:
    api.keys[OTHER_KEY] = {**key_record(), "principal": "key:other"}
    app = make_service(rate_limit_per_minute=6, rate_limit_burst=1).app()
    async with serving(app) as url, connecting(url, key=USER_KEY) as first, connecting(url, key=OTHER_KEY) as second:
        assert not (await first.call_tool("search", {"query": "x"})).is_error
        assert (await first.call_tool("search", {"query": "x"})).is_error
        assert not (await second.call_tool("search", {"query": "x"})).is_error


async def test_waiting_calls_reserve_their_turns_and_the_limit_of_all_is_five_times_that_of_one() -> None:
    clock = Clock()
    limits = CallLimits(per_minute=0.6, burst=1, clock=clock)
    for number in range(5):
        await limits.admit(f"key:{number}")
    with pytest.raises(Failure, match="Too many calls"):
        await limits.admit("key:5")
    with pytest.raises(Failure, match="Too many calls") as refused:
        await limits.admit("key:0")
    assert refused.value.hint == "Call again in 100 s."
    clock.now += 100 - MAX_WAIT_SECONDS / 100
    started = asyncio.get_running_loop().time()
    await limits.admit("key:0")
    assert 0 < asyncio.get_running_loop().time() - started < 1
    with pytest.raises(Failure):
        await limits.admit("key:0")


async def test_a_limit_of_zero_is_no_limit() -> None:
    limits = CallLimits(per_minute=0, burst=1)
    for _ in range(100):
        await limits.admit("key:0")
