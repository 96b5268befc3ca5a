"""Pages of Office files: printed by LibreOffice once, kept beside the original, and gone with the document."""

import io
import uuid
from collections import Counter
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import httpx
import pytest
from PIL import Image, ImageChops
from tests.api import Api, Person
from tests.extraction import office_writer as office
from tests.extraction.sandbox.test_conversion import BREAK, needs_libreoffice

from lectern.db.scope import SYSTEM_SCOPE
from lectern.documents.images import service
from lectern.documents.models import DocumentPage
from lectern.documents.originals import remove_unreferenced
from lectern.documents.versions.service import remove_surplus_versions
from lectern.extraction.sandbox.conversion import ConverterStatus
from lectern.storage.store import OriginalStore

FILE = office.docx(office.paragraph("Harbour dues") + BREAK + office.paragraph("Berths"))


async def upload(api: Api, person: Person, filename: str = "dues.docx", **options: str) -> tuple[str, str]:
    """Return the address and the hash of a document."""
    document = (await api.upload(person.headers, FILE, filename=filename, **options))["document"]
    return f"/api/v1/documents/{document['id']}", document["sha256"]


def originals(api: Api) -> OriginalStore:
    return api.app.state.originals


async def draw(api: Api, person: Person, url: str, page: int = 1) -> httpx.Response:
    return await api.client.get(f"{url}/pages/{page}/image", params={"width": 200}, headers=person.headers)


