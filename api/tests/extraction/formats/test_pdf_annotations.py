"""PDF: filled fields, text boxes, stamps and comments are read as part of their page."""

import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pypdf
import pytest
from pypdf.annotations import Highlight, Text
from pypdf.generic import (
    ArrayObject,
    BooleanObject,
    DecodedStreamObject,
    DictionaryObject,
    FloatObject,
    NameObject,
    NumberObject,
    PdfObject,
    TextStringObject,
)
from tests.extraction.pdf_writer import Pdf

from lectern.extraction.errors import FileTooLarge
from lectern.extraction.layout.boxes import unpack_boxes
from lectern.extraction.registry import extract_document
from lectern.extraction.types import ExtractedPage, ExtractionLimits

LIMITS = ExtractionLimits()
HELVETICA = {"Type": "/Font", "Subtype": "/Type1", "BaseFont": "/Helvetica", "Encoding": "/WinAnsiEncoding"}
DINGBATS = {"Type": "/Font", "Subtype": "/Type1", "BaseFont": "/ZapfDingbats"}
Rectangle = tuple[int, int, int, int]


def dictionary(values: Mapping[str, PdfObject | str]) -> DictionaryObject:
    """Return a dictionary of PDF. Texts are names."""
    objects = {key: value if isinstance(value, PdfObject) else NameObject(value) for key, value in values.items()}
    return DictionaryObject({NameObject(f"/{key}"): value for key, value in objects.items()})


def rectangle(sides: Rectangle) -> ArrayObject:
    return ArrayObject([FloatObject(side) for side in sides])


class Form:
    """A page of labels with a form on it."""

    def __init__(self, *labels: tuple[int, int, str], rotation: int = 0) -> None:
        pdf = Pdf()
        page = pdf.page(rotation=rotation)
        for x, y, label in labels:
            page.text(x, y, label)
        self.writer = pypdf.PdfWriter(clone_from=io.BytesIO(pdf.render()))
        self._fonts = dictionary({"Helv": dictionary(HELVETICA), "ZaDb": dictionary(DINGBATS)})
        self._added = ArrayObject()
        self._fields = ArrayObject()

    def add(self, kind: str, sides: Rectangle, shown: str | None = None, **values: PdfObject | str) -> DictionaryObject:
        """Add an annotation. `shown` are the operators that draw it."""
        common = {"Type": "/Annot", "Subtype": kind, "Rect": rectangle(sides), "F": NumberObject(4)}
        annotation = dictionary({**common, **values})
        if shown is not None:
            annotation[NameObject("/AP")] = dictionary({"N": self.drawing(sides, shown)})
        self._added.append(self.writer._add_object(annotation))  # pyright: ignore[reportPrivateUsage]
        return annotation

    def drawing(self, sides: Rectangle, operators: str) -> PdfObject:
        drawing = DecodedStreamObject()
        drawing.set_data(operators.encode())
        box = rectangle((0, 0, sides[2] - sides[0], sides[3] - sides[1]))
        resources = dictionary({"Font": self._fonts})
        drawing.update(dictionary({"Type": "/XObject", "Subtype": "/Form", "BBox": box, "Resources": resources}))
        return self.writer._add_object(drawing)  # pyright: ignore[reportPrivateUsage]

    def field(self, name: str, sides: Rectangle, value: str, *, is_drawn: bool) -> None:
        """Add a filled text field. A field that is not drawn leaves this to the viewer."""
        text, look = TextStringObject(value), TextStringObject("/Helv 11 Tf 0 g")
        shown = f"/Tx BMC q BT /Helv 11 Tf 2 6 Td ({value}) Tj ET Q EMC" if is_drawn else None
        self.add("/Widget", sides, shown, FT="/Tx", T=TextStringObject(name), V=text, DA=look)
        self._fields.append(self._added[-1])

    def read(self, path: Path) -> ExtractedPage:
        """Write the file and return its page as extracted."""
        form = {"Fields": self._fields, "DR": dictionary({"Font": self._fonts}), "NeedAppearances": BooleanObject(True)}
        if self._fields:
            self.writer.root_object[NameObject("/AcroForm")] = dictionary(form)
        existing = self.writer.pages[0].get("/Annots", ArrayObject())
        self.writer.pages[0][NameObject("/Annots")] = ArrayObject([*existing, *self._added])
        self.writer.write(path)
        return extract_document(path, "application/pdf", limits=LIMITS).pages[0]


