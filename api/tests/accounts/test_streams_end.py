"""Event streams end at once when the permissions of their subscriber change."""

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import httpx
import pytest
import uvicorn
from tests.api import LIBRARY, Api, Person

API = "/api/v1"


@dataclass
class Case:
    """A subscriber, and who may change its permissions."""

    api: Api
    admin: Person
    editor: Person
    key_id: str

    async def patch_user(self, **changes: object) -> httpx.Response:
        return await self.api.client.patch(f"{API}/users/{self.editor.id}", json=changes, headers=self.admin.headers)

    async def call(self, method: str, path: str, **body: object) -> httpx.Response:
        return await self.api.client.request(method, f"{API}/{path}", headers=self.editor.headers, json=body or None)


@pytest.fixture
async def address(api: Api) -> AsyncGenerator[str]:
    server = uvicorn.Server(uvicorn.Config(api.app, port=0, lifespan="off", log_config=None))
    serving = asyncio.create_task(server.serve())
    async with asyncio.timeout(10):
        while not server.started:  # noqa: ASYNC110 - uvicorn sets a flag
            await asyncio.sleep(0.01)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    await serving
    assert api.app.state.events.subscriber_count == 0


async def close_collection(case: Case) -> httpx.Response:
    body = {"is_open": False}
    return await case.api.client.patch(f"{API}/collections/{LIBRARY}", json=body, headers=case.admin.headers)


async def remove_member(case: Case) -> httpx.Response:
    member = f"{API}/collections/{LIBRARY}/members/{case.editor.id}"
    return await case.api.client.delete(member, headers=case.admin.headers)


CHANGES: dict[str, tuple[str, Callable[[Case], Awaitable[httpx.Response]]]] = {
    "revoked key": ("key", lambda case: case.call("DELETE", f"keys/{case.key_id}")),
    "narrowed key": ("key", lambda case: case.call("PATCH", f"keys/{case.key_id}", toolsets=["library"])),
    "moved key": ("key", lambda case: case.call("PATCH", f"keys/{case.key_id}", allowed_networks=["10.0.0.0/8"])),
    "rotated key": ("key", lambda case: case.call("POST", f"keys/{case.key_id}/rotate", overlap_hours=0)),
    "key of a deactivated user": ("key", lambda case: case.patch_user(is_active=False)),
    "deactivated user": ("user", lambda case: case.patch_user(is_active=False)),
    "demoted user": ("user", lambda case: case.patch_user(role="reader")),
    "signed out": ("user", lambda case: case.call("POST", "auth/sign-out")),
    "removed member": ("user", remove_member),
    "closed collection": ("user", close_collection),
}


@pytest.mark.parametrize("change", CHANGES)
async def test_stream_ends_when_the_permissions_change(api: Api, address: str, change: str) -> None:
    admin, editor, bystander = await api.person("admin"), await api.person(), await api.person("reader")
    if change == "removed member":
        collection = f"{API}/collections/{LIBRARY}"
        await api.client.patch(collection, json={"is_open": False}, headers=admin.headers)
        for person in (editor, bystander):
            body = {"can_write": True}
            await api.client.put(f"{collection}/members/{person.id}", json=body, headers=admin.headers)
    key = await api.key(editor)
    key_id = (await api.client.get(f"{API}/auth/me", headers=key)).json()["id"]
    kind, apply = CHANGES[change]
    headers = key if kind == "key" else editor.headers
    async with (
        httpx.AsyncClient(base_url=address, timeout=20) as client,
        client.stream("GET", f"{API}/events", headers=headers) as stream,
        client.stream("GET", f"{API}/events", headers=bystander.headers) as other,
    ):
        lines, others = stream.aiter_lines(), other.aiter_lines()
        await until(lines, "before.txt", lambda: api.upload(admin.headers, b"Before.", filename="before.txt"))
        response = await apply(Case(api, admin, editor, key_id))
        assert response.is_success, response.text
        began = time.monotonic()
        await api.upload(admin.headers, b"After.", filename="after.txt")
        async with asyncio.timeout(5):
            rest = [line async for line in lines]
        assert time.monotonic() - began < 1
        assert not any("after.txt" in line for line in rest)
        if change != "closed collection":
            await until(others, "after.txt")


async def until(lines: AsyncIterator[str], text: str, then: Callable[[], Awaitable[object]] | None = None) -> None:
    async with asyncio.timeout(20):
        async for line in lines:
            if then is not None and line == "event: refetch":
                await then()
            if text in line:
                return
    raise AssertionError("the stream ended")


async def test_stream_of_an_expired_key_ends(api: Api, address: str) -> None:
    editor = await api.person()
    key = await api.key(editor, expires_at=(datetime.now(UTC) + timedelta(seconds=2)).isoformat())
    async with (
        httpx.AsyncClient(base_url=address, timeout=20) as client,
        client.stream("GET", f"{API}/events", headers=key) as stream,
    ):
        lines = stream.aiter_lines()
        await until(lines, "event: refetch")
        await asyncio.sleep(2)
        await api.upload(editor.headers)
        async with asyncio.timeout(5):
            assert not any("event: document" in line for line in [line async for line in lines])
