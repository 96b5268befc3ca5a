"""`/documents/{id}/pages/{page_number}/image`."""

import uuid
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, Header, Query, Request, Response

from lectern.accounts.dependencies import CurrentDatabase, CurrentPrincipal
from lectern.documents.errors import PageNotFound
from lectern.documents.images.service import DEFAULT_WIDTH, MAX_WIDTH, MIN_WIDTH, PageImageService, entity_tag
from lectern.documents.parts.service import get_original

router = APIRouter(prefix="/api/v1/documents/{document_id}", tags=["documents"])

_LARGEST: Final = 2**31 - 1
_MEDIA_TYPE: Final = "image/webp"
_HEADERS: Final = {
    # The address or the tag changes with the image, so that a cached copy is never wrong.
    "Cache-Control": "private, max-age=3600",
    "Content-Security-Policy": "sandbox; default-src 'none'",
    "X-Content-Type-Options": "nosniff",
}
_RESPONSES: Final[dict[int | str, dict[str, Any]]] = {
    200: {"content": {_MEDIA_TYPE: {"schema": {"type": "string", "format": "binary"}}}, "description": "The image."},
    304: {"description": "The client has it already."},
}


async def get_page_images(request: Request) -> PageImageService:
    """Return the page image service of this process."""
    return request.app.state.page_images


@router.get("/pages/{page_number}/image", response_class=Response, responses=_RESPONSES)
async def get_document_page_image(
    document_id: uuid.UUID,
    page_number: int,
    principal: CurrentPrincipal,
    database: CurrentDatabase,
    images: Annotated[PageImageService, Depends(get_page_images)],
    *,
    width: Annotated[int, Query(ge=MIN_WIDTH, le=MAX_WIDTH, description="Pixels.")] = DEFAULT_WIDTH,
    if_none_match: Annotated[str | None, Header()] = None,
) -> Response:
    """Draw a page as WebP."""
    # End the transaction before drawing, which is slow and needs no connection.
    async with database.session(principal.scope) as session:
        original = await get_original(session, document_id)
    if not 0 < page_number <= _LARGEST:
        raise PageNotFound
    headers = {**_HEADERS, "ETag": entity_tag(original, page_number=page_number, width_pixels=width)}
    if if_none_match is not None and headers["ETag"] in [value.strip() for value in if_none_match.split(",")]:
        return Response(status_code=304, headers=headers)
    image = await images.draw(original, page_number=page_number, width_pixels=width)
    return Response(image, headers=headers, media_type=_MEDIA_TYPE)
