"""A page of a PDF: its words with positions, through PDFium.

One `FPDFText_GetText` for a page, then positions at the ends of words only. Calls for every character would cost three
times as much (docs/adr/0013-read-pdfs-with-pdfium.md).
"""
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# pypdfium2 has no types

import ctypes
import re
import sys
from dataclasses import replace
from itertools import islice

import numpy as np
import numpy.typing as npt
import pypdfium2
import pypdfium2.raw as pdfium

from lectern.extraction.budget import Budget
from lectern.extraction.formats.pdf.annotations import LoadedPage, append_comments
from lectern.extraction.formats.pdf.objects import PageView, by_address, find_images, find_rules, list_objects
from lectern.extraction.layout.page_composer import compose
from lectern.extraction.layout.reading_order import PlacedWords
from lectern.extraction.layout.text_cleaning import has_meaning, is_readable
from lectern.extraction.layout.words import WordSpans, has_doubled_words, order_added, single_letters, split_words
from lectern.extraction.types import ExtractedPage, PageKind

_BOLD_NAME = re.compile(rb"bold|black|heavy|demi|semib|cmbx|-bd|medi\b", re.IGNORECASE)
_BOLD_WEIGHT = 600
_DEVICE = 1_000_000
# A page of fewer characters may have the rest of its text in an image that covers this share of it, or drawn as
# outlines. A letter has a dozen segments or more, a chart or a ruled form a few hundred in all.
_FEW_CHARACTERS = 200
_IMAGE_SHARE = 0.3
_MANY_SEGMENTS = 2_000
_MAX_OBJECTS = 5_000
_SHADOW_OFFSET = 0.34  # of a character's width
_MIN_HEIGHT = 0.85  # of the font's size: without its ascent and descent, PDFium measures the letters
_PARTIAL = "Most of this page is a picture or a drawing."

_loose_box = by_address(pdfium.FPDFText_GetLooseCharBox, ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)
_matrix = by_address(pdfium.FPDFText_GetMatrix, ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)
_font_size = by_address(pdfium.FPDFText_GetFontSize, ctypes.c_double, ctypes.c_void_p, ctypes.c_int)


