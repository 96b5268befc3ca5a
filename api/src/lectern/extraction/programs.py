"""Find the programs that confined processes may use: Tesseract with its loader, and LibreOffice as a library."""

import os
import shutil
import struct
from pathlib import Path
from typing import Final

from lectern.extraction.types import OcrEngine

_FOLDERS: Final = os.pathsep.join(("/usr/local/bin", "/usr/bin", "/bin", "/opt/homebrew/bin", "/opt/local/bin"))
_OPT: Final = Path("/opt")
_ELF_64: Final = b"\x7fELF\x02"
_ELF_HEADER: Final = struct.Struct("<32xQ14xHH")
_ELF_SEGMENT: Final = struct.Struct("<I4xQ16xQ16x")
_ELF_INTERPRETER: Final = 3


def find_tesseract(engine: OcrEngine) -> Path | None:
    """Return the path of Tesseract, None if it is not installed or another engine is chosen."""
    found = shutil.which("tesseract", path=_FOLDERS) if engine in {OcrEngine.AUTO, OcrEngine.TESSERACT} else None
    return Path(found) if found else None


def find_loader(program: Path) -> Path | None:
    """Return the loader that an ELF program names; None if it needs none."""
    with program.open("rb") as opened:
        head = opened.read(64)
        if not head.startswith(_ELF_64):
            return None
        table, size, count = _ELF_HEADER.unpack_from(head)
        for number in range(count):
            opened.seek(table + number * size)
            kind, start, length = _ELF_SEGMENT.unpack(opened.read(_ELF_SEGMENT.size))
            if kind == _ELF_INTERPRETER:
                opened.seek(start)
                return Path(os.fsdecode(opened.read(length).rstrip(b"\0")))
    return None


def find_libreoffice() -> Path | None:
    """Return the path of LibreOffice's library, None if it is not installed."""
    found = shutil.which("soffice", path=_FOLDERS) or shutil.which("libreoffice", path=_FOLDERS)
    folders = (Path(found).resolve().parent,) if found else sorted(_OPT.glob("libreoffice*/program"))
    libraries = (folder / name for folder in folders for name in ("libmergedlo.so", "libsofficeapp.so"))
    return next((library for library in libraries if library.is_file()), None)
