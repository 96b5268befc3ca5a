"""The process that reads one file: confined, without secrets, and killed with its parent.

Started by `extraction.read_in_child`. Reads a task from standard input and writes frames to standard output. Its
imports are few, because every file pays for this start.
"""

import sys
from pathlib import Path
from typing import BinaryIO, NamedTuple

from lectern.extraction.errors import ExtractionFailed, FileTooLarge
from lectern.extraction.programs import find_tesseract
from lectern.extraction.registry import get_extractor
from lectern.extraction.sandbox import codec
from lectern.extraction.sandbox.confinement import confine, die_with_parent, take_stdout
from lectern.extraction.types import ExtractedPage, ExtractionLimits, OcrRequest

TASK = b"T"


class ExtractionTask(NamedTuple):
    """A file to read. Standard input carries it, so that no process list shows a password."""

    path: str
    content_type: str
    limits: ExtractionLimits
    password: str | None
    parent_pid: int
    ocr: OcrRequest | None = None


def main() -> None:
    """Read the task, confine this process, read the file, and send pages or a failure."""
    (frame,) = codec.split_frames(sys.stdin.buffer.read())
    task = frame.decode(ExtractionTask)
    with take_stdout() as output:
        die_with_parent(task.parent_pid)
        _confine(task)
        try:
            _extract(task, output)
        except ExtractionFailed as failure:
            output.write(codec.pack_failure(failure))
        except MemoryError:
            details = {"max_memory_bytes": task.limits.max_memory_bytes}
            failure = FileTooLarge("Reading the file needs more memory than the limit allows.", details=details)
            output.write(codec.pack_failure(failure))


def _confine(task: ExtractionTask) -> None:
    tessdata = task.ocr.options.tessdata if task.ocr else ""
    confine(
        max_memory_bytes=task.limits.max_memory_bytes,
        max_seconds=task.limits.max_seconds,
        file=Path(task.path),
        data=(Path(tessdata),) if tessdata else (),
        may_thread=task.ocr is not None,
        program=find_tesseract(task.ocr.options.engine) if task.ocr else None,
    )


def _extract(task: ExtractionTask, output: BinaryIO) -> None:
    def send(page: ExtractedPage, page_count: int) -> None:
        output.write(codec.pack_frame(codec.PAGE, codec.PageOfDocument(page, page_count)))
        output.flush()

    path, limits, password = Path(task.path), task.limits, task.password
    if task.ocr is not None:
        from lectern.extraction.ocr.recognition import recognize_pages

        metadata = recognize_pages(
            path, task.content_type, request=task.ocr, limits=limits, password=password, on_page=send
        )
    else:
        extract = get_extractor(task.content_type).load()
        metadata = extract(path, limits=limits, password=password, on_page=send)
    output.write(codec.pack_frame(codec.METADATA, metadata))


if __name__ == "__main__":
    main()
