"""The process that draws one page: bounded, without secrets, and gone when its parent goes.

Started by `drawing.draw_page`; reads a task from standard input, writes one frame (see `wire`) to standard output.
"""

import sys
from pathlib import Path

from lectern.extraction.errors import ExtractionFailed, FileTooLarge
from lectern.extraction.sandbox import wire
from lectern.extraction.sandbox.confinement import confine, die_with_parent, take_stdout
from lectern.extraction.sandbox.drawing_task import DrawingTask, image_frame, no_page_frame


def main() -> None:
    """Read the task, confine this process, draw the page, and send it or say why not."""
    task = DrawingTask.read(sys.stdin.buffer.read())
    with take_stdout() as output:
        die_with_parent(task.parent_pid)
        confine(max_memory_bytes=task.max_memory_bytes, max_seconds=task.max_seconds, file=Path(task.path))
        try:
            output.write(_draw(task))
        except ExtractionFailed as failure:
            output.write(wire.failure_frame(failure))
        except MemoryError:
            failure = FileTooLarge("Drawing the page needs more memory than the limit allows.")
            output.write(wire.failure_frame(failure))


def _draw(task: DrawingTask) -> bytes:
    from lectern.extraction.formats.pdf.rendering import NoSuchPage, draw

    try:
        image = draw(
            Path(task.path),
            page_number=task.page_number,
            width_pixels=task.width_pixels,
            image_format=task.image_format,
        )
    except NoSuchPage:
        return no_page_frame()
    return image_frame(image)


if __name__ == "__main__":
    main()
