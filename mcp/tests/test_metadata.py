"""The service describes itself as an OAuth resource: the API's addresses, its own toolsets."""

import httpx
import pytest

from fake_api import FakeApi
from harness import MakeService
from serving import serving

PATH = "/.well-known/oauth-protected-resource/mcp"


async def test_a_public_installation_names_the_addresses_of_the_api(make_service: MakeService) -> None:
    async with serving(make_service(toolsets=["search"]).app()) as url, httpx.AsyncClient() as http:
        document = (await http.get(url + PATH)).json()
    assert document["resource"] == "https://lectern.example/mcp"
    assert document["authorization_servers"] == ["https://lectern.example"]
    assert document["scopes_supported"] == ["search"]


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
async def test_on_loopback_the_resource_is_what_the_client_called(
    api: FakeApi, make_service: MakeService, host: str
) -> None:
    api.protected_resource["resource"] = "http://127.0.0.1:8001/mcp"
    async with serving(make_service().app()) as url, httpx.AsyncClient() as http:
        own = url.replace("127.0.0.1", host)
        document = (await http.get(url + PATH, headers={"Host": own.removeprefix("http://")})).json()
    assert document["resource"] == f"{own}/mcp"


async def test_without_the_api_there_is_no_metadata(api: FakeApi, make_service: MakeService) -> None:
    api.is_ready = False
    async with serving(make_service().app()) as url, httpx.AsyncClient() as http:
        response = await http.get(url + PATH)
    assert response.status_code == 503
    assert response.headers["retry-after"]
