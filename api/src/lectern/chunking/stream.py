"""The document-wide text stream and its lines, with their offsets in it."""

import bisect
from dataclasses import dataclass
from typing import NamedTuple

from lectern.extraction.types import ExtractedDocument, PageLine

PAGE_SEPARATOR = "\n"


class StreamLine(NamedTuple):
    """A line of the document: its page, its offsets in the stream, its text, and what is known of its looks."""

    page_number: int
    start: int
    end: int
    text: str
    looks: PageLine


@dataclass(frozen=True, slots=True)
class Stream:
    """Page texts joined by one line feed."""

    text: str
    page_starts: tuple[int, ...]
    page_numbers: tuple[int, ...]
    lines: tuple[StreamLine, ...]

    def page_number_at(self, offset: int) -> int:
        """The page that the character at `offset` is on."""
        return self.page_numbers[bisect.bisect_right(self.page_starts, offset) - 1]

    def page_end(self, index: int) -> int:
        """Where the text of the page at `index` ends."""
        if index + 1 < len(self.page_starts):
            return self.page_starts[index + 1] - len(PAGE_SEPARATOR)
        return len(self.text)


def build_stream(document: ExtractedDocument) -> Stream:
    """The stream of a document."""
    starts: list[int] = []
    lines: list[StreamLine] = []
    position = 0
    for page in document.pages:
        starts.append(position)
        lines.extend(
            StreamLine(
                page.page_number, position + line.start, position + line.end, page.text[line.start : line.end], line
            )
            for line in page.lines
        )
        position += len(page.text) + len(PAGE_SEPARATOR)
    return Stream(
        text=PAGE_SEPARATOR.join(page.text for page in document.pages),
        page_starts=tuple(starts),
        page_numbers=tuple(page.page_number for page in document.pages),
        lines=tuple(lines),
    )
