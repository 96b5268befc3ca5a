"""The official conformance suite, both revisions, against Lectern's server with fixtures, behind the real guard."""

import re
from collections.abc import AsyncGenerator

import pytest
from starlette.types import ASGIApp, Receive, Scope, Send

from conformance_fixtures import FIXTURES, add_fixtures
from fake_api import USER_KEY, FakeApi, key_record
from harness import ALL_TOOLSETS, MakeService
from node import CLIENTS, run_node
from serving import serving


class _WithKey:
    """The suite sends no key; this adds the test's to requests that have none."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = scope.get("headers", [])
        if scope["type"] == "http" and not any(name == b"authorization" for name, _ in headers):
            scope = {**scope, "headers": [*headers, (b"authorization", f"Bearer {USER_KEY}".encode())]}
        await self._app(scope, receive, send)


@pytest.fixture
async def url(api: FakeApi, make_service: MakeService) -> AsyncGenerator[str]:
    api.keys[USER_KEY] = key_record(toolsets=(*ALL_TOOLSETS, FIXTURES.name))
    service = make_service(more=(FIXTURES,), toolsets=ALL_TOOLSETS, rate_limit_per_minute=0)
    add_fixtures(service.server)
    async with serving(_WithKey(service.app())) as address:
        yield f"{address}/mcp"


@pytest.mark.needs("Node and the npm packages of mcp/tests/clients")
@pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning")  # fixtures do what the suite tests
@pytest.mark.parametrize(("revision", "passing"), [("2026-07-28", 37), ("2025-11-25", 25)])
async def test_every_required_scenario_passes_but_those_that_need_a_session(
    url: str, revision: str, passing: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The suite's exit code compares with `expected-failures.yml`, in both directions."""
    folder = str(tmp_path_factory.mktemp("conformance"))
    suite = "node_modules/@modelcontextprotocol/conformance/dist/index.js"
    arguments = ["server", "--url", url, "--requirements", revision, "--output-dir", folder]
    if revision == "2025-11-25":
        arguments += ["--expected-failures", str(CLIENTS / "expected-failures.yml")]
    code, output = await run_node(suite, *arguments)
    assert code == 0, output
    passed = re.findall(r"^✓ [a-z0-9-]+: [1-9]", output.split("=== SUMMARY ===")[1], re.MULTILINE)
    assert len(passed) >= passing, output
