"""No operation answers a hostile request with a 5xx, with more than 8 KB, or with what was sent."""

import json
import re
from collections.abc import AsyncGenerator
from typing import Any
from urllib.parse import urlencode

import httpx
import pytest
from benchmarks.throwaway import ThrowawayPostgres
from tests.api import SERVICE_KEY, Api, api_settings, open_api, read_openapi

MAX_PROBLEM_BYTES = 8_192
MARK = "ZqMark"
LONG = MARK * 2_000
REPEATED = MARK * 25  # Names may be repeated, up to about 120 characters.
ENDLESS = {"stream_all_events", "stream_document_events"}
BODIES = {
    "100,000 keys": json.dumps({f"{MARK}{number}": number for number in range(100_000)}),
    "200 long keys": json.dumps({f"{number}{MARK * 100}": number for number in range(200)}),
    "deep": "[" * 100_000,
    "nested": '{"filter":' * 900 + "1" + "}" * 900,
    "long list": json.dumps([LONG[:60]] * 15_000),
    "long text": json.dumps(LONG),
    "not JSON": LONG,
    "number": "1e999",
    "surrogate": '{"name": "\\ud800"}',
}
DOCUMENT = read_openapi()
SCHEMAS = DOCUMENT["components"]["schemas"]
OPERATIONS = [
    (operation["operationId"], method.upper(), path, operation)
    for path, operations in DOCUMENT["paths"].items()
    for method, operation in operations.items()
    if operation["operationId"] not in ENDLESS
]


@pytest.fixture(scope="module")
async def target(postgres: ThrowawayPostgres, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Api]:
    with postgres.fresh_database() as database:
        async with open_api(api_settings(database, tmp_path_factory.mktemp("target"))) as api:
            yield api


def check(response: httpx.Response) -> None:
    assert response.status_code < 500, response.text[:500]
    if response.is_error:
        assert len(response.content) <= MAX_PROBLEM_BYTES, response.text[:500]
        assert REPEATED not in response.text


@pytest.mark.parametrize(("name", "method", "path", "operation"), OPERATIONS, ids=[entry[0] for entry in OPERATIONS])
async def test_hostile_requests_get_short_answers(
    target: Api, name: str, method: str, path: str, operation: dict[str, Any]
) -> None:
    admin = await target.person("admin")
    token = f"Bearer {SERVICE_KEY}" if name == "introspect_api_key" else admin.headers["Authorization"]
    headers = {"Authorization": token, "Content-Type": "application/json"}
    check(await target.client.request(method, re.sub(r"\{\w+\}", LONG, path), headers=headers))
    path = re.sub(r"\{\w+\}", "00000000-0000-4000-8000-000000000001", path)
    if "requestBody" in operation:
        for body in [*BODIES.values(), *_with_long_values(operation)]:
            for sent in (headers, {"Content-Type": "application/json"}):
                check(await target.client.request(method, path, content=body, headers=sent))
    parameters = [parameter["name"] for parameter in operation.get("parameters", []) if parameter["in"] == "query"]
    unknown = [(f"{number}{LONG[:200]}", "1") for number in range(300)]
    long = [(parameter, LONG[:4_000]) for parameter in parameters]
    many = [[(parameter, LONG[:90])] * 300 for parameter in parameters]
    for query in (unknown, long, *many):
        check(await target.client.request(method, f"{path}?{urlencode(query)}", headers=headers))


def _with_long_values(operation: dict[str, Any]) -> list[str]:
    """Return bodies with each field of the operation as a long text, and as a long list of unknown names."""
    schema = operation["requestBody"]["content"].get("application/json", {}).get("schema", {})
    name = next(iter(re.findall(r"schemas/(\w+)", json.dumps(schema))), None)
    fields: dict[str, Any] = SCHEMAS[name].get("properties", {}) if name else {}
    values = (
        LONG,
        [f"{number}{MARK * 15}" for number in range(100)],
        {f"{number}": LONG[:300] for number in range(100)},
    )
    return [json.dumps({field: value}) for field in fields for value in values]
