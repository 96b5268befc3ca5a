"""ICS: the events of a calendar (RFC 5545), as those of an invitation."""

from pathlib import Path

from lectern.extraction.budget import Budget
from lectern.extraction.formats.mail.calendar import describe_events
from lectern.extraction.formats.page_builder import PageBuilder
from lectern.extraction.formats.text import encoding_note, read_text
from lectern.extraction.types import DocumentMetadata, ExtractionLimits, OnPage

_BYTES_PER_CHARACTER = 4


def extract(path: Path, *, limits: ExtractionLimits, password: str | None, on_page: OnPage) -> DocumentMetadata:
    """Pass the events to `on_page`, in the order of the file. Each of several events is a section.

    A calendar without events is read as plain text.
    """
    del password
    Budget(limits).check_file(path, bytes_per_character=_BYTES_PER_CHARACTER)
    text, encoding = read_text(path)
    pages = PageBuilder(limits)
    events = describe_events(text, known_text="") or [[text]]
    for paragraphs in events:
        if len(events) > 1:
            subject, _, paragraphs[0] = paragraphs[0].partition("\n")
            pages.heading(subject, 1)
        for paragraph in paragraphs:
            pages.paragraph(paragraph)
    if note := encoding_note(text, encoding):
        pages.note(note)
    return DocumentMetadata(outline=pages.finish(on_page))
