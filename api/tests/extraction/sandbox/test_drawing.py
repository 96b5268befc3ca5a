"""Pages are rendered like in a viewer, in a process that no file can block or crash."""

import asyncio
import io
import os
from pathlib import Path

import pypdf
import pytest
from PIL import Image
from tests.extraction.pdf_writer import Pdf
from tests.extraction.sandbox.test_extraction_child import bomb, children_of, until

from lectern.extraction.errors import Corrupt, Encrypted, FileTooLarge, TimedOut
from lectern.extraction.formats.image import load_image
from lectern.extraction.formats.pdf.rendering import MAX_PIXELS
from lectern.extraction.sandbox.drawing import draw_page

DARK = 60


def picture(image: bytes | None) -> Image.Image:
    assert image is not None
    return Image.open(io.BytesIO(image)).convert("L")


def dark_part(image: Image.Image) -> tuple[float, float, float, float]:
    """Return the bounds of the dark pixels: left, top, right, bottom from 0 to 1."""
    box = image.point([255] * DARK + [0] * (256 - DARK)).getbbox()
    assert box is not None
    return box[0] / image.width, box[1] / image.height, box[2] / image.width, box[3] / image.height


@pytest.mark.parametrize(
    ("rotation", "crop", "size", "expected"),
    [
        (0, None, (400, 300), (0.25, 0.5, 0.5, 2 / 3)),
        (90, None, (400, 533), (1 / 3, 0.25, 0.5, 0.5)),
        (180, None, (400, 300), (0.5, 1 / 3, 0.75, 0.5)),
        (270, None, (400, 533), (0.5, 0.5, 2 / 3, 0.75)),
        (0, (100, 50, 300, 250), (400, 400), (0.0, 0.5, 0.5, 0.75)),
        (90, (100, 50, 300, 250), (400, 400), (0.25, 0.0, 0.5, 0.5)),
    ],
)
async def test_rotation_and_crop_box_match_a_viewer(
    tmp_path: Path,
    rotation: int,
    crop: tuple[float, float, float, float] | None,
    size: tuple[int, int],
    expected: tuple[float, float, float, float],
) -> None:
    pdf = Pdf()
    pdf.page(size=(400.0, 300.0), rotation=rotation, crop=crop).box(100, 100, 100, 50)
    image = picture(await draw_page(pdf.write(tmp_path / "a.pdf"), page_number=1, width_pixels=400))
    assert image.width == size[0]
    assert image.height == pytest.approx(size[1], abs=1)
    assert dark_part(image) == pytest.approx(expected, abs=0.01)


async def test_requested_page_is_rendered_at_the_requested_width(tmp_path: Path) -> None:
    pdf = Pdf()
    pdf.page().box(0, 421, 595, 421)
    pdf.page().box(0, 0, 595, 421)
    path = pdf.write(tmp_path / "a.pdf")
    for width in (80, 333, 2000):
        top, bottom = [picture(await draw_page(path, page_number=number, width_pixels=width)) for number in (1, 2)]
        assert (top.width, bottom.width) == (width, width)
        assert dark_part(top)[3] == pytest.approx(0.5, abs=0.01)
        assert dark_part(bottom)[1] == pytest.approx(0.5, abs=0.01)
    assert await draw_page(path, page_number=3, width_pixels=80) is None


async def test_page_is_rendered_as_jpeg_on_request(tmp_path: Path) -> None:
    pdf = Pdf()
    pdf.page().box(0, 421, 595, 421)
    image = await draw_page(pdf.write(tmp_path / "a.pdf"), page_number=1, width_pixels=333, image_format="jpeg")
    assert image is not None
    with Image.open(io.BytesIO(image)) as opened:
        assert (opened.format, opened.width) == ("JPEG", 333)
    assert dark_part(picture(image))[3] == pytest.approx(0.5, abs=0.01)


def scan(marks: list[tuple[float, float]], size: tuple[int, int] = (600, 400)) -> list[Image.Image]:
    """Return white images, each with a dark square that begins at a share of its width and height."""
    images = [Image.new("RGB", size, "white") for _ in marks]
    for image, (x, y) in zip(images, marks, strict=True):
        image.paste("black", (round(x * size[0]), round(y * size[1]), round(x * size[0]) + 60, round(y * size[1]) + 60))
    return images


