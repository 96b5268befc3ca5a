"""Page images: access checks, cache and removal with the document."""

import asyncio
import io
import sys
import uuid
from pathlib import Path

import pypdf
import pytest
from PIL import Image
from tests.api import Api
from tests.extraction.pdf_writer import Pdf

from lectern.documents.errors import DrawingBusy
from lectern.documents.images.cache import ImageCache, ImageKey
from lectern.documents.images.service import PageImageService
from lectern.documents.originals import StoredFile
from lectern.storage.store import OriginalStore


def pdf(*, pages: int = 2) -> bytes:
    made = Pdf()
    for number in range(pages):
        made.page().text(60, 700, f"This is page {number + 1}.").box(100, 100, 200, 200)
    return made.render()


async def upload(api: Api, headers: dict[str, str], content: bytes, filename: str = "a.pdf") -> str:
    item = await api.upload(headers, content, filename=filename)
    return f"/api/v1/documents/{item['document']['id']}"


def images(api: Api) -> PageImageService:
    return api.app.state.page_images


async def test_page_is_returned_as_webp_at_the_requested_width(api: Api) -> None:
    editor = await api.person()
    url = await upload(api, editor.headers, pdf())
    response = await api.client.get(f"{url}/pages/2/image", params={"width": 300}, headers=editor.headers)
    assert (response.status_code, response.headers["content-type"]) == (200, "image/webp")
    assert response.headers["cache-control"] == "private, no-cache"
    assert response.headers["x-content-type-options"] == "nosniff"
    assert response.headers["content-security-policy"].startswith("sandbox")
    with Image.open(io.BytesIO(response.content)) as image:
        assert (image.format, image.width) == ("WEBP", 300)
    ordinary = await api.client.get(f"{url}/pages/1/image", headers=editor.headers)
    with Image.open(io.BytesIO(ordinary.content)) as image:
        assert image.width == 800


async def test_picture_is_its_own_page(api: Api) -> None:
    editor = await api.person()
    content = io.BytesIO()
    pages = [Image.new("L", (300, 200), shade) for shade in (0, 255)]
    pages[0].save(content, "TIFF", save_all=True, append_images=pages[1:])
    url = await upload(api, editor.headers, content.getvalue(), "scans.tiff")
    for number, shade in ((1, 0), (2, 255)):
        response = await api.client.get(f"{url}/pages/{number}/image?width=100", headers=editor.headers)
        with Image.open(io.BytesIO(response.content)) as image:
            assert (image.format, image.size) == ("WEBP", (100, 67))
            assert image.convert("L").getextrema() == (shade, shade)
    assert (await api.client.get(f"{url}/pages/3/image", headers=editor.headers)).json()["code"] == "page_not_found"


async def test_cached_client_gets_not_modified(api: Api) -> None:
    editor = await api.person()
    url = await upload(api, editor.headers, pdf())
    first = await api.client.get(f"{url}/pages/1/image", params={"width": 100}, headers=editor.headers)
    tag = first.headers["etag"]
    assert not tag.startswith("W/")
    headers = {**editor.headers, "If-None-Match": f'"x", {tag}'}
    again = await api.client.get(f"{url}/pages/1/image", params={"width": 100}, headers=headers)
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    for other in (f"{url}/pages/2/image?width=100", f"{url}/pages/1/image?width=101"):
        assert (await api.client.get(other, headers=headers)).status_code == 200


