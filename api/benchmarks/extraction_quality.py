"""Measure extraction quality: whole statement rows, and reading order against a truth.

    python benchmarks/extraction_quality.py rows FOLDER [EVERY]      # EVERY: only each n-th page
    python benchmarks/extraction_quality.py order PDF TRUTH_JSONL

A statement row is a label with at least two numbers after it on one baseline. It is detected from the position of every
character, independently of the code under test. It is intact when one extracted line has all its words.
"""

import collections
import ctypes
import json
import re
import sys
from pathlib import Path

import pypdfium2
from pypdfium2 import raw

from lectern.extraction.registry import extract_document
from lectern.extraction.types import ExtractionLimits

FIGURE = re.compile(r"[(\[$€£¥+\-–—]*\d[\d.,]*[)\]%]*")
MARK = re.compile(r"[$€£%()—–-]+")
SAME_BASELINE_POINTS = 1.5


def rows_of(page: pypdfium2.PdfPage) -> list[list[str]]:
    """Return the statement rows of a page as words, from the position of every character."""
    text_page = page.get_textpage()
    by_baseline = collections.defaultdict(list)
    x, y, box = ctypes.c_double(), ctypes.c_double(), raw.FS_RECTF()
    for index in range(text_page.count_chars()):
        character = chr(raw.FPDFText_GetUnicode(text_page.raw, index) or 32)
        if character.isspace() or not character.isprintable():
            continue
        raw.FPDFText_GetCharOrigin(text_page.raw, index, x, y)
        raw.FPDFText_GetLooseCharBox(text_page.raw, index, box)
        by_baseline[round(y.value / SAME_BASELINE_POINTS)].append((x.value, box.right, character, box.top - box.bottom))
    rows = []
    for characters in by_baseline.values():
        characters.sort()
        line, end = "", None
        for left, right, character, height in characters:
            if end is not None and left - end > 0.15 * height:
                line += " "
            line += character
            end = right
        rows.append(line.split())
    return [words for words in rows if is_statement_row(words)]


def is_statement_row(words: list[str]) -> bool:
    figures = 0
    while words and (FIGURE.fullmatch(words[-1]) or MARK.fullmatch(words[-1])):
        figures += bool(FIGURE.fullmatch(words[-1]))
        words = words[:-1]
    return figures > 1 and 0 < len(words) <= 12 and any(len(word) > 1 and word.isalpha() for word in words)


def rows(folder: Path, every: int) -> None:
    total = intact = 0
    broken: collections.Counter[str] = collections.Counter()
    for path in sorted(folder.glob("*.pdf")):
        extracted = extract_document(path, "application/pdf", limits=ExtractionLimits()).pages
        with pypdfium2.PdfDocument(path) as document:
            for index in range(0, len(document), every):
                lines = [squeeze(line) for line in extracted[index].text.split("\n")]
                for words in rows_of(document[index]):
                    total += 1
                    wanted = [squeeze(word) for word in words]
                    if any(holds(line, wanted) for line in lines):
                        intact += 1
                    else:
                        broken[f"{path.name} p{index + 1}: {' '.join(words)}"] += 1
    print(f"statement rows {total}, intact {intact} = {intact / max(total, 1):.4f}")
    for row, _ in broken.most_common(25):
        print("  broken:", row[:150])


def holds(line: str, words: list[str]) -> bool:
    """Return whether the line has the words in this order, ignoring footnote marks between them."""
    position = 0
    for word in words:
        position = line.find(word, position)
        if position < 0:
            return False
        position += len(word)
    return True


def squeeze(text: str) -> str:
    """Keep letters and digits only."""
    return re.sub(r"[\W_]+", "", text)


def order(pdf: Path, truth: Path) -> None:
    pages = extract_document(pdf, "application/pdf", limits=ExtractionLimits()).pages
    shares = []
    for line in truth.read_text().splitlines():
        entry = json.loads(line)
        wanted = triples(entry["text"])
        got = set(triples(pages[entry["page"] - 1].text))
        share = sum(triple in got for triple in wanted) / max(len(wanted), 1)
        shares.append(share)
        print(f"page {entry['page']}: {share:.3f} of {len(wanted)} word triples in order")
    print(f"reading order {sum(shares) / len(shares):.4f}")


def triples(text: str) -> list[tuple[str, ...]]:
    words = text.split()
    return list(zip(words, words[1:], words[2:], strict=False))


if __name__ == "__main__":
    if sys.argv[1] == "rows":
        rows(Path(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    else:
        order(Path(sys.argv[2]), Path(sys.argv[3]))
