"""Twenty clients of each Python library at once, on default settings: the real API and the real MCP process."""

import asyncio
import json
from collections.abc import AsyncGenerator
from itertools import chain
from typing import Any

import pytest

from harness import held
from process import errors_of, running
from python_clients import run_parallel_clients
from real_api import RealApi, real_api

DOCUMENT = "aml-kyc-policy.pdf"
LIBRARIES = {
    "clients": ("mcp-2026-07-28", "mcp-handshake", "mcp-auto", "fastmcp", "pydantic-ai", "openai-agents"),
    "langchain": ("langchain-mcp-adapters",),
}
"""By the environment that they are installed in."""


@pytest.fixture(scope="module")
async def api(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[RealApi]:
    documents = {DOCUMENT: ("aml",)}
    async with held(real_api(tmp_path_factory.mktemp("api"), documents=documents, is_limited=True)) as made:
        yield made


@pytest.mark.needs("the Python clients of mcp/tests/clients")
async def test_twenty_clients_of_each_library_connect_list_and_search(api: RealApi, unused_tcp_port: int) -> None:
    url = f"http://127.0.0.1:{unused_tcp_port}/mcp"

    async def run_clients(environment: str, libraries: tuple[str, ...]) -> list[dict[str, Any]]:
        keys = {library: (await api.key())[0] for library in libraries}  # the calls of one are limited
        return await run_parallel_clients(environment, url, "enhanced due diligence", keys)

    async with running(unused_tcp_port, LECTERN_API_URL=api.url) as process:
        log = asyncio.create_task(errors_of(process))
        reports = await asyncio.gather(*(run_clients(*each) for each in LIBRARIES.items()))
    for report in chain.from_iterable(reports):
        assert (report["succeeded"], report["errors"]) == (20, []), report["library"]
        assert {"search", "list_tags"} <= set(report["tools"]), report["library"]
        print(f"{report['library']}: 20 of 20 in {report['seconds']} s")
    lines = [json.loads(line) for line in (await log).splitlines()]
    assert [line for line in lines if line["level"] != "INFO"] == []
