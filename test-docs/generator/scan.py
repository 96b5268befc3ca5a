"""A paper as an office scanner sees it: every page a slightly crooked grey picture, without any text."""

import io
import random

import pypdfium2
from PIL import Image, ImageChops, ImageFilter
from reportlab.lib.pagesizes import A4
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

_DOTS_PER_INCH = 150


def scan(content: bytes, *, title: str, seed: int = 7) -> bytes:
    """The PDF of the pictures of all pages of `content`."""
    chance = random.Random(seed)
    stream = io.BytesIO()
    canvas = Canvas(stream, pagesize=A4, invariant=1, pageCompression=1)
    canvas.setTitle(title)
    with pypdfium2.PdfDocument(content) as document:
        for page in document:
            picture = page.render(scale=_DOTS_PER_INCH / 72, grayscale=True).to_pil()
            canvas.drawImage(ImageReader(_as_jpeg(picture, chance)), 0, 0, *A4)
            canvas.showPage()
    canvas.save()
    return stream.getvalue()


def _as_jpeg(picture: Image.Image, chance: random.Random) -> io.BytesIO:
    crooked = picture.rotate(chance.uniform(-0.7, 0.7), resample=Image.Resampling.BICUBIC, fillcolor=255)
    grain = Image.frombytes("L", (256, 256), chance.randbytes(256 * 256)).point(lambda value: 236 + value // 14)
    paper = Image.new("L", crooked.size)
    for left in range(0, paper.width, 256):
        for top in range(0, paper.height, 256):
            paper.paste(grain, (left, top))
    noisy = ImageChops.multiply(crooked, paper).filter(ImageFilter.GaussianBlur(0.5))
    stream = io.BytesIO()
    noisy.save(stream, "JPEG", quality=50)
    stream.seek(0)
    return stream
