"""Which pictures among the text of pages go to text recognition, and what the ledger says of the others."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from lectern.extraction.types import EmbeddedImage, EmbeddedImages, ExtractedPage

MOST_PICTURES: Final = 200
"""Of a document: two hundred photographs of 4 by 3 inches took 400 seconds of a processor."""

MAX_PIXELS: Final = 100_000_000
_LEAST_PAGES: Final = 3
_SHARE_OF_PAGES: Final = 0.5

OFF: Final = "text recognition is switched off (LECTERN_OCR_ENGINE)."
NOT_INSTALLED: Final = "no text recognition is installed."
_TOO_LARGE: Final = f"pictures of more than {MAX_PIXELS:,} pixels are not drawn."


@dataclass(frozen=True, slots=True)
class Choice:
    """Pictures to be recognised, and notes for the ledger, by page number, on those that are not."""

    wanted: tuple[EmbeddedImages, ...]
    notes: dict[int, str]


def choose(pages: Sequence[ExtractedPage], *, most: int = MOST_PICTURES) -> Choice:
    """`most` different pictures, first come; one on half of the pages (a letterhead) where it first stands."""
    beyond = f"text recognition reads {most:,} pictures of a document."
    everywhere = _everywhere(pages)
    known: set[str] = set()
    count = 0
    wanted: list[EmbeddedImages] = []
    notes: dict[int, str] = {}
    for page in pages:
        chosen: list[EmbeddedImage] = []
        left_out: Counter[str] = Counter()
        for picture in page.pictures:
            is_known = bool(picture.key) and picture.key in known
            if is_known and picture.key in everywhere:
                continue
            if picture.pixels > MAX_PIXELS:
                left_out[_TOO_LARGE] += 1
            elif is_known or count < most:
                count += not is_known
                known.add(picture.key)
                chosen.append(picture)
            else:
                left_out[beyond] += 1
        if chosen:
            wanted.append(EmbeddedImages(page.page_number, tuple(chosen)))
        if left_out:
            notes[page.page_number] = join_notes(not_read(number, reason) for reason, number in left_out.items())
    return Choice(tuple(wanted), notes)


def not_read(count: int, reason: str) -> str:
    """What the ledger says of so many pictures of a page."""
    what = "A picture on this page was" if count == 1 else f"{count} pictures on this page were"
    return f"{what} not read: {reason}"


def read_note(count: int, reader: str, confidence: float) -> str:
    """What the ledger says of pictures that were read."""
    what = "a picture" if count == 1 else f"{count} pictures"
    return f"Text in {what} was read by text recognition ({reader}); confidence {confidence * 100:.0f} %."


def unclear_note(count: int) -> str:
    """What the ledger says of pictures in which no text was found that is worth keeping."""
    what = "a picture" if count == 1 else f"{count} pictures"
    return f"What {what} may say was too little or too unclear to be read."


def join_notes(notes: Iterable[str | None]) -> str:
    """Notes of a page as one."""
    return " ".join(note for note in notes if note)


def _everywhere(pages: Sequence[ExtractedPage]) -> set[str]:
    """The keys of pictures that stand on half of the pages, as a letterhead does."""
    pages_of: dict[str, set[int]] = defaultdict(set)
    for page in pages:
        for picture in page.pictures:
            if picture.key:
                pages_of[picture.key].add(page.page_number)
    needed = max(_LEAST_PAGES, _SHARE_OF_PAGES * len(pages))
    return {key for key, numbers in pages_of.items() if len(numbers) >= needed}
