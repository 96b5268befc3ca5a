"""Rectangles compared with pixels on rotated and cropped pages: all ink of the target, no other ink."""

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pypdfium2
import pytest
from tests.extraction.pdf_writer import Pdf

from lectern.extraction.layout.boxes import rectangles
from lectern.extraction.registry import extract_document
from lectern.extraction.types import ExtractionLimits, Rect

LINES = (
    "The quick report covers nine regions",
    "of which TARGET AND MORE are named",
    "CONTINUED here, and the rest is silence",
    "Net sales 222,730 192,052 181,001",
)
TARGETS = ("TARGET AND MORE", "CONTINUED", "192,052")
SCALE = 3
INK = 200
CROPS = (None, (40.0, 60.0, 400.0, 790.0))


def sheet(rotation: int, crop: tuple[float, float, float, float] | None, *, without: str = "", turn: int = 0) -> Pdf:
    """Draw each word at a fixed position, so omitting one moves no other."""
    pdf = Pdf()
    page = pdf.page(rotation=rotation, crop=crop)
    for number, line in enumerate(LINES):
        for position, word in enumerate(line.split()):
            if word not in without.split():
                along, across = 70 + 72 * position, 300 - 20 * number
                x, y = (along, across) if turn == 0 else (480 - across, along + 40)
                page.text(x, y, word, turn=turn)
    return pdf


def ink(path: Path) -> npt.NDArray[np.bool_]:
    """Return the dark pixels of the first page."""
    with pypdfium2.PdfDocument(path) as document:
        # pypdfium2 has no types
        picture: object = document[0].render(scale=SCALE, grayscale=True).to_numpy()  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    grey = np.asarray(picture, dtype=np.uint8)
    return grey.reshape(grey.shape[:2]) < INK


def inside(shape: tuple[int, ...], rects: list[Rect]) -> npt.NDArray[np.bool_]:
    mask = np.zeros(shape, dtype=bool)
    height, width = shape
    for rect in rects:
        top, bottom = int(np.floor(rect.y * height)), int(np.ceil((rect.y + rect.height) * height))
        left, right = int(np.floor(rect.x * width)), int(np.ceil((rect.x + rect.width) * width))
        mask[top:bottom, left:right] = True
    return mask


@pytest.mark.parametrize("turn", [0, 1])
@pytest.mark.parametrize("crop", CROPS)
@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
@pytest.mark.parametrize("target", TARGETS)
def test_highlight_covers_exactly_the_ink_of_its_target(
    tmp_path: Path, target: str, rotation: int, crop: tuple[float, float, float, float] | None, turn: int
) -> None:
    path = sheet(rotation, crop, turn=turn).write(tmp_path / "whole.pdf")
    rest = ink(sheet(rotation, crop, without=target, turn=turn).write(tmp_path / "rest.pdf"))
    whole = ink(path)
    page = extract_document(path, "application/pdf", limits=ExtractionLimits()).pages[0]
    start = page.text.replace("\t", " ").index(target)  # words with wide gaps are cells
    covered = inside(whole.shape, rectangles(page.boxes, start, start + len(target)))
    target_ink = whole & ~rest
    assert target_ink.sum() > 50
    assert (target_ink & ~covered).sum() == 0
    assert (rest & covered).sum() == 0


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_lines_of_a_rotated_page_are_read_as_displayed(tmp_path: Path, rotation: int) -> None:
    page = extract_document(
        sheet(rotation, None).write(tmp_path / "turned.pdf"), "application/pdf", limits=ExtractionLimits()
    ).pages[0]
    assert page.text.replace("\t", " ").split("\n") == list(LINES)
    assert (page.width_points > page.height_points) == (rotation in {90, 270})


def test_words_outside_the_crop_box_are_not_read(tmp_path: Path) -> None:
    pdf = Pdf()
    pdf.page(crop=(0.0, 0.0, 300.0, 842.0)).text(50, 700, "visible words").text(400, 700, "hidden words")
    page = extract_document(pdf.write(tmp_path / "half.pdf"), "application/pdf", limits=ExtractionLimits()).pages[0]
    assert page.text == "visible words"
