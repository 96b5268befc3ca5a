"""ZIP archives of XML: bombs, entities, encryption and wrong names raise typed failures."""

import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.extraction.office_writer import (
    archive,
    docx,
    epub,
    odp,
    ods,
    ods_rows,
    odt,
    paragraph,
    pptx,
    shape,
    slide_xml,
    xlsx,
)

from lectern.extraction.errors import Corrupt, Encrypted, ExtractionFailed, FileTooLarge
from lectern.extraction.registry import EXTRACTORS, extract_document
from lectern.extraction.types import ExtractionLimits

ARCHIVES = [
    one.content_type for one in EXTRACTORS if one.content_type.startswith(("application/vnd.o", "application/e"))
]
LAUGHS = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]>'
STEALS = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>'

Attempt = Callable[[bytes, str], str]


@pytest.fixture
def attempt(tmp_path: Path) -> Attempt:
    """Read bytes as a type and return all text."""

    def read(content: bytes, content_type: str) -> str:
        path = tmp_path / "made"
        path.write_bytes(content)
        limits = ExtractionLimits(max_memory_bytes=268_435_456)
        return "\n".join(page.text for page in extract_document(path, content_type, limits=limits).pages)

    return read


def swapped(content: bytes, name: str, change: Callable[[bytes], bytes]) -> bytes:
    """Return the archive with one part replaced."""
    with zipfile.ZipFile(io.BytesIO(content)) as opened:
        parts = {info.filename: opened.read(info) for info in opened.infolist()}
    return archive({**parts, name: change(parts[name])})


SAMPLES = {
    "docx": (docx(paragraph("x")), "word/document.xml", ARCHIVES[0]),
    "pptx": (pptx(slide_xml(shape("x"))), "ppt/slides/slide1.xml", ARCHIVES[1]),
    "xlsx": (xlsx({"A": [["a", "b"], [1, 2]]}), "xl/worksheets/sheet1.xml", ARCHIVES[2]),
    "odt": (odt("<text:p>x</text:p>"), "content.xml", ARCHIVES[3]),
    "ods": (ods(f"<table:table>{ods_rows(('a', 'b'))}</table:table>"), "content.xml", ARCHIVES[4]),
    "odp": (odp("<draw:page/>"), "content.xml", ARCHIVES[5]),
    "epub": (epub("<p>x</p>"), "OEBPS/book.opf", ARCHIVES[6]),
}


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("declaration", [LAUGHS, STEALS])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_xml_with_entity_declarations_is_rejected(attempt: Attempt, name: str, declaration: str, encoding: str) -> None:
    content, part, content_type = SAMPLES[name]

    def poison(raw: bytes) -> bytes:
        _, _, root = raw.decode().rpartition("?>")
        return f'<?xml version="1.0" encoding="{encoding}"?>{declaration}{root}'.encode(encoding)

    with pytest.raises(Corrupt, match="entities"):
        attempt(swapped(content, part, poison), content_type)


@pytest.mark.parametrize("name", SAMPLES)
def test_archive_that_unpacks_beyond_memory_is_too_large(attempt: Attempt, name: str) -> None:
    content, part, content_type = SAMPLES[name]
    bomb = swapped(content, part, lambda raw: raw + b" " * 140_000_000)
    assert len(bomb) < 400_000
    with pytest.raises(FileTooLarge, match="unpacks to") as caught:
        attempt(bomb, content_type)
    assert set(caught.value.values) == {"unpacked_bytes", "max_unpacked_bytes"}


@pytest.mark.parametrize("content_type", ARCHIVES)
def test_archive_with_too_many_parts_is_too_large(attempt: Attempt, content_type: str) -> None:
    with pytest.raises(FileTooLarge, match="parts"):
        attempt(archive({f"part{number}": b"" for number in range(20_001)}), content_type)


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("outside", ["../../etc/cron.d/x", "..\\..\\x.exe"])
def test_names_outside_the_archive_are_rejected(attempt: Attempt, name: str, outside: str) -> None:
    content, part, content_type = SAMPLES[name]
    with zipfile.ZipFile(io.BytesIO(content)) as opened:
        parts = {info.filename: opened.read(info) for info in opened.infolist()}
    assert part in parts
    with pytest.raises(Corrupt, match="lead out"):
        attempt(archive({**parts, outside: b"x"}), content_type)


@pytest.mark.parametrize("content_type", ARCHIVES)
def test_archive_of_another_format_is_damaged(attempt: Attempt, content_type: str) -> None:
    with pytest.raises(Corrupt):
        attempt(archive({"a.txt": "not a document"}), content_type)
    with pytest.raises(Corrupt, match="cannot be unpacked"):
        attempt(b"PK\x03\x04 and then nothing", content_type)


@pytest.mark.parametrize("name", SAMPLES)
def test_encrypted_parts_are_reported_as_protected(attempt: Attempt, name: str) -> None:
    content, _, content_type = SAMPLES[name]
    marked = bytearray(content)
    position = marked.find(b"PK\x01\x02")
    marked[position + 8] |= 1  # the flag of the first entry in the directory
    with pytest.raises(Encrypted):
        attempt(bytes(marked), content_type)


@pytest.mark.parametrize("name", SAMPLES)
def test_truncated_archive_is_a_typed_failure(attempt: Attempt, name: str) -> None:
    content, _, content_type = SAMPLES[name]
    for end in range(0, len(content), max(1, len(content) // 40)):
        with pytest.raises(ExtractionFailed):
            attempt(content[:end], content_type)
