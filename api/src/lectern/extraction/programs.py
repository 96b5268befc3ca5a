"""Find the programs that confined processes may use: Tesseract with its loader, and LibreOffice as a library.

Say why the chosen engine for text recognition cannot work, without loading it.
"""

import importlib.util
import os
import shutil
import struct
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from lectern.extraction.types import OcrEngine

_FOLDERS: Final = os.pathsep.join(("/usr/local/bin", "/usr/bin", "/bin", "/opt/homebrew/bin", "/opt/local/bin"))
_OPT: Final = Path("/opt")
_ELF_64: Final = b"\x7fELF\x02"
_ELF_HEADER: Final = struct.Struct("<32xQ14xHH")
_ELF_SEGMENT: Final = struct.Struct("<I4xQ16xQ16x")
_ELF_INTERPRETER: Final = 3
_CODES: Final = {"en": "eng", "it": "ita", "de": "deu", "fr": "fra", "es": "spa", "pt": "por", "nl": "nld"}
_LIST_SECONDS: Final = 20


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


def to_tesseract_codes(languages: Sequence[str]) -> list[str]:
    """Return Tesseract's codes of languages (ISO 639-1) and of English, which citations are in everywhere."""
    return list(dict.fromkeys(_CODES.get(language, language) for language in (*languages, "en")))


def describe_missing_engine(engine: OcrEngine, *, languages: Sequence[str], tessdata: str) -> str | None:
    """Return what is missing and what to do, or None. Without a chosen engine, none is missing."""
    if engine is OcrEngine.RAPIDOCR and importlib.util.find_spec("rapidocr") is None:
        return "rapidocr is not installed. Install the Python package, or set LECTERN_OCR_ENGINE=auto."
    if engine is not OcrEngine.TESSERACT:
        return None
    program = find_tesseract(engine)
    if program is None:
        return "Tesseract is not installed. Install `tesseract-ocr`, or set LECTERN_OCR_ENGINE=auto."
    codes = to_tesseract_codes(languages)
    if _list_languages(program, tessdata).isdisjoint(codes):
        packages = " or ".join(f"`tesseract-ocr-{code}`" for code in codes)
        return f"Tesseract has no data for the languages of LECTERN_LANGUAGES. Install {packages}."
    return None


def _list_languages(program: Path, tessdata: str) -> set[str]:
    environment = {"TESSDATA_PREFIX": tessdata} if tessdata else {}
    try:
        done = subprocess.run(  # noqa: S603 - a program of the system with arguments of ours
            [program, "--list-langs"], capture_output=True, env=environment, check=True, timeout=_LIST_SECONDS
        )
    except (OSError, subprocess.SubprocessError):
        return set()
    return set(done.stdout.decode("utf-8", "replace").split())
