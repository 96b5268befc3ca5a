"""The worker's log and `lectern doctor` name a chosen engine for text recognition that cannot work."""

import asyncio
import dataclasses
import logging
from pathlib import Path

import pytest
from pydantic import SecretStr

from lectern.cli.admin.doctor import examine
from lectern.settings import DatabaseSettings, OcrSettings, Settings
from lectern.worker import run_worker

from .library import Library


def without_languages(settings: Settings, folder: Path) -> Settings:
    """Choose Tesseract with an empty folder of language data."""
    return dataclasses.replace(settings, ocr=OcrSettings(engine="tesseract", tessdata_dir=str(folder)))


async def test_the_worker_warns_once_at_its_start(
    library: Library, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    stopping = asyncio.Event()
    stopping.set()
    with caplog.at_level(logging.WARNING, logger="lectern.worker"):
        await run_worker(library.settings, stopping=stopping)
        assert "Text recognition does not work" not in caplog.messages
        await run_worker(without_languages(library.settings, tmp_path), stopping=stopping)
    assert caplog.messages.count("Text recognition does not work") == 1


async def test_doctor_reports_it_with_a_hint(library: Library, tmp_path: Path) -> None:
    owner = DatabaseSettings(url=SecretStr(library.urls.owner_url))
    settings = dataclasses.replace(library.settings, database=owner)
    found = {one.subject: one for one in examine(settings)}
    missing = {one.subject: one for one in examine(without_languages(settings, tmp_path))}
    assert (found["ocr"].verdict, missing["ocr"].verdict) == ("good", "bad")
    assert "Install `tesseract-ocr" in missing["ocr"].detail
