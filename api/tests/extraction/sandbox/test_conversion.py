"""Office files become PDFs in a confined process."""

import io
import os
import zipfile
from pathlib import Path

import pytest
from tests.extraction import office_writer as office

from lectern.extraction.errors import Corrupt, TimedOut
from lectern.extraction.registry import extract_document
from lectern.extraction.sandbox.conversion import CONVERTIBLE_TYPES, ConverterStatus, convert_to_pdf, find_converter
from lectern.extraction.types import ExtractionLimits

needs_libreoffice = pytest.mark.skipif(
    find_converter() is not ConverterStatus.AVAILABLE,
    reason="needs LibreOffice: apt-get install libreoffice-{writer,calc,impress}-nogui",
)
LIMITS = ExtractionLimits()
DOCX, XLSX, PPTX, ODT, ODS, ODP = (
    next(one for one in CONVERTIBLE_TYPES if one.endswith(end))
    for end in (
        *("wordprocessingml.document", "spreadsheetml.sheet", "presentationml.presentation"),
        *("opendocument.text", "opendocument.spreadsheet", "opendocument.presentation"),
    )
)
BREAK = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>'


async def texts_of(content: bytes, content_type: str, folder: Path) -> list[str]:
    """Return the texts of the pages as they are printed."""
    path = folder / "original"  # no ending: originals have none
    path.write_bytes(content)
    async with convert_to_pdf(path, content_type) as pdf:
        return [page.text for page in extract_document(pdf, "application/pdf", limits=LIMITS).pages]


@needs_libreoffice
async def test_word_files_are_printed(tmp_path: Path) -> None:
    body = office.paragraph("Harbour dues") + BREAK + office.word_table([["Berth", "Fee"], ["North", "120 EUR"]])
    first, second = await texts_of(office.docx(body), DOCX, tmp_path)
    assert "Harbour dues" in first
    assert "120 EUR" in second


@needs_libreoffice
async def test_other_office_files_are_printed(tmp_path: Path) -> None:
    text = "<text:p>Harbour dues</text:p>"
    table = '<table:table table:name="Dues">{}</table:table>'.format(office.ods_rows(["Harbour dues"]))
    box = f"<draw:frame><draw:text-box>{text}</draw:text-box></draw:frame>"
    for content, content_type in (
        (office.odt(text), ODT),
        (office.ods(table), ODS),
        (office.odp(f'<draw:page draw:name="a">{box}</draw:page>'), ODP),
    ):
        (page,) = await texts_of(content, content_type, tmp_path)
        assert "Harbourdues" in "".join(page.split())  # a narrow cell has two lines


@needs_libreoffice
async def test_macros_of_the_file_do_not_run_and_nothing_else_is_read(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("zanzibar")
    address = (tmp_path / "secret.txt").as_uri()
    linked = (
        f'<text:section text:name="s"><text:section-source xlink:href="{address}"/><text:p>Old</text:p></text:section>'
    )
    event = (
        '<office:scripts><office:event-listeners><script:event-listener script:language="ooo:script" '
        'script:event-name="dom:load" xlink:href="vnd.sun.star.script:Standard.Module1.Run?language=Basic&amp;'
        'location=document"/></office:event-listeners></office:scripts>'
    )
    content = office.odt(linked + "<text:p>Harbour dues</text:p>")
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    parts["content.xml"] = parts["content.xml"].replace(b"<office:body>", f"{event}<office:body>".encode())
    (page,) = await texts_of(office.archive(parts), ODT, tmp_path)
    assert "Harbour dues" in page
    assert "zanzibar" not in page
    assert sorted(os.listdir(tmp_path)) == ["original", "secret.txt"]  # noqa: PTH208 - names are wanted


@needs_libreoffice
async def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Corrupt, match="LibreOffice cannot convert"):
        await texts_of(b"PK\x03\x04 nothing of the kind", PPTX, tmp_path)


@needs_libreoffice
async def test_a_conversion_ends_at_its_time_limit(tmp_path: Path) -> None:
    (tmp_path / "original").write_bytes(office.docx(office.paragraph("Harbour dues")))
    with pytest.raises(TimedOut, match=r"longer than 0\.05 seconds"):
        async with convert_to_pdf(tmp_path / "original", DOCX, max_seconds=0.05):
            pass


@needs_libreoffice
async def test_nothing_stays_in_the_temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    assert await texts_of(office.docx(office.paragraph("Harbour dues")), DOCX, tmp_path)
    assert os.listdir(tmp_path / "temporary") == []  # noqa: PTH208 - names are wanted


def test_without_libreoffice_there_is_no_converter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lectern.extraction.programs._FOLDERS", "/nowhere")
    monkeypatch.setattr("lectern.extraction.programs._OPT", Path("/nowhere"))
    find_converter.cache_clear()
    try:
        assert find_converter() is ConverterStatus.NOT_INSTALLED
    finally:
        find_converter.cache_clear()
