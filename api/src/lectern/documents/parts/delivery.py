"""Serve originals: whole files, byte ranges and conditional requests (RFC 9110, sections 13 and 14)."""

import re
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Annotated, Any, Final, NamedTuple, cast

from fastapi import Depends, Header, Query, Request, Response
from starlette.responses import StreamingResponse

from lectern.documents.dependencies import BINARY
from lectern.documents.errors import InvalidRange, OriginalChanged
from lectern.documents.filenames import build_content_disposition
from lectern.documents.originals import StoredFile
from lectern.extraction.registry import ACCEPTED_TYPES
from lectern.http.problems import problem_response
from lectern.storage.store import OriginalStore

# Types that are safe to display on our origin. SVG and HTML could run scripts.
_INLINE_TYPES: Final = frozenset({"application/pdf", "text/plain", "image/png", "image/jpeg", "image/webp"})
_SANDBOX: Final = "sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'"
_ONE_RANGE: Final = re.compile(r"bytes=(\d{0,18})-(\d{0,18})", re.ASCII)
_CONTENT: Final = dict.fromkeys(ACCEPTED_TYPES, BINARY)
ORIGINAL_RESPONSES: Final[dict[int | str, dict[str, Any]]] = {
    200: {"content": _CONTENT, "description": "The whole file."},
    206: {"content": _CONTENT, "description": "The requested range."},
    304: {"description": "The client's cached copy is current."},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryOptions:
    """Query and header options for the download of an original."""

    is_inline: Annotated[
        bool, Query(description="Display the file in the browser if its type is safe. Otherwise it is downloaded.")
    ] = False
    range: Annotated[str | None, Header()] = None
    if_match: Annotated[str | None, Header()] = None
    if_range: Annotated[str | None, Header()] = None
    if_none_match: Annotated[str | None, Header()] = None


RequestedDelivery = Annotated[DeliveryOptions, Depends()]


def is_cached_by_client(tag: str, if_none_match: str | None) -> bool:
    """Return True if an If-None-Match header lists the ETag, also as a weak one, which proxies make of it."""
    listed = [value.strip().removeprefix("W/") for value in (if_none_match or "").split(",")]
    return tag in listed or listed == ["*"]


def is_wanted(tag: str, if_match: str | None) -> bool:
    """Return False if an If-Match header does not list the ETag. A weak one matches nothing (RFC 9110, 13.1.1)."""
    listed = [value.strip() for value in (if_match or "*").split(",")]
    return tag in listed or listed == ["*"]


async def serve_original(
    originals: OriginalStore, original: StoredFile, *, request: Request, wanted: DeliveryOptions
) -> Response:
    """Respond with the requested bytes, to HEAD with headers only. Raises OriginalChanged and errors of the storage."""
    tag = f'"{original.sha256}"'
    if not is_wanted(tag, wanted.if_match):
        raise OriginalChanged
    headers = _headers(original, is_inline=wanted.is_inline) | {"ETag": tag}
    if is_cached_by_client(tag, wanted.if_none_match):
        return Response(status_code=304, headers={"ETag": tag, "Cache-Control": headers["Cache-Control"]})
    if request.method == "HEAD":  # Range is defined for GET only.
        headers["Content-Length"] = str(original.size_bytes)
        return Response(headers=headers, media_type=original.content_type)
    try:
        range_ = parse_range(wanted.range, size_bytes=original.size_bytes) if wanted.if_range in {None, tag} else None
    except InvalidRange as error:
        response = problem_response(error, instance=request.url.path)
        response.headers["Content-Range"] = f"bytes */{original.size_bytes}"
        return response
    start, end = range_ or ByteRange(0, original.size_bytes)
    headers["Content-Length"] = str(end - start)
    if range_ is not None:
        headers["Content-Range"] = f"bytes {start}-{end - 1}/{original.size_bytes}"
    body = await originals.open(original.sha256, start=start, end=end)
    return StreamingResponse(
        _close_after(body), status_code=206 if range_ else 200, headers=headers, media_type=original.content_type
    )


def _headers(original: StoredFile, *, is_inline: bool) -> dict[str, str]:
    is_displayed = is_inline and original.content_type in _INLINE_TYPES
    return {
        "Content-Disposition": build_content_disposition(original.filename, is_inline=is_displayed),
        "Accept-Ranges": "bytes",
        "Cache-Control": "private, max-age=0, must-revalidate",
        "Content-Security-Policy": _SANDBOX,
        "X-Content-Type-Options": "nosniff",
    }


async def _close_after(body: AsyncIterator[bytes]) -> AsyncGenerator[bytes]:
    """Stop reading from storage when the client disconnects."""
    async with aclosing(cast("AsyncGenerator[bytes]", body)):
        async for piece in body:
            yield piece


class ByteRange(NamedTuple):
    """The half-open range `[start, end)`."""

    start: int
    end: int


def parse_range(header: str | None, *, size_bytes: int) -> ByteRange | None:
    """Parse a Range header with one range. Return None for the whole file.

    Raises:
        InvalidRange: The file does not have these bytes.
    """
    match = _ONE_RANGE.fullmatch(header.strip()) if header else None
    if match is None or match.groups() == ("", ""):
        return None
    first, last = match.groups()
    if not first:  # A suffix range: the last bytes of the file.
        start, end = max(size_bytes - int(last), 0), size_bytes
    else:
        start, end = int(first), min(int(last) + 1, size_bytes) if last else size_bytes
        if last and int(last) < start:
            return None
    if start >= size_bytes or start >= end:
        raise InvalidRange(details={"size_bytes": size_bytes})
    return ByteRange(start, end)
