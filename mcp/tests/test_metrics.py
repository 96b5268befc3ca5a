"""Metrics: who may read them, and that they name routes and tools but no document, key or query."""

from typing import Any

import httpx
import pytest

from fake_api import USER_KEY, FakeApi, hit
from harness import MakeService, connecting, held
from serving import serving

TOKEN = "a-token-for-prometheus"


async def scrape(app: Any, *, client: str = "127.0.0.1", **headers: str) -> httpx.Response:
    transport = httpx.ASGITransport(app, client=(client, 5000))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8001") as http:
        return await http.get("/metrics", headers={name.replace("_", "-"): value for name, value in headers.items()})


async def test_calls_and_requests_are_counted_by_tool_route_and_outcome(
    api: FakeApi, make_service: MakeService
) -> None:
    api.hits = [hit(1, "A passage.")]
    app = make_service().app()
    async with held(serving(app)) as url:
        async with connecting(url) as client:
            await client.call_tool("search", {"query": "a secret wish"})
            await client.call_tool("search", {"unheard": "x"})
        async with httpx.AsyncClient() as http:
            await http.get(f"{url}/a/path/nobody/knows")
            text = (await http.get(f"{url}/metrics")).text

    lines = text.splitlines()
    assert 'lectern_mcp_tool_seconds_count{outcome="ok",tool="search"} 1.0' in lines
    assert 'lectern_mcp_tool_seconds_count{outcome="VALIDATION_ERROR",tool="search"} 1.0' in lines
    assert 'lectern_http_requests_total{method="GET",route="unmatched",status="404"} 1.0' in lines
    assert any(
        line.startswith('lectern_http_requests_total{method="POST",route="/mcp",status="200"}') for line in lines
    )
    assert not any(word in text for word in ("secret", "nobody", USER_KEY))


async def test_only_this_machine_reads_metrics_without_a_token(make_service: MakeService) -> None:
    app = make_service().app()

    assert (await scrape(app)).status_code == 200
    assert (await scrape(app, client="10.0.0.9")).status_code == 401
    assert (await scrape(app, X_Forwarded_For="10.0.0.9")).status_code == 401
    assert (await scrape(app, Host="docs.example")).status_code == 421


@pytest.mark.parametrize(("given", "status"), [("", 401), ("Bearer wrong-token-of-16", 401), (f"Bearer {TOKEN}", 200)])
async def test_with_a_token_everybody_needs_it(make_service: MakeService, given: str, status: int) -> None:
    app = make_service(metrics_token=TOKEN).app()

    for client in ("127.0.0.1", "10.0.0.9"):
        assert (await scrape(app, client=client, Host="mcp:8001", Authorization=given)).status_code == status
