"""Measure character accuracy and processor seconds a page of text recognition, against the true text of scans.

`python benchmarks/extraction_ocr.py SCAN.pdf TRUTH.jsonl [tesseract|rapidocr]`: a line of the truth is
`{"page": 1, "text": "..."}`. Accuracy is 1 - edit distance / length of the truth, white space folded.
"""

import asyncio
import json
import resource
import sys
import time
from pathlib import Path

import numpy as np

from lectern.extraction.service import read_document
from lectern.extraction.types import ExtractedDocument, ExtractionLimits, OcrEngine, OcrOptions


def accuracy(truth: str, read: str) -> float:
    """Return 1 - edit distance / length of the truth."""
    expected, actual = " ".join(truth.split()), " ".join(read.split())
    return 1 - distance(expected, actual) / max(1, len(expected))


def distance(first: str, second: str) -> int:
    """Return the edit distance (Levenshtein), computed by rows."""
    codes = np.frombuffer(second.encode("utf-32-le"), np.uint32)
    steps = np.arange(len(codes) + 1)
    row = steps.copy()
    for number, character in enumerate(first, start=1):
        changed = np.minimum(row[1:] + 1, row[:-1] + (codes != ord(character)))
        row = np.minimum.accumulate(np.concatenate(([number], changed)) - steps) + steps
    return int(row[-1])


async def read(path: Path, engine: OcrEngine, languages: tuple[str, ...]) -> ExtractedDocument:
    """Read the scan by one engine."""
    options = OcrOptions(engine=engine, languages=languages)
    return await read_document(path, "application/pdf", limits=ExtractionLimits(), ocr=options)


def main() -> None:
    """Print accuracy by page, the mean, and the cost."""
    path, truth_path = Path(sys.argv[1]), Path(sys.argv[2])
    engine = OcrEngine(sys.argv[3]) if len(sys.argv) > 3 else OcrEngine.AUTO
    truths = {row["page"]: row["text"] for row in map(json.loads, truth_path.read_text().splitlines())}
    started = time.monotonic()
    document = asyncio.run(read(path, engine, ("it",)))
    seconds = time.monotonic() - started
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    scores = [accuracy(truths[page.page_number], page.text) for page in document.pages if page.page_number in truths]
    for page, score in zip(document.pages, scores, strict=True):
        print(page.page_number, f"{score:.4f}", page.note)
    cpu = used.ru_utime + used.ru_stime
    print(
        f"mean {sum(scores) / len(scores):.4f}; {cpu / len(document.pages):.1f} CPU-s and "
        f"{seconds / len(document.pages):.1f} s a page; largest process {used.ru_maxrss // 1024} MB"
    )


if __name__ == "__main__":
    main()
