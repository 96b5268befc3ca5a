"""Sample files of every format, and mutations of their bytes, structure and XML."""

import io
import random
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime

from PIL import Image

from .office_writer import docx, epub, odp, ods, ods_rows, odt, paragraph, pptx, shape, slide_xml, word_table, xlsx
from .ole_writer import attachment, message, ole
from .pdf_writer import Pdf

_OFFICE = "application/vnd.openxmlformats-officedocument."
_MAX_BYTES = 200_000
_TOKENS = (
    b"<", b">", b"</", b"&", b"&#x0;", b"&#1114112;", b"]]>", b"<![CDATA[", b"\x00", b"\xff\xfe", b"\xed\xa0\x80", b"%",
    b'"', b"'", b"=", b"-1", b"99999999999999999999", b"1e999", b"NaN", b"\n\n", b"--b\n", b"Content-Type: multipart/x",
    b"|", b",", b";", b"\r", b"#" * 50, b"<table>", b"<td colspan=9e9>", b"w:val", b"r:id", b"PK\x05\x06", b"../",
    "\u202e".encode(), "\U0001f600".encode(),
)  # fmt: skip

HTML = (
    b"<html lang=it><head><title>Fees</title></head><body><h1>Fees</h1><p>Twelve <a href='https://example.org'>euro</a>"
    b"<ul><li>a<ol><li>b</ol></ul><table><tr><th rowspan=2>A<th>B<tr><td colspan=2>1</table><pre>x\n y</pre></body>"
)
MAIL = (
    b"From: =?utf-8?q?Ad=C3=A0?= <a@example.org>\nTo: b\nSubject: Fees\nMIME-Version: 1.0\n"
    b'Content-Type: multipart/mixed; boundary="b"\n\n--b\nContent-Type: text/plain; charset=utf-8\n\nTwelve\n'
    b"--b\nContent-Type: text/html; charset=iso-8859-1\nContent-Transfer-Encoding: base64\n\nPHA+eA==\n"
    b"--b\nContent-Type: message/rfc822\n\nFrom: c\nSubject: inner\n\nwords\n"
    b"--b\nContent-Type: text/calendar\n\nBEGIN:VEVENT\nSUMMARY:Call\nDTSTART;TZID=A:20260303T100000\nDURATION:PT1H\n"
    b'ATTENDEE;CN="Bo, A";PARTSTAT=ACCEPTED:mailto:b\nEND:VEVENT\n'
    b"--b\nContent-Type: message/delivery-status\n\nAction: failed\n\n"
    b'--b\nContent-Type: application/pdf; name="a.pdf"\nContent-Disposition: attachment\n\nx\n--b--\n'
)


def picture(kind: str) -> bytes:
    """Return a small image, with two frames if the format supports them."""
    output = io.BytesIO()
    frames = {"save_all": True, "append_images": [Image.new("L", (60, 40))]} if kind in {"TIFF", "WEBP"} else {}
    Image.new("L", (60, 40), 255).save(output, kind, **frames)
    return output.getvalue()


def outlook() -> bytes:
    """Return a message with an attached message and an attached file."""
    inner = message({0x0037: "Inner", 0x1000: "words"}, is_inner=True)
    attached = (attachment({}, inner=inner), attachment({0x3707: "a.pdf"}))
    html = {0x1013: b"<p>Twelve <b>euro</b>"}
    return ole(
        message({0x0037: "Fees", 0x0C1A: "Ada"}, binary=html, sent=datetime(2024, 3, 1, tzinfo=UTC), attached=attached)
    )


def report() -> bytes:
    """Return a PDF of two pages."""
    pdf = Pdf(outline=[("Fees", 2)], information={"Title": "The yearly report"})
    pdf.page().lines(60, 700, "Of the first page", "two lines.")
    pdf.page().text(60, 760, "Fees", size=20, bold=True)
    return pdf.render()


