"""A library on a real Postgres with real originals, and workers that ingest them."""

from collections.abc import AsyncGenerator
from pathlib import Path
from random import Random

import pytest
from benchmarks.throwaway import ThrowawayDatabase
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen.canvas import Canvas

from .library import Library, open_library
from .texts import sentence


@pytest.fixture
async def library(database: ThrowawayDatabase, tmp_path: Path) -> AsyncGenerator[Library]:
    async with open_library(database, tmp_path) as made:
        yield made


@pytest.fixture(scope="session")
def slow_pdf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A PDF of several hundred pages. Its extraction takes some seconds."""
    path = tmp_path_factory.mktemp("pdf") / "slow.pdf"
    random = Random(3)
    canvas = Canvas(str(path))
    for _ in range(500):
        lines = canvas.beginText(40, 800)
        for _ in range(60):
            lines.textLine(sentence(random))
        canvas.drawText(lines)
        canvas.showPage()
    canvas.save()
    return path


@pytest.fixture
def protected_pdf(tmp_path: Path) -> Path:
    """A PDF that opens with the password `open sesame`."""
    path = tmp_path / "protected.pdf"
    canvas = Canvas(str(path), encrypt=StandardEncryption("open sesame", strength=128))
    canvas.drawString(40, 800, "A secret that can be read.")
    canvas.showPage()
    canvas.save()
    return path
