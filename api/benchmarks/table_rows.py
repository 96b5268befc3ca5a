"""Measure which rows of labelled PDF tables are one line of the page's text.

    python benchmarks/table_rows.py FOLDER [--scanned [--degrees DEGREES]] [--every N]

FOLDER has `NAME.pdf` and `NAME-str.xml` side by side or in folders, as the dataset of the ICDAR 2013 table competition.
A row is together when one line has the text of its cells in order, and apart when tabs separate them too.
Only letters and digits count. Rows with one cell, or without text, are left out.

`--scanned` draws the pages as scans: at 200 dpi, turned by up to half a degree, with noise, as JPEG.
`--degrees` turns them by this much, to the left or the right, and keeps their corners. `--every` takes each nth page.
Tesseract reads them, in some seconds a page. Rows of which a fifth of the words is not read are left out.
A line must have .85 of the characters of a row, and a cell must be .8 alike.
Recall is the share of the words in labelled cells that are words of the page, counted as often as they occur.
"""

import argparse
import io
import random
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from xml.etree.ElementTree import parse

import numpy as np
import pypdfium2
from PIL import Image, ImageFilter
from reading_order import has_words

from lectern.extraction.ocr.recognition import recognize_image
from lectern.extraction.ocr.tesseract import Tesseract
from lectern.extraction.registry import extract_document
from lectern.extraction.types import ExtractionLimits

_SCAN_DPI = 200
_OCR_DPI = 300
_ALIKE = 0.8
_MOST = 0.85


def squeeze(text: str) -> str:
    """Keep letters and digits only."""
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", text)).lower()


