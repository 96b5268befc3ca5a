"""Measure CPU seconds per 1,000 pages of each format, without child processes and text recognition.

    python benchmarks/extraction_formats.py FOLDER [FOLDER ...]

Every file is extracted and chunked three times, and the fastest run counts. docs/reference/formats.md defines the page
of each format. A million characters compares formats better. Unreadable files are counted, not timed.
"""

import argparse
import resource
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
from lectern.extraction.types import ExtractionLimits

T = TypeVar("T")
RUNS = 3
MAX_FILE_BYTES = 20_000_000


@dataclass
class Total:
    """Totals of the files of a format."""

    files: int = 0
    failed: int = 0
    pages: int = 0
    characters: int = 0
    chunks: int = 0
    reading: float = 0.0
    chunking: float = 0.0

    def row(self, name: str) -> str:
        """Return a row of a Markdown table."""
        if not self.pages:
            return f"| {name} | {self.files} | 0 | {self.failed} failed | | | |"
        per_thousand_pages, per_million_characters = 1_000 / self.pages, 1e6 / max(1, self.characters)
        return (
            f"| {name} | {self.files - self.failed} | {self.pages:,} | {self.characters / self.pages:,.0f} "
            f"| {self.reading * per_thousand_pages:.2f} | {self.chunking * per_thousand_pages:.2f} "
            f"| {(self.reading + self.chunking) * per_million_characters:.2f} |"
        )


def time_fastest(work: Callable[[], T]) -> tuple[T, float]:
    """Return the result and the CPU seconds of the fastest run."""
    runs: list[tuple[T, float]] = []
    for _ in range(RUNS):
        started = time.process_time()
        result = work()
        runs.append((result, time.process_time() - started))
    return min(runs, key=lambda run: run[1])


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
        extracted, reading = time_fastest(lambda: extract_document(path, content_type, limits=ExtractionLimits()))
    except ExtractionFailed:
        total.failed += 1
        return
    chunked, chunking = time_fastest(lambda: chunk_document(extracted, options=ChunkingOptions()))
    total.pages += len(extracted.pages)
    total.characters += sum(len(page.text) for page in extracted.pages)
    total.chunks += len(chunked.chunks)
    total.reading += reading
    total.chunking += chunking


def main() -> None:
    """Print a table of all files under the folders."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    arguments = parser.parse_args()
    count_tokens("warm")
    totals: defaultdict[str, Total] = defaultdict(Total)
    for folder in arguments.folders:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.stat().st_size <= MAX_FILE_BYTES and not path.name.startswith("bomb"):
                measure(path, totals)
    print("| Format | files | pages | characters per page | extraction | chunking | both, per million characters |")
    print("|---|---|---|---|---|---|---|")
    for name in sorted(totals):
        print(totals[name].row(name))
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB")


if __name__ == "__main__":
    main()
