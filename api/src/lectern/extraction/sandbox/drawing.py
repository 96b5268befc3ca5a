"""Draw a page of a file in a confined process."""

import os
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Final

from lectern.extraction.sandbox import codec
from lectern.extraction.sandbox.drawing_child import IMAGE, NO_PAGE, TASK, DrawingTask
from lectern.extraction.sandbox.process import malformed, run_task
from lectern.extraction.types import ImageFormat

PDF: Final = "application/pdf"
DRAWABLE_TYPES: Final = frozenset({PDF, "image/png", "image/jpeg", "image/tiff", "image/webp"})
MAX_SECONDS: Final = 15.0
MAX_MEMORY_BYTES: Final = 1_073_741_824
MAX_IMAGE_BYTES: Final = 33_554_432
_RENDERER: Final = "1"  # increase when the same page is drawn differently
_DOING: Final = "Drawing the page"


@cache
def renderer_version() -> str:
    """Return the version of everything besides page and size that changes an image."""
    return f"{_RENDERER}-{version('pypdfium2')}-{version('pillow')}"


async def draw_page(
    path: Path,
    content_type: str = PDF,
    *,
    page_number: int,
    width_pixels: int,
    image_format: ImageFormat = "webp",
    max_seconds: float = MAX_SECONDS,
    max_memory_bytes: int = MAX_MEMORY_BYTES,
) -> bytes | None:
    """Draw a page of a PDF or picture; None when the file has no such page. Cancelling the call kills the child.

    Raises any of `errors.FAILURES`. A crash of the child becomes one of them.
    """
    task = DrawingTask(
        os.path.abspath(path),  # noqa: PTH100, ASYNC240 - reads no disk
        content_type == PDF,
        page_number,
        width_pixels,
        image_format,
        max_seconds,
        max_memory_bytes,
        os.getpid(),
    )
    frame = await run_task(
        "lectern.extraction.sandbox.drawing_child",
        codec.pack_frame(TASK, task),
        doing=_DOING,
        max_seconds=max_seconds,
        max_bytes=MAX_IMAGE_BYTES,
    )
    if frame.kind == NO_PAGE:
        return None
    try:
        image = frame.decode(bytes) if frame.kind == IMAGE else b""
    except codec.MALFORMED as error:
        raise malformed(_DOING) from error
    if not _has_format(image, image_format):
        raise malformed(_DOING)
    return image


def _has_format(image: bytes, image_format: ImageFormat) -> bool:
    if image_format == "jpeg":
        return image.startswith(b"\xff\xd8\xff")
    return image.startswith(b"RIFF") and image[8:12] == b"WEBP"
