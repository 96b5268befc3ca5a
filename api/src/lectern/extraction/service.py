"""Read a document: its own text first, then text recognition of pages without text and of embedded images."""

from dataclasses import replace
from pathlib import Path
from typing import Final

from lectern.extraction.errors import ExtractionFailed
from lectern.extraction.ocr.selection import (
    NOT_INSTALLED,
    OFF,
    ImageSelection,
    join_notes,
    select_images,
    skipped_note,
)
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

# Recognized text replaces the text of a page when it is this many times as long.
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
    """Read a file in confined processes: its text in one, and text recognition within `ocr`'s limits in another.

    A page with little text beside images or drawings is recognized too, and keeps the longer text. Pages that
    recognition does not reach stay in the ledger with a note.
    Raises any of `errors.FAILURES`.
    """
    pages: list[ExtractedPage] = []
    metadata = await read_in_child(
        path, content_type, limits=limits, password=password, on_progress=on_progress, pages=pages
    )
    if ocr.engine is OcrEngine.OFF:
        return assemble(content_type, [_without_ocr(page) for page in pages], metadata)
    pending = tuple(page.page_number for page in pages if _needs_ocr(page))
    images = select_images(pages)
    request = OcrRequest(pending[: ocr.max_pages], ocr, images.selected)
    if request.page_numbers or request.images:
        recognized, title, problem = await _recognize(
            path, content_type, request, limits=limits, password=password, on_progress=on_progress
        )
        pages = [_merge(page, recognized.get(page.page_number), pending, problem, ocr) for page in pages]
        pages = [_note_images(page, recognized.get(page.page_number), images, problem) for page in pages]
        metadata = replace(metadata, title=metadata.title or title)
    elif images.notes:
        pages = [_note_images(page, None, images, "") for page in pages]
    return assemble(content_type, pages, metadata)


async def _recognize(
    path: Path,
    content_type: str,
    request: OcrRequest,
    *,
    limits: ExtractionLimits,
    password: str | None,
    on_progress: OnProgress | None,
) -> tuple[dict[int, ExtractedPage], str | None, str]:
    """Return the recognized pages by number, the title that they show, and the problem that ended it early."""
    pages: list[ExtractedPage] = []
    options = request.options
    limits = replace(limits, max_seconds=options.max_seconds, max_memory_bytes=options.max_memory_bytes)
    title, problem = None, ""
    try:
        metadata = await read_in_child(
            path, content_type, limits=limits, password=password, on_progress=on_progress, pages=pages, ocr=request
        )
        title = metadata.title
    except ExtractionFailed as failure:
        problem = failure.message
    return {page.page_number: page for page in pages}, title, problem


def _needs_ocr(page: ExtractedPage) -> bool:
    """Return whether a page shows more than its text; a damaged page has no size."""
    return (page.kind is PageKind.UNREADABLE and page.width_points > 0) or page.is_partial


def _merge(
    page: ExtractedPage, recognized: ExtractedPage | None, pending: tuple[int, ...], problem: str, ocr: OcrOptions
) -> ExtractedPage:
    """Return the page as recognized, or with a note that says why it was not."""
    if recognized is not None:
        is_better = not page.is_partial or len(recognized.text) >= _MUCH_MORE * len(page.text)
        return recognized if is_better else replace(page, note=None)
    if page.page_number not in pending:
        return page
    if page.page_number in pending[ocr.max_pages :]:
        reason = f"Text recognition reads {ocr.max_pages:,} pages of a document at most."
    elif problem:
        reason = f"Text recognition ended before this page: {problem}"
    else:
        reason = "No text recognition is installed."
    return replace(page, note=f"{page.note} {reason}" if page.note else reason)


def _note_images(
    page: ExtractedPage, recognized: ExtractedPage | None, selection: ImageSelection, problem: str
) -> ExtractedPage:
    """Add notes on the images of a page that were not read."""
    notes = [page.note]
    selected = next((one for one in selection.selected if one.page_number == page.page_number), None)
    if selected and recognized is None:
        reason = f"text recognition ended before: {problem}" if problem else NOT_INSTALLED
        notes.append(skipped_note(len(selected.images), reason))
    notes.append(selection.notes.get(page.page_number))
    return replace(page, note=join_notes(notes) or None, images=())


def _without_ocr(page: ExtractedPage) -> ExtractedPage:
    return replace(page, note=skipped_note(len(page.images), OFF), images=()) if page.images else page
