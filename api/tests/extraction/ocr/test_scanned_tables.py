"""Rows of scanned tables are whole: rules are found in the image, and are no words."""

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from lectern.extraction.ocr.pages import OcrImage, OcrWord, build_page
from lectern.extraction.ocr.recognition import recognize_image
from lectern.extraction.ocr.rules import find_rules
from lectern.extraction.ocr.tesseract import Tesseract

LEFT, TOP, PITCH, STEP = 150, 200, 46, 70
COLUMNS = (LEFT, 800, 1200, 2300)


def draw_table(rows: list[list[str]], *, columns: tuple[int, ...] = COLUMNS, is_ruled: bool = True) -> Image.Image:
    """Draw a table at 300 dpi, with rules between its rows and, if `is_ruled`, its columns. Turn it by .3 degrees."""
    image = Image.new("L", (2480, 1400), 250)
    pen = ImageDraw.Draw(image)
    font = ImageFont.load_default(36)
    top = TOP
    pen.line((columns[0], top, columns[-1], top), fill=90, width=3)
    for row in rows:
        for left, cell in zip(columns, row, strict=False):
            pen.multiline_text((left + 25, top + 15), cell, font=font, fill=20, spacing=PITCH - 36)
        top += 30 + PITCH * max(cell.count("\n") + 1 for cell in row)
        pen.line((columns[0], top, columns[-1], top), fill=90, width=3)
    if is_ruled:
        for left in columns:
            pen.line((left, TOP, left, top), fill=90, width=3)
    turned = image.rotate(0.3, resample=Image.Resampling.BICUBIC, fillcolor=250)
    turned.info["dpi"] = (300, 300)
    return turned


def read(image: Image.Image) -> list[str]:
    reader = Tesseract.find(("en",), tessdata="")
    if reader is None:
        pytest.skip("needs Tesseract with English data: apt-get install tesseract-ocr")
    return recognize_image(reader, image, 1).text.split("\n")


def test_wrapped_cells_between_rules_are_one_row() -> None:
    rows = [
        ["Measurement", "Unit", "Review of the method"],
        ["Internal pressure\nof the vessel", "bar", "Read the gauge twice and\nwrite down the lower value\nof both"],
        ["Temperature", "degrees", "Read the display"],
    ]
    lines = read(draw_table(rows))
    assert lines == ["\t".join(cell.replace("\n", " ") for cell in row) for row in rows]


def test_wrapped_cell_without_vertical_rules_is_one_row() -> None:
    rows = [
        ["Date", "Sender", "Entry"],
        ["5 May 2024", "letter", "The insured person was informed that\nall damaged things may go"],
        ["9 May 2024", "phone", "No news"],
    ]
    lines = read(draw_table(rows, is_ruled=False))
    assert lines == ["\t".join(cell.replace("\n", " ") for cell in row) for row in rows]


def test_cells_with_as_many_lines_may_be_several_rows() -> None:
    lines = read(draw_table([["Name", "Unit", "Value"], ["Length\nBreadth", "metres\nmetres", "twelve\nseven"]]))
    assert lines == ["Name\tUnit\tValue", "Length\tmetres\ttwelve", "Breadth\tmetres\tseven"]


def test_rules_are_found_and_shades_letters_and_slopes_are_not_confused() -> None:
    image = draw_table([["One", "Two\nand", "Three"], ["four", "five", "six\nseven"]])
    pen = ImageDraw.Draw(image)
    pen.rectangle((300, 900, 1500, 1100), fill=200)
    pen.text((300, 1150), "Heading", font=ImageFont.load_default(90), fill=0)
    rules = find_rules(image, points_per_pixel=0.24)
    is_flat = rules[:, 2] - rules[:, 0] > rules[:, 3] - rules[:, 1]
    across, down = rules[is_flat], rules[~is_flat]
    assert np.all(across[:, 3] < 900 * 0.24)
    assert {round(float(left) / 0.24 / 50) * 50 for left in down[:, 0]} == set(COLUMNS)
    expected = [0.24 * (TOP + (30 + 2 * PITCH) * number) for number in range(3)]
    assert all(min(abs(top - place) for place in expected) < 4 for top in across[:, 1])
    assert {min(range(3), key=lambda number: abs(top - expected[number])) for top in across[:, 1].tolist()} == {0, 1, 2}


def test_small_images_have_no_rules() -> None:
    assert find_rules(Image.new("L", (50, 5), 0), points_per_pixel=0.24).shape == (0, 4)


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["1991", "|", "Women"], "1991\tWomen"),
        (["|", "Women"], "Women"),
        (["Total", "|12", "7"], "Total\t12 7"),
        (["PBUK|", "EH"], "PBUK\tEH"),
        (["value", "|x|"], "value |x|"),
    ],
)
def test_rule_that_is_read_as_a_word_parts_cells(words: list[str], text: str) -> None:
    assert build_page(1, [place(words)], image=OcrImage(1000, 1000, 0.48), reader="a test").text == text


def test_low_stroke_is_a_misread_digit() -> None:
    line = place(["Figure", "|", "shows"])
    line[1] = line[1]._replace(top=line[1].top + 6)
    assert build_page(1, [line], image=OcrImage(1000, 1000, 0.48), reader="a test").text == "Figure | shows"


def place(words: list[str]) -> list[OcrWord]:
    """Place words of 20 pixels with spaces of 10 on a line."""
    line: list[OcrWord] = []
    for text in words:
        left = line[-1].right + 10 if line else 10
        line.append(OcrWord(text, left, 10, left + 12 * len(text), 30, 0.9, 20))
    return line
