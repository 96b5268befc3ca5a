"""Drawing a page of a file in a process of its own, as `child` reads one."""

import asyncio
import os
import signal
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Final

from lectern.extraction.errors import Corrupt, ExtractionFailed, FileTooLarge, TimedOut
from lectern.extraction.sandbox import wire
from lectern.extraction.sandbox.drawing_task import IMAGE, NO_PAGE, DrawingTask, ImageFormat
from lectern.extraction.sandbox.extraction import end, start_confined

DRAWABLE_TYPES: Final = frozenset({"application/pdf"})
MAX_SECONDS: Final = 15.0
MAX_MEMORY_BYTES: Final = 1_073_741_824
MAX_IMAGE_BYTES: Final = 33_554_432
_LOOK: Final = "1"  # counts the changes of how we draw

_OUT_OF_MEMORY: Final = {signal.SIGKILL, signal.SIGABRT, signal.SIGTRAP, signal.SIGILL}


@cache
def renderer_version() -> str:
    """What a picture depends on beside its page and its size."""
    return f"{_LOOK}-{version('pypdfium2')}-{version('pillow')}"


async def draw_page(
    path: Path,
    *,
    page_number: int,
    width_pixels: int,
    image_format: ImageFormat = "webp",
    max_seconds: float = MAX_SECONDS,
    max_memory_bytes: int = MAX_MEMORY_BYTES,
) -> bytes | None:
    """A page of a PDF as a picture, or None when the file has no such page; the child is killed when this is cancelled.

    Raises any of `errors.FAILURES`; whatever kills the child becomes one of them.
    """
    task = DrawingTask(
        os.path.abspath(path),  # noqa: PTH100, ASYNC240 - reads no disk
        page_number,
        width_pixels,
        image_format,
        max_seconds,
        max_memory_bytes,
        os.getpid(),
    )
    process = await start_confined("lectern.extraction.sandbox.drawing_child")
    try:
        async with asyncio.timeout(max_seconds):
            return await _answer(process, task)
    except TimeoutError as error:
        message = f"Drawing the page took longer than {max_seconds:g} seconds."
        raise TimedOut(message, details={"max_seconds": max_seconds}) from error
    finally:
        await end(process)


async def _answer(process: asyncio.subprocess.Process, task: DrawingTask) -> bytes | None:
    stdin, stdout = process.stdin, process.stdout
    assert stdin is not None
    assert stdout is not None
    try:
        stdin.write(task.write())
        await stdin.drain()
        stdin.close()
        kind, head_length, body_length = wire.HEADER.unpack(await stdout.readexactly(wire.HEADER.size))
        if head_length + body_length > MAX_IMAGE_BYTES:
            raise FileTooLarge("Drawing the page yields more than the limits allow.")
        head, body = await stdout.readexactly(head_length), await stdout.readexactly(body_length)
    except (asyncio.IncompleteReadError, ConnectionError) as error:
        raise _death(await process.wait()) from error
    if kind == wire.FAILURE:
        raise _failure(head)
    if kind == IMAGE and _is_of(body, task.image_format):
        return body
    if kind != NO_PAGE:
        raise Corrupt("Drawing the page yielded something that makes no sense.")
    return None


def _is_of(image: bytes, image_format: ImageFormat) -> bool:
    if image_format == "jpeg":
        return image.startswith(b"\xff\xd8\xff")
    return image.startswith(b"RIFF") and image[8:12] == b"WEBP"


def _failure(head: bytes) -> ExtractionFailed:
    try:
        return wire.read_failure(head)
    except wire.MALFORMED:
        return Corrupt("Drawing the page yielded something that makes no sense.")


def _death(code: int) -> ExtractionFailed:
    """What the exit of a child without an answer means."""
    if -code in {signal.SIGXCPU, signal.SIGALRM}:
        return TimedOut("Drawing the page took too long.")
    if -code in _OUT_OF_MEMORY:
        return FileTooLarge("Drawing the page needs more memory than the limit allows.")
    return Corrupt("The page is damaged: its reader crashed.")
