"""Serve metrics of a process without an API, in a thread: they are there even while its event loop is busy."""

import threading
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Final

from lectern.errors import Misconfigured
from lectern.http.metrics import CONTENT_TYPE, Metrics, may_read_metrics

TIMEOUT_SECONDS: Final = 10


@contextmanager
def served_metrics(metrics: Metrics, *, host: str, port: int, token: str | None) -> Generator[int]:
    """Serve `/metrics` until the end of the block. Yields the port.

    Raises:
        Misconfigured: The port is in use.
    """

    class Handler(BaseHTTPRequestHandler):
        timeout = TIMEOUT_SECONDS

        def do_GET(self) -> None:
            headers = {name.lower(): value for name, value in self.headers.items()}
            if self.path != "/metrics":
                status, body = 404, b"Only /metrics is served.\n"
            elif not may_read_metrics(headers, client=self.client_address[0], token=token):
                status, body = 401, b"Set LECTERN_METRICS_TOKEN and send it as `Authorization: Bearer`.\n"
            else:
                status, body = 200, metrics.render()
            self.send_response(status)
            self.send_header("Content-Type", CONTENT_TYPE)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *_: object) -> None:  # noqa: A002 - the name is that of the base class
            """Log nothing: Prometheus asks every few seconds."""

    try:
        server = ThreadingHTTPServer((host, port), Handler)
    except OSError as error:
        raise Misconfigured(
            f"The metrics of the worker cannot use port {port}: {error.strerror}.",
            hint="Set LECTERN_WORKER_METRICS_PORT to a free port.",
        ) from None
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
