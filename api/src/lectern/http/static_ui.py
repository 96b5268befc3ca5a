"""Serve the built browser UI from the API's own origin, with files compressed at build time.

`/` and browser navigations get the index page. Other requests for a path without a file get 404.
"""

from pathlib import Path
from typing import Final

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse
from starlette.types import Receive, Scope, Send

from lectern.http.schemas import is_storable

INDEX: Final = "index.html"
_ENCODINGS: Final = (("br", ".br"), ("gzip", ".gz"))
_IMMUTABLE: Final = "public, max-age=31536000, immutable"
_MEDIA_TYPES: Final = {
    ".bcmap": "application/octet-stream",
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".mjs": "text/javascript; charset=utf-8",
    ".pfb": "application/octet-stream",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}


def find_ui(configured: Path | None) -> Path | None:
    """Return the folder of the built UI: as set, in the installed package, or in the clone. None if there is none."""
    carried = Path(__file__).parents[1] / "carried" / "ui"
    clone = Path(__file__).parents[4] / "frontend" / "dist"
    wanted = (configured,) if configured else (carried, clone)
    return next((folder for folder in wanted if (folder / INDEX).is_file()), None)


class StaticUi:
    """An ASGI application that serves `folder`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_read = scope["type"] == "http" and scope["method"] in {"GET", "HEAD"}
        if not is_read or not is_storable(scope["path"]):
            raise HTTPException(404)
        headers = Headers(scope=scope)
        await self._respond(scope["path"], headers)(scope, receive, send)

    def _respond(self, path: str, headers: Headers) -> FileResponse:
        file = self._file(path) or self._index_for(path, headers)
        if file is None:
            raise HTTPException(404)
        sent = {"Vary": "Accept-Encoding", "Cache-Control": _IMMUTABLE if "/assets/" in path else "no-cache"}
        encoding, best = _best(file, headers.get("accept-encoding", ""))
        if encoding:
            sent["Content-Encoding"] = encoding
        return FileResponse(best, headers=sent, media_type=_MEDIA_TYPES.get(file.suffix, "application/octet-stream"))

    def _file(self, path: str) -> Path | None:
        """Return the file of a path, but no file outside the folder and no compressed copy."""
        wanted = (self.folder / path.lstrip("/")).resolve()
        is_inside = wanted.is_relative_to(self.folder) and wanted.suffix not in {".br", ".gz"}
        try:
            return wanted if is_inside and wanted.is_file() else None
        except OSError:  # The name is too long for the file system.
            return None

    def _index_for(self, path: str, headers: Headers) -> Path | None:
        is_page = "text/html" in headers.get("accept", "") and not path.startswith(("/api/", "/v1/", "/assets/"))
        return self.folder / INDEX if is_page or path == "/" else None


def _best(file: Path, accepted: str) -> tuple[str | None, Path]:
    names = {part.split(";")[0].strip() for part in accepted.split(",")}
    for encoding, suffix in _ENCODINGS:
        twin = file.with_name(file.name + suffix)
        if encoding in names and twin.is_file():
            return encoding, twin
    return None, file
