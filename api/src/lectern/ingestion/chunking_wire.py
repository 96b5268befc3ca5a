"""A document as cut, as JSON: what comes from the process that cuts and what checkpoints keep. It executes nothing."""

import json
from dataclasses import asdict
from typing import Any

from lectern.chunking.types import ChunkContent, ChunkedDocument, ChunkedPage, TextChunk
from lectern.extraction.types import PageKind


def write_chunked(document: ChunkedDocument) -> bytes:
    """The document as JSON."""
    return json.dumps(asdict(document), default=bytes.hex).encode()


def read_chunked(data: bytes) -> ChunkedDocument:
    """The document that `write_chunked` was given. Raises any of `wire.MALFORMED` for anything else."""
    fields: dict[str, Any] = json.loads(data)
    return ChunkedDocument(
        title=fields["title"],
        language=fields["language"],
        pages=tuple(_page(page) for page in fields["pages"]),
        chunks=tuple(_chunk(chunk) for chunk in fields["chunks"]),
    )


def _page(fields: dict[str, Any]) -> ChunkedPage:
    fields["kind"] = PageKind(fields["kind"])
    return ChunkedPage(**fields)


def _chunk(fields: dict[str, Any]) -> TextChunk:
    fields["section_path"] = tuple(fields["section_path"])
    fields["content_type"] = ChunkContent(fields["content_type"])
    fields["content_hash"] = bytes.fromhex(fields["content_hash"])
    return TextChunk(**fields)
