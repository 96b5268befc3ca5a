"""Measure which rows of labelled PDF tables are one line of the page's text.

    python benchmarks/table_rows.py FOLDER

FOLDER has `NAME.pdf` and `NAME-str.xml` side by side or in folders, as the dataset of the ICDAR 2013 table competition.
A row is together when one line has the text of its cells in order, and apart when tabs separate them too.
Only letters and digits count. Rows with one cell, or without text, are left out.
"""

import argparse
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from xml.etree.ElementTree import parse

from reading_order import has_words

from lectern.extraction.registry import extract_document
from lectern.extraction.types import ExtractionLimits


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


def has_cells(parts: Sequence[str], cells: Sequence[str]) -> bool:
    """Return True if each cell is a part of its own, in this order."""
    remaining = iter(parts)
    return all(cell in remaining for cell in cells)


def main() -> None:
    """Print the share of rows that are together and apart, for rows with and without a wrapped cell."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    counts: Counter[tuple[str, str]] = Counter()
    for pdf in sorted(parser.parse_args().folder.rglob("*.pdf")):
        labels = pdf.with_name(f"{pdf.stem}-str.xml")
        if not labels.exists():
            print(f"{pdf.name} has no labels")
            continue
        pages = extract_document(pdf, "application/pdf", limits=ExtractionLimits()).pages
        for number, texts in labelled_rows(labels):
            kind = "with a wrapped cell" if any("\n" in text for text in texts) else "on one line"
            cells = [squeeze(text) for text in texts]
            lines = pages[number - 1].text.split("\n")
            counts[kind, "rows"] += 1
            counts[kind, "together"] += any(has_words(squeeze(line), cells) for line in lines)
            counts[kind, "apart"] += any(
                has_cells([squeeze(part) for part in line.split("\t")], cells) for line in lines
            )
    for kind in sorted({kind for kind, _ in counts}):
        rows, together, apart = (counts[kind, what] for what in ("rows", "together", "apart"))
        print(f"{kind}: {rows} rows, together {together / rows:.3f}, apart {apart / rows:.3f}")


if __name__ == "__main__":
    main()
