"""Close connections whose request head is slow or too long, and endless streams when the server stops.

uvicorn limits no head. It waits for streams and then logs a traceback for each.
"""

import asyncio
from typing import Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from lectern.http.streams import ENDLESS

HEAD_SECONDS: Final = 10
MAX_HEAD_BYTES: Final = 65_536


class LimitedProtocol(HttpToolsProtocol):
    """uvicorn's protocol with limits for the line and the headers of each request."""

    _deadline: asyncio.TimerHandle | None = None
    _head_bytes = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        super().connection_made(transport)  # pyright: ignore[reportArgumentType] - as in uvicorn itself
        self._start()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop()
        super().connection_lost(exc)

    def on_message_begin(self) -> None:
        """Start the time of a further request on the connection."""
        super().on_message_begin()
        if self._deadline is None:
            self._start()

    def on_headers_complete(self) -> None:
        self._stop()
        super().on_headers_complete()

    def data_received(self, data: bytes) -> None:
        """Count the bytes until the head is complete."""
        super().data_received(data)
        if self._deadline is not None:
            self._head_bytes += len(data)
            if self._head_bytes > MAX_HEAD_BYTES:
                self.transport.abort()

    def shutdown(self) -> None:
        """Close an endless stream, whose client reconnects. Let other responses finish."""
        if self.cycle and self.cycle.scope.get("state", {}).get(ENDLESS):
            self.transport.close()
        else:
            super().shutdown()

    def _start(self) -> None:
        self._head_bytes = 0
        self._deadline = self.loop.call_later(HEAD_SECONDS, self.transport.abort)

    def _stop(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
