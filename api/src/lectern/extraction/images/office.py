"""Pictures of Word and PowerPoint files: which may show text, and that text in its place among the page's own."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from PIL import Image

from lectern.extraction.errors import Corrupt, FileTooLarge
from lectern.extraction.formats.archive import Archive, open_archive
from lectern.extraction.formats.image import open_embedded_image
from lectern.extraction.images.block import kept_lines, shows_text
from lectern.extraction.images.selection import join_notes, not_read, read_note, unclear_note
from lectern.extraction.layout.page_composer import compose
from lectern.extraction.layout.text_cleaning import clean_text
from lectern.extraction.ocr.pages import OcrReader, OcrWord, merge_rows, no_words_note, place_words
from lectern.extraction.registry import get_extractor
from lectern.extraction.types import (
    EmbeddedImage,
    EmbeddedImages,
    ExtractedPage,
    ExtractionLimits,
    LineKind,
    PageKind,
    PageLine,
)

_MAX_SIDE: Final = 5_000
_MIN_SIDE: Final = 40
_POINTS_PER_INCH: Final = 72.0
_BETWEEN_BLOCKS: Final = "\n\n"


class _Read(NamedTuple):
    """What is written in a picture: its lines as text, and how sure the reader was, of so many characters.

    Without lines there is none (a photograph), or `is_unclear`.
    """

    lines: tuple[str, ...] = ()
    confidence: float = 0.0
    characters: int = 0
    is_unclear: bool = False


class OfficePictures:
    """Reads the pictures of pages one page after the other; a part that several pages show once."""

    def __init__(self, path: Path, content_type: str, reader: OcrReader, *, limits: ExtractionLimits) -> None:
        self._path = path
        self._content_type = content_type
        self._reader = reader
        self._limits = limits
        self._known: dict[str, _Read] = {}

    def read(self, wanted: Sequence[EmbeddedImages]) -> Iterator[ExtractedPage]:
        """Each page with the text of its pictures in its own; its note says what was read and what was not."""
        pages: dict[int, ExtractedPage] = {}
        extract = get_extractor(self._content_type).load()
        extract(
            self._path, limits=self._limits, password=None,
            on_page=lambda page, _: pages.update({page.page_number: page}),
        )  # fmt: skip
        with open_archive(self._path, limits=self._limits) as archive:
            for page_number, pictures in wanted:
                if page_number in pages:
                    yield self._with_pictures(archive, pages[page_number], pictures)

    def _with_pictures(self, archive: Archive, page: ExtractedPage, pictures: Sequence[EmbeddedImage]) -> ExtractedPage:
        found: list[tuple[int, _Read]] = []
        notes: list[str] = []
        unclear = 0
        for picture in pictures:
            try:
                read = self._lines(archive, picture)
            except (Corrupt, FileTooLarge) as failure:
                notes.append(not_read(1, failure.message))
                continue
            unclear += read.is_unclear
            if read.lines:
                found.append((picture.line, read))
        if unclear:
            notes.append(unclear_note(unclear))
        if not found and not notes and page.kind is PageKind.UNREADABLE:
            notes.append(no_words_note(self._reader.name))
        if found:
            characters = [read.characters for _, read in found]
            sure = float(np.average([read.confidence for _, read in found], weights=characters))
            notes.insert(0, read_note(len(found), self._reader.name, sure))
        for line, read in sorted(found, key=lambda one: one[0], reverse=True):
            page = insert_text(page, read.lines, line=line)
        return replace(page, note=join_notes([page.note, *notes]) or None)

    def _lines(self, archive: Archive, picture: EmbeddedImage) -> _Read:
        if picture.part not in self._known:
            drawn = _drawn(archive.read(picture.part), dpi=picture.dpi, wanted_dpi=self._reader.picture_dpi)
            self._known[picture.part] = _read(self._reader, drawn) if min(drawn.size) >= _MIN_SIDE else _Read()
        return self._known[picture.part]


def insert_text(page: ExtractedPage, texts: Sequence[str], *, line: int) -> ExtractedPage:
    """The page with a block of lines that were read in a picture, after so many of its own lines."""
    line = max(0, min(line, len(page.lines)))
    block = "\n".join(texts)
    if line < len(page.lines):
        start = page.text.rfind("\n", 0, page.lines[line].start) + 1
        text = f"{page.text[:start]}{block}{_BETWEEN_BLOCKS}{page.text[start:]}"
    else:
        start = len(page.text) + len(_BETWEEN_BLOCKS) if page.text else 0
        text = f"{page.text}{_BETWEEN_BLOCKS}{block}" if page.text else block
    shift = len(block) + len(_BETWEEN_BLOCKS)
    added: list[PageLine] = []
    position = start
    for shown in texts:
        added.append(PageLine(position, position + len(shown), kind=LineKind.PICTURE))
        position += len(shown) + 1
    moved = (own._replace(start=own.start + shift, end=own.end + shift) for own in page.lines[line:])
    kind = PageKind.OCR if page.kind is PageKind.UNREADABLE else page.kind
    return replace(page, kind=kind, text=text, lines=(*page.lines[:line], *added, *moved))


def _read(reader: OcrReader, drawn: Image.Image) -> _Read:
    scale = _POINTS_PER_INCH / float(drawn.info["dpi"][0])
    width, height = drawn.width * scale, drawn.height * scale
    cleaned = [[_cleaned(word) for word in line] for line in reader.read(drawn)]
    worded = [[word for word in line if word.text] for line in cleaned]
    lines = merge_rows([line for line in worded if line])
    if not shows_text(lines):
        return _Read(is_unclear=any(len(word.text) > 1 for line in lines for word in line))
    kept = kept_lines(lines, ExtractedPage(1, PageKind.TEXT, "", width, height))
    placed, hyphenated, confidences = place_words(kept, scale)
    block = compose(
        placed, hyphenated=hyphenated, width_points=width, height_points=height,
        is_bold=lambda _word, _other: False, confidences=confidences,
    )  # fmt: skip
    lengths = [len(text) for text in placed.texts]
    texts = tuple(block.text[line.start : line.end] for line in block.lines)
    return _Read(texts, float(np.average(confidences, weights=lengths)), sum(lengths))


def _cleaned(word: OcrWord) -> OcrWord:
    return word._replace(text="".join(clean_text(word.text).split()))


def _drawn(raw: bytes, *, dpi: float, wanted_dpi: float) -> Image.Image:
    """The picture on white, enlarged or reduced to what the reader wants. Raises `Corrupt`, `FileTooLarge`."""
    coloured = open_embedded_image(raw)
    picture = Image.new("RGB", coloured.size, "white")
    picture.paste(coloured, mask=coloured.getchannel("A"))
    factor = min(wanted_dpi / max(dpi, 1.0), _MAX_SIDE / max(picture.size))
    sides = tuple(max(1, round(side * factor)) for side in picture.size)
    picture = picture.resize((sides[0], sides[1]), Image.Resampling.BICUBIC)
    picture.info["dpi"] = (dpi * factor, dpi * factor)
    return picture