@pytest.mark.parametrize("is_drawn", [True, False])
@pytest.mark.parametrize("rotation", [0, 90])
def test_filled_fields_follow_their_labels(tmp_path: Path, *, is_drawn: bool, rotation: int) -> None:
    form = Form((50, 700, "Applicant:"), (50, 650, "Income in EUR:"), (50, 600, "Signed in Dublin."), rotation=rotation)
    form.field("income", (200, 645, 400, 665), "48,250.00", is_drawn=is_drawn)
    form.field("name", (200, 695, 400, 715), "Ada Lovelace", is_drawn=is_drawn)

    page = form.read(tmp_path / "form.pdf")

    lines = page.text.split("\n")  # PDFium reads a page of turned letters from its end
    assert sorted(lines) == ["Applicant:\tAda Lovelace", "Income in EUR:\t48,250.00", "Signed in Dublin."]
    boxes = unpack_boxes(page.boxes)
    assert len(boxes.starts) == len(page.text.split())


def test_page_that_inherits_its_fonts_keeps_its_text_beside_fields(tmp_path: Path) -> None:
    form = Form((50, 700, "#pplicant:"))
    form.field("name", (200, 695, 400, 715), "Ada Lovelace", is_drawn=True)
    page: Any = form.writer.pages[0]
    for font in page["/Resources"]["/Font"].values():
        differences = ArrayObject([NumberObject(ord("#")), NameObject("/A")])
        font.get_object()[NameObject("/Encoding")] = dictionary({"Type": "/Encoding", "Differences": differences})
    page["/Parent"][NameObject("/Resources")] = page.pop("/Resources")

    assert form.read(tmp_path / "form.pdf").text == "Applicant:\tAda Lovelace"


def test_a_field_below_its_label_comes_before_the_next_label(tmp_path: Path) -> None:
    form = Form((50, 700, "Applicant"), (50, 640, "Income in EUR"))
    form.field("income", (50, 610, 400, 630), "48,250.00", is_drawn=True)
    form.field("name", (50, 670, 400, 690), "Ada Lovelace", is_drawn=True)

    page = form.read(tmp_path / "form.pdf")

    assert page.text.split("\n") == ["Applicant", "Ada Lovelace", "Income in EUR", "48,250.00"]


def test_ticked_boxes_text_boxes_and_stamps_are_read(tmp_path: Path) -> None:
    form = Form((50, 700, "Married:"), (50, 650, "Retired:"))
    for name, y, is_on in (("married", 697, True), ("retired", 647, False)):
        box = (120, y, 134, y + 14)
        states = {"On": form.drawing(box, "BT /ZaDb 12 Tf 1 2 Td (4) Tj ET"), "Off": form.drawing(box, "")}
        field = {"FT": "/Btn", "T": TextStringObject(name), "AS": "/On" if is_on else "/Off"}
        form.add("/Widget", box, AP=dictionary({"N": dictionary(states)}), **field)
    form.add("/FreeText", (50, 500, 300, 520), "BT /Helv 11 Tf 2 6 Td (Checked by the registrar) Tj ET")
    form.add("/Stamp", (300, 400, 400, 430), "BT /Helv 20 Tf 2 6 Td (APPROVED) Tj ET")
    form.add("/FreeText", (50, 450, 300, 470), "BT /Helv 11 Tf 2 6 Td (Hidden) Tj ET", F=NumberObject(2))

    page = form.read(tmp_path / "form.pdf")

    assert page.text.split("\n") == ["Married:\t\u2714", "Retired:", "Checked by the registrar", "APPROVED"]


