"""A loopback server of one folder, with ETags and ranges. It can break off a download."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from pathlib import Path

from tests.loopback import serving


@dataclass
class FileServer:
    """`breaks` downloads of weights end after `break_after` bytes. `status`, if set, replaces every answer."""

    folder: Path
    url: str = ""
    status: int = 0
    breaks: int = 0
    break_after: int = 100
    has_etags: bool = True
    requests: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """Path and `Range` of each request."""


class _Handler(BaseHTTPRequestHandler):
    state: FileServer

    def do_GET(self) -> None:
        state, path = self.state, self.state.folder / self.path.lstrip("/")
        state.requests.append((self.path.lstrip("/"), self.headers.get("Range", "")))
        if state.status or not path.is_file():
            self.send_error(state.status or 404)
            return
        content, etag = path.read_bytes(), f'"{path.stat().st_mtime_ns}"'
        start = 0
        if self.headers.get("Range") and self.headers.get("If-Range") == etag:
            start = int(self.headers["Range"].removeprefix("bytes=").removesuffix("-"))
        self.send_response(206 if start else 200)
        self.send_header("content-length", str(len(content) - start))
        if state.has_etags:
            self.send_header("etag", etag)
        self.end_headers()
        if state.breaks and path.suffix == ".onnx" and len(content) - start > state.break_after:
            state.breaks -= 1
            self.wfile.write(content[start : start + state.break_after])
            self.close_connection = True
        else:
            self.wfile.write(content[start:])

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class named it
        """Keep quiet."""


@contextmanager
def file_server(folder: Path) -> Generator[FileServer]:
    """Serve a folder until the end of the block."""
    state = FileServer(folder)
    with serving(_Handler, state) as address:
        state.url = address
        yield state
