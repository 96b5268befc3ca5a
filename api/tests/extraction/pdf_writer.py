"""Write PDFs: text at given positions in a given order, rotation, crop box, outline, images."""

import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageFont

A4 = (595.0, 842.0)
_FONT_FILE = bytes(getattr(ImageFont.load_default(10), "font_bytes"))  # noqa: B009 - absent from one of its two types


class Picture(NamedTuple):
    """An embedded image: its dictionary entries and its bytes."""

    entries: str
    data: bytes

    @classmethod
    def of(cls, image: Image.Image) -> "Picture":
        """Compress the pixels of an image of mode L, RGB or CMYK."""
        space = {"L": "DeviceGray", "RGB": "DeviceRGB", "CMYK": "DeviceCMYK"}[image.mode]
        entries = f"/Width {image.width} /Height {image.height} /ColorSpace /{space} /BitsPerComponent 8"
        return cls(f"{entries} /Filter /FlateDecode", zlib.compress(image.tobytes(), 1))


@dataclass
class Page:
    """A page to write. Coordinates start at the lower left corner of the uncropped, unrotated page."""

    size: tuple[float, float] = A4
    rotation: int = 0
    crop: tuple[float, float, float, float] | None = None
    operators: list[str] = field(default_factory=list[str])
    pictures: list[Picture] = field(default_factory=list[Picture])

    def text(self, x: float, y: float, words: str, *, size: float = 11, bold: bool = False, turn: int = 0) -> "Page":
        """Draw words from (x, y). `turn` counts quarter turns counterclockwise."""
        cosine, sine = ((1, 0), (0, 1), (-1, 0), (0, -1))[turn % 4]
        escaped = words.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
        font = "/Bold" if bold else "/Plain"
        self.operators.append(f"BT {font} {size} Tf {cosine} {sine} {-sine} {cosine} {x} {y} Tm ({escaped}) Tj ET")
        return self

    def lines(self, x: float, y: float, *texts: str, size: float = 11, step: float = 14) -> "Page":
        """Draw lines below each other, the first one at y."""
        for number, line in enumerate(texts):
            self.text(x, y - number * step, line, size=size)
        return self

    def picture(self, x: float, y: float, width: float, height: float, picture: Picture) -> "Page":
        """Draw an image with its lower left corner at (x, y)."""
        self.operators.append(f"q {width} 0 0 {height} {x} {y} cm /P{len(self.pictures)} Do Q")
        self.pictures.append(picture)
        return self

    def box(self, x: float, y: float, width: float, height: float) -> "Page":
        """Fill a rectangle."""
        self.operators.append(f"{x} {y} {width} {height} re f")
        return self


