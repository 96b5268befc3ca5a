"""Handing out originals: whole, by range, or not at all when the client has them; never as a page that runs."""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Annotated, Any, Final, cast

from fastapi import Depends, Header, Query, Response
from starlette.responses import StreamingResponse

from lectern.documents.errors import InvalidRange
from lectern.documents.parts.ranges import ByteRange, read_range
from lectern.documents.parts.repository import OriginalFacts
from lectern.documents.uploads.names import disposition_of_filename
from lectern.http.problems import problem_response
from lectern.storage.store import OriginalStore

# What a browser may show beside our own pages; everything else is saved. SVG and HTML could run scripts.
_INLINE: Final = frozenset({"application/pdf", "text/plain", "image/png", "image/jpeg", "image/webp"})
_SANDBOX: Final = "sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'"
ORIGINAL_RESPONSES: Final[dict[int | str, dict[str, Any]]] = {
    200: {"content": {"application/octet-stream": {}}, "description": "The whole file."},
    206: {"content": {"application/octet-stream": {}}, "description": "The range asked for."},
    304: {"description": "The client has it already."},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """How a client wants an original."""

    is_inline: bool = False
    range: str | None = None
    if_range: str | None = None
    if_none_match: str | None = None


def read_wish(
    *,
    is_inline: Annotated[bool, Query(description="Shown by the browser where that is safe, else saved.")] = False,
    range_: Annotated[str | None, Header(alias="range")] = None,
    if_range: Annotated[str | None, Header()] = None,
    if_none_match: Annotated[str | None, Header()] = None,
) -> Asked:
    """What the request says of that."""
    return Asked(is_inline=is_inline, range=range_, if_range=if_range, if_none_match=if_none_match)


AskedFor = Annotated[Asked, Depends(read_wish)]


async def serve_original(originals: OriginalStore, original: OriginalFacts, *, path: str, asked: Asked) -> Response:
    """The bytes asked for. Raises what the storage raises."""
    tag = f'"{original.sha256}"'
    headers = _headers(original, is_inline=asked.is_inline) | {"ETag": tag}
    if asked.if_none_match is not None and tag in [value.strip() for value in asked.if_none_match.split(",")]:
        return Response(status_code=304, headers={"ETag": tag, "Cache-Control": headers["Cache-Control"]})
    try:
        wanted = read_range(asked.range, size_bytes=original.size_bytes) if asked.if_range in {None, tag} else None
    except InvalidRange as error:
        response = problem_response(error, instance=path)
        response.headers["Content-Range"] = f"bytes */{original.size_bytes}"
        return response
    start, end = wanted or ByteRange(0, original.size_bytes)
    headers["Content-Length"] = str(end - start)
    if wanted is not None:
        headers["Content-Range"] = f"bytes {start}-{end - 1}/{original.size_bytes}"
    body = await originals.open(original.sha256, start=start, end=end)
    return StreamingResponse(
        _closing(body), status_code=206 if wanted else 200, headers=headers, media_type=original.content_type
    )


def _headers(original: OriginalFacts, *, is_inline: bool) -> dict[str, str]:
    is_shown = is_inline and original.content_type in _INLINE
    return {
        "Content-Disposition": disposition_of_filename(original.filename, is_inline=is_shown),
        "Accept-Ranges": "bytes",
        "Cache-Control": "private, max-age=0, must-revalidate",
        "Content-Security-Policy": _SANDBOX,
        "X-Content-Type-Options": "nosniff",
    }


async def _closing(body: AsyncIterator[bytes]) -> AsyncGenerator[bytes]:
    """Stops reading from storage when the client leaves."""
    async with aclosing(cast("AsyncGenerator[bytes]", body)):
        async for piece in body:
            yield piece