async def test_each_image_of_a_tiff_is_a_page(tmp_path: Path) -> None:
    first, *others = (image.convert("1") for image in scan([(0.1, 0.1), (0.5, 0.5), (0.7, 0.2)]))
    path = tmp_path / "a.tiff"
    first.save(path, save_all=True, append_images=others, compression="group4")
    for number, place in ((1, (0.1, 0.1)), (2, (0.5, 0.5)), (3, (0.7, 0.2))):
        image = picture(await draw_page(path, "image/tiff", page_number=number, width_pixels=300))
        assert image.size == (300, 200)
        assert dark_part(image)[:2] == pytest.approx(place, abs=0.01)
    assert await draw_page(path, "image/tiff", page_number=4, width_pixels=300) is None


@pytest.mark.parametrize("content_type", ["image/png", "image/jpeg", "image/tiff", "image/webp"])
@pytest.mark.parametrize("orientation", [1, 3, 6, 8])
async def test_picture_is_drawn_upright_as_its_text_was_recognized(
    tmp_path: Path, content_type: str, orientation: int
) -> None:
    path = tmp_path / f"a.{content_type.removeprefix('image/')}"
    exif = Image.Exif()
    exif[0x0112] = orientation
    scan([(0.1, 0.2)])[0].save(path, exif=exif)
    recognized = load_image(path, 1)
    image = picture(await draw_page(path, content_type, page_number=1, width_pixels=200))
    assert image.width / image.height == pytest.approx(recognized.width / recognized.height, abs=0.01)
    assert dark_part(image) == pytest.approx(dark_part(recognized.convert("L")), abs=0.02)


async def test_picture_is_not_enlarged_and_stands_on_white(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    Image.new("RGBA", (120, 90), (0, 0, 0, 0)).save(path)
    image = picture(await draw_page(path, "image/png", page_number=1, width_pixels=800))
    assert (image.size, image.getextrema()) == ((120, 90), (255, 255))


async def test_very_long_page_is_rendered_narrower_to_bound_memory(tmp_path: Path) -> None:
    pdf = Pdf()
    pdf.page(size=(10.0, 14_000.0))
    image = picture(await draw_page(pdf.write(tmp_path / "a.pdf"), page_number=1, width_pixels=2000))
    assert image.width * image.height <= MAX_PIXELS * 1.1
    assert image.height > 10 * image.width


async def test_encrypted_and_damaged_files_raise_different_errors(tmp_path: Path) -> None:
    pdf = Pdf()
    pdf.page().text(60, 700, "Secret")
    writer = pypdf.PdfWriter(clone_from=pdf.write(tmp_path / "plain.pdf"))
    writer.encrypt("open sesame", algorithm="AES-256")
    writer.write(tmp_path / "locked.pdf")
    with pytest.raises(Encrypted):
        await draw_page(tmp_path / "locked.pdf", page_number=1, width_pixels=200)
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.7\nnothing of the kind")
    with pytest.raises(Corrupt):
        await draw_page(tmp_path / "broken.pdf", page_number=1, width_pixels=200)


async def test_bomb_ends_within_its_limits_and_leaves_no_process(tmp_path: Path) -> None:
    path = tmp_path / "bomb.pdf"
    path.write_bytes(bomb(levels=9))
    before = set(children_of(os.getpid()))
    with pytest.raises((FileTooLarge, TimedOut)):
        await draw_page(path, page_number=1, width_pixels=200, max_seconds=3, max_memory_bytes=536_870_912)
    assert set(children_of(os.getpid())) <= before


async def test_cancelled_rendering_ends_its_process(tmp_path: Path) -> None:
    path = tmp_path / "bomb.pdf"
    path.write_bytes(bomb(levels=9))
    before = set(children_of(os.getpid()))
    drawing = asyncio.create_task(draw_page(path, page_number=1, width_pixels=200))
    await until(lambda: bool(set(children_of(os.getpid())) - before))
    drawing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await drawing
    assert set(children_of(os.getpid())) <= before
