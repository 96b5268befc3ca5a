"""Find the pages of quotes in a finished document."""

import io
import re
from collections.abc import Iterable, Sequence

import pypdfium2


def read_pdf(content: bytes) -> tuple[str, ...]:
    """Return the text of each page as `normalize` makes it."""
    with pypdfium2.PdfDocument(io.BytesIO(content)) as document:
        return tuple(normalize(page.get_textpage().get_text_bounded()) for page in document)


def normalize(text: str) -> str:
    """Collapse white space, and join words hyphenated at the end of a line (U+FFFE)."""
    return " ".join(re.sub("\ufffe\\s*", "", text).split())


def find_pages(quote: str, texts: Sequence[str]) -> list[int]:
    """Return the pages that contain a quote, from 1. A quote may go over two pages."""
    wanted = normalize(quote)
    pages = [number for number, text in enumerate(texts, start=1) if wanted in text]
    if pages:
        return pages
    pairs: Iterable[tuple[int, str]] = (
        (number, f"{texts[number - 1]} {texts[number]}") for number in range(1, len(texts))
    )
    return next(([number, number + 1] for number, text in pairs if wanted in text), [])
