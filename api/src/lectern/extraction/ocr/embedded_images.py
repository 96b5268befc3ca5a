"""Recognize images embedded among the text of a page. Runs in the confined child."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from PIL import Image

from lectern.extraction.errors import Corrupt, Encrypted, FileTooLarge
from lectern.extraction.formats.archive import Archive, open_archive
from lectern.extraction.formats.image import open_embedded_image
from lectern.extraction.layout.page_composer import NO_RULES
from lectern.extraction.layout.reading_order import Floats
from lectern.extraction.ocr.image_text import (
    ImagePlace,
    insert_block,
    insert_text,
    own_words,
    select_lines,
    shows_text,
)
from lectern.extraction.ocr.orientation import read_upright
from lectern.extraction.ocr.pages import (
    MAX_SIDE,
    MIN_SIDE,
    OcrLine,
    OcrReader,
    clean_words,
    compose_lines,
    merge_rows,
    no_words_note,
)
from lectern.extraction.ocr.rules import find_rules
from lectern.extraction.ocr.selection import (
    join_notes,
    mean_confidence,
    recognized_note,
    skipped_note,
    unclear_note,
)
from lectern.extraction.registry import get_extractor
from lectern.extraction.types import (
    EmbeddedImage,
    ExtractedPage,
    ExtractionLimits,
    ImagesOfPage,
    PageKind,
    RecognizedImage,
)

_POINTS_PER_INCH: Final = 72.0


class _ImageLines(NamedTuple):
    """The lines of a level image and the boxes of its rules in points.

    The middle of `place` is in points from the upper left corner of the image on the page.
    """

    lines: list[OcrLine]
    rules: Floats
    place: ImagePlace


class PdfImageReader:
    """Add the text of their images to pages of a PDF. Images that look the same are recognized once."""

    def __init__(self, path: Path, reader: OcrReader, *, limits: ExtractionLimits, password: str | None) -> None:
        self._path = path
        self._reader = reader
        self._limits = limits
        self._password = password
        self._known: dict[str, _ImageLines] = {}

    def read(self, selected: Sequence[ImagesOfPage]) -> Iterator[ExtractedPage]:
        """Yield each page with the text of its images, and a note on what was read and what was not."""
        from lectern.extraction.formats.pdf.document import read_page

        for page_number, images in selected:
            page = read_page(self._path, page_number, limits=self._limits, password=self._password)
            try:
                yield self._with_images(page, images)
            except (Corrupt, Encrypted, FileTooLarge) as failure:
                yield replace(page, note=skipped_note(len(images), failure.message))

    def _with_images(self, original: ExtractedPage, images: Sequence[EmbeddedImage]) -> ExtractedPage:
        page, unclear = original, 0
        read: list[RecognizedImage] = []
        for image in images:
            found = self._read_image(original.page_number, image)
            if not shows_text(found.lines):
                unclear += _has_words(found.lines)
                continue
            corner = np.array([image.left * original.width_points, image.top * original.height_points])
            place = found.place._replace(middle=found.place.middle + corner)
            if new_lines := select_lines(found.lines, own_words(original, place)):
                page = insert_block(page, new_lines, image, place, rules=found.rules)
                read.append(_recognized(new_lines))
        confidence = mean_confidence(read)
        notes = [recognized_note(len(read), self._reader.name, confidence)] if confidence else []
        notes += [unclear_note(unclear)] if unclear else []
        return replace(page, note=join_notes(notes) or None, confidence=confidence, recognized_images=tuple(read))

    def _read_image(self, page_number: int, image: EmbeddedImage) -> _ImageLines:
        found = self._known.get(image.key) or self._recognize(page_number, image)
        if image.key:
            self._known[image.key] = found
        return found

    def _recognize(self, page_number: int, image: EmbeddedImage) -> _ImageLines:
        from lectern.extraction.formats.pdf.rendering import draw_region

        region = draw_region(
            self._path, page_number=page_number, region=image, dpi=self._reader.image_dpi, max_side=MAX_SIDE,
            password=self._password,
        )  # fmt: skip
        level, words = read_upright(self._reader, region.image)
        lines = clean_words(words)
        rules = find_rules(level.image, points_per_pixel=region.points_per_pixel) if lines else NO_RULES
        placed = [[region.in_points(word) for word in line] for line in lines]
        size = np.array(level.image.size) * region.points_per_pixel
        place = ImagePlace(size, np.array(region.middle), level.degrees)
        return _ImageLines(merge_rows(placed), rules, place)


class _ImageText(NamedTuple):
    """The text of an image; None for a photograph or unclear text."""

    recognized: RecognizedImage | None = None
    is_unclear: bool = False


class OfficeImageReader:
    """Add the text of their images to pages of a Word or PowerPoint file. Each part is recognized once."""

    def __init__(self, path: Path, content_type: str, reader: OcrReader, *, limits: ExtractionLimits) -> None:
        self._path = path
        self._content_type = content_type
        self._reader = reader
        self._limits = limits
        self._known: dict[str, _ImageText] = {}

    def read(self, selected: Sequence[ImagesOfPage]) -> Iterator[ExtractedPage]:
        """Yield each page with the text of its images, and a note on what was read and what was not."""
        pages: dict[int, ExtractedPage] = {}
        extract = get_extractor(self._content_type).load()
        extract(
            self._path, limits=self._limits, password=None,
            on_page=lambda page, _: pages.update({page.page_number: page}),
        )  # fmt: skip
        with open_archive(self._path, limits=self._limits) as archive:
            for page_number, images in selected:
                if page_number in pages:
                    yield self._with_images(archive, pages[page_number], images)

    def _with_images(self, archive: Archive, page: ExtractedPage, images: Sequence[EmbeddedImage]) -> ExtractedPage:
        read: list[tuple[int, RecognizedImage]] = []
        notes: list[str] = []
        unclear = 0
        for image in images:
            try:
                text = self._text(archive, image)
            except (Corrupt, FileTooLarge) as failure:
                notes.append(skipped_note(1, failure.message))
                continue
            unclear += text.is_unclear
            if text.recognized:
                read.append((image.line, text.recognized))
        if unclear:
            notes.append(unclear_note(unclear))
        confidence = mean_confidence([image for _, image in read])
        if confidence is not None:
            notes.insert(0, recognized_note(len(read), self._reader.name, confidence))
        elif not notes and page.kind is PageKind.UNREADABLE:
            notes.append(no_words_note(self._reader.name))
        for line, recognized in sorted(read, key=lambda one: one[0], reverse=True):
            page = insert_text(page, recognized.text.split("\n"), line=line)
        note = join_notes([page.note, *notes]) or None
        images_read = tuple(recognized for _, recognized in read)
        return replace(page, note=note, confidence=confidence, recognized_images=images_read)

    def _text(self, archive: Archive, image: EmbeddedImage) -> _ImageText:
        if image.part not in self._known:
            drawn = _flatten(archive.read(image.part), dpi=image.dpi, reader_dpi=self._reader.image_dpi)
            self._known[image.part] = self._recognize(drawn) if min(drawn.size) >= MIN_SIDE else _ImageText()
        return self._known[image.part]

    def _recognize(self, image: Image.Image) -> _ImageText:
        level, words = read_upright(self._reader, image)
        image, lines = level.image, merge_rows(clean_words(words))
        scale = _POINTS_PER_INCH / float(image.info["dpi"][0])
        sheet = ExtractedPage(1, PageKind.TEXT, "", image.width * scale, image.height * scale)
        if not shows_text(lines):
            return _ImageText(is_unclear=_has_words(lines))
        rules = find_rules(image, points_per_pixel=scale)
        block, placed, confidences = compose_lines(select_lines(lines), sheet, scale=scale, rules=rules)
        confidence = float(np.average(confidences, weights=[len(text) for text in placed.texts]))
        text = "\n".join(block.text[line.start : line.end] for line in block.lines)
        return _ImageText(RecognizedImage(text, round(confidence, 4)))


def _flatten(raw: bytes, *, dpi: float, reader_dpi: float) -> Image.Image:
    """Put an image on white and scale it to what the reader wants. Raises `Corrupt`, `FileTooLarge`."""
    coloured = open_embedded_image(raw)
    image = Image.new("RGB", coloured.size, "white")
    image.paste(coloured, mask=coloured.getchannel("A"))
    factor = min(reader_dpi / max(dpi, 1.0), MAX_SIDE / max(image.size))
    width, height = (max(1, round(side * factor)) for side in image.size)
    image = image.resize((width, height), Image.Resampling.BICUBIC)
    image.info["dpi"] = (dpi * factor, dpi * factor)
    return image


def _recognized(lines: Sequence[OcrLine]) -> RecognizedImage:
    words = [word for line in lines for word in line]
    confidence = np.average([word.confidence for word in words], weights=[len(word.text) for word in words])
    text = "\n".join(" ".join(word.text for word in line) for line in lines)
    return RecognizedImage(text, round(float(confidence), 4))


def _has_words(lines: Sequence[OcrLine]) -> bool:
    return any(len(word.text) > 1 for line in lines for word in line)
