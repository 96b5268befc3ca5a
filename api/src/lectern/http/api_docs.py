"""The OpenAPI document, corrected, and `/docs`: Swagger UI from Lectern's own origin.

FastAPI's page loads Swagger UI from a CDN. Lectern runs without a network, and its content security policy allows no
other origin. The files are in the package `fastapi-offline`.
"""

from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from fastapi import APIRouter, FastAPI
from fastapi.responses import FileResponse, HTMLResponse, Response

from lectern.errors import NotFound
from lectern.http.problems import MEDIA_TYPE

_ASSETS: Final = Path(str(files("fastapi_offline"))) / "static"
_MEDIA_TYPES: Final = {"swagger-ui.css": "text/css", "swagger-ui-bundle.js": "text/javascript"}
_CACHE: Final = {"Cache-Control": "public, max-age=86400"}
_PAGE: Final = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Lectern REST</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/assets/swagger-ui.css">
</head>
<body><div id="docs"></div>
<script src="/docs/assets/swagger-ui-bundle.js"></script><script src="/docs/assets/start.js"></script>
</body>
</html>
"""
_START: Final = """SwaggerUIBundle({
  url: "/openapi.json", dom_id: "#docs", deepLinking: true, layout: "BaseLayout", persistAuthorization: false,
  requestInterceptor: (request) => { request.headers["X-Requested-With"] = "lectern"; return request; },
});
"""
_PROBLEM_SCHEMA: Final = {"$ref": "#/components/schemas/Problem"}

# Alternatives. The header is valid only together with the service key.
_SECURITY: Final[list[dict[str, list[str]]]] = [
    {"HTTPBearer": []},
    {"APIKeyCookie": []},
    {"HTTPBearer": [], "APIKeyHeader": []},
]

router = APIRouter(include_in_schema=False)


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
        problem["content"] = {MEDIA_TYPE: problem["content"].pop("application/json")}


@router.api_route("/docs", methods=["GET", "HEAD"])
async def show_api_docs() -> HTMLResponse:
    """Return the page."""
    return HTMLResponse(_PAGE)


@router.get("/docs/assets/{name}")
async def get_api_docs_asset(name: str) -> Response:
    """Return a script or style sheet of the page."""
    if name == "start.js":
        return Response(_START, media_type="text/javascript", headers=_CACHE)
    media_type = _MEDIA_TYPES.get(name)
    if media_type is None:
        raise NotFound
    return FileResponse(_ASSETS / name, media_type=media_type, headers=_CACHE)
