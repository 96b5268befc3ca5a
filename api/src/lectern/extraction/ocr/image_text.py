"""Judge the text of an embedded image, and insert it into the text of its page (pure)."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from lectern.extraction.layout.boxes import WordBoxes, pack_boxes, unpack_boxes
from lectern.extraction.layout.page_composer import NO_RULES, ComposedPage
from lectern.extraction.layout.reading_order import Floats
from lectern.extraction.ocr.orientation import turn_boxes, turn_corners
from lectern.extraction.ocr.pages import OcrLine, compose_lines
from lectern.extraction.types import EmbeddedImage, ExtractedPage, LineKind, PageKind, PageLine

CONFIDENT: Final = 0.8
"""An image shows text when words of this confidence make up half of its characters."""

_MIN_CONFIDENCE: Final = 0.5
_CONFIDENT_SHARE: Final = 0.5
_MIN_CHARACTERS: Final = 8
_COVERED_SHARE: Final = 0.5
_BESIDE_HEIGHTS: Final = 3.0
_TOLERANCE: Final = 0.005
_BETWEEN_BLOCKS: Final = "\n\n"

NO_WORDS: Final = np.zeros((0, 4))

_Number = TypeVar("_Number", np.int64, np.float64)


def shows_text(lines: Sequence[OcrLine]) -> bool:
    """Return whether an image shows text. A photograph or a map yields some uncertain letters."""
    words = [word for line in lines for word in line]
    total = sum(len(word.text) for word in words)
    confident = sum(len(word.text) for word in words if word.confidence >= CONFIDENT and _has_letters(word.text))
    return confident >= _MIN_CHARACTERS and confident >= _CONFIDENT_SHARE * total


class ImagePlace(NamedTuple):
    """Where a level image is on its page: its size and the middle on the page in points, and how far it is turned."""

    size: Floats
    middle: Floats
    degrees: float = 0.0


def own_words(page: ExtractedPage, place: ImagePlace) -> Floats:
    """Return the boxes of the words of a page (n, 4), as they are on the level image, in points."""
    corners = unpack_boxes(page.boxes).corners * np.array([page.width_points, page.height_points] * 2)
    return turn_corners(corners, -place.degrees, place.middle, place.size / 2)


def select_lines(lines: Sequence[OcrLine], own: Floats = NO_WORDS) -> list[OcrLine]:
    """Drop uncertain words and words in the same position as `own` ones (n, 4)."""
    selected = [
        [
            word
            for word in line
            if word.confidence >= _MIN_CONFIDENCE and _has_letters(word.text) and not _is_covered(word[1:5], own)
        ]
        for line in lines
    ]
    return [line for line in selected if any(_is_informative(word.text) for word in line)]


def insert_block(
    page: ExtractedPage,
    lines: Sequence[OcrLine],
    image: EmbeddedImage,
    place: ImagePlace,
    *,
    rules: Floats = NO_RULES,
) -> ExtractedPage:
    """Insert lines (in points of the level image) as a block at the position of their image in reading order."""
    block = _compose_block(lines, page, place, rules=rules)
    position = find_position(image, page.lines)
    is_last = position == len(page.lines)
    start = len(page.text) + 1 if is_last else page.lines[position].start
    shift = len(block.text) + 1
    before, after = page.text[: start - is_last], page.text[start:]
    marked = [_shift(line, start)._replace(kind=LineKind.IMAGE) for line in block.lines]
    return replace(
        page,
        text=f"{before}\n{block.text}" if is_last else f"{before}{block.text}\n{after}",
        lines=(*page.lines[:position], *marked, *(_shift(line, shift) for line in page.lines[position:])),
        boxes=_merge_boxes(page, block, start=start, shift=shift),
    )


def _compose_block(lines: Sequence[OcrLine], page: ExtractedPage, place: ImagePlace, *, rules: Floats) -> ComposedPage:
    """Compose lines on their level image, and place them on the page. Lines move, but stay level."""
    sheet = replace(page, width_points=float(place.size[0]), height_points=float(place.size[1]))
    block, _, _ = compose_lines(lines, sheet, scale=1.0, rules=rules)
    size = np.array([page.width_points, page.height_points])
    boxes = turn_boxes(block.boxes, place.degrees, (place.size, place.size / 2), (size, place.middle))
    corners = np.array([[line.left, line.top, line.right, line.bottom] for line in block.lines])
    level = turn_corners(corners * np.tile(place.size, 2), 0.0, place.size / 2, place.middle) / np.tile(size, 2)
    sides = level.clip(0, 1).round(4).tolist()
    moved = [
        line._replace(left=left, top=top, right=right, bottom=bottom)
        for line, (left, top, right, bottom) in zip(block.lines, sides, strict=True)
    ]
    return replace(block, boxes=boxes, lines=tuple(moved))


def find_position(image: EmbeddedImage, lines: Sequence[PageLine]) -> int:
    """Count the lines before an image: up to the nearest one above it, else to the first one below.

    Of several lines that end above it at about the same height (columns over a wide image) the last counts.
    """
    beside = [
        (number, line) for number, line in enumerate(lines) if line.left < image.right and line.right > image.left
    ]
    above = [(number, line) for number, line in beside if _middle(line) <= image.top + _TOLERANCE]
    if above:
        lowest = max((line for _, line in above), key=lambda line: line.bottom)
        near = lowest.bottom - _BESIDE_HEIGHTS * (lowest.bottom - lowest.top)
        return max(number for number, line in above if line.bottom >= near) + 1
    below = [number for number, line in beside if _middle(line) >= image.bottom - _TOLERANCE]
    return min(below) if below else sum(_middle(line) <= image.top for line in lines)


def insert_text(page: ExtractedPage, texts: Sequence[str], *, line: int) -> ExtractedPage:
    """Insert lines without geometry after the first `line` lines of the page."""
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
    for inserted in texts:
        added.append(PageLine(start, start + len(inserted), kind=LineKind.IMAGE))
        start += len(inserted) + 1
    kind = PageKind.OCR if page.kind is PageKind.UNREADABLE else page.kind
    lines = (*page.lines[:line], *added, *(_shift(own, shift) for own in page.lines[line:]))
    return replace(page, kind=kind, text=text, lines=lines)


def _merge_boxes(page: ExtractedPage, block: ComposedPage, *, start: int, shift: int) -> bytes:
    """Merge the boxes of a page with those of a block at `start`, which moves what follows by `shift`."""
    own, added = unpack_boxes(page.boxes), unpack_boxes(block.boxes)
    at = int(np.searchsorted(own.starts, start))
    is_after = np.arange(len(own.starts)) >= at
    first_run = int(own.runs[at - 1]) + 1 if at else 0
    runs = own.runs + is_after * (int(added.runs[-1]) + 1)

    def join(mine: npt.NDArray[_Number], theirs: npt.NDArray[_Number]) -> npt.NDArray[_Number]:
        return np.concatenate([mine[:at], theirs, mine[at:]])

    return pack_boxes(
        WordBoxes(
            starts=join(own.starts + is_after * shift, added.starts + start),
            ends=join(own.ends + is_after * shift, added.ends + start),
            runs=join(runs, added.runs + first_run),
            corners=join(own.corners, added.corners),
            confidences=join(_confidences(own), _confidences(added)),
        )
    )


def _confidences(boxes: WordBoxes) -> npt.NDArray[np.float64]:
    """Return the confidences; 1 for the words of the file itself."""
    return np.ones(len(boxes.starts)) if boxes.confidences is None else boxes.confidences


def _middle(line: PageLine) -> float:
    return (line.top + line.bottom) / 2


def _shift(line: PageLine, by: int) -> PageLine:
    return line._replace(start=line.start + by, end=line.end + by)


def _has_letters(text: str) -> bool:
    return any(map(str.isalnum, text))


def _is_informative(text: str) -> bool:
    """Return whether a word is more than a single letter. The tick of an axis is often read as one."""
    return sum(map(str.isalnum, text)) > 1 or any(map(str.isdigit, text))


def _is_covered(box: tuple[float, ...], own: npt.NDArray[np.float64]) -> bool:
    """Return whether words of the page cover most of this box."""
    left, top, right, bottom = box
    across = np.minimum(own[:, 2], right) - np.maximum(own[:, 0], left)
    down = np.minimum(own[:, 3], bottom) - np.maximum(own[:, 1], top)
    covered = across.clip(0) * down.clip(0)
    return bool(covered.sum() >= _COVERED_SHARE * max((right - left) * (bottom - top), 1e-6))