async def test_cached_page_is_not_rendered_again(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    editor = await api.person()
    url = await upload(api, editor.headers, pdf())
    first = await api.client.get(f"{url}/pages/1/image", headers=editor.headers)
    monkeypatch.setattr(sys, "executable", "/nowhere")  # a rendering process cannot start
    second = await api.client.get(f"{url}/pages/1/image", headers=editor.headers)
    assert (second.status_code, second.content) == (200, first.content)


async def test_documents_with_the_same_file_share_no_images(api: Api) -> None:
    admin = await api.person("admin")
    await api.collection(admin, "shelf")
    first = await upload(api, admin.headers, pdf())
    item = await api.upload(admin.headers, pdf(), filename="b.pdf", collection="shelf")
    second = f"/api/v1/documents/{item['document']['id']}"
    assert first != second
    for url in (first, second, first):
        assert (await api.client.get(f"{url}/pages/1/image", headers=admin.headers)).status_code == 200
    assert len(images(api).cache) == 2


@pytest.mark.parametrize(("page", "code"), [("3", "page_not_found"), ("0", "page_not_found"), ("9" * 30, None)])
async def test_missing_page_is_not_found(api: Api, page: str, code: str | None) -> None:
    editor = await api.person()
    url = await upload(api, editor.headers, pdf())
    response = await api.client.get(f"{url}/pages/{page}/image", headers=editor.headers)
    assert (response.status_code, response.json()["code"]) == (404, code or "page_not_found")


@pytest.mark.parametrize("width", ["79", "2001", "wide"])
async def test_width_out_of_bounds_is_rejected(api: Api, width: str) -> None:
    editor = await api.person()
    url = await upload(api, editor.headers, pdf())
    response = await api.client.get(f"{url}/pages/1/image", params={"width": width}, headers=editor.headers)
    assert (response.status_code, response.json()["code"]) == (422, "validation_error")


async def test_failed_rendering_reports_why(api: Api, tmp_path: Path) -> None:
    editor = await api.person()
    (tmp_path / "plain.pdf").write_bytes(pdf())
    writer = pypdf.PdfWriter(clone_from=tmp_path / "plain.pdf")
    writer.encrypt("open sesame", algorithm="AES-256")
    locked = io.BytesIO()
    writer.write(locked)
    for content, filename, code, word in (
        (b"Some text.", "a.txt", "page_has_no_image", "cannot be drawn"),
        (locked.getvalue(), "locked.pdf", "page_image_locked", "password"),
        (b"%PDF-1.7\nnothing of the kind", "broken.pdf", "page_has_no_image", "damaged"),
    ):
        url = await upload(api, editor.headers, content, filename)
        response = await api.client.get(f"{url}/pages/1/image", headers=editor.headers)
        assert (response.status_code, response.json()["code"]) == (404, code)
        assert word in response.json()["detail"]


async def test_key_without_access_gets_no_cached_image(api: Api) -> None:
    admin = await api.person("admin")
    url = await upload(api, admin.headers, pdf())
    await api.upload(admin.headers, b"Another.", filename="other.txt")
    seen = await api.client.get(f"{url}/pages/1/image", headers=admin.headers)
    key = await api.key(admin, documents=["other.txt"])
    for headers in (key, {**key, "If-None-Match": seen.headers["etag"]}):
        response = await api.client.get(f"{url}/pages/1/image", headers=headers)
        assert (response.status_code, response.json()["code"]) == (404, "document_not_found")


async def test_purge_removes_cached_images(api: Api) -> None:
    editor = await api.person()
    url = await upload(api, editor.headers, pdf())
    other = await upload(api, editor.headers, pdf(pages=1), "b.pdf")
    for address in (url, other):
        assert (await api.client.get(f"{address}/pages/1/image", headers=editor.headers)).status_code == 200
    assert len(images(api).cache) == 2
    response = await api.client.delete(url, params={"purge": "true"}, headers=editor.headers)
    assert response.status_code == 200
    assert len(images(api).cache) == 1
    assert (await api.client.get(f"{url}/pages/1/image", headers=editor.headers)).status_code == 404


async def test_too_many_concurrent_requests_get_retry_after(api: Api) -> None:
    editor = await api.person()
    url = await upload(api, editor.headers, pdf())
    originals: OriginalStore = api.app.state.originals
    api.app.state.page_images = PageImageService(originals, api.database, at_once=1, max_waiting=1)
    requests = [
        api.client.get(f"{url}/pages/1/image", params={"width": width}, headers=editor.headers)
        for width in range(100, 112)
    ]
    responses = await asyncio.gather(*requests)
    refused = [response for response in responses if response.status_code != 200]
    assert 1 <= len(refused) <= 10  # an image that is ready early makes room for another
    for response in refused:
        assert (response.status_code, response.json()["code"]) == (503, "drawing_busy")
        assert int(response.headers["retry-after"]) >= 1
    # the slots are free again
    again = await api.client.get(f"{url}/pages/1/image", params={"width": 106}, headers=editor.headers)
    assert again.status_code == 200


async def test_timed_out_page_can_be_requested_again(api: Api) -> None:
    editor = await api.person()
    url = await upload(api, editor.headers, pdf())
    originals: OriginalStore = api.app.state.originals
    api.app.state.page_images = PageImageService(originals, api.database, max_seconds=0.001)
    response = await api.client.get(f"{url}/pages/1/image", headers=editor.headers)
    assert (response.status_code, response.json()["code"]) == (503, "drawing_timed_out")
    assert len(images(api).cache) == 0


async def test_failure_frees_its_slot(api: Api, tmp_path: Path) -> None:
    from lectern.storage.store import open_originals

    drawing = PageImageService(open_originals(None, default_folder=tmp_path), api.database, at_once=1, max_waiting=0)
    missing = StoredFile("a.pdf", "application/pdf", 1, "0" * 64)
    for _ in range(3):
        with pytest.raises(Exception, match="original") as caught:
            await drawing.draw(uuid.UUID(int=1), missing, page_number=1, width_pixels=80)
        assert not isinstance(caught.value, DrawingBusy)


def key(number: int, sha256: str = "a") -> ImageKey:
    return ImageKey(uuid.UUID(int=1), sha256, number, 80)


async def test_cache_evicts_the_least_recently_used_images() -> None:
    cache: ImageCache[bytes] = ImageCache(max_bytes=5_000, size_of=len)
    for number in range(1, 5):
        cache.put(key(number), b"x" * 700)
        cache.get(key(1))
    cache.put(key(5), b"x" * 700)
    assert cache.size_bytes <= 5_000
    assert cache.get(key(1)) is not None
    assert cache.get(key(2)) is None
    cache.put(key(6), b"x" * 6_000)
    assert len(cache) == 0
    assert cache.size_bytes == 0


async def test_cache_entries_expire() -> None:
    cache: ImageCache[bytes] = ImageCache(max_bytes=5_000, size_of=len, ttl_seconds=0.02)
    cache.put(key(1), b"x")
    async with asyncio.timeout(10):
        while len(cache):  # noqa: ASYNC110 - a timer does it
            await asyncio.sleep(0.005)
    assert cache.size_bytes == 0
