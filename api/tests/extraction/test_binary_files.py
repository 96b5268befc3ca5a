"""Binary files are refused by content, whatever their name says."""

import io
import random
from pathlib import Path

import pytest
from PIL import Image, ImageDraw

from lectern.extraction.detection import HEAD_BYTES, detect_content_type
from lectern.extraction.errors import Corrupt, UnsupportedFile
from lectern.extraction.registry import extract_document
from lectern.extraction.types import ExtractionLimits

GREY = (200, 200, 200)


def drawing(background: tuple[int, int, int] = GREY, mode: str = "RGB") -> Image.Image:
    image = Image.new("RGB", (320, 240), background)
    ImageDraw.Draw(image).text((10, 200), "Fees are due.", fill=(20, 40, 60))
    return image.convert(mode)


def encoded(image: Image.Image, image_format: str) -> bytes:
    written = io.BytesIO()
    image.save(written, image_format)
    return written.getvalue()


def refusal(content: bytes, filename: str = "notes.txt") -> UnsupportedFile:
    with pytest.raises(UnsupportedFile) as caught:
        detect_content_type(content[:HEAD_BYTES], filename)
    return caught.value


@pytest.mark.parametrize("filename", ["picture", "picture.txt", "picture.md", "picture.pdf"])
@pytest.mark.parametrize("mode", ["1", "L", "P", "RGB"])
@pytest.mark.parametrize("image_format", ["BMP", "GIF", "ICO"])
def test_a_picture_that_is_not_read_names_the_conversion(image_format: str, mode: str, filename: str) -> None:
    refused = refusal(encoded(drawing(mode=mode), image_format), filename)
    assert f"({image_format})" in refused.message
    assert refused.hint == "Convert it to PNG."


@pytest.mark.parametrize(("image_format", "media_type"), [("JPEG", "image/jpeg"), ("PNG", "image/png")])
def test_a_supported_picture_called_text_is_a_picture(image_format: str, media_type: str) -> None:
    assert detect_content_type(encoded(drawing(), image_format)[:HEAD_BYTES], "notes.txt") == media_type


@pytest.mark.parametrize("background", [(255, 255, 255), GREY, (181, 181, 181)])
@pytest.mark.parametrize("image_format", ["TGA", "SGI"])
def test_plain_areas_of_pixels_are_not_text(image_format: str, background: tuple[int, int, int]) -> None:
    content = encoded(drawing(background), image_format)
    assert "binary" in refusal(content).message
    assert "binary" in refusal(drawing(background).tobytes()).message


@pytest.mark.parametrize("size", [300, 5_000, 70_000])
@pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\xff\xfe\x00\x00"])
def test_random_bytes_are_not_text_even_after_a_byte_order_mark(start: bytes, size: int) -> None:
    for seed in range(10):
        refused = refusal(start + random.Random(seed).randbytes(size))
        assert "binary" in refused.message
        assert "UTF-8" in (refused.hint or "")


def test_bytes_beyond_ascii_without_an_encoding_are_not_latin_text() -> None:
    assert "binary" in refusal(bytes(random.Random(1).choices(range(0xA0, 0x100), k=1_000))).message


