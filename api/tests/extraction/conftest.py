"""Fixtures that write and read a file."""

from collections.abc import Callable
from pathlib import Path

import pytest

from lectern.extraction.registry import extract_document
from lectern.extraction.types import ExtractedDocument, ExtractionLimits

from .pdf_writer import Pdf

ReadPdf = Callable[[Pdf], ExtractedDocument]
ReadText = Callable[[str | bytes], ExtractedDocument]


@pytest.fixture
def read_pdf(tmp_path: Path) -> ReadPdf:
    """Write a PDF and read it in this process."""

    def read(pdf: Pdf) -> ExtractedDocument:
        return extract_document(pdf.write(tmp_path / "made.pdf"), "application/pdf", limits=ExtractionLimits())

    return read


@pytest.fixture
def read_text(tmp_path: Path) -> ReadText:
    """Write plain text and read it in this process."""
    return _reader(tmp_path / "made.txt", "text/plain")


@pytest.fixture
def read_markdown(tmp_path: Path) -> ReadText:
    """Write Markdown and read it in this process."""
    return _reader(tmp_path / "made.md", "text/markdown")


def _reader(path: Path, content_type: str) -> ReadText:
    def read(content: str | bytes) -> ExtractedDocument:
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return extract_document(path, content_type, limits=ExtractionLimits())

    return read
