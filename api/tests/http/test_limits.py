"""Failed requests without credentials are limited by address, and bodies have to arrive in time."""

import asyncio
from collections.abc import AsyncGenerator
from itertools import count
from pathlib import Path
from time import monotonic

import httpx
import pytest
from benchmarks.throwaway import ThrowawayDatabase
from tests.api import SERVICE_KEY, Api, api_settings, open_api

from lectern.http import bodies, limits
from lectern.http.limits import client_block

ME = "/api/v1/auth/me"
SIGN_IN = "/api/v1/auth/sign-in"
LIMIT = 5
_NUMBERS = count(1)


@pytest.fixture
async def limited(database: ThrowawayDatabase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[Api]:
    monkeypatch.setattr(limits, "_DELAY_SECONDS", 0.01)
    async with open_api(api_settings(database, tmp_path, http={"rate_limit_per_minute": LIMIT})) as api:
        yield api


@pytest.fixture
def ip() -> str:
    """An address of this test's own, because tests share the application."""
    return f"192.0.2.{next(_NUMBERS)}"


async def ask(api: Api, ip: str, path: str = ME, *, method: str = "GET", **more: object) -> httpx.Response:
    transport = httpx.ASGITransport(api.app, client=(ip, 1))
    async with httpx.AsyncClient(transport=transport, base_url="http://lectern.test") as client:
        return await client.request(method, path, **more)  # pyright: ignore[reportArgumentType]


async def exhaust(api: Api, ip: str) -> None:
    for number in range(LIMIT):
        response = await ask(api, ip, headers={"Authorization": f"Bearer lk_{number}"})
        assert response.status_code == 401


async def test_failed_requests_of_an_address_are_limited(limited: Api, ip: str) -> None:
    await exhaust(limited, ip)
    for method, path in (("GET", ME), ("POST", SIGN_IN), ("GET", "/api/v1/nothing"), ("POST", "/api/v1/search")):
        refused = await ask(limited, ip, path, method=method)
        assert (refused.status_code, refused.json()["code"]) == (429, "rate_limited")
        assert 0 < int(refused.headers["retry-after"]) <= 60
        assert refused.headers["connection"] == "close"
    assert (await ask(limited, ip, "/health")).status_code == 200
    assert (await ask(limited, "198.51.100.1")).status_code == 401


async def test_limit_covers_the_openai_compatible_api(limited: Api, ip: str) -> None:
    await exhaust(limited, ip)
    refused = await ask(limited, ip, "/v1/models")
    assert (refused.status_code, refused.json()["error"]["code"]) == (429, "rate_limited")
    assert 0 < int(refused.headers["retry-after"]) <= 60


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [("GET", ME, None), ("GET", "/api/v1/nothing", None), ("PUT", SIGN_IN, None), ("POST", SIGN_IN, b"{"),
     ("POST", SIGN_IN, b"x" * 9_000)],
    ids=["401", "404", "405", "422", "413"],
)  # fmt: skip
async def test_every_kind_of_failure_counts(limited: Api, ip: str, method: str, path: str, body: bytes | None) -> None:
    statuses = [(await ask(limited, ip, path, method=method, content=body)).status_code for _ in range(6)]
    assert 429 not in statuses[:LIMIT]
    assert statuses[LIMIT] == 429


async def test_credentials_that_work_pass_from_a_limited_address(limited: Api, ip: str) -> None:
    person = await limited.person()
    known = await limited.key(person)
    assert (await ask(limited, ip, headers=known)).status_code == 200
    await exhaust(limited, ip)
    assert (await ask(limited, ip, headers=known)).status_code == 200
    assert (await ask(limited, ip, headers=person.headers)).status_code == 200
    cookie = {"Cookie": f"lectern_session={person.token}"}
    assert (await ask(limited, ip, headers=cookie)).status_code == 200
    service = {"Authorization": f"Bearer {SERVICE_KEY}"}
    assert (await ask(limited, ip, headers=service)).status_code == 403
    assert (await ask(limited, ip, headers={"Authorization": "Bearer lk_x"})).status_code == 429


async def test_revoked_key_counts_as_a_failure(limited: Api, ip: str) -> None:
    person = await limited.person()
    key = await limited.key(person)
    assert (await ask(limited, ip, headers=key)).status_code == 200
    await limited.sql("UPDATE api_keys SET revoked_at = now()")
    statuses = [(await ask(limited, ip, headers=key)).status_code for _ in range(LIMIT + 1)]
    assert statuses == [401] * LIMIT + [429]


async def test_failures_are_forgiven_with_time(limited: Api, ip: str, monkeypatch: pytest.MonkeyPatch) -> None:
    await exhaust(limited, ip)
    now = monotonic()
    monkeypatch.setattr(limits, "monotonic", lambda: now + 13)
    assert [(await ask(limited, ip)).status_code for _ in range(2)] == [401, 429]


def test_an_ipv6_network_is_one_client() -> None:
    assert client_block("2001:db8::1") == client_block("2001:db8::ffff:1") != client_block("2001:db8:0:1::1")
    assert client_block("::ffff:192.0.2.1") == client_block("192.0.2.1") == "192.0.2.1"
    assert client_block("testclient") == "testclient"


async def test_slow_bodies_are_refused(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "BODY_SECONDS", 0.2)
    monkeypatch.setattr(bodies, "PIECE_SECONDS", 0.2)

    async def drip() -> AsyncGenerator[bytes]:
        for _ in range(100):
            yield b"x"
            await asyncio.sleep(0.05)

    async def stop() -> AsyncGenerator[bytes]:
        yield b"Some text."
        await asyncio.sleep(5)

    editor = await api.person()
    for path, content in (("/api/v1/tags", drip()), ("/api/v1/documents?filename=a.txt", stop())):
        headers = {**editor.headers, "Content-Type": "application/json"}
        response = await api.client.post(path, content=content, headers=headers)
        assert (response.status_code, response.json()["code"]) == (408, "body_too_slow")
    assert await api.sql("SELECT 1 FROM documents") == []
