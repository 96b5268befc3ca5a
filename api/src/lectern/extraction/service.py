"""Reading a document with text recognition where its pages have no text of their own, or hardly any."""

from dataclasses import replace
from pathlib import Path
from typing import Final

from lectern.extraction.errors import ExtractionFailed
from lectern.extraction.images.selection import NOT_INSTALLED, OFF, Choice, choose, join_notes, not_read
from lectern.extraction.registry import assemble
from lectern.extraction.sandbox.extraction import OnProgress, read_in_child
from lectern.extraction.types import (
    ExtractedDocument,
    ExtractedPage,
    ExtractionLimits,
    OcrEngine,
    OcrOptions,
    OcrRequest,
    PageKind,
)

# Text recognition speaks for a page that has text when it finds this many times as much.
_MUCH_MORE: Final = 2


async def read_document(
    path: Path,
    content_type: str,
    *,
    limits: ExtractionLimits,
    ocr: OcrOptions,
    password: str | None = None,
    on_progress: OnProgress | None = None,
) -> ExtractedDocument:
    """Read a file in confined processes: its text in one, then pages without text in another, within `ocr`'s limits.

    A page with a line of text and a picture or drawing beside it is one without text, if more is read there. Pages that
    recognition does not reach, or finds no words on, stay in the ledger with a note that says so.
    Raises any of `errors.FAILURES`.
    """
    pages: list[ExtractedPage] = []
    facts = await read_in_child(
        path, content_type, limits=limits, password=password, on_progress=on_progress, pages=pages
    )
    waiting = tuple(page.page_number for page in pages if _needs_recognition(page))
    if ocr.engine is OcrEngine.OFF:
        return assemble(content_type, [_unread(page) for page in pages], facts)
    asked = waiting[: ocr.max_pages]
    choice = choose(pages)
    if asked or choice.wanted:
        read, title, problem = await _recognise(
            path, content_type, OcrRequest(asked, ocr, choice.wanted), limits=limits, password=password,
            on_progress=on_progress,
        )  # fmt: skip
        pages = [_merged(page, read.get(page.page_number), waiting, problem, ocr) for page in pages]
        pages = [_with_pictures(page, read.get(page.page_number), choice, problem) for page in pages]
        facts = replace(facts, title=facts.title or title)
    elif choice.notes:
        pages = [_with_pictures(page, None, choice, "") for page in pages]
    return assemble(content_type, pages, facts)


async def _recognise(
    path: Path,
    content_type: str,
    wanted: OcrRequest,
    *,
    limits: ExtractionLimits,
    password: str | None,
    on_progress: OnProgress | None,
) -> tuple[dict[int, ExtractedPage], str | None, str]:
    """The pages that were recognised, the title they show, and what ended it early (empty: nothing did)."""
    found: list[ExtractedPage] = []
    ocr = wanted.options
    own = replace(limits, max_seconds=ocr.max_seconds, max_memory_bytes=ocr.max_memory_bytes)
    title, problem = None, ""
    try:
        facts = await read_in_child(
            path, content_type, limits=own, password=password, on_progress=on_progress, pages=found,
            recognition=wanted,
        )  # fmt: skip
        title = facts.title
    except ExtractionFailed as failure:
        problem = failure.message
    return {page.page_number: page for page in found}, title, problem


def _needs_recognition(page: ExtractedPage) -> bool:
    """Whether a page shows something that is no text; a damaged one has no size."""
    return (page.kind is PageKind.UNREADABLE and page.width_points > 0) or page.is_partial


def _merged(
    page: ExtractedPage, read: ExtractedPage | None, waiting: tuple[int, ...], problem: str, ocr: OcrOptions
) -> ExtractedPage:
    if read is not None:
        return _fuller(page, read) if page.is_partial else read
    if page.page_number not in waiting:
        return page
    if page.page_number in waiting[ocr.max_pages :]:
        reason = f"Text recognition reads {ocr.max_pages:,} pages of a document (LECTERN_OCR_MAX_PAGES)."
    elif problem:
        reason = f"Text recognition ended before this page: {problem}"
    else:
        reason = "No text recognition is installed."
    return replace(page, note=f"{page.note} {reason}" if page.note else reason)


def _fuller(page: ExtractedPage, read: ExtractedPage) -> ExtractedPage:
    """What text recognition read of a page, where that is much more than its own text; a photograph is no text."""
    if len(read.text) >= _MUCH_MORE * len(page.text):
        return read
    return replace(page, note=None)


def _with_pictures(page: ExtractedPage, read: ExtractedPage | None, choice: Choice, problem: str) -> ExtractedPage:
    """The page with notes on those of its pictures that were not read."""
    notes = [page.note]
    asked = next((one for one in choice.wanted if one.page_number == page.page_number), None)
    if asked and read is None:
        reason = f"text recognition ended before: {problem}" if problem else NOT_INSTALLED
        notes.append(not_read(len(asked.pictures), reason))
    notes.append(choice.notes.get(page.page_number))
    return replace(page, note=join_notes(notes) or None, pictures=())


def _unread(page: ExtractedPage) -> ExtractedPage:
    return replace(page, note=not_read(len(page.pictures), OFF), pictures=()) if page.pictures else page