class TextPage:
    """A loaded page and the characters that PDFium reports."""

    def __init__(self, loaded: LoadedPage, text_page: pypdfium2.PdfTextPage) -> None:
        self._page, self._own_characters, self._comments = loaded
        self._raw = text_page.raw
        self._address = ctypes.cast(text_page.raw, ctypes.c_void_p).value or 0
        self._bold: dict[tuple[bytes, int], bool] = {}
        self._font_name = ctypes.create_string_buffer(128)
        self._font_flags = ctypes.c_int()
        self.width, self.height = (max(float(side), 0.01) for side in self._page.get_size())
        self._view = PageView(self.width, self.height, *self._to_display())

    def read(self, page_number: int, *, budget: Budget) -> ExtractedPage:
        """Read text, lines, boxes and images of the page. Raises `FileTooLarge`."""
        count = max(0, int(pdfium.FPDFText_CountChars(self._raw)))
        budget.check_page(page_number, count)
        raw_text = self._text(count)
        words = split_words(raw_text)
        placed, words = self._place(self._without_shadows(words) if has_doubled_words(raw_text) else words)
        objects = list_objects(ctypes.cast(self._page.raw, ctypes.c_void_p).value or 0)
        composed = compose(
            placed,
            hyphenated=frozenset(np.flatnonzero(words.is_cut).tolist()),
            width_points=self.width,
            height_points=self.height,
            is_bold=lambda word, other: (
                self._is_bold(int(words.first[word])) and self._is_bold(int(words.first[other]))
            ),
            rules=find_rules(objects, self._view),
        )
        budget.spend(len(composed.text), lines=len(composed.lines))
        if not (has_meaning(raw_text) and is_readable(composed.text)):
            return self._without_text(page_number, has_characters=bool(raw_text.strip()))
        is_partial = len(composed.text) < _FEW_CHARACTERS and self._is_mostly_drawn()
        page = ExtractedPage(
            page_number,
            composed.kind,
            composed.text,
            self.width,
            self.height,
            composed.boxes,
            composed.lines,
            note=_PARTIAL if is_partial else None,
            is_partial=is_partial,
            images=() if is_partial else find_images(objects, self._view, placed),
        )
        return self._with_comments(page, budget=budget)

    def _with_comments(self, page: ExtractedPage, *, budget: Budget) -> ExtractedPage:
        comments = self._comments
        if not comments:
            return page
        budget.spend(sum(len(comment.text) for comment in comments), lines=len(comments))
        turn, shift = self._view.turn, self._view.shift
        corners = np.array([comment.rectangle for comment in comments]).reshape(-1, 2, 2) @ turn.T + shift
        boxes = np.concatenate([corners.min(axis=1), corners.max(axis=1)], axis=1)
        shown = (boxes / np.array([self.width, self.height] * 2)).clip(0, 1).round(4).tolist()
        return append_comments(page, [(comment.text, box) for comment, box in zip(comments, shown, strict=True)])

    def _without_text(self, page_number: int, *, has_characters: bool) -> ExtractedPage:
        kind, note = PageKind.EMPTY, None
        if has_characters:
            kind, note = PageKind.UNREADABLE, "The characters of this page carry no meaning; it needs text recognition."
        elif pdfium.FPDFPage_CountObjects(self._page.raw) > 0:
            kind, note = PageKind.UNREADABLE, "The page shows pictures or drawings only; it needs text recognition."
        return ExtractedPage(page_number, kind, "", self.width, self.height, note=note)

    def _is_mostly_drawn(self) -> bool:
        """Return whether images cover much of the page, or drawings are as intricate as letters."""
        image_area, segments = 0.0, 0
        for drawn in islice(self._page.get_objects(max_depth=3), _MAX_OBJECTS):
            kind = pdfium.FPDFPageObj_GetType(drawn.raw)
            if kind == pdfium.FPDF_PAGEOBJ_PATH:
                segments += max(0, int(pdfium.FPDFPath_CountSegments(drawn.raw)))
            elif kind == pdfium.FPDF_PAGEOBJ_IMAGE:
                try:
                    left, bottom, right, top = drawn.get_bounds()
                except pypdfium2.PdfiumError:  # an image without bounds; the text is fine
                    continue
                image_area += max(0.0, right - left) * max(0.0, top - bottom)
            if segments >= _MANY_SEGMENTS or image_area >= _IMAGE_SHARE * self.width * self.height:
                return True
        return False

    def _text(self, count: int) -> str:
        """Return the text, one code unit of UTF-16 for each position of PDFium."""
        if not count:
            return ""
        buffer = (ctypes.c_uint16 * (count + 1))()
        written = int(pdfium.FPDFText_GetText(self._raw, 0, count, buffer)) - 1
        if written == count:
            units = np.frombuffer(memoryview(buffer), np.uint16, count).astype(np.uint32)
            return units.tobytes().decode("utf-32-le", "surrogatepass")
        # GetText drops some characters. Ask for each, so that positions match.
        return "".join(self._character(position) for position in range(count))

    def _character(self, position: int) -> str:
        code = int(pdfium.FPDFText_GetUnicode(self._raw, position))
        return chr(code) if 0 < code <= sys.maxunicode else " "

    def _without_shadows(self, words: WordSpans) -> WordSpans:
        """Undouble words whose letters are drawn twice in one place, as some programs do for bold type."""
        texts = [
            once if (once := single_letters(text)) is not None and self._is_shadowed(int(first)) else text
            for text, first in zip(words.texts, words.first.tolist(), strict=True)
        ]
        return replace(words, texts=texts)

    def _is_shadowed(self, position: int) -> bool:
        """Return whether this character and the next are less than a third of a width apart."""
        origins = [(ctypes.c_double(), ctypes.c_double()) for _ in range(2)]
        for offset, (x, y) in enumerate(origins):
            if not pdfium.FPDFText_GetCharOrigin(self._raw, position + offset, x, y):
                return False
        box = (ctypes.c_float * 4)()
        _loose_box(self._address, position, ctypes.addressof(box))
        (x, y), (next_x, next_y) = origins
        apart = max(abs(next_x.value - x.value), abs(next_y.value - y.value))
        return apart < _SHADOW_OFFSET * max(abs(box[2] - box[0]), abs(box[3] - box[1]) / 4)

    def _place(self, words: WordSpans) -> tuple[PlacedWords, WordSpans]:
        """Place words in points of the page as displayed, and drop those wholly outside of it."""
        first, last, matrices, font_sizes = self._measure(words)
        turn, shift = self._view.turn, self._view.shift
        # FS_RECTF is left, top, right, bottom. Rotation may swap any of them.
        points = np.concatenate([first.reshape(-1, 2, 2), last.reshape(-1, 2, 2)], axis=1) @ turn.T + shift
        corners = np.concatenate([points.min(axis=1), points.max(axis=1)], axis=1)
        along = matrices[:, :2] @ turn.T
        directions = np.where(
            np.abs(along[:, 0]) >= np.abs(along[:, 1]), np.where(along[:, 0] < 0, 2, 0), np.where(along[:, 1] < 0, 3, 1)
        )
        sizes = np.abs(points[:, 1] - points[:, 0])
        font_sizes *= np.linalg.norm(matrices[:, 2:4] @ turn.T, axis=1)
        heights = np.maximum(np.where(directions % 2 == 0, sizes[:, 1], sizes[:, 0]), _MIN_HEIGHT * font_sizes)
        origins = matrices[:, 4:] @ turn.T + shift
        is_left_or_above = (corners[:, 2] <= 0) | (corners[:, 3] <= 0)
        visible = ~(is_left_or_above | (corners[:, 0] >= self.width) | (corners[:, 1] >= self.height))
        placed = PlacedWords(words.texts, corners, origins, heights, directions)
        if not visible.all():
            placed, words = placed.select(np.flatnonzero(visible)), words.select(np.flatnonzero(visible))
        if self._own_characters is not None:
            order = order_added(placed, int(np.searchsorted(words.first, self._own_characters)))
            placed, words = placed.select(order), words.select(order)
        return placed, words

    def _measure(
        self, words: WordSpans
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32], npt.NDArray[np.float32], npt.NDArray[np.float64]]:
        """Return boxes of the first and last characters of words, text matrices, and font sizes in text space."""
        count = len(words.texts)
        first, last = np.zeros((count, 4), np.float32), np.zeros((count, 4), np.float32)
        matrices = np.zeros((count, 6), np.float32)
        font_sizes = np.zeros(count)
        page = self._address
        at_first, at_last, at_matrix = first.ctypes.data, last.ctypes.data, matrices.ctypes.data
        for place, (start, end) in enumerate(zip(words.first.tolist(), words.last.tolist(), strict=True)):
            _loose_box(page, start, at_first)
            _loose_box(page, end, at_last)
            _matrix(page, start, at_matrix)
            font_sizes[place] = _font_size(page, start)
            at_first, at_last, at_matrix = at_first + 16, at_last + 16, at_matrix + 24
        return first, last, matrices, font_sizes

    def _to_display(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Return the affine map from page space to points of the displayed page (crop box and rotation)."""
        base, right, up = (self._device(x, y) for x, y in ((0.0, 0.0), (self.width, 0.0), (0.0, self.height)))
        scale = np.array([self.width, self.height]) / _DEVICE
        turn = np.stack([(right - base) * scale / self.width, (up - base) * scale / self.height], axis=1)
        return turn, base * scale

    def _device(self, x: float, y: float) -> npt.NDArray[np.float64]:
        across, down = ctypes.c_int(), ctypes.c_int()
        pdfium.FPDF_PageToDevice(self._page.raw, 0, 0, _DEVICE, _DEVICE, 0, x, y, across, down)
        return np.array([across.value, down.value], dtype=np.float64)

    def _is_bold(self, position: int) -> bool:
        """Judge by font name, force-bold flag (bit 19 of the descriptor flags) or weight."""
        written = pdfium.FPDFText_GetFontInfo(self._raw, position, self._font_name, 128, self._font_flags)
        name = self._font_name.raw[: max(0, min(int(written), 128) - 1)]
        key = (name, self._font_flags.value)
        known = self._bold.get(key)
        if known is None:
            weight = int(pdfium.FPDFText_GetFontWeight(self._raw, position))
            known = bool(_BOLD_NAME.search(name) or self._font_flags.value & 1 << 18 or weight >= _BOLD_WEIGHT)
            self._bold[key] = known
        return known