_SAMPLES: dict[str, tuple[Callable[[], bytes], ...]] = {
    "application/pdf": (report,),
    "text/plain": ("Twelve euro.\fA second page.\n".encode, "perché".encode),
    "text/markdown": (b"---\ntitle: A plan\n---\n# One\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- x\n".strip,),
    "text/html": (HTML.strip,),
    "text/csv": (b'Card,"Fee, a year"\nSilver,12\n\nTown;People\nRome;2800000\n'.strip,),
    f"{_OFFICE}wordprocessingml.document": (
        lambda: docx(
            paragraph("Fees", style="H1") + word_table([["a", "b"], ["1", "2"]]) + paragraph("x", style="Top")
        ),
    ),
    f"{_OFFICE}presentationml.presentation": (
        lambda: pptx(slide_xml(shape("Fees", kind="title") + shape("a", "b", level=1)), slide_xml(shape("x"))),
    ),
    f"{_OFFICE}spreadsheetml.sheet": (
        lambda: xlsx({"A": [["Card", "Fee"], ["Silver", 12], ["Gold", "=1+1"]], "B": [[True, 1.5, "x"]]}),
    ),
    "application/vnd.oasis.opendocument.text": (
        lambda: odt('<text:h text:outline-level="1">Fees</text:h><text:p>x<text:s text:c="3"/>y</text:p>'),
    ),
    "application/vnd.oasis.opendocument.spreadsheet": (
        lambda: ods(f'<table:table table:name="A">{ods_rows(("Card", "Fee"), ("Gold", "12"))}</table:table>'),
    ),
    "application/vnd.oasis.opendocument.presentation": (
        lambda: odp('<draw:page><draw:frame presentation:class="title"><text:p>x</text:p></draw:frame></draw:page>'),
    ),
    "application/epub+zip": (lambda: epub("<h1>One</h1><p>First", "<p>Second"),),
    "message/rfc822": (MAIL.strip,),
    "application/mbox": (lambda: (b"From a@example.org Fri Mar  1 12:00:00 2024\n" + MAIL + b"\n>From x\n") * 3,),
    "text/calendar": (lambda: MAIL[MAIL.index(b"BEGIN:VEVENT") :],),
    "application/vnd.ms-outlook": (outlook,),
    "image/png": (lambda: picture("PNG"),),
    "image/jpeg": (lambda: picture("JPEG"),),
    "image/tiff": (lambda: picture("TIFF"),),
    "image/webp": (lambda: picture("WEBP"),),
}
FORMATS = tuple(_SAMPLES)


def samples(content_type: str) -> list[bytes]:
    """Return the sample files of a format."""
    return [make() for make in _SAMPLES[content_type]]


def mutated(content: bytes, chance: random.Random) -> bytes:
    """Mutate a file a few times. Half of the archives are mutated in one part and packed again."""
    if content.startswith(b"PK\x03\x04") and chance.random() < 0.7:
        return _repacked(content, chance)
    return _broken(content, chance)


def _repacked(content: bytes, chance: random.Random) -> bytes:
    with zipfile.ZipFile(io.BytesIO(content)) as opened:
        parts = [(info.filename, opened.read(info)) for info in opened.infolist()]
    unlucky = chance.randrange(len(parts))
    output = io.BytesIO()
    with zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED) as packed:
        for number, (name, part) in enumerate(parts):
            if number != unlucky:
                packed.writestr(zipfile.ZipInfo(name), part)
            elif chance.random() < 0.9:
                packed.writestr(zipfile.ZipInfo(name), _broken(part, chance))
    return output.getvalue()


def _broken(content: bytes, chance: random.Random) -> bytes:
    made = bytearray(content)
    for _ in range(chance.randint(1, 6)):
        if not made:
            break
        at = chance.randrange(len(made))
        chance.choice((_flip, _insert, _cut, _double, _swap))(made, at, chance)
        del made[_MAX_BYTES:]
    return bytes(made)


def _flip(made: bytearray, at: int, chance: random.Random) -> None:
    made[at] = chance.randrange(256)


def _insert(made: bytearray, at: int, chance: random.Random) -> None:
    made[at:at] = chance.choice(_TOKENS) * chance.choice((1, 1, 3, 300))


def _cut(made: bytearray, at: int, chance: random.Random) -> None:
    del made[at : at + chance.choice((1, 10, len(made)))]


def _double(made: bytearray, at: int, chance: random.Random) -> None:
    piece = made[at : at + chance.randint(1, 200)]
    made[at:at] = piece * chance.choice((1, 2, 100))


def _swap(made: bytearray, at: int, chance: random.Random) -> None:
    other = chance.randrange(len(made))
    made[at], made[other] = made[other], made[at]
