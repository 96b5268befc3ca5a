"""The description of the interface, put right where the framework's own says something else than what happens."""

from typing import Any, Final

from fastapi import FastAPI

PROBLEM: Final = "application/problem+json"

# Either of the three; the header counts together with the service key only.
_SECURITY: Final[list[dict[str, list[str]]]] = [
    {"HTTPBearer": []},
    {"APIKeyCookie": []},
    {"HTTPBearer": [], "APIKeyHeader": []},
]


class DescribedApi(FastAPI):
    """A FastAPI whose OpenAPI description says how to sign in and in which media type problems come."""

    def openapi(self) -> dict[str, Any]:
        """The description, made once."""
        if self.openapi_schema is None:
            document = super().openapi()
            for operations in document["paths"].values():
                for operation in operations.values():
                    _describe(operation)
            self.openapi_schema = document
        return self.openapi_schema or {}


def _describe(operation: dict[str, Any]) -> None:
    operation.pop("summary", None)  # the operation id in other words
    if "APIKeyCookie" in {name for choice in operation.get("security", []) for name in choice}:
        operation["security"] = _SECURITY
    problem = operation["responses"].get("default")
    if problem is not None:
        problem["content"] = {PROBLEM: problem["content"].pop("application/json")}
