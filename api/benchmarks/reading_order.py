"""Reading order on real two-column pages, kept and mended, and statement rows: before (PDFium's order) and after.

    python benchmarks/reading_order.py columns PDF [PDF ...]
    python benchmarks/reading_order.py rows FOLDER [EVERY]

`columns` takes the pages of papers that have two columns. PDFium's order of such a page is the truth: papers are drawn
column by column. "kept" is what remains of it in our text. Then each page is drawn anew with the same words in the same
places, but row by row across both columns, as some programs write: "before" is what PDFium makes of that, "after" what
we make of it. The measure is the share of the truth's triples of words.
"""

import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pypdfium2

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from extraction.pdf_writer import Pdf
from extraction_quality import holds, rows_of, squeeze

from lectern.extraction.registry import extract_document
from lectern.extraction.types import ExtractionLimits

WIDTH_OF_A_LETTER = 0.5  # of Helvetica, in font sizes, on average
MIN_PIECES = 30
CUTS = ("-", "\u00ad", "\ufffe", "\x02")
WORD = re.compile(r"[^\W_]+")


class Piece(NamedTuple):
    """A piece of a line on a page: place in points from the bottom left, and its words."""

    left: float
    bottom: float
    right: float
    top: float
    text: str


def pieces(page: pypdfium2.PdfPage) -> list[Piece]:
    """The upright pieces of a page in the order in which they are drawn."""
    text_page = page.get_textpage()
    found: list[Piece] = []
    for number in range(text_page.count_rects()):
        left, bottom, right, top = text_page.get_rect(number)
        text = " ".join(text_page.get_text_bounded(left, bottom, right, top).split())
        if text and right - left > top - bottom:
            found.append(Piece(left, bottom, right, top, text))
    return found


def has_two_columns(found: list[Piece], width: float) -> bool:
    """Whether most lines end before the middle or begin after it, as many on the one side as on the other nearly."""
    middle = width / 2
    on_left = sum(piece.right < middle + 5 for piece in found)
    on_right = sum(piece.left > middle - 5 for piece in found)
    few = min(on_left, on_right)
    return len(found) > MIN_PIECES and on_left + on_right > 0.9 * len(found) and few > 0.3 * len(found)


def drawn_by_rows(found: list[Piece], *, width: float, height: float) -> bytes:
    """A page with the same words in the same places, drawn from the top to the bottom across its columns."""
    pdf = Pdf()
    page = pdf.page(size=(width, height))
    for piece in sorted(found, key=lambda piece: (-round(piece.bottom / 4), piece.left)):
        room = (piece.right - piece.left) / (WIDTH_OF_A_LETTER * max(1, len(piece.text)))
        size = round(min(0.8 * (piece.top - piece.bottom), room), 1)
        page.text(piece.left, piece.bottom, in_latin(piece.text), size=max(size, 1))
    return pdf.render()


def in_latin(text: str) -> str:
    """The text in the only letters that the writer has; a cut at the end of a line is a hyphen."""
    shown = text[:-1] + "-" if text.endswith(CUTS) else text
    return shown.encode("cp1252", "ignore").decode("cp1252")


def triples(text: str) -> list[tuple[str, ...]]:
    words = WORD.findall(text)
    return list(zip(words, words[1:], words[2:], strict=False))


def in_order(found: list[Piece]) -> list[tuple[str, ...]]:
    """The triples of a page in its order; those with a word that the end of a line cuts in two are left out."""
    truth: list[tuple[str, ...]] = []
    run: list[str] = []
    was_cut = False
    for piece in found:
        words = piece.text.split()
        if was_cut:
            words = words[1:]
        was_cut = piece.text.endswith(CUTS)
        run += words[:-1] if was_cut else words
        if was_cut:
            truth += triples(" ".join(run))
            run = []
    return truth + triples(" ".join(run))


def share(truth: list[tuple[str, ...]], text: str) -> float:
    got = set(triples(text))
    return sum(triple in got for triple in truth) / max(1, len(truth))


def stream_text(path: Path, index: int) -> str:
    with pypdfium2.PdfDocument(path) as document:
        return document[index].get_textpage().get_text_range()


def our_text(path: Path) -> list[str]:
    return [page.text for page in extract_document(path, "application/pdf", limits=ExtractionLimits()).pages]


def columns(paths: list[Path]) -> None:
    print("| paper | pages with two columns | kept | interleaved: before | after |\n|---|---|---|---|---|")
    for path in paths:
        shares = list(_pages(path, our_text(path)))
        if shares:
            kept, before, after = (sum(values) / len(shares) for values in zip(*shares, strict=True))
            print(f"| {path.stem} | {len(shares)} | {kept:.3f} | {before:.3f} | {after:.3f} |", flush=True)


def _pages(path: Path, ours: list[str]) -> Iterator[tuple[float, float, float]]:
    with tempfile.TemporaryDirectory() as folder, pypdfium2.PdfDocument(path) as document:
        for index in range(len(document)):
            page = document[index]
            width, height = page.get_size()
            found = pieces(page)
            if not has_two_columns(found, width):
                continue
            drawn = Path(folder, "page.pdf")
            drawn.write_bytes(drawn_by_rows(found, width=width, height=height))
            truth = in_order(found)
            yield share(truth, ours[index]), share(truth, stream_text(drawn, 0)), share(truth, our_text(drawn)[0])


def rows(folder: Path, every: int) -> None:
    total, intact = 0, {"before": 0, "after": 0}
    for path in sorted(folder.glob("*.pdf")):
        ours = our_text(path)
        with pypdfium2.PdfDocument(path) as document:
            for index in range(0, len(document), every):
                texts = {"before": document[index].get_textpage().get_text_range(), "after": ours[index]}
                lines = {name: [squeeze(line) for line in text.splitlines()] for name, text in texts.items()}
                for words in rows_of(document[index]):
                    total += 1
                    wanted = [squeeze(word) for word in words]
                    for name, found in lines.items():
                        intact[name] += any(holds(line, wanted) for line in found)
    for name, count in intact.items():
        print(f"{name}: {count} of {total} statement rows intact = {count / max(total, 1):.4f}")


if __name__ == "__main__":
    commands: dict[str, Callable[[], None]] = {
        "columns": lambda: columns([Path(argument) for argument in sys.argv[2:]]),
        "rows": lambda: rows(Path(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 1),
    }
    commands[sys.argv[1]]()
