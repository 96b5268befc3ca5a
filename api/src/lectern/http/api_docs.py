"""`/docs`: Swagger UI from Lectern's own origin.

FastAPI's page loads Swagger UI from a CDN. Lectern runs without a network, and its content security policy allows no
other origin. The files are in the package `fastapi-offline`.
"""

from importlib.resources import files
from pathlib import Path
from typing import Final

from fastapi import APIRouter
from fastapi.responses import FileResponse, HTMLResponse, Response

from lectern.errors import NotFound

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

router = APIRouter(include_in_schema=False)


@router.get("/docs")
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
