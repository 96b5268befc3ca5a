"""Corrections of the OpenAPI document that FastAPI generates."""

from typing import Any, Final

from fastapi import FastAPI

PROBLEM: Final = "application/problem+json"
_PROBLEM_SCHEMA: Final = {"$ref": "#/components/schemas/Problem"}

# Alternatives. The header is valid only together with the service key.
_SECURITY: Final[list[dict[str, list[str]]]] = [
    {"HTTPBearer": []},
    {"APIKeyCookie": []},
    {"HTTPBearer": [], "APIKeyHeader": []},
]


class LecternApi(FastAPI):
    """A FastAPI application with corrected security schemes and media types of problems."""

    def openapi(self) -> dict[str, Any]:
        """Return the document, generated once."""
        if self.openapi_schema is None:
            document = super().openapi()
            for operations in document["paths"].values():
                for operation in operations.values():
                    _describe(operation)
            self.openapi_schema = document
        return self.openapi_schema or {}


def _describe(operation: dict[str, Any]) -> None:
    operation.pop("summary", None)  # It repeats the operation id.
    if "APIKeyCookie" in {name for choice in operation.get("security", []) for name in choice}:
        operation["security"] = _SECURITY
    problem = operation["responses"].get("default")
    if problem is not None and problem["content"]["application/json"]["schema"] == _PROBLEM_SCHEMA:
        problem["content"] = {PROBLEM: problem["content"].pop("application/json")}
