"""Say why the chosen engine for text recognition cannot work, without loading it."""

import importlib.util
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from lectern.extraction.programs import find_tesseract
from lectern.extraction.types import OcrEngine

_CODES: Final = {"en": "eng", "it": "ita", "de": "deu", "fr": "fra", "es": "spa", "pt": "por", "nl": "nld"}
_LIST_SECONDS: Final = 20


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
