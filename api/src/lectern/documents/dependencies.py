"""Dependencies and constants that the routers of documents share."""

from typing import Annotated, Any, Final

from fastapi import Depends, Request

from lectern.documents.images.service import PageImageService
from lectern.storage.store import OriginalStore

MAX_INTEGER: Final = 2**31 - 1
"""The largest value of a Postgres integer column."""

BINARY: Final[dict[str, Any]] = {"schema": {"type": "string", "format": "binary"}}
"""The OpenAPI content of a body of bytes."""


async def get_originals(request: Request) -> OriginalStore:
    """Return the storage of originals."""
    return request.app.state.originals


async def get_page_images(request: Request) -> PageImageService:
    """Return the page image service of this process."""
    return request.app.state.page_images


CurrentOriginals = Annotated[OriginalStore, Depends(get_originals)]
CurrentPageImages = Annotated[PageImageService, Depends(get_page_images)]
