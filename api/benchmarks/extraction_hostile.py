"""Extract damaged, locked, huge and scanned files, and print outcome, seconds and memory of each.

    python benchmarks/extraction_hostile.py FOLDER [FOLDER ...] [--engine auto|tesseract|rapidocr|off]

Every file is extracted as in the worker, with text recognition, one after the other. Each file has its own process, to
measure its memory. `expected.jsonl` beside a folder has the passwords of locked files ({file, password}).
"""

import argparse
import asyncio
import json
import resource
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from lectern.extraction.detection import HEAD_BYTES, detect_content_type
from lectern.extraction.errors import FAILURES
from lectern.extraction.service import read_document
from lectern.extraction.types import ExtractedDocument, ExtractionLimits, OcrEngine, OcrOptions


def passwords(folder: Path) -> dict[str, str]:
    """Return the passwords of a folder by filename."""
    file = folder.parent / "expected.jsonl"
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []
    return {row["file"]: row["password"] for row in rows if row.get("password")}


def describe(document: ExtractedDocument) -> str:
    """Return the number of pages by kind, and of characters."""
    kinds = Counter(page.kind for page in document.pages)
    characters = sum(len(page.text) for page in document.pages)
    return f"{', '.join(f'{count} {kind}' for kind, count in kinds.most_common())}; {characters:,} characters"


def read_one(path: Path, engine: OcrEngine, password: str | None) -> None:
    """Extract a file and print its outcome as JSON."""
    started = time.monotonic()
    try:
        with path.open("rb") as file:
            content_type = detect_content_type(file.read(HEAD_BYTES), filename=path.name)
        reading = read_document(
            path, content_type, limits=ExtractionLimits(), ocr=OcrOptions(engine=engine), password=password
        )
        outcome = describe(asyncio.run(reading))
    except FAILURES as failure:
        outcome = f"{failure.code}: {failure.message}"
    seconds = time.monotonic() - started
    largest = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
    print(json.dumps({"file": path.name, "outcome": outcome, "seconds": round(seconds, 1), "mebibytes": largest}))


def measure(paths: Sequence[Path], engine: str, passwords_by_name: Mapping[str, str]) -> None:
    """Extract every file in its own process, and print the slowest and the largest."""
    rows: list[dict[str, str | float]] = []
    for path in paths:
        command = [sys.executable, __file__, "--one", str(path), "--engine", engine]
        command += ["--password", passwords_by_name[path.name]] if path.name in passwords_by_name else []
        process = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
        if process.returncode:
            raise SystemExit(f"{path.name}: the process failed: {process.stderr[-2000:]}")
        row = json.loads(process.stdout)
        print(f"{row['file']:48s} {row['seconds']:6.1f} s {row['mebibytes']:6d} MiB  {row['outcome']}", flush=True)
        rows.append(row)
    slowest, largest = (max(rows, key=lambda row: float(row[name])) for name in ("seconds", "mebibytes"))
    print(f"{len(rows)} files; slowest {slowest['file']} {slowest['seconds']} s; largest {largest['file']} ", end="")
    print(f"{largest['mebibytes']} MiB")


def main() -> None:
    """Print a line for each file of the folders."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--engine", choices=[engine.value for engine in OcrEngine], default=OcrEngine.AUTO.value)
    parser.add_argument("--one", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--password", default="", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        read_one(arguments.one, OcrEngine(arguments.engine), arguments.password or None)
        return
    paths = [path for folder in arguments.folders for path in sorted(folder.iterdir()) if path.is_file()]
    passwords_by_name = {name: word for folder in arguments.folders for name, word in passwords(folder).items()}
    measure(paths, arguments.engine, passwords_by_name)


if __name__ == "__main__":
    main()
