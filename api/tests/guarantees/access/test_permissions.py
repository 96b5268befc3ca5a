"""docs/reference/permissions.md is what the API does: every role calls every operation.

`LECTERN_WRITE_PERMISSIONS=1` writes the page anew.
"""

import asyncio
import os
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from tests.api import Api, read_openapi

from .probes import Operation, operations
from .values import MINE, STREAMS
from .worlds import TOOLSETS, Caller, Worlds

PAGE = Path(__file__).parents[4] / "docs" / "reference" / "permissions.md"
DOCUMENT = read_openapi()
OPERATIONS = operations(DOCUMENT)
TAGS = {
    operation["operationId"]: operation["tags"][0]
    for methods in DOCUMENT["paths"].values()
    for operation in methods.values()
}
CREDENTIALS = {"sign_in", "sign_in_with_code", "refresh_session"}
NOT_RUNNING = {"mcp_unreachable"}  # the services that an operation passes a request on to
INTRODUCTION = """\
# Permissions

Which role may call which operation.
A test calls each operation with each role and compares the results with this page.

- `yes`: the request passed all permission checks.
- `401`: it needs a session or a key. `403`: the role may not do this.
- Roles: `reader`, `editor` and `admin` are people. The editor may write to one collection.
- Keys of an administrator: `read` and `write` have no scope.
  `collection`, `tag` and `document` may write in their scope.
- Keys with one toolset may write: `search`, `answers`, `library`, `extract` and `connector`.

Permission to call an operation says nothing about what it shows.
Row-level security hides every document, collection and tag outside the scope ([security](../explanation/security.md)).

[The test](../../api/tests/guarantees/access/test_permissions.py) says how to write this page anew.
"""


async def roles(worlds: Worlds) -> dict[str, Caller]:
    """Return one caller for each column."""
    by_name = {caller.name: caller for caller in worlds.callers}
    own = by_name["writing key by collection"].own
    people = {"none": by_name["nobody"], "reader": by_name["reader"], "editor": by_name["editor"]}
    keys = {
        "read": {"toolsets": TOOLSETS},
        "write": {"toolsets": TOOLSETS, "can_write": True},
        "collection": {"toolsets": TOOLSETS, "can_write": True, "collections": [own["collection_id"]]},
        "tag": {"toolsets": TOOLSETS, "can_write": True, "tags": [MINE]},
        "document": {"toolsets": TOOLSETS, "can_write": True, "documents": [own["document_id"]]},
        **{toolset: {"toolsets": [toolset], "can_write": True} for toolset in TOOLSETS},
    }
    found = {**people, "admin": Caller("admin", worlds.admin.headers, own)}
    api = worlds.pair[0].api
    for name, wanted in keys.items():
        more: dict[str, Any] = {"required_tags": []}
        if name == "tag":
            more = {"required_tags": [MINE], "collection": "Library"}
        found[name] = Caller(name, await create_key(api, worlds.admin, wanted), own | more)
    return found


async def create_key(api: Api, admin: Caller, wanted: dict[str, Any]) -> dict[str, str]:
    made = await api.client.post("/api/v1/keys", json={"name": "k", **wanted}, headers=admin.headers)
    assert made.status_code == 201, made.text
    return {"Authorization": f"Bearer {made.json()['key']}"}


def end_at_start(app: ASGIApp) -> ASGIApp:
    """Return an application that ends each response where it starts. An event stream has no end."""

    async def respond(scope: Scope, receive: Receive, send: Send) -> None:
        started = asyncio.Event()

        async def send_start(message: Message) -> None:
            if message["type"] == "http.response.start":
                await send(message)
                started.set()

        async def run() -> None:
            await app(scope, receive, send_start)

        async with asyncio.TaskGroup() as tasks:
            running = tasks.create_task(run())
            await started.wait()
            running.cancel()
        await send({"type": "http.response.body", "body": b""})

    return respond


async def permission(client: httpx.AsyncClient, operation: Operation, caller: Caller) -> str:
    """Call an operation and return the cell of the table."""
    request = operation.request(caller, {})
    async with asyncio.timeout(60):
        response = await client.request(
            request.method,
            request.path,
            params=request.params,
            headers={**caller.headers, **request.headers},
            json=request.json,
            content=request.content,
        )
    assert response.status_code < 500 or response.json()["code"] in NOT_RUNNING, response.text
    if operation.name in CREDENTIALS and response.status_code == 401:  # the credentials were wrong, not missing
        return "yes"
    return str(response.status_code) if response.status_code in {401, 403} else "yes"


@pytest.mark.timeout(600)
async def test_the_page_of_permissions_is_what_the_api_does(worlds: Worlds) -> None:
    world = worlds.pair[0]
    columns = await roles(worlds)
    assert world.snapshot
    world.snapshot.save()
    rows: dict[str, list[str]] = {}
    api = world.api
    transport = httpx.ASGITransport(end_at_start(api.app))
    async with httpx.AsyncClient(transport=transport, base_url=api.client.base_url) as stream_client:
        for operation in OPERATIONS:
            cells: list[str] = []
            for caller in columns.values():
                client = stream_client if operation.name in STREAMS else api.client
                cells.append(await permission(client, operation, caller))
                if operation.method != "GET" and cells[-1] == "yes":
                    world.snapshot.restore()
            rows.setdefault(TAGS[operation.name], []).append(f"| `{operation.name}` | {' | '.join(cells)} |")
    page = render(rows, list(columns))
    if os.environ.get("LECTERN_WRITE_PERMISSIONS"):
        PAGE.write_text(page, encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == page, "set LECTERN_WRITE_PERMISSIONS=1 to write the page anew"


def render(rows: dict[str, list[str]], columns: list[str]) -> str:
    head = f"| Operation | {' | '.join(columns)} |\n|{'---|' * (len(columns) + 1)}"
    sections = (f"\n## {tag}\n\n{head}\n" + "\n".join(lines) + "\n" for tag, lines in sorted(rows.items()))
    return INTRODUCTION + "".join(sections)
