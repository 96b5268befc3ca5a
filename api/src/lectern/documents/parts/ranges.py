"""The Range header (RFC 9110, section 14), for one range of bytes."""

import re
from typing import Final, NamedTuple

from lectern.documents.errors import InvalidRange

_ONE_RANGE: Final = re.compile(r"bytes=(\d{0,18})-(\d{0,18})", re.ASCII)


class ByteRange(NamedTuple):
    """`[start, end)`."""

    start: int
    end: int


def read_range(header: str | None, *, size_bytes: int) -> ByteRange | None:
    """The range asked for; None for the whole file: without a header, and for one that may be ignored.

    Raises:
        InvalidRange: The file does not have these bytes.
    """
    match = _ONE_RANGE.fullmatch(header.strip()) if header else None
    if match is None or match.groups() == ("", ""):
        return None
    first, last = match.groups()
    if not first:  # the last so many
        start, end = max(size_bytes - int(last), 0), size_bytes
    else:
        start, end = int(first), min(int(last) + 1, size_bytes) if last else size_bytes
        if last and int(last) < start:
            return None
    if start >= size_bytes or start >= end:
        raise InvalidRange(details={"size_bytes": size_bytes})
    return ByteRange(start, end)
