"""Measure processor seconds for 1,000 pages of each format, without child processes and text recognition.

    python benchmarks/extraction_formats.py FOLDER [FOLDER ...]

Every file is extracted and chunked three times; the fastest run counts. docs/reference/formats.md defines the page of a
format, so a million characters compares formats better. Unreadable files are counted, not timed.
"""

import resource
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from lectern.chunking.chunker import chunk_document
from lectern.chunking.tokens import count_tokens
from lectern.chunking.types import ChunkingOptions
from lectern.extraction.detection import HEAD_BYTES, detect_content_type
from lectern.extraction.errors import ExtractionFailed
from lectern.extraction.registry import extract_document, find_extractor
from lectern.extraction.types import ExtractedDocument, ExtractionLimits

T = TypeVar("T")
TIMES = 3
MOST_BYTES = 20_000_000


@dataclass
class Total:
    """Totals of the files of a format."""

    files: int = 0
    refused: int = 0
    pages: int = 0
    characters: int = 0
    chunks: int = 0
    reading: float = 0.0
    chunking: float = 0.0

    def row(self, name: str) -> str:
        """Return a line of a Markdown table."""
        if not self.pages:
            return f"| {name} | {self.files} | 0 | {self.refused} refused | | | |"
        a_thousand, a_million = 1_000 / self.pages, 1e6 / max(1, self.characters)
        return (
            f"| {name} | {self.files - self.refused} | {self.pages:,} | {self.characters / self.pages:,.0f} "
            f"| {self.reading * a_thousand:.2f} | {self.chunking * a_thousand:.2f} "
            f"| {(self.reading + self.chunking) * a_million:.2f} |"
        )


def least(work: Callable[[], T]) -> tuple[T, float]:
    """Return the result and the fewest processor seconds of a few tries."""
    tries: list[tuple[T, float]] = []
    for _ in range(TIMES):
        began = time.process_time()
        result = work()
        tries.append((result, time.process_time() - began))
    return min(tries, key=lambda made: made[1])


def measure(path: Path, totals: dict[str, Total]) -> None:
    """Add one file to the totals of its format."""
    try:
        content_type = detect_content_type(path.read_bytes()[:HEAD_BYTES], path.name)
    except ExtractionFailed:
        return
    extractor = find_extractor(content_type)
    total = totals[extractor.name if extractor else content_type]
    total.files += 1
    try:
        extracted, reading = least(lambda: extract_document(path, content_type, limits=ExtractionLimits()))
    except ExtractionFailed:
        total.refused += 1
        return
    chunked, chunking = least(lambda: chunk_document(extracted, options=ChunkingOptions()))
    total.pages += len(extracted.pages)
    total.characters += characters_of(extracted)
    total.chunks += len(chunked.chunks)
    total.reading += reading
    total.chunking += chunking


def characters_of(document: ExtractedDocument) -> int:
    return sum(len(page.text) for page in document.pages)


def main() -> None:
    """Measure all files under the folders."""
    count_tokens("warm")
    totals: defaultdict[str, Total] = defaultdict(Total)
    for folder in map(Path, sys.argv[1:]):
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.stat().st_size <= MOST_BYTES and not path.name.startswith("bomb"):
                measure(path, totals)
    print("| Format | files | pages | characters a page | reading | chunking | both, a million characters |")
    print("|---|---|---|---|---|---|---|")
    for name in sorted(totals):
        print(totals[name].row(name))
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB")


if __name__ == "__main__":
    main()
