"""Measure character accuracy and CPU seconds per page of text recognition, against the true text of scans.

    python benchmarks/extraction_ocr.py SCAN.pdf TRUTH.jsonl [tesseract|rapidocr]

A line of the truth is `{"page": 1, "text": "..."}`. Accuracy is 1 - edit distance / length of the truth. White space
counts as one space.
"""

import argparse
import asyncio
import json
import resource
import time
from pathlib import Path

import numpy as np

from lectern.extraction.service import read_document
from lectern.extraction.types import ExtractionLimits, OcrEngine, OcrOptions


def accuracy(truth: str, recognized: str) -> float:
    """Return 1 - edit distance / length of the truth."""
    expected, actual = " ".join(truth.split()), " ".join(recognized.split())
    return 1 - distance(expected, actual) / max(1, len(expected))


def distance(first: str, second: str) -> int:
    """Return the Levenshtein distance, computed row by row."""
    codes = np.frombuffer(second.encode("utf-32-le"), np.uint32)
    steps = np.arange(len(codes) + 1)
    row = steps.copy()
    for number, character in enumerate(first, start=1):
        changed = np.minimum(row[1:] + 1, row[:-1] + (codes != ord(character)))
        row = np.minimum.accumulate(np.concatenate(([number], changed)) - steps) + steps
    return int(row[-1])


def main() -> None:
    """Print the accuracy of each page, the mean and the cost."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scan", type=Path)
    parser.add_argument("truth", type=Path)
    parser.add_argument("engine", type=OcrEngine, nargs="?", default=OcrEngine.AUTO)
    arguments = parser.parse_args()
    truths = {row["page"]: row["text"] for row in map(json.loads, arguments.truth.read_text().splitlines())}
    started = time.monotonic()
    options = OcrOptions(engine=arguments.engine, languages=("it",))
    document = asyncio.run(read_document(arguments.scan, "application/pdf", limits=ExtractionLimits(), ocr=options))
    seconds = time.monotonic() - started
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    scores = [accuracy(truths[page.page_number], page.text) for page in document.pages if page.page_number in truths]
    for page, score in zip(document.pages, scores, strict=True):
        print(page.page_number, f"{score:.4f}", page.note)
    cpu = used.ru_utime + used.ru_stime
    print(
        f"mean {sum(scores) / len(scores):.4f}; {cpu / len(document.pages):.1f} CPU-s and "
        f"{seconds / len(document.pages):.1f} s per page; largest process {used.ru_maxrss // 1024} MB"
    )


if __name__ == "__main__":
    main()
