from collections.abc import AsyncGenerator

import pytest
from mcp import Client

from fake_api import FakeApi
from harness import MakeService, held
from lectern_mcp.settings import Settings
from serving import serving


@pytest.fixture
def api() -> FakeApi:
    return FakeApi()


@pytest.fixture(autouse=True)
def _no_environment(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Settings come from the test alone: no variables, no `.env` of the folder pytest was started in."""
    for field in Settings.model_fields.values():
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
async def served(make_service: MakeService) -> AsyncGenerator[str]:
    """The address of the service on a loopback port, without a rate limit."""
    async with serving(make_service(rate_limit_per_minute=0).app()) as url:
        yield url
