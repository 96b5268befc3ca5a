"""Select the embedded images for text recognition, and word the notes of the page ledger on images."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from lectern.extraction.types import EmbeddedImage, ExtractedPage, ImagesOfPage, RecognizedImage

MAX_IMAGES: Final = 200
"""Per document. 200 photographs of 4 by 3 inches took 400 seconds of a processor."""

MAX_PIXELS: Final = 100_000_000
_LETTERHEAD_MIN_PAGES: Final = 3
_LETTERHEAD_PAGE_SHARE: Final = 0.5

OFF: Final = "text recognition is switched off (LECTERN_OCR_ENGINE)."
NOT_INSTALLED: Final = "no text recognition is installed."
_TOO_LARGE: Final = f"pictures of more than {MAX_PIXELS:,} pixels are not drawn."


@dataclass(frozen=True, slots=True)
class ImageSelection:
    """Images to recognize, and notes on skipped images by page number."""

    selected: tuple[ImagesOfPage, ...]
    notes: dict[int, str]


def select_images(pages: Sequence[ExtractedPage], *, max_images: int = MAX_IMAGES) -> ImageSelection:
    """Select the first `max_images` different images. A letterhead is selected only where it first occurs."""
    over_limit = f"text recognition reads {max_images:,} pictures of a document."
    letterheads = _letterheads(pages)
    known: set[str] = set()
    count = 0
    selected: list[ImagesOfPage] = []
    notes: dict[int, str] = {}
    for page in pages:
        chosen: list[EmbeddedImage] = []
        skipped: Counter[str] = Counter()
        for image in page.images:
            is_known = bool(image.key) and image.key in known
            if is_known and image.key in letterheads:
                continue
            if image.pixels > MAX_PIXELS:
                skipped[_TOO_LARGE] += 1
            elif is_known or count < max_images:
                count += not is_known
                known.add(image.key)
                chosen.append(image)
            else:
                skipped[over_limit] += 1
        if chosen:
            selected.append(ImagesOfPage(page.page_number, tuple(chosen)))
        if skipped:
            notes[page.page_number] = join_notes(skipped_note(number, reason) for reason, number in skipped.items())
    return ImageSelection(tuple(selected), notes)


def skipped_note(count: int, reason: str) -> str:
    """Return the note on images that were not read."""
    subject = "A picture on this page was" if count == 1 else f"{count} pictures on this page were"
    return f"{subject} not read: {reason}"


def recognized_note(count: int, reader: str, confidence: float) -> str:
    """Return the note on images that were read."""
    return f"Text in {_images(count)} was read by text recognition ({reader}); confidence {confidence * 100:.0f} %."


def mean_confidence(images: Sequence[RecognizedImage]) -> float | None:
    """Return the mean confidence of images by length of text, None without text."""
    characters = sum(len(image.text) for image in images)
    return round(sum(image.confidence * len(image.text) for image in images) / characters, 4) if characters else None


def unclear_note(count: int) -> str:
    """Return the note on images whose text was too unclear to keep."""
    return f"What {_images(count)} may say was too little or too unclear to be read."


def join_notes(notes: Iterable[str | None]) -> str:
    return " ".join(note for note in notes if note)


def _images(count: int) -> str:
    return "a picture" if count == 1 else f"{count} pictures"


def _letterheads(pages: Sequence[ExtractedPage]) -> set[str]:
    """Return the keys of images that are on half of the pages."""
    pages_by_key: dict[str, set[int]] = defaultdict(set)
    for page in pages:
        for image in page.images:
            if image.key:
                pages_by_key[image.key].add(page.page_number)
    min_pages = max(_LETTERHEAD_MIN_PAGES, _LETTERHEAD_PAGE_SHARE * len(pages))
    return {key for key, numbers in pages_by_key.items() if len(numbers) >= min_pages}
