import gc
from collections.abc import AsyncGenerator

import pytest
from mcp import Client

from fake_api import USER_KEY, FakeApi, key_record
from harness import ALL_TOOLSETS, MakeService, held
from lectern_mcp.settings import McpSettings
from serving import serving

OFFERED = tuple(name for name in ALL_TOOLSETS if name != "connector")
"""The connector has a `search` of its own, which would stand before that of the others."""


# Importing the tests makes many objects and hardly any garbage.
gc.disable()


def pytest_collection_finish() -> None:
    """Spare the garbage collector the modules and tests, which stay until the end. Let it look less often."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    gc.enable()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what tests measured with `record_property("measured", ...)`, which is captured otherwise."""
    for report in terminalreporter.getreports("passed") + terminalreporter.getreports("failed"):
        for name, value in getattr(report, "user_properties", ()):
            if name == "measured" and report.when == "call":
                terminalreporter.write_line(f"Measured: {value}")


@pytest.fixture
def api() -> FakeApi:
    return FakeApi()


@pytest.fixture(autouse=True)
def _no_environment(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """McpSettings come from the test alone: no variables, no `.env` of the folder pytest was started in."""
    for field in McpSettings.model_fields.values():
        monkeypatch.delenv(field.alias or "", raising=False)
    monkeypatch.chdir(tmp_path_factory.getbasetemp())


@pytest.fixture
def make_service(api: FakeApi) -> MakeService:
    return MakeService(api)


@pytest.fixture
async def client(make_service: MakeService) -> AsyncGenerator[Client]:
    """An MCP client in this process; its caller is the one of `MCP_API_KEY`."""
    async with held(Client(make_service().server)) as connected:
        yield connected


@pytest.fixture
async def everything(api: FakeApi, make_service: MakeService) -> AsyncGenerator[Client]:
    """A client whose key and server have every toolset."""
    api.keys[USER_KEY] = key_record(toolsets=ALL_TOOLSETS)
    async with held(Client(make_service(toolsets=ALL_TOOLSETS).server)) as connected:
        yield connected


@pytest.fixture
async def served(api: FakeApi, make_service: MakeService) -> AsyncGenerator[str]:
    """The address of the service on a loopback port, with every toolset but the connector, and without a rate limit."""
    api.keys[USER_KEY] = key_record(toolsets=ALL_TOOLSETS)
    async with serving(make_service(rate_limit_per_minute=0, toolsets=OFFERED).app()) as url:
        yield url