def count_conversions(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    counted: Counter[str] = Counter()
    convert = service.convert_to_pdf

    def counting(path: Path, content_type: str) -> AbstractAsyncContextManager[Path]:
        counted["conversions"] += 1
        return convert(path, content_type)

    monkeypatch.setattr(service, "convert_to_pdf", counting)
    return counted


@needs_libreoffice
async def test_printed_pages_are_drawn_from_one_conversion(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    counted = count_conversions(monkeypatch)
    editor = await api.person()
    url, _ = await upload(api, editor)
    pages: list[Image.Image] = []
    for number in (1, 2):
        response = await draw(api, editor, url, number)
        assert (response.status_code, response.headers["content-type"]) == (200, "image/webp")
        pages.append(Image.open(io.BytesIO(response.content)).convert("L"))
    assert pages[0].width == 200
    assert ImageChops.difference(*pages).getbbox() is not None
    assert (await draw(api, editor, url, 3)).json()["code"] == "page_not_found"
    assert counted["conversions"] == 1


@needs_libreoffice
async def test_only_readers_of_the_document_see_its_pages(api: Api) -> None:
    admin = await api.person("admin")
    await api.collection(admin, "shelf", is_open=False)
    url, _ = await upload(api, admin, collection="shelf")
    assert (await draw(api, admin, url)).status_code == 200
    outsider = await api.person()
    assert (await draw(api, outsider, url)).json()["code"] == "document_not_found"


@needs_libreoffice
async def test_documents_with_the_same_file_share_no_conversion(api: Api) -> None:
    admin = await api.person("admin")
    await api.collection(admin, "shelf")
    first, sha256 = await upload(api, admin)
    second, _ = await upload(api, admin, "b.docx", collection="shelf")
    for url in (first, second):
        assert (await draw(api, admin, url)).status_code == 200
    assert len(await originals(api).list_conversions(sha256)) == 2
    purged = await api.client.delete(first, params={"purge": True}, headers=admin.headers)
    assert purged.json()["bytes"]["conversions"] > 1_000
    assert purged.json()["bytes"]["originals"] == 0
    assert [str(one) in second for one in await originals(api).list_conversions(sha256)] == [True]
    purged = await api.client.delete(second, params={"purge": True}, headers=admin.headers)
    assert purged.json()["bytes"]["conversions"] > 1_000
    assert await originals(api).list_conversions(sha256) == {}


@needs_libreoffice
async def test_conversions_of_removed_versions_are_removed(api: Api) -> None:
    editor = await api.person()
    url, sha256 = await upload(api, editor)
    assert (await draw(api, editor, url)).status_code == 200
    await api.sql("UPDATE jobs SET state = 'succeeded'")
    await api.sql(
        "UPDATE documents SET sha256 = :other, version = 2 WHERE id = :id",
        other="0" * 64,
        id=uuid.UUID(url.rpartition("/")[2]),
    )
    assert len(await originals(api).list_conversions(sha256)) == 1
    await remove_surplus_versions(api.database, originals(api), limit=1)
    await remove_unreferenced(api.database, originals(api), [sha256])
    assert await originals(api).list_conversions(sha256) == {}


@needs_libreoffice
async def test_a_conversion_for_a_purged_document_is_not_kept(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    editor = await api.person()
    url, sha256 = await upload(api, editor)
    keep = service.keep_conversion

    async def keep_later(*arguments: object) -> None:
        await api.client.delete(url, params={"purge": True}, headers=editor.headers)
        await keep(*arguments)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(service, "keep_conversion", keep_later)
    assert (await draw(api, editor, url)).json()["code"] == "document_not_found"
    assert await originals(api).list_conversions(sha256) == {}


@needs_libreoffice
async def test_a_file_that_cannot_be_converted_is_tried_once(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    counted = count_conversions(monkeypatch)
    editor = await api.person()
    document = (await api.upload(editor.headers, FILE[:-80], filename="broken.docx"))["document"]
    await api.sql(
        "UPDATE documents SET content_type = :type WHERE id = :id",
        type="application/vnd.openxmlformats-officedocument.presentationml.presentation",
        id=uuid.UUID(document["id"]),
    )
    for number in (1, 2):
        response = await draw(api, editor, f"/api/v1/documents/{document['id']}", number)
        assert (response.status_code, response.json()["code"]) == (404, "page_has_no_image")
        assert "LibreOffice" in response.json()["detail"]
    assert counted["conversions"] == 1


async def test_without_libreoffice_the_error_says_what_to_install(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "find_converter", lambda: ConverterStatus.NOT_INSTALLED)
    editor = await api.person()
    url, _ = await upload(api, editor)
    response = await draw(api, editor, url)
    assert (response.status_code, response.json()["code"]) == (404, "converter_missing")
    assert "Install LibreOffice" in response.json()["hint"]


@needs_libreoffice
async def test_the_printed_file_and_a_passage_on_it_are_returned(api: Api) -> None:
    editor = await api.person()
    url, _ = await upload(api, editor)
    document_id = uuid.UUID(url.rpartition("/")[2])
    async with api.database.session(SYSTEM_SCOPE) as session:
        text = "Harbour dues\nBerths"  # the text has one page where the print has two
        values = {"text": text, "char_start": 0, "char_count": len(text), "width_points": 0, "height_points": 0}
        session.add(DocumentPage(document_id=document_id, page_number=1, kind="text", boxes=b"", **values))
    await api.sql("UPDATE documents SET page_count = 1")
    assert (await api.client.get(url, headers=editor.headers)).json()["has_printed_pages"]
    printed = await api.client.get(f"{url}/original", params={"is_printed": True}, headers=editor.headers)
    assert (printed.status_code, printed.headers["content-type"]) == (200, "application/pdf")
    assert printed.headers["content-disposition"].startswith("attachment")
    assert printed.content.startswith(b"%PDF-")
    for start, end, page in ((0, 12, 1), (13, 19, 2)):
        parameters = {"char_start": start, "char_end": end, "is_printed": True}
        response = await api.client.get(f"{url}/rectangles", params=parameters, headers=editor.headers)
        (highlight,) = response.json()["highlights"]
        assert highlight["page_number"] == page
        assert all(0 < side < 1 for rect in highlight["rects"] for side in rect.values())
    response = await api.client.get(f"{url}/find", params={"q": "berths", "is_printed": True}, headers=editor.headers)
    (match,) = response.json()["items"]
    assert (match["page_number"], match["highlights"]) == (1, [highlight])


async def test_files_that_are_no_office_files_are_not_printed(api: Api) -> None:
    editor = await api.person()
    document = (await api.upload(editor.headers, b"Some text.", filename="a.txt"))["document"]
    assert not document["has_printed_pages"]
    await api.sql("UPDATE documents SET page_count = 1")
    url = f"/api/v1/documents/{document['id']}"
    for part in ("original?", "find?q=text&"):
        response = await api.client.get(f"{url}/{part}is_printed=true", headers=editor.headers)
        assert (response.status_code, response.json()["code"]) == (404, "page_has_no_image")
