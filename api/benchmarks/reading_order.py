"""Measure reading order and whole statement rows, in PDFium's text ("before") and in Lectern's ("after").

    python benchmarks/reading_order.py columns PDF [PDF ...]
    python benchmarks/reading_order.py rows FOLDER [EVERY]      # EVERY: only each n-th page

`columns` takes the pages with two columns. Their drawing order is the truth, because papers are drawn column by column.
"As drawn" compares Lectern's text with it. For "interleaved", the same words are drawn in the same places, but row by
row across both columns. The measure is the share of the truth's word triples.

A statement row is a label with at least two numbers after it on one baseline. It is detected from the position of every
character, independently of the extraction. It is intact when one extracted line has all its words.
"""

import argparse
import ctypes
import re
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pypdfium2
from pypdfium2 import raw

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from extraction.pdf_writer import Pdf

from lectern.extraction.registry import extract_document
from lectern.extraction.types import ExtractionLimits

LETTER_WIDTH = 0.5  # average of Helvetica, in font sizes
MIN_PIECES = 30
HYPHENS = ("-", "\u00ad", "\ufffe", "\x02")
FIGURE = re.compile(r"[(\[$€£¥+\-–—]*\d[\d.,]*[)\]%]*")
MARK = re.compile(r"[$€£%()—–-]+")
SAME_BASELINE_POINTS = 1.5
WORD = re.compile(r"[^\W_]+")


class Piece(NamedTuple):
    """A piece of a line on a page: its box in points from the bottom left, and its words."""

    left: float
    bottom: float
    right: float
    top: float
    text: str


def pieces(page: pypdfium2.PdfPage) -> list[Piece]:
    """Return the upright pieces of a page in drawing order."""
    text_page = page.get_textpage()
    parts: list[Piece] = []
    for number in range(text_page.count_rects()):
        left, bottom, right, top = text_page.get_rect(number)
        text = " ".join(text_page.get_text_bounded(left, bottom, right, top).split())
        if text and right - left > top - bottom:
            parts.append(Piece(left, bottom, right, top, text))
    return parts


def has_two_columns(parts: list[Piece], width: float) -> bool:
    """Return True if most lines are in one half of the page, and at least 30 % in each half."""
    middle = width / 2
    on_left = sum(piece.right < middle + 5 for piece in parts)
    on_right = sum(piece.left > middle - 5 for piece in parts)
    count = len(parts)
    return count > MIN_PIECES and on_left + on_right > 0.9 * count and min(on_left, on_right) > 0.3 * count


def draw_by_rows(parts: list[Piece], *, width: float, height: float) -> bytes:
    """Return a page with the same words in the same places, drawn from top to bottom across its columns."""
    pdf = Pdf()
    page = pdf.page(size=(width, height))
    for piece in sorted(parts, key=lambda piece: (-round(piece.bottom / 4), piece.left)):
        fitting = (piece.right - piece.left) / (LETTER_WIDTH * max(1, len(piece.text)))
        size = round(min(0.8 * (piece.top - piece.bottom), fitting), 1)
        page.text(piece.left, piece.bottom, encodable(piece.text), size=max(size, 1))
    return pdf.render()


def encodable(text: str) -> str:
    """Return the letters that the PDF writer has, with a plain hyphen at the end of a divided word."""
    hyphenated = text[:-1] + "-" if text.endswith(HYPHENS) else text
    return hyphenated.encode("cp1252", "ignore").decode("cp1252")


def triples(text: str) -> list[tuple[str, ...]]:
    words = WORD.findall(text)
    return list(zip(words, words[1:], words[2:], strict=False))


def true_triples(parts: list[Piece]) -> list[tuple[str, ...]]:
    """Return the word triples of a page in drawing order, without words that the end of a line divides."""
    truth: list[tuple[str, ...]] = []
    run: list[str] = []
    was_divided = False
    for piece in parts:
        words = piece.text.split()
        if was_divided:
            words = words[1:]
        was_divided = piece.text.endswith(HYPHENS)
        run += words[:-1] if was_divided else words
        if was_divided:
            truth += triples(" ".join(run))
            run = []
    return truth + triples(" ".join(run))


