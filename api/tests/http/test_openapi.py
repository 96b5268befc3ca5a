"""The committed OpenAPI document is current and complete."""

from pathlib import Path
from typing import Any

from tests.api import read_openapi

import rest_reference
from lectern.cli.admin.reference import description

ROOT = Path(__file__).parents[3]
METHODS = {"get", "post", "put", "patch", "delete"}


def operations() -> list[tuple[str, str, dict[str, Any]]]:
    return [
        (method, path, operation)
        for path, item in read_openapi()["paths"].items()
        for method, operation in item.items()
        if method in METHODS
    ]


def test_the_committed_description_is_what_the_code_says() -> None:
    assert read_openapi() == description(), "run: lectern openapi > api/openapi.json"


def test_the_rest_reference_is_what_the_code_prints() -> None:
    page = (ROOT / "docs" / "reference" / "rest.md").read_text(encoding="utf-8")
    assert page == rest_reference.reference(), "run: python api/tools/rest_reference.py > docs/reference/rest.md"


def test_operation_ids_are_unique_names_of_functions() -> None:
    ids = [operation["operationId"] for _, _, operation in operations()]
    assert len(ids) == len(set(ids))
    assert all(name.isidentifier() and name.islower() for name in ids)


def test_every_operation_says_what_it_does_and_how_problems_come() -> None:
    for method, path, operation in operations():
        assert operation.get("description"), (method, path)
        form = "application/json" if path.startswith("/v1/") else "application/problem+json"
        assert operation["responses"]["default"]["content"].keys() == {form}, (method, path)


def test_every_successful_response_with_a_body_describes_it() -> None:
    for method, path, operation in operations():
        for status in operation["responses"].keys() & {"200", "201", "202"}:
            assert operation["responses"][status].get("content"), (method, path, status)


def test_what_clients_send_refuses_unknown_fields() -> None:
    schemas = read_openapi()["components"]["schemas"]
    for method, path, operation in operations():
        content = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
        for choice in content.get("anyOf", [content]):
            if "$ref" in choice:
                name = choice["$ref"].rsplit("/", 1)[-1]
                assert schemas[name].get("additionalProperties") is False, (method, path, name)


def test_endpoints_without_sign_in_are_these_and_no_others() -> None:
    open_to_all = {path for _, path, operation in operations() if not operation.get("security")}
    assert open_to_all == {
        "/health",
        "/ready",
        "/metrics",
        "/api/v1/auth/sign-in",
        "/api/v1/auth/sign-in/second-factor",
        "/api/v1/auth/sign-out",
        "/api/v1/auth/methods",
        "/api/v1/auth/single-sign-on",
        "/api/v1/auth/single-sign-on/callback",
        "/api/v1/auth/refresh",
        "/api/v1/oauth/register",
        "/api/v1/oauth/token",
        "/api/v1/oauth/revoke",
        "/.well-known/oauth-authorization-server",
        "/.well-known/oauth-protected-resource",
    }
