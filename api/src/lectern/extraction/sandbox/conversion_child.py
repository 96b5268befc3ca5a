"""The process that converts an Office file to PDF: confined, without secrets, and killed with its parent.

Started by `conversion.convert_to_pdf`. Reads a task from standard input and writes one frame to standard output.
"""

import os
import sys
from pathlib import Path
from typing import Final, NamedTuple

from lectern.extraction.errors import Corrupt, ExtractionFailed
from lectern.extraction.formats.office import libreoffice
from lectern.extraction.kernel import Enforcement
from lectern.extraction.sandbox import codec
from lectern.extraction.sandbox.confinement import confine, die_with_parent, take_stdout

TASK: Final = b"T"
CONVERTED: Final = b"C"


class ConversionTask(NamedTuple):
    """A file to convert, LibreOffice's library, and the folder that may be written and receives the PDF."""

    path: str
    content_type: str
    library: str
    scratch: str
    pdf: str
    max_seconds: float
    max_memory_bytes: int
    max_pdf_bytes: int
    parent_pid: int


def main() -> None:
    """Read the task, confine this process, convert the file, and send whether it succeeded."""
    (frame,) = codec.split_frames(sys.stdin.buffer.read())
    task = frame.decode(ConversionTask)
    with take_stdout() as output:
        die_with_parent(task.parent_pid)
        try:
            _convert(task)
            output.write(codec.pack_frame(CONVERTED, None))
        except ExtractionFailed as failure:
            output.write(codec.pack_failure(failure))
    os._exit(0)  # LibreOffice may crash when it ends


def _convert(task: ConversionTask) -> None:
    library = Path(task.library)
    layers = confine(
        max_memory_bytes=task.max_memory_bytes,
        max_seconds=task.max_seconds,
        file=Path(task.path),
        data=(*libreoffice.DATA, library.parent.parent),
        may_thread=True,
        scratch=Path(task.scratch),
        max_file_bytes=task.max_pdf_bytes,
    )
    # Without these two layers nothing but its account would bound what it writes.
    if layers.landlock is not Enforcement.ENFORCED or layers.seccomp is not Enforcement.ENFORCED:
        raise Corrupt("This machine cannot confine LibreOffice.")
    libreoffice.convert(
        Path(task.path), task.content_type, library=library, pdf=Path(task.pdf), scratch=Path(task.scratch)
    )


if __name__ == "__main__":
    main()