def share(truth: list[tuple[str, ...]], text: str) -> float:
    """Return the share of the true word triples that the text has."""
    got = set(triples(text))
    return sum(triple in got for triple in truth) / max(1, len(truth))


def drawn_text(document: pypdfium2.PdfDocument, index: int) -> str:
    return document[index].get_textpage().get_text_range()


def lectern_text(path: Path) -> list[str]:
    return [page.text for page in extract_document(path, "application/pdf", limits=ExtractionLimits()).pages]


def columns(paths: list[Path]) -> None:
    """Print a row for each paper."""
    print("| paper | pages with two columns | as drawn | interleaved: before | after |\n|---|---|---|---|---|")
    for path in paths:
        shares = list(measure_pages(path, lectern_text(path)))
        if shares:
            as_drawn, before, after = (sum(values) / len(shares) for values in zip(*shares, strict=True))
            print(f"| {path.stem} | {len(shares)} | {as_drawn:.3f} | {before:.3f} | {after:.3f} |", flush=True)


def measure_pages(path: Path, ours: list[str]) -> Iterator[tuple[float, float, float]]:
    """Yield the shares of each page with two columns: as drawn, interleaved before and after."""
    with tempfile.TemporaryDirectory() as folder, pypdfium2.PdfDocument(path) as document:
        for index in range(len(document)):
            page = document[index]
            width, height = page.get_size()
            parts = pieces(page)
            if not has_two_columns(parts, width):
                continue
            interleaved = Path(folder, "page.pdf")
            interleaved.write_bytes(draw_by_rows(parts, width=width, height=height))
            with pypdfium2.PdfDocument(interleaved) as drawn:
                texts = ours[index], drawn_text(drawn, 0), lectern_text(interleaved)[0]
            as_drawn, before, after = (share(true_triples(parts), text) for text in texts)
            yield as_drawn, before, after


def statement_rows(page: pypdfium2.PdfPage) -> list[list[str]]:
    """Return the statement rows of a page as words, from the position of every character."""
    text_page = page.get_textpage()
    by_baseline = defaultdict(list)
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
    """Return True for a label with at least two numbers after it."""
    figures = 0
    while words and (FIGURE.fullmatch(words[-1]) or MARK.fullmatch(words[-1])):
        figures += bool(FIGURE.fullmatch(words[-1]))
        words = words[:-1]
    return figures > 1 and 0 < len(words) <= 12 and any(len(word) > 1 and word.isalpha() for word in words)


def has_words(line: str, words: Sequence[str]) -> bool:
    """Return True if the line has the words in this order, with or without footnote marks between them."""
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


def rows(folder: Path, every: int) -> None:
    """Print the share of intact statement rows."""
    total, intact = 0, {"before": 0, "after": 0}
    for path in sorted(folder.glob("*.pdf")):
        ours = lectern_text(path)
        with pypdfium2.PdfDocument(path) as document:
            for index in range(0, len(document), every):
                texts = {"before": drawn_text(document, index), "after": ours[index]}
                lines = {name: [squeeze(line) for line in text.splitlines()] for name, text in texts.items()}
                for words in statement_rows(document[index]):
                    total += 1
                    wanted = [squeeze(word) for word in words]
                    for name, own in lines.items():
                        intact[name] += any(has_words(line, wanted) for line in own)
    for name, count in intact.items():
        print(f"{name}: {count} of {total} statement rows intact = {count / max(total, 1):.4f}")


def main() -> None:
    """Run the command of the arguments."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("columns").add_argument("pdfs", type=Path, nargs="+")
    of_rows = commands.add_parser("rows")
    of_rows.add_argument("folder", type=Path)
    of_rows.add_argument("every", type=int, nargs="?", default=1)
    arguments = parser.parse_args()
    if arguments.command == "columns":
        columns(arguments.pdfs)
    else:
        rows(arguments.folder, arguments.every)


if __name__ == "__main__":
    main()
