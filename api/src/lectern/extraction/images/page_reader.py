"""Text recognition of pictures among a page's text, inside the confined child."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from lectern.extraction.errors import Corrupt, Encrypted, FileTooLarge
from lectern.extraction.images.block import insert, kept_lines, shows_text
from lectern.extraction.images.selection import join_notes, not_read, read_note, unclear_note
from lectern.extraction.layout.boxes import unpack_boxes
from lectern.extraction.layout.text_cleaning import clean_text
from lectern.extraction.ocr.pages import Line, OcrReader, OcrWord, merge_rows
from lectern.extraction.types import EmbeddedImage, EmbeddedImages, ExtractedPage, ExtractionLimits, LineKind

_MAX_SIDE = 5_000
_MIN_SIDE = 40


class PagesWithPictures:
    """Reads the pictures of pages one page after the other; those that look the same once."""

    def __init__(self, path: Path, reader: OcrReader, *, limits: ExtractionLimits, password: str | None) -> None:
        self._path = path
        self._reader = reader
        self._limits = limits
        self._password = password
        self._known: dict[str, list[Line]] = {}

    def read(self, wanted: Sequence[EmbeddedImages]) -> Iterator[ExtractedPage]:
        """Each page with the text of its pictures in its own; its note says what was read and what was not."""
        from lectern.extraction.formats.pdf.reader import read_page

        for page_number, pictures in wanted:
            page = read_page(self._path, page_number, limits=self._limits, password=self._password)
            try:
                yield self._with_pictures(page, pictures)
            except (Corrupt, Encrypted, FileTooLarge) as failure:
                yield replace(page, note=not_read(len(pictures), failure.message))

    def _with_pictures(self, page: ExtractedPage, pictures: Sequence[EmbeddedImage]) -> ExtractedPage:
        read = unclear = 0
        own = page
        for picture in pictures:
            lines = self._lines(page, picture)
            if not shows_text(lines):
                unclear += any(len(word.text) > 1 for line in lines for word in line)
                continue
            kept = kept_lines(lines, own)
            if kept:
                page = insert(page, kept, picture)
                read += 1
        return replace(
            page, note=join_notes([self._note(page, read), unclear_note(unclear) if unclear else None]) or None
        )

    def _lines(self, page: ExtractedPage, picture: EmbeddedImage) -> list[Line]:
        """What is written in a picture, in points of the page."""
        left, top = picture.left * page.width_points, picture.top * page.height_points
        lines = self._known.get(picture.key) if picture.key else None
        if lines is None:
            lines = self._recognised(page.page_number, picture)
            if picture.key:
                self._known[picture.key] = lines
        return [[_moved(word, left, top) for word in line] for line in lines]

    def _recognised(self, page_number: int, picture: EmbeddedImage) -> list[Line]:
        """The lines of a picture in points, from its upper left corner."""
        from lectern.extraction.formats.pdf.rendering import draw_region

        drawn = draw_region(
            self._path, page_number=page_number, part=picture, dpi=self._reader.picture_dpi, max_side=_MAX_SIDE,
            password=self._password,
        )  # fmt: skip
        if min(drawn.picture.size) < _MIN_SIDE:
            return []
        lines = [[_cleaned(word) for word in line] for line in self._reader.read(drawn.picture)]
        placed = [[drawn.in_points(word) for word in line if word.text] for line in lines]
        return merge_rows([line for line in placed if line])

    def _note(self, page: ExtractedPage, read: int) -> str | None:
        """What the ledger says of the pictures that were read."""
        if not read:
            return None
        boxes = unpack_boxes(page.boxes)
        assert boxes.confidences is not None
        in_pictures = np.zeros(len(boxes.starts), dtype=bool)
        for line in page.lines:
            if line.kind is LineKind.PICTURE:
                in_pictures |= (boxes.starts >= line.start) & (boxes.ends <= line.end)
        sure = float(np.average(boxes.confidences[in_pictures], weights=(boxes.ends - boxes.starts)[in_pictures]))
        return read_note(read, self._reader.name, sure)


def _cleaned(word: OcrWord) -> OcrWord:
    return word._replace(text="".join(clean_text(word.text).split()))


def _moved(word: OcrWord, left: float, top: float) -> OcrWord:
    return word._replace(left=word.left + left, top=word.top + top, right=word.right + left, bottom=word.bottom + top)
