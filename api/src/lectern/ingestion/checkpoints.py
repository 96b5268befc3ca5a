"""Pack the results of the stages into checkpoints, so that a run that ends late does not start from the beginning.

The format is the compressed codec of the sandbox. Nothing in it is executed.
"""

import zlib
from typing import Final

from lectern.chunking.types import ChunkedDocument
from lectern.extraction.sandbox import codec
from lectern.extraction.types import ExtractedDocument

EXTRACT: Final = "extract"
CHUNK: Final = "chunk"
UNREADABLE: Final = (*codec.MALFORMED, zlib.error)
"""Errors of a checkpoint of another version. The stage then runs again."""

_CHUNKED: Final = b"C"
_LEVEL: Final = 1  # six times smaller at 150 MB/s; a higher level costs more time than it saves


def pack_extracted(document: ExtractedDocument) -> bytes:
    """Compress an extracted document, page by page to spare memory."""
    packer = zlib.compressobj(_LEVEL)
    return b"".join([*map(packer.compress, codec.pack_document(document)), packer.flush()])


def unpack_extracted(data: bytes | None) -> ExtractedDocument | None:
    """Return the document of `pack_extracted`; None without a readable checkpoint."""
    try:
        return None if data is None else codec.unpack_document(codec.split_frames(zlib.decompress(data)))
    except UNREADABLE:
        return None


def pack_chunked(document: ChunkedDocument) -> bytes:
    return zlib.compress(codec.pack_frame(_CHUNKED, document), _LEVEL)


def unpack_chunked(data: bytes | None) -> ChunkedDocument | None:
    """Return the document of `pack_chunked`; None without a readable checkpoint."""
    try:
        return None if data is None else next(codec.split_frames(zlib.decompress(data))).decode(ChunkedDocument)
    except (*UNREADABLE, StopIteration):
        return None
