"""The process that draws one page: confined, without secrets, and killed with its parent.

Started by `drawing.draw_page`. Reads a task from standard input and writes one frame to standard output.
"""

import sys
from pathlib import Path
from typing import Final, NamedTuple

from lectern.extraction.errors import ExtractionFailed, FileTooLarge
from lectern.extraction.sandbox import codec
from lectern.extraction.sandbox.confinement import confine, die_with_parent, take_stdout
from lectern.extraction.types import ImageFormat

TASK: Final = b"T"
IMAGE: Final = b"I"
NO_PAGE: Final = b"N"


class DrawingTask(NamedTuple):
    path: str
    is_pdf: bool
    page_number: int
    width_pixels: int
    image_format: ImageFormat
    max_seconds: float
    max_memory_bytes: int
    parent_pid: int


def main() -> None:
    """Read the task, confine this process, draw the page, and send the image or a failure."""
    (frame,) = codec.split_frames(sys.stdin.buffer.read())
    task = frame.decode(DrawingTask)
    with take_stdout() as output:
        die_with_parent(task.parent_pid)
        confine(max_memory_bytes=task.max_memory_bytes, max_seconds=task.max_seconds, file=Path(task.path))
        try:
            output.write(_draw(task))
        except ExtractionFailed as failure:
            output.write(codec.pack_failure(failure))
        except MemoryError:
            failure = FileTooLarge("Drawing the page needs more memory than the limit allows.")
            output.write(codec.pack_failure(failure))


def _draw(task: DrawingTask) -> bytes:
    from lectern.extraction.formats import image as pictures

    if task.is_pdf:
        from lectern.extraction.formats.pdf import rendering

        draw = rendering.draw
    else:
        draw = pictures.draw
    try:
        image = draw(
            Path(task.path),
            page_number=task.page_number,
            width_pixels=task.width_pixels,
            image_format=task.image_format,
        )
    except pictures.NoSuchPage:
        return codec.pack_frame(NO_PAGE, None)
    return codec.pack_frame(IMAGE, image)


if __name__ == "__main__":
    main()