@dataclass
class Pdf:
    """A PDF to write. With `has_ascent` false its embedded font has none, so that PDFium measures the letters."""

    pages: list[Page] = field(default_factory=list[Page])
    outline: list[tuple[str, int]] = field(default_factory=list[tuple[str, int]])
    information: dict[str, str] = field(default_factory=dict[str, str])
    has_ascent: bool = True

    def page(self, **options: object) -> Page:
        """Add a page."""
        page = Page(**options)  # pyright: ignore[reportArgumentType] - passed through as given
        self.pages.append(page)
        return page

    def write(self, path: Path) -> Path:
        """Write the file and return its path."""
        path.write_bytes(self.render())
        return path

    def render(self) -> bytes:
        """Return the bytes of the file."""
        first_page = 6
        first_entry = first_page + 2 * len(self.pages)
        entries = len(self.outline)
        kids = " ".join(f"{first_page + 2 * number} 0 R" for number in range(len(self.pages)))
        outlines = "/Outlines 5 0 R" if entries else ""
        ends = f"/First {first_entry} 0 R /Last {first_entry + entries - 1} 0 R /Count {entries}" if entries else ""
        details = " ".join(f"/{key} ({value})" for key, value in self.information.items())
        first_picture = first_entry + entries
        font = "" if self.has_ascent else _embedded(first_picture + sum(len(page.pictures) for page in self.pages))
        objects = [
            f"<< /Type /Catalog /Pages 2 0 R {outlines} >>".encode(),
            f"<< /Type /Pages /Kids [{kids}] /Count {len(self.pages)} >>".encode(),
            f"<< /Plain {font or _font('Helvetica')} /Bold {font or _font('Helvetica-Bold')} >>".encode(),
            f"<< {details} >>".encode("cp1252"),
            f"<< /Type /Outlines {ends} >>".encode(),
        ]
        for number, page in enumerate(self.pages):
            objects += _page_objects(page, contents=first_page + 2 * number + 1, first_picture=first_picture)
            first_picture += len(page.pictures)
        for number, (title, page_number) in enumerate(self.outline):
            objects.append(
                _outline_entry(
                    title,
                    first_page + 2 * (page_number - 1),
                    number=first_entry + number,
                    last=first_entry + entries - 1,
                )
            )
        objects += [_picture_object(picture) for page in self.pages for picture in page.pictures]
        if font:
            objects.append(_stream(f"/Length1 {len(_FONT_FILE)}", _FONT_FILE))
        return assemble(objects)


def _font(name: str) -> str:
    return f"<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>"


def _embedded(font_file: int) -> str:
    widths = " ".join(["550"] * 95)
    font = f"/Type /Font /Subtype /TrueType /BaseFont /Test /FirstChar 32 /LastChar 126 /Widths [{widths}]"
    metrics = "/FontBBox [-176 -303 1005 981] /Ascent 5 /Descent 5"
    descriptor = f"<< /Type /FontDescriptor /FontName /Test /Flags 32 {metrics} /FontFile2 {font_file} 0 R >>"
    return f"<< {font} /Encoding /WinAnsiEncoding /FontDescriptor {descriptor} >>"


def _picture_object(picture: Picture) -> bytes:
    return _stream(f"/Type /XObject /Subtype /Image {picture.entries}", picture.data)


def _stream(entries: str, data: bytes) -> bytes:
    return f"<< {entries} /Length {len(data)} >>\nstream\n".encode() + data + b"\nendstream"


def _page_objects(page: Page, *, contents: int, first_picture: int) -> list[bytes]:
    width, height = page.size
    crop = f"/CropBox [{' '.join(map(str, page.crop))}]" if page.crop else ""
    stream = zlib.compress("\n".join(page.operators).encode("cp1252"))
    names = " ".join(f"/P{number} {first_picture + number} 0 R" for number in range(len(page.pictures)))
    drawn = f"/XObject << {names} >>" if page.pictures else ""
    return [
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width} {height}] {crop} /Rotate {page.rotation} "
        f"/Resources << /Font 3 0 R {drawn} >> /Contents {contents} 0 R >>".encode(),
        f"<< /Length {len(stream)} /Filter /FlateDecode >>\nstream\n".encode() + stream + b"\nendstream",
    ]


def _outline_entry(title: str, page_object: int, *, number: int, last: int) -> bytes:
    following = f"/Next {number + 1} 0 R" if number < last else ""
    return f"<< /Title ({title}) /Parent 5 0 R {following} /Dest [{page_object} 0 R /Fit] >>".encode("cp1252")


def assemble(objects: list[bytes]) -> bytes:
    """Return a file of these objects. The first is the catalog, the fourth the information."""
    out = bytearray(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
    offsets: list[int] = []
    for number, body in enumerate(objects, start=1):
        offsets.append(len(out))
        out += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    start = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    out += b"".join(f"{offset:010} 00000 n \n".encode() for offset in offsets)
    out += f"trailer << /Size {len(objects) + 1} /Root 1 0 R /Info 4 0 R >>\nstartxref\n{start}\n%%EOF\n".encode()
    return bytes(out)
