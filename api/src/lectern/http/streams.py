"""Headers of event streams, and the mark of those that a stopping server does not wait for."""

from typing import Final

from fastapi import Request

STREAM_HEADERS: Final = {"Cache-Control": "no-cache, no-transform", "X-Accel-Buffering": "no"}
ENDLESS: Final = "is_endless"


def mark_endless(request: Request) -> None:
    """Let the server close the response when it stops, as if the client had left."""
    setattr(request.state, ENDLESS, True)
