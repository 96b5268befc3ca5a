"""Dependencies and constants that the routers of documents share."""

from typing import Annotated, Any, Final

from lectern.accounts.dependencies import from_app
from lectern.documents.images.service import PageImageService
from lectern.storage.store import OriginalStore

BINARY: Final[dict[str, Any]] = {"schema": {"type": "string", "format": "binary"}}
"""The OpenAPI content of a body of bytes."""


CurrentOriginals = Annotated[OriginalStore, from_app("originals")]
CurrentPageImages = Annotated[PageImageService, from_app("page_images")]
