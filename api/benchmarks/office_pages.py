"""Compare the pages read of DOCX and ODT files with the pages that their programs counted or printed.

    python benchmarks/office_pages.py FOLDER

Of a DOCX with two or more pages in its properties, prints both counts. Of an ODT with a PDF of the same name beside it,
prints the share of words that are read on the page where they are printed (`pdftotext` of Poppler reads the PDF).
"""

import argparse
import re
import subprocess
import zipfile
from collections import Counter
from pathlib import Path

from lectern.extraction.detection import HEAD_BYTES, detect_content_type
from lectern.extraction.errors import FAILURES
from lectern.extraction.registry import extract_document
from lectern.extraction.types import ExtractedDocument, ExtractionLimits

_COUNTED = re.compile(rb"<Pages>(\d+)</Pages>")


def read(path: Path) -> ExtractedDocument:
    """Read a file."""
    content_type = detect_content_type(path.read_bytes()[:HEAD_BYTES], filename=path.name)
    return extract_document(path, content_type, limits=ExtractionLimits())


def counted_pages(path: Path) -> int:
    """Return the number of pages that Word counted, 0 if it does not say so."""
    with zipfile.ZipFile(path) as archive:
        properties = archive.read("docProps/app.xml") if "docProps/app.xml" in archive.namelist() else b""
    counted = _COUNTED.search(properties)
    return int(counted[1]) if counted else 0


def words_of(text: str) -> Counter[str]:
    """Return how often each word occurs."""
    return Counter(re.findall(r"\w+", text.lower()))


def words_on_their_page(path: Path) -> tuple[int, int]:
    """Return how many words are read on the page where they are printed, and how many are read."""
    command = ["pdftotext", "-q", str(path.with_suffix(".pdf")), "-"]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split("\f")
    found = total = 0
    for page in read(path).pages:
        words = words_of(page.text)
        total += words.total()
        if page.page_number <= len(printed):
            found += (words & words_of(printed[page.page_number - 1])).total()
    return found, total


def main() -> None:
    """Print a line for each file and a sum for each format."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    matches = documents = found = total = 0
    for path in sorted(parser.parse_args().folder.iterdir()):
        try:
            if path.suffix == ".docx" and (counted := counted_pages(path)) > 1:
                pages = len(read(path).pages)
                matches, documents = matches + (pages == counted), documents + 1
                print(f"{path.name}: {counted} counted, {pages} read")
            elif path.suffix == ".odt" and path.with_suffix(".pdf").exists():
                on_page, words = words_on_their_page(path)
                found, total = found + on_page, total + words
                print(f"{path.name}: {on_page / max(words, 1):.3f} of {words} words on their page")
        except (*FAILURES, zipfile.BadZipFile) as error:
            print(f"{path.name}: {error}")
    print(f"DOCX: {matches} of {documents} have as many pages as counted")
    print(f"ODT: {found / max(total, 1):.3f} of {total} words on their page")


if __name__ == "__main__":
    main()