@pytest.mark.parametrize(
    ("head", "words", "hint"),
    [
        (b"\xcf\xfa\xed\xfe\x07\x00\x00\x01", "program", "documentation"),
        (b"\xca\xfe\xba\xbe\x00\x00\x00\x34", "Java class", "documentation"),
        (b"\x00asm\x01\x00\x00\x00", "WebAssembly", "documentation"),
        (b"\x1f\x8b\x08\x00", "compressed", "Unpack"),
        (b"BZh91AY&SY", "compressed", "Unpack"),
        (b"\xfd7zXZ\x00", "compressed", "Unpack"),
        (b"7z\xbc\xaf\x27\x1c", "7z", "Unpack"),
        (b"Rar!\x1a\x07\x01\x00", "RAR", "Unpack"),
        (b"notes.txt".ljust(257, b"\x00") + b"ustar\x0000", "tar", "Unpack"),
        (b"ID3\x04\x00\x00", "MP3", "transcript"),
        (b"\xff\xfb\x90\x64", "MP3", "transcript"),
        (b"OggS\x00\x02", "OGG", "transcript"),
        (b"fLaC\x00\x00\x00\x22", "FLAC", "transcript"),
        (b"RIFF\x24\x08\x00\x00WAVEfmt ", "WAV", "transcript"),
        (b"RIFF\x24\x08\x00\x00AVI LIST", "AVI", "transcript"),
        (b"\x00\x00\x00\x20ftypisom", "MP4", "transcript"),
        (b"\x00\x00\x00\x14ftypqt  ", "MOV", "transcript"),
        (b"\x00\x00\x00\x18ftypheic", "HEIC", "PNG"),
        (b"SQLite format 3\x00", "SQLite", "CSV"),
    ],
)
def test_a_known_format_is_refused_by_its_name(head: bytes, words: str, hint: str) -> None:
    refused = refusal(head + bytes(60))
    assert words in refused.message
    assert hint in (refused.hint or "")


@pytest.mark.parametrize(
    "start", ["BMW and BMP", "MZ made motor cycles", "RIFF is a container", "ID3 tags", "BZh", "OggS", "PAR1 and PAR2"]
)
def test_a_text_may_begin_with_the_letters_of_a_signature(start: str) -> None:
    assert detect_content_type(f"{start} in a text.\n".encode(), "notes.txt") == "text/plain"


def test_nul_bytes_are_accepted_in_utf_8_only_and_only_a_few() -> None:
    log = "Città: ready\n" * 100
    assert detect_content_type(log.encode() + bytes(8), "run.log") == "text/plain"
    assert "binary" in refusal(log.encode() + bytes(80)).message
    assert "binary" in refusal(log.encode("cp1252") + bytes(8)).message


@pytest.mark.parametrize("encoding", ["euc_jp", "gb18030", "cp932", "big5"])
def test_a_form_indented_with_wide_spaces_is_text(encoding: str) -> None:
    form = ("\u3000" * 20 + "東京市中心\n") * 50
    assert detect_content_type(form.encode(encoding), "form.txt") == "text/plain"


def test_a_picture_of_letters_is_refused_by_its_name() -> None:
    for mode, image_format in (("L", "PPM"), ("RGB", "PPM"), ("1", "PPM")):
        assert "(PNM)" in refusal(encoded(drawing((65, 66, 67), mode), image_format)).message
    assert detect_content_type(b"P1 is due on day 2 of 30.\n", "notes.txt") == "text/plain"


def test_a_few_odd_bytes_do_not_make_a_table_binary() -> None:
    table = ("Müller;Köln;12,50 €\n" * 200).encode("cp1252")
    assert detect_content_type(table.replace(b"K", b"\x81", 3), "fees.csv") == "text/csv"
    assert "binary" in refusal(table.replace(b"K", b"\x81")).message


def test_the_log_of_a_terminal_is_text() -> None:
    assert detect_content_type(b"progress \r 10%\x07\x08\n" * 100 + b"\x1a", "run.log") == "text/plain"


@pytest.mark.parametrize("content_type", ["text/plain", "text/csv", "text/markdown"])
def test_binary_data_behind_a_long_text_is_refused(tmp_path: Path, content_type: str) -> None:
    text = ("Città, tassa\n" * 6_000).encode()
    path = tmp_path / "notes"
    for tail, is_text in ((b"", True), (bytes(4_096), True), (random.Random(1).randbytes(4_000), False)):
        path.write_bytes(text + tail)
        if is_text:
            extract_document(path, content_type, limits=ExtractionLimits())
        else:
            with pytest.raises(Corrupt, match="binary data"):
                extract_document(path, content_type, limits=ExtractionLimits())
