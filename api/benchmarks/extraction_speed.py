"""Measure pages per CPU second of extraction and chunking, the cost of the child, and chunk sizes.

    python benchmarks/extraction_speed.py FOLDER            # every .pdf, .md and .txt in it
    python benchmarks/extraction_speed.py --outcomes FOLDER # each file through the child: outcome, seconds, peak memory

CPU seconds grow when the machine is shared: compare ratios, or run it alone.
"""

import asyncio
import resource
import sys
import time
from collections import Counter
from pathlib import Path
from statistics import quantiles

from lectern.chunking.chunker import chunk_document
from lectern.chunking.languages import detect_language
from lectern.chunking.tokens import count_tokens
from lectern.chunking.types import ChunkingOptions
from lectern.extraction.detection import HEAD_BYTES, detect_content_type
from lectern.extraction.errors import ExtractionFailed
from lectern.extraction.registry import extract_document
from lectern.extraction.sandbox.extraction import extract_in_child
from lectern.extraction.types import ExtractionLimits

LIMITS, OPTIONS = ExtractionLimits(), ChunkingOptions()


def files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.suffix in {".pdf", ".md", ".txt"})


def content_type_of(path: Path) -> str:
    with path.open("rb") as opened:
        return detect_content_type(opened.read(HEAD_BYTES), path.name)


def speed(folder: Path) -> None:
    count_tokens("warm")
    detect_language("these words only load the model", languages=OPTIONS.languages)
    pages = chunks = 0
    reading = chunking = 0.0
    tokens: list[int] = []
    contents: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    boxes = 0
    for path in files(folder):
        try:
            started = time.process_time()
            document = extract_document(path, content_type_of(path), limits=LIMITS)
            read_at = time.process_time()
            chunked = chunk_document(document, options=OPTIONS)
        except ExtractionFailed as failure:
            print(f"  {path.name}: {failure.code}")
            continue
        reading += read_at - started
        chunking += time.process_time() - read_at
        pages += len(document.pages)
        chunks += len(chunked.chunks)
        tokens += [chunk.token_count for chunk in chunked.chunks]
        contents.update(chunk.content_type.value for chunk in chunked.chunks)
        kinds.update(page.kind.value for page in chunked.pages)
        boxes += sum(len(page.boxes) for page in document.pages)
        print(
            f"  {path.name[:34]:34} {len(document.pages):5} pages {len(chunked.chunks):5} chunks {chunked.language} "
            f"{chunked.title}"
        )
    shares = quantiles(tokens, n=20)
    print(f"pages {pages}, kinds {dict(kinds)}")
    print(f"reading  {pages / reading:7.0f} pages per CPU-second")
    print(f"chunking {pages / chunking:7.0f} pages per CPU-second")
    print(f"both     {pages / (reading + chunking):7.0f} pages per CPU-second")
    print(f"boxes {boxes / pages:.0f} bytes a page")
    print(f"chunks {chunks}, {dict(contents)}")
    print(f"tokens: 5 % {shares[0]:.0f}, median {shares[9]:.0f}, 95 % {shares[18]:.0f}, most {max(tokens)}")
    print(f"below the floor: {sum(count < OPTIONS.floor_tokens for count in tokens)}")
    print(f"peak memory of this process {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


async def outcomes(folder: Path) -> None:
    for path in files(folder):
        started = time.perf_counter()
        try:
            document = await extract_in_child(path, "application/pdf", limits=LIMITS)
            outcome = f"ready: {len(document.pages)} pages, {sum(len(page.text) for page in document.pages)} characters"
        except ExtractionFailed as failure:
            outcome = f"{failure.code}: {failure.message}"
        print(f"{path.name:46} {time.perf_counter() - started:6.2f} s  {outcome}")
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"largest child {peak:.0f} MB")


if __name__ == "__main__":
    if sys.argv[1] == "--outcomes":
        asyncio.run(outcomes(Path(sys.argv[2])))
    else:
        speed(Path(sys.argv[1]))
