"""Text is chunked in child processes that are reused and end when idle."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncGenerator
from pathlib import Path

import psutil
import pytest

from lectern.chunking.chunker import chunk_document
from lectern.chunking.types import ChunkingOptions
from lectern.extraction.errors import FileTooLarge, TimedOut
from lectern.extraction.sandbox.codec import Frame
from lectern.extraction.sandbox.extraction import extract_in_child
from lectern.extraction.types import ExtractedDocument, ExtractionLimits
from lectern.ingestion.stages.chunking_frames import CHUNKED, ERROR, OUT_OF_MEMORY
from lectern.ingestion.stages.chunking_pool import ChunkingFailed, ChunkingPool, read_answer

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
async def pool() -> AsyncGenerator[ChunkingPool]:
    made = ChunkingPool(max_seconds=60, max_memory_bytes=MEMORY)
    yield made
    await made.close()


def children() -> set[int]:
    return {child.pid for child in psutil.Process().children() if child.status() != psutil.STATUS_ZOMBIE}


async def test_process_chunks_like_the_function_and_is_reused(pool: ChunkingPool, document: ExtractedDocument) -> None:
    before = children()
    assert await pool.chunk(document, options=OPTIONS) == chunk_document(document, options=OPTIONS)
    first = children() - before
    await pool.chunk(document, options=OPTIONS)
    assert children() - before == first
    await pool.close()
    assert children() == before


async def test_documents_are_chunked_concurrently(pool: ChunkingPool, document: ExtractedDocument) -> None:
    before = children()
    both = await asyncio.gather(*(pool.chunk(document, options=OPTIONS) for _ in range(2)))
    assert both[0] == both[1]
    assert len(children() - before) == 2


async def test_chunking_times_out(long_document: ExtractedDocument) -> None:
    before = children()
    hasty = ChunkingPool(max_seconds=0.05, max_memory_bytes=MEMORY)
    with pytest.raises(TimedOut):
        await hasty.chunk(long_document, options=OPTIONS)
    assert children() == before


async def test_chunking_out_of_memory_fails_the_file(
    document: ExtractedDocument, long_document: ExtractedDocument
) -> None:
    frugal = ChunkingPool(max_seconds=60, max_memory_bytes=72_000_000)
    await frugal.chunk(document, options=OPTIONS)
    with pytest.raises(FileTooLarge):
        await frugal.chunk(long_document, options=OPTIONS)
    await frugal.close()


async def test_cancelled_call_ends_its_process(pool: ChunkingPool, long_document: ExtractedDocument) -> None:
    before = children()
    cutting = asyncio.create_task(pool.chunk(long_document, options=OPTIONS))
    async with asyncio.timeout(20):
        while not children() - before:  # noqa: ASYNC110 - a process that starts is no event here
            await asyncio.sleep(0.01)
    cutting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await cutting
    assert children() == before


async def test_chunker_error_is_raised_with_its_traceback(pool: ChunkingPool, document: ExtractedDocument) -> None:
    with pytest.raises(ChunkingFailed, match="Traceback"):
        await pool.chunk(document, options=None)  # pyright: ignore[reportArgumentType]: it must fail in the child


def facts_of(pid: int) -> tuple[str, str, bytes]:
    """Return the status, limits and environment of a process."""
    folder = Path(f"/proc/{pid}")
    return (folder / "status").read_text(), (folder / "limits").read_text(), (folder / "environ").read_bytes()


async def test_chunking_process_is_confined(pool: ChunkingPool, document: ExtractedDocument) -> None:
    before = children()
    await pool.chunk(document, options=OPTIONS)
    (pid,) = children() - before
    status, limits, environment = facts_of(pid)
    assert "NoNewPrivs:\t1\n" in status
    assert "Seccomp:\t2\n" in status
    assert [line.split()[3:5] for line in limits.splitlines() if line.startswith("Max file size")] == [["0", "0"]]
    assert b"LECTERN" not in environment


async def test_document_languages_are_detected_in_the_same_process(
    pool: ChunkingPool, document: ExtractedDocument
) -> None:
    before = children()
    for languages in (("en", "it"), ("de", "fr", "en")):
        options = ChunkingOptions(languages=languages)
        assert await pool.chunk(document, options=options) == chunk_document(document, options=options)
    assert len(children() - before) == 1


def test_a_child_starts_without_an_event_loop() -> None:
    code = "import sys, lectern.ingestion.stages.chunking_child; sys.exit('asyncio' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    "answer",
    [
        Frame(CHUNKED, b"{", b""),
        Frame(CHUNKED, b"[]", b""),
        Frame(CHUNKED, b'["title","en",[],[[1]]]', b""),
        Frame(CHUNKED, b"", b""),
        Frame(b"x", b"null", b""),
        Frame(CHUNKED, b"\xff", b""),
        Frame(ERROR, b"1", b""),
    ],
)
def test_malformed_response_is_rejected(answer: Frame) -> None:
    with pytest.raises(ChunkingFailed):
        read_answer(answer)


def test_response_out_of_memory_fails_the_file() -> None:
    with pytest.raises(FileTooLarge):
        read_answer(Frame(OUT_OF_MEMORY, b"null", b""))
