"""Mark the streams that a stopping server does not wait for."""

from typing import Final

from fastapi import Request

ENDLESS: Final = "is_endless"


def mark_endless(request: Request) -> None:
    """Let the server close the response when it stops, as if the client had left."""
    setattr(request.state, ENDLESS, True)
