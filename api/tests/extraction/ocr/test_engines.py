"""A chosen engine that cannot work is named, with what to do."""

import sys
from pathlib import Path

import pytest

from lectern.extraction.programs import describe_missing_engine, find_tesseract
from lectern.extraction.types import OcrEngine


def test_no_chosen_engine_is_never_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rapidocr", None)
    for engine in (OcrEngine.AUTO, OcrEngine.OFF):
        assert describe_missing_engine(engine, languages=("en",), tessdata="") is None


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rapidocr", None)
    missing = describe_missing_engine(OcrEngine.RAPIDOCR, languages=("en",), tessdata="")
    assert missing is not None
    assert "LECTERN_OCR_ENGINE=auto" in missing


def test_tesseract_needs_one_of_the_languages(tmp_path: Path) -> None:
    missing = describe_missing_engine(OcrEngine.TESSERACT, languages=("it", "en"), tessdata=str(tmp_path))
    assert missing is not None
    if find_tesseract(OcrEngine.TESSERACT) is None:
        assert "Install `tesseract-ocr`" in missing
    else:
        assert "Install `tesseract-ocr-ita` or `tesseract-ocr-eng`" in missing
