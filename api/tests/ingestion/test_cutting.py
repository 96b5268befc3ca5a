"""Text is cut in processes that are used again, and that nothing keeps alive for too long."""

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path

import psutil
import pytest

from lectern.chunking.chunker import chunk_document
from lectern.chunking.types import ChunkingOptions
from lectern.extraction.child import extract_in_child
from lectern.extraction.errors import FileTooLarge, TimedOut
from lectern.extraction.types import ExtractedDocument, ExtractionLimits
from lectern.ingestion.cutting import Cutter, CuttingFailed

from .library import SAMPLES
from .texts import long_text

OPTIONS = ChunkingOptions()
MEMORY = 2_147_483_648


@pytest.fixture
async def document() -> ExtractedDocument:
    path = SAMPLES / "employee-handbook.md"
    return await extract_in_child(path, "text/markdown", limits=ExtractionLimits())


@pytest.fixture
async def long_document(tmp_path: Path) -> ExtractedDocument:
    path = tmp_path / "long.md"
    path.write_bytes(long_text(paragraphs=2_000))
    return await extract_in_child(path, "text/markdown", limits=ExtractionLimits())


@pytest.fixture
async def cutter() -> AsyncGenerator[Cutter]:
    made = Cutter(max_seconds=60, max_memory_bytes=MEMORY)
    yield made
    await made.close()


def children() -> set[int]:
    return {child.pid for child in psutil.Process().children() if child.status() != psutil.STATUS_ZOMBIE}


async def test_a_process_cuts_as_the_function_does_and_is_used_again(
    cutter: Cutter, document: ExtractedDocument
) -> None:
    before = children()
    assert await cutter.cut(document, options=OPTIONS) == chunk_document(document, options=OPTIONS)
    first = children() - before
    await cutter.cut(document, options=OPTIONS)
    assert children() - before == first
    await cutter.close()
    assert children() == before


async def test_documents_are_cut_side_by_side(cutter: Cutter, document: ExtractedDocument) -> None:
    before = children()
    both = await asyncio.gather(*(cutter.cut(document, options=OPTIONS) for _ in range(2)))
    assert both[0] == both[1]
    assert len(children() - before) == 2


async def test_cutting_that_takes_too_long_is_ended(long_document: ExtractedDocument) -> None:
    before = children()
    hasty = Cutter(max_seconds=0.05, max_memory_bytes=MEMORY)
    with pytest.raises(TimedOut):
        await hasty.cut(long_document, options=OPTIONS)
    assert children() == before


async def test_cutting_that_needs_too_much_memory_is_a_failure_of_the_file(long_document: ExtractedDocument) -> None:
    frugal = Cutter(max_seconds=60, max_memory_bytes=230_000_000)
    with pytest.raises((FileTooLarge, CuttingFailed)):
        await frugal.cut(long_document, options=OPTIONS)
    await frugal.close()


async def test_a_cancelled_call_ends_its_process(cutter: Cutter, long_document: ExtractedDocument) -> None:
    before = children()
    cutting = asyncio.create_task(cutter.cut(long_document, options=OPTIONS))
    async with asyncio.timeout(20):
        while not children() - before:  # noqa: ASYNC110 - a process that starts is no event here
            await asyncio.sleep(0.01)
    cutting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await cutting
    assert children() == before


async def test_an_error_in_the_chunker_is_told_with_its_traceback(cutter: Cutter, document: ExtractedDocument) -> None:
    with pytest.raises(CuttingFailed, match="Traceback"):
        await cutter.cut(document, options=None)  # pyright: ignore[reportArgumentType]: it must fail in the child
