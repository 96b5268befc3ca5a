"""Errors of page images."""

from lectern.errors import NotFound, Unavailable


class PageHasNoImage(NotFound):
    """Pages of this file cannot be drawn."""

    code = "page_has_no_image"
    default_hint = "Only pages of PDF files are drawn; the text of any page is at `/pages/{page_number}`."


class PageImageLocked(NotFound):
    """Pages of a password-protected file cannot be drawn: passwords are not stored."""

    code = "page_image_locked"
    default_hint = "Open the original with its password; the text of any page is at `/pages/{page_number}`."


class DrawingBusy(Unavailable):
    """Too many pages are being drawn just now."""

    code = "drawing_busy"
    default_hint = "Ask again in a moment."


class DrawingTimedOut(Unavailable):
    """Drawing this page took longer than the limit."""

    code = "drawing_timed_out"
    default_hint = "Ask again when there is less to do, or for a smaller width; the text is at `/pages/{page_number}`."
