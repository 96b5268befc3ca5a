"""Convert an Office file to PDF in a confined process."""

import asyncio
import os
import platform
import tempfile
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Final

from lectern.extraction.errors import Corrupt
from lectern.extraction.formats.office.libreoffice import FILTERS
from lectern.extraction.programs import find_libreoffice
from lectern.extraction.sandbox import codec
from lectern.extraction.sandbox.conversion_child import CONVERTED, TASK, ConversionTask
from lectern.extraction.sandbox.landlock import find_version
from lectern.extraction.sandbox.process import malformed, run_task
from lectern.extraction.sandbox.seccomp import MACHINES

CONVERTIBLE_TYPES: Final = frozenset(FILTERS)
MAX_SECONDS: Final = 60.0
_MAX_MEMORY_BYTES: Final = 2_147_483_648
_MAX_PDF_BYTES: Final = 268_435_456
_DOING: Final = "Converting the file to PDF"


class ConverterStatus(StrEnum):
    """The answer to whether Office files can be converted on this machine."""

    AVAILABLE = "available"
    NOT_INSTALLED = "not_installed"
    NOT_CONFINED = "not_confined"


@cache
def find_converter() -> ConverterStatus:
    """Return whether LibreOffice is installed and the kernel can confine it. Found once for this process."""
    if find_libreoffice() is None:
        return ConverterStatus.NOT_INSTALLED
    is_confined = find_version() > 0 and platform.machine() in MACHINES
    return ConverterStatus.AVAILABLE if is_confined else ConverterStatus.NOT_CONFINED


def can_print(content_type: str) -> bool:
    """Return whether files of this type can be converted to PDF here."""
    return content_type in CONVERTIBLE_TYPES and find_converter() is ConverterStatus.AVAILABLE


@asynccontextmanager
async def convert_to_pdf(path: Path, content_type: str, *, max_seconds: float = MAX_SECONDS) -> AsyncGenerator[Path]:
    """Provide an Office file as PDF, which is removed at the end. Cancelling the call kills the child.

    Raises any of `errors.FAILURES`. A crash of the child becomes one of them.
    """
    library = find_libreoffice()
    if library is None:
        raise Corrupt("LibreOffice is not installed.")
    with tempfile.TemporaryDirectory(prefix="lectern-") as folder:
        scratch = os.path.realpath(folder)  # noqa: ASYNC240 - a folder just made
        task = ConversionTask(
            os.path.abspath(path),  # noqa: PTH100, ASYNC240 - reads no disk
            content_type,
            str(library),
            scratch,
            f"{scratch}/converted.pdf",
            max_seconds,
            _MAX_MEMORY_BYTES,
            _MAX_PDF_BYTES,
            os.getpid(),
        )
        frame = await run_task(
            "lectern.extraction.sandbox.conversion_child",
            codec.pack_frame(TASK, task),
            doing=_DOING,
            max_seconds=max_seconds,
            is_fair=True,
            environment={"HOME": scratch, "TMPDIR": scratch, "SAL_USE_VCLPLUGIN": "svp"},
        )
        if frame.kind != CONVERTED:
            raise malformed(_DOING)
        pdf = Path(task.pdf)
        if not await asyncio.to_thread(_is_pdf, pdf):
            raise Corrupt("LibreOffice cannot convert this file.")
        yield pdf


def _is_pdf(path: Path) -> bool:
    """Return whether the child left a PDF and no link to another file."""
    if path.is_symlink() or not path.is_file():
        return False
    with path.open("rb") as opened:
        return opened.read(5) == b"%PDF-"