def labelled_rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield the page number and the cells of each row, from left to right."""
    for region in parse(path).getroot().iter("region"):
        rows: dict[int, list[tuple[int, str]]] = defaultdict(list)
        for cell in region.iter("cell"):
            text = cell.findtext("content") or ""
            if squeeze(text):
                rows[int(cell.attrib["start-row"])].append((int(cell.attrib["start-col"]), text.strip()))
        for cells in rows.values():
            if len(cells) > 1:
                yield int(region.attrib["page"]), [text for _, text in sorted(cells)]


def has_cells(parts: Sequence[str], cells: Sequence[str], *, alike: float) -> bool:
    """Return True if each cell is a part of its own, in this order."""
    remaining = iter(parts)
    return all(any(part == cell or ratio(part, cell) >= alike for part in remaining) for cell in cells)


def ratio(text: str, other: str) -> float:
    """Return how alike two texts are, 0..1."""
    return SequenceMatcher(None, text, other, autojunk=False).ratio()


def has_most(line: str, cells: Sequence[str]) -> bool:
    """Return True if the line has most of the characters of the cells, in order."""
    row = "".join(cells)
    blocks = SequenceMatcher(None, row, line, autojunk=False).get_matching_blocks()
    return sum(block.size for block in blocks) >= _MOST * len(row)


def read_text(pdf: Path) -> dict[int, str]:
    """Return the text of each page."""
    pages = extract_document(pdf, "application/pdf", limits=ExtractionLimits()).pages
    return {page.page_number: page.text for page in pages}


def read_scan(pdf: Path, numbers: Sequence[int], *, degrees: float | None) -> dict[int, str]:
    """Return the text of these pages, drawn as scans and read by Tesseract."""
    reader = Tesseract.find(["en"], tessdata="")
    if reader is None:
        raise SystemExit("Tesseract is not installed.")
    document = pypdfium2.PdfDocument(pdf)
    texts: dict[int, str] = {}
    for number in numbers:
        bitmap = document[number - 1].render(scale=_SCAN_DPI / 72)  # pyright: ignore[reportArgumentType] - any number
        drawn = bitmap.to_pil().convert("L")
        scan = as_scan(drawn, seed=f"{pdf.stem}{number}", degrees=degrees)
        texts[number] = recognize_image(reader, scan, number).text
    return texts


def as_scan(drawn: Image.Image, *, seed: str, degrees: float | None) -> Image.Image:
    """Turn and blur the image, add noise, compress it, and enlarge it as for text recognition."""
    chance = random.Random(seed)
    angle = chance.uniform(-0.5, 0.5) if degrees is None else chance.choice((-degrees, degrees))
    turned = drawn.rotate(angle, resample=Image.Resampling.BICUBIC, fillcolor=255, expand=degrees is not None)
    pixels = np.asarray(turned.filter(ImageFilter.GaussianBlur(0.6)), dtype=np.float64)
    noisy = pixels + np.random.default_rng(len(seed)).normal(0, 8, pixels.shape)
    file = io.BytesIO()
    Image.fromarray(noisy.clip(0, 255).astype(np.uint8)).save(file, "JPEG", quality=60)
    scan = Image.open(file)
    scan = scan.resize((scan.width * _OCR_DPI // _SCAN_DPI, scan.height * _OCR_DPI // _SCAN_DPI))
    scan.info["dpi"] = (_OCR_DPI, _OCR_DPI)
    return scan


def judge_row(texts: Sequence[str], page: str, *, is_scanned: bool) -> Mapping[str, bool] | None:
    """Return whether a row is together and apart on its page; None if a fifth of its words was not read."""
    cells = [squeeze(text) for text in texts]
    lines = page.split("\n")
    parts = [[squeeze(part) for part in line.split("\t")] for line in lines]
    if not is_scanned:
        together = any(has_words(squeeze(line), cells) for line in lines)
        return {"together": together, "apart": any(has_cells(own, cells, alike=1.0) for own in parts)}
    words = [squeezed for text in texts for word in text.split() if (squeezed := squeeze(word))]
    read = squeeze(page)
    if sum(word in read for word in words) < _ALIKE * len(words):
        return None
    together = any(has_most(squeeze(line), cells) for line in lines)
    return {"together": together, "apart": any(has_cells(own, cells, alike=_ALIKE) for own in parts)}


def count_words(texts: Iterable[str]) -> Counter[str]:
    """Count the words, without punctuation."""
    return Counter(squeezed for text in texts for word in text.split() if (squeezed := squeeze(word)))


def choose_pages(folder: Path, every: int) -> Iterator[tuple[Path, dict[int, list[list[str]]]]]:
    """Yield each PDF with the labelled rows of every nth labelled page."""
    place = 0
    for pdf in sorted(folder.rglob("*.pdf")):
        labels = pdf.with_name(f"{pdf.stem}-str.xml")
        if not labels.exists():
            print(f"{pdf.name} has no labels")
            continue
        rows: dict[int, list[list[str]]] = defaultdict(list)
        for number, texts in labelled_rows(labels):
            rows[number].append(texts)
        yield pdf, {number: rows[number] for at, number in enumerate(sorted(rows), place) if at % every == 0}
        place += len(rows)


def main() -> None:
    """Print the share of rows that are together and apart, with and without a wrapped cell, and the recall of words."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--scanned", action="store_true")
    parser.add_argument("--degrees", type=float)
    parser.add_argument("--every", type=int, default=1)
    arguments = parser.parse_args()
    counts: Counter[tuple[str, str]] = Counter()
    words, read = 0, 0
    for pdf, chosen in choose_pages(arguments.folder, arguments.every):
        pages = read_scan(pdf, list(chosen), degrees=arguments.degrees) if arguments.scanned else read_text(pdf)
        for number, rows in chosen.items():
            labelled = count_words(text for texts in rows for text in texts)
            words += labelled.total()
            read += (labelled & count_words([pages[number]])).total()
            for texts in rows:
                kind = "with a wrapped cell" if any("\n" in text for text in texts) else "on one line"
                found = judge_row(texts, pages[number], is_scanned=arguments.scanned)
                counts.update((kind, name) for name, is_so in (found or {}).items() if is_so)
                counts[kind, "rows"] += found is not None
    for kind in sorted({kind for kind, _ in counts}):
        rows, together, apart = (counts[kind, what] for what in ("rows", "together", "apart"))
        print(f"{kind}: {rows} rows, together {together / rows:.3f}, apart {apart / rows:.3f}")
    print(f"recall: {read / words:.4f} of {words} words")


if __name__ == "__main__":
    main()
