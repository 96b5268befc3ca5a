"""Every extractor meets the same contract."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from lectern.extraction.detection import detect_content_type
from lectern.extraction.errors import FAILURES, FileTooLarge, UnsupportedFile
from lectern.extraction.layout.boxes import unpack_boxes
from lectern.extraction.registry import EXTRACTORS, Extractor, extract_document, get_extractor
from lectern.extraction.types import DocumentMetadata, ExtractedPage, ExtractionLimits

from .office_writer import docx, epub, odp, ods, ods_rows, odt, paragraph, pptx, shape, slide_xml, xlsx
from .ole_writer import message, ole
from .pdf_writer import Pdf

OFFICE = "application/vnd.openxmlformats-officedocument."
WORDS = "Twelve euro is the yearly fee of the card."


def sample_pdf() -> bytes:
    pdf = Pdf()
    pdf.page().lines(60, 700, WORDS, "A second line.")
    return pdf.render()


def sample_mail() -> bytes:
    return f"From: Ada <a@example.org>\nTo: Bo\nSubject: Fees\n\n{WORDS}\n\nA second line.\n".encode()


SAMPLES: dict[str, Callable[[], bytes]] = {
    "application/pdf": sample_pdf,
    "text/plain": f"{WORDS}\nA second line.\n".encode,
    "text/markdown": f"# Fees\n\n{WORDS}\n\nA second line.\n".encode,
    "text/html": f"<html><body><h1>Fees</h1><p>{WORDS}</p><p>A second line.</p></body></html>".encode,
    "text/csv": f"Card,Remark\nSilver,{WORDS}\nGold,A second line.\n".encode,
    f"{OFFICE}wordprocessingml.document": lambda: docx(paragraph(WORDS) + paragraph("A second line.")),
    f"{OFFICE}presentationml.presentation": lambda: pptx(
        slide_xml(shape(WORDS, kind="title") + shape("A second line."))
    ),
    f"{OFFICE}spreadsheetml.sheet": lambda: xlsx({"Fees": [["Card", "Remark"], ["Silver", WORDS]]}),
    "application/vnd.oasis.opendocument.text": lambda: odt(f"<text:p>{WORDS}</text:p><text:p>A second line.</text:p>"),
    "application/vnd.oasis.opendocument.spreadsheet": lambda: ods(
        f'<table:table table:name="Fees">{ods_rows(("Card", "Remark"), ("Silver", WORDS))}</table:table>'
    ),
    "application/vnd.oasis.opendocument.presentation": lambda: odp(
        f"<draw:page><draw:frame><draw:text-box><text:p>{WORDS}</text:p><text:p>A second line.</text:p></draw:text-box>"
        "</draw:frame></draw:page>"
    ),
    "application/epub+zip": lambda: epub(f"<p>{WORDS}</p>", "<p>A second line.</p>"),
    "message/rfc822": sample_mail,
    "application/mbox": lambda: b"From a@example.org Fri Mar  1 12:00:00 2024\n" + sample_mail(),
    "text/calendar": f"BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:{WORDS}\nDESCRIPTION:A second line.\n".encode,
    "application/vnd.ms-outlook": lambda: ole(message({0x0037: "Fees", 0x1000: f"{WORDS}\r\n\r\nA second line."})),
}


# images have no text layer: test_ocr.py
WITH_TEXT = [extractor for extractor in EXTRACTORS if not extractor.content_type.startswith("image/")]


@pytest.fixture(params=WITH_TEXT, ids=[extractor.content_type for extractor in WITH_TEXT])
def extractor(request: pytest.FixtureRequest) -> Extractor:
    return request.param


@pytest.fixture
def sample(extractor: Extractor, tmp_path: Path) -> Path:
    path = tmp_path / f"sample{extractor.suffixes[0]}"
    path.write_bytes(SAMPLES[extractor.content_type]())
    return path


def test_sample_is_detected_and_read(extractor: Extractor, sample: Path) -> None:
    assert detect_content_type(sample.read_bytes(), sample.name) == extractor.content_type
    document = extract_document(sample, extractor.content_type, limits=ExtractionLimits())
    assert document.content_type == extractor.content_type
    assert any(WORDS in page.text for page in document.pages)


def test_pages_arrive_in_order_with_their_count(extractor: Extractor, sample: Path) -> None:
    seen: list[tuple[int, int]] = []

    def on_page(page: ExtractedPage, count: int) -> None:
        seen.append((page.page_number, count))

    facts = extractor.load()(sample, limits=ExtractionLimits(), password=None, on_page=on_page)
    assert isinstance(facts, DocumentMetadata)
    assert seen == [(number, len(seen)) for number in range(1, len(seen) + 1)]


def test_lines_and_boxes_point_into_the_text(extractor: Extractor, sample: Path) -> None:
    for page in extract_document(sample, extractor.content_type, limits=ExtractionLimits()).pages:
        covered = [page.text[line.start : line.end] for line in page.lines]
        assert all(line == line.strip() and line for line in covered)
        assert "".join("".join(covered).split()) == "".join(page.text.split())
        boxes = unpack_boxes(page.boxes)
        words = [page.text[start:end] for start, end in zip(boxes.starts, boxes.ends, strict=True)]
        assert words == (page.text.split() if page.boxes else [])


def test_same_bytes_give_the_same_document(extractor: Extractor, sample: Path) -> None:
    first, second = (extract_document(sample, extractor.content_type, limits=ExtractionLimits()) for _ in range(2))
    assert first == second


def test_character_limit_is_enforced(extractor: Extractor, sample: Path) -> None:
    with pytest.raises(FileTooLarge) as caught:
        extract_document(sample, extractor.content_type, limits=ExtractionLimits(max_characters=5))
    assert_carries_its_numbers(caught.value)


def test_line_limit_is_enforced(extractor: Extractor, sample: Path) -> None:
    with pytest.raises(FileTooLarge, match=r"lines|rows|cells") as caught:
        extract_document(sample, extractor.content_type, limits=ExtractionLimits(max_lines=1))
    assert_carries_its_numbers(caught.value)


def assert_carries_its_numbers(failure: FileTooLarge) -> None:
    """Assert that the values have every number of the message, under documented names."""
    numbers = [int(number.replace(",", "")) for number in re.findall(r"(?<![\w.])\d[\d,]*", failure.message)]
    assert set(failure.values) <= set(FileTooLarge.value_names)
    assert set(numbers) <= {*failure.values.values()}


def test_unknown_type_is_rejected_by_name() -> None:
    with pytest.raises(UnsupportedFile, match=r"application/zip.*PDF, plain text, Markdown, HTML"):
        get_extractor("application/zip")


def test_every_failure_has_a_code_a_message_and_a_hint() -> None:
    assert {failure.code for failure in FAILURES} == {
        "encrypted", "corrupt", "too_large", "unsupported_type", "timed_out", "no_text", "empty",
    }  # fmt: skip
    for failure in FAILURES:
        made = failure()
        assert made.message.endswith(".")
        assert made.hint or failure is UnsupportedFile
