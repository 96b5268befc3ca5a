"""The process that reads one file: confined, without secrets, and killed with its parent.

Started by `extraction.extract_in_child`. Reads a task from standard input and writes frames (see `wire`) to standard
output. Imports are few, because every file pays for this start.
"""

import sys
from pathlib import Path
from typing import BinaryIO

from lectern.extraction.errors import ExtractionFailed, FileTooLarge
from lectern.extraction.registry import get_extractor
from lectern.extraction.sandbox import wire
from lectern.extraction.sandbox.confinement import confine, die_with_parent, take_stdout
from lectern.extraction.types import ExtractedPage


def main() -> None:
    """Read the task, confine this process, read the file, and say what was found or why not."""
    task = wire.read_task(sys.stdin.buffer.read())
    with take_stdout() as output:
        die_with_parent(task.parent_pid)
        _confine(task)
        try:
            _extract(task, output)
        except ExtractionFailed as failure:
            output.write(wire.failure_frame(failure))
        except MemoryError:
            details = {"max_memory_bytes": task.limits.max_memory_bytes}
            failure = FileTooLarge("Reading the file needs more memory than the limit allows.", details=details)
            output.write(wire.failure_frame(failure))


def _confine(task: wire.Task) -> None:
    wanted = task.recognition
    tessdata = wanted.options.tessdata if wanted else ""
    confine(
        max_memory_bytes=task.limits.max_memory_bytes,
        max_seconds=task.limits.max_seconds,
        file=Path(task.path),
        data=(Path(tessdata),) if tessdata else (),
        may_execute=wanted is not None,
    )


def _extract(task: wire.Task, output: BinaryIO) -> None:
    def send(page: ExtractedPage, page_count: int) -> None:
        output.write(wire.page_frame(page, page_count))
        output.flush()

    if task.recognition is not None:
        from lectern.extraction.ocr.recognition import recognize_pages

        facts = recognize_pages(
            Path(task.path), task.content_type, wanted=task.recognition, limits=task.limits, password=task.password,
            on_page=send,
        )  # fmt: skip
        output.write(wire.facts_frame(facts))
        return
    extract = get_extractor(task.content_type).load()
    facts = extract(Path(task.path), limits=task.limits, password=task.password, on_page=send)
    output.write(wire.facts_frame(facts))


if __name__ == "__main__":
    main()
