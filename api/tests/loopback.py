"""Loopback servers of external protocols. A handler scripts the responses."""

import threading
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@contextmanager
def serving(handler: type[BaseHTTPRequestHandler], state: object) -> Generator[str]:
    """Serve until the end of the block; the handler finds `state` at itself. Yields the address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (handler,), {"state": state}))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class RefusingBucket(BaseHTTPRequestHandler):
    """Answers every request to a bucket with one status: 403, or 404 if the bucket is missing."""

    state: int

    def do_HEAD(self) -> None:
        self.send_error(self.state)

    def do_GET(self) -> None:
        self.send_error(self.state)

    def do_PUT(self) -> None:
        self.send_error(self.state)

    def log_message(self, format: str, *args: object) -> None: ...  # noqa: A002 - the name in the base class