@pytest.mark.parametrize("has_field", [False, True])
def test_comments_end_the_page_and_have_the_place_they_mark(tmp_path: Path, *, has_field: bool) -> None:
    form = Form((50, 700, "The notice period is 30 days."))
    if has_field:
        form.field("name", (50, 650, 400, 670), "Ada Lovelace", is_drawn=True)
    marked = Highlight(rect=(50, 695, 220, 712), quad_points=ArrayObject([FloatObject(0)] * 8))
    marked[NameObject("/Contents")] = TextStringObject("Change this\rto 60 days.")
    marked[NameObject("/T")] = TextStringObject("Bob Ray")
    for comment in (Text(text="Ask legal.", rect=(300, 300, 320, 320)), marked, Text(text="", rect=(0, 0, 9, 9))):
        form.writer.add_annotation(0, comment)
    form.add("/Text", (1, 1, 9, 9), Contents=TextStringObject("Accepted"), StateModel=TextStringObject("Review"))
    form.add("/Text", (1, 1, 9, 9), Contents=TextStringObject("Secret"), F=NumberObject(2))

    page = form.read(tmp_path / "comments.pdf")

    assert page.text.split("\n") == [
        "The notice period is 30 days.",
        *(["Ada Lovelace"] if has_field else []),
        "[Comment of Bob Ray: Change this to 60 days.]",
        "[Comment: Ask legal.]",
    ]
    line = page.lines[-2]
    assert page.text[line.start : line.end] == "[Comment of Bob Ray: Change this to 60 days.]"
    sides = [round(side * whole) for side, whole in zip(line[4:8], (595, 842, 595, 842), strict=True)]
    assert sides == [50, 842 - 712, 220, 842 - 695]
    assert len(unpack_boxes(page.boxes).starts) == 6 + 2 * has_field + 2


def test_drawn_marks_and_boxes_that_the_viewer_draws_are_comments(tmp_path: Path) -> None:
    form = Form((50, 700, "The notice period is 30 days."))
    form.add("/Square", (50, 695, 220, 712), Contents=TextStringObject("Too short"), T=TextStringObject("Ada"))
    form.add("/FreeText", (50, 500, 300, 520), Contents=TextStringObject("Checked by Bob"))

    page = form.read(tmp_path / "marks.pdf")

    assert page.text.split("\n")[1:] == ["[Comment of Ada: Too short]", "[Comment: Checked by Bob]"]


def test_comments_count_against_the_limits(tmp_path: Path) -> None:
    form = Form((50, 700, "Short."))
    for number in range(50):
        form.add("/Text", (1, number, 9, number + 9), Contents=TextStringObject("word " * 100))
    form.read(tmp_path / "long.pdf")
    with pytest.raises(FileTooLarge):
        extract_document(tmp_path / "long.pdf", "application/pdf", limits=ExtractionLimits(max_characters=10_000))


def test_attached_files_and_dynamic_forms_are_noted(tmp_path: Path) -> None:
    form = Form((50, 700, "Please wait..."))
    form.writer.add_attachment("invoice\n1.xml", b"<invoice/>")
    for number in range(20):
        form.writer.add_attachment(f"photo {number:02}.png", b"png")
    data = DecodedStreamObject()
    data.set_data(b"<xdp/>")
    values = {"Fields": ArrayObject(), "XFA": form.writer._add_object(data)}  # pyright: ignore[reportPrivateUsage]
    form.writer.root_object[NameObject("/AcroForm")] = dictionary(values)
    form.writer.root_object[NameObject("/NeedsRendering")] = BooleanObject(True)

    page = form.read(tmp_path / "portfolio.pdf")

    assert page.note is not None
    assert page.note.startswith("Files in this PDF are not read: invoice 1.xml, photo 00.png, photo 01.png, ")
    assert page.note.endswith("photo 18.png and 1 more. This PDF is a form in XML (XFA), which is not read.")
