"""PDFs for the end-to-end tests, made from nothing or from the sample documents: `make_documents.py FOLDER`.

The passage pages hold one sentence a line, each in a colour of its own, so that a screenshot shows which sentence a
pixel belongs to. `passages.json` names every sentence, its colour and the page it stands on.
"""

import io
import json
import sys
import zipfile
from email.message import EmailMessage
from pathlib import Path
from typing import Final

import pypdfium2
from PIL.Image import Image
from pypdf import PdfReader, PdfWriter
from pypdf.generic import (
    ArrayObject,
    DecodedStreamObject,
    DictionaryObject,
    FloatObject,
    NameObject,
    RectangleObject,
)

SAMPLES: Final = Path(__file__).parents[3] / "test-docs" / "documents"
A4: Final = (595, 842)
PASSWORD: Final = "lantern-4711"  # noqa: S105 - of a file that the tests lock themselves
WRITTEN_WITH: Final = {"/Title": "", "/Producer": "Lectern end-to-end tests"}

DPI: Final = (216, 216)
COLOURS: Final = ((1, 0, 0), (0, 0, 1), (0, 0.5, 0), (1, 0, 1), (0, 0.5, 0.5), (0.5, 0, 0), (0.5, 0, 0.5), (0, 0, 0.5))
XML: Final = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
WORD: Final = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
LINKS: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
SLIDE: Final = (
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" '
    f'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="{LINKS}"'
)
CONTENT_TYPES: Final = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Override PartName="/word/document.xml" '
    'ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
)
RELATIONS: Final = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" '
    'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" '
    'Target="word/document.xml"/></Relationships>'
)
SENTENCES: Final = (
    "The harbour office opens at seven and closes when the last boat is in.",
    "Every skipper signs the green ledger before the ropes are taken off.",
    "Cargo that smells of tar is kept apart from flour, salt and coffee.",
    "The ferryman keeps {number} copper lanterns in the vault below the deck.",
    "Nobody may light them while the barrels of oil stand on the quay.",
    "A wet rope is never coiled, because it rots within a single winter.",
    "The price of a crossing is written in chalk beside the ticket window.",
    "Dogs travel free of charge if they can be carried under one arm.",
)
TARGET: Final = 3
# name, number that only this document holds, rotation, crop box (left, bottom, right, top)
PASSAGE_PAGES: Final = (
    ("upright", 4711, 0, None),
    ("rotated", 5822, 90, None),
    ("cropped", 6933, 0, (40, 300, 560, 800)),
    ("rotated-and-cropped", 7144, 270, (40, 300, 560, 800)),
    ("gangway", 8355, 0, None),
)


def main(folder: Path) -> None:
    """Write every document into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    passages = {name: write_passages(folder, name) for name, *_ in PASSAGE_PAGES}
    (folder / "passages.json").write_text(json.dumps(passages, indent=2))
    encrypt(SAMPLES / "travel-and-expenses-policy.pdf", folder / "locked.pdf")
    encrypt(SAMPLES / "data-privacy-policy.pdf", folder / "sealed.pdf")
    retitle(SAMPLES / "data-privacy-policy.pdf", folder / "privacy-copy.pdf", title="Privacy as we practise it")
    retitle(SAMPLES / "product-catalogue.pdf", folder / "catalogue-copy.pdf", title="Catalogue of the spring fair")
    retitle(folder / "gangway.pdf", folder / "on-foot.pdf", title="Crossing on foot")
    retitle(SAMPLES / "verbale-collaudo-scansione.pdf", folder / "scan.pdf", title="A scanned paper")
    write_text_document(folder / "berths.docx")
    write_slides(
        folder / "crossings.pptx", ("Crossings in spring", "Two boats an hour"), ("Crossings in winter", "One boat")
    )
    write_mail(folder / "ropes.eml")
    (folder / "moorings.csv").write_text(
        "\n".join(("Berth,Skipper,Fee", *(f"Berth {n},Anna {n},{n * 3}" for n in range(200))))
    )
    photograph = draw_page(folder / "upright.pdf")
    photograph.save(folder / "photographed.png", dpi=DPI)
    photograph.quantize().save(folder / "scanned.pdf", resolution=DPI[0], title="Harbour rules, scanned")
    backside = draw_page(folder / "gangway.pdf")
    photograph.save(folder / "faxed.tiff", save_all=True, append_images=[backside], compression="tiff_lzw", dpi=DPI)
    pad(folder / "upright.pdf", folder / "heavy.pdf", title="A heavy file", size_bytes=3_000_000)
    pad(folder / "upright.pdf", folder / "light.pdf", title="A light file", size_bytes=20_000)
    pad(folder / "upright.pdf", folder / "ferry.pdf", title="A ferry", size_bytes=2_000_000)
    pad(folder / "upright.pdf", folder / "skiff.pdf", title="A skiff", size_bytes=10_000)


def write_passages(folder: Path, name: str) -> dict[str, object]:
    """Write a page of coloured sentences; what stands on it."""
    _, number, rotation, crop = next(page for page in PASSAGE_PAGES if page[0] == name)
    sentences = [sentence.format(number=number) for sentence in SENTENCES]
    operators = [
        f"{red} {green} {blue} rg BT /Plain 14 Tf 1 0 0 1 60 {760 - 34 * line} Tm ({sentence}) Tj ET"
        for line, (sentence, (red, green, blue)) in enumerate(zip(sentences, COLOURS, strict=True))
    ]
    writer = PdfWriter()
    page = writer.add_blank_page(*A4)
    font = DictionaryObject(
        {
            NameObject("/Type"): NameObject("/Font"),
            NameObject("/Subtype"): NameObject("/Type1"),
            NameObject("/BaseFont"): NameObject("/Helvetica-Bold"),
        }
    )
    fonts = DictionaryObject({NameObject("/Plain"): font})
    page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
    stream = DecodedStreamObject()
    stream.set_data("\n".join(operators).encode())
    page[NameObject("/Contents")] = writer._add_object(stream)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage] - pypdf has no public way
    if rotation:
        page.rotate(rotation)
    if crop:
        page[NameObject("/CropBox")] = RectangleObject(ArrayObject([FloatObject(edge) for edge in crop]))
    save(writer, folder / f"{name}.pdf", title=f"Harbour rules, {name.replace('-', ' ')}")
    return {
        "query": f"{number} copper lanterns",
        "title": f"Harbour rules, {name.replace('-', ' ')}",
        "target": TARGET,
        "sentences": [
            {"text": text, "colour": [round(part * 255) for part in colour]}
            for text, colour in zip(sentences, COLOURS, strict=True)
        ],
    }


def write_text_document(target: Path) -> None:
    """Write a DOCX with headings of two levels and a table."""
    cells = [["Berth", "Depth"], ["North quay", "4 m"], ["South quay", "6 m"]]
    rows = "".join(f"<w:tr>{''.join(f'<w:tc>{_paragraph(cell)}</w:tc>' for cell in row)}</w:tr>" for row in cells)
    body = "".join(
        (
            _paragraph("Berths of the harbour", level=0),
            _paragraph("Depths", level=1),
            _paragraph("The depth of each berth is measured every spring."),
            f"<w:tbl>{rows}</w:tbl>",
        )
    )
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("[Content_Types].xml", f"{XML}{CONTENT_TYPES}")
        archive.writestr("_rels/.rels", f"{XML}{RELATIONS}")
        archive.writestr("word/document.xml", f'{XML}<w:document xmlns:w="{WORD}"><w:body>{body}</w:body></w:document>')


def write_slides(target: Path, *slides: tuple[str, str]) -> None:
    """Write a PPTX of slides with a title and a line."""
    numbers = range(1, len(slides) + 1)
    listed = "".join(f'<p:sldId id="{255 + n}" r:id="r{n}"/>' for n in numbers)
    parts = {
        "[Content_Types].xml": CONTENT_TYPES.replace("/word/document.xml", "/ppt/presentation.xml").replace(
            "wordprocessingml.document", "presentationml.presentation"
        ),
        "_rels/.rels": RELATIONS.replace("word/document.xml", "ppt/presentation.xml"),
        "ppt/presentation.xml": f"<p:presentation {SLIDE}><p:sldIdLst>{listed}</p:sldIdLst></p:presentation>",
        "ppt/_rels/presentation.xml.rels": RELATIONS.split("<Relationship ")[0]
        + "".join(f'<Relationship Id="r{n}" Type="{LINKS}/slide" Target="slides/slide{n}.xml"/>' for n in numbers)
        + "</Relationships>",
    }
    for number, (title, line) in zip(numbers, slides, strict=True):
        shapes = _shape(title, placeholder='<p:ph type="title"/>') + _shape(line)
        parts[f"ppt/slides/slide{number}.xml"] = (
            f"<p:sld {SLIDE}><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:sld>"
        )
    with zipfile.ZipFile(target, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, f"{XML}{content}")


def _shape(text: str, *, placeholder: str = "") -> str:
    return (
        f"<p:sp><p:nvSpPr><p:nvPr>{placeholder}</p:nvPr></p:nvSpPr>"
        f"<p:txBody><a:p><a:r><a:t>{text}</a:t></a:r></a:p></p:txBody></p:sp>"
    )


def write_mail(target: Path) -> None:
    """Write a message with an attachment."""
    message = EmailMessage()
    message["From"], message["To"] = "Anna Molo <anna@example.org>", "crew@example.org"
    message["Subject"], message["Date"] = "New ropes", "Mon, 02 Mar 2026 09:30:00 +0100"
    message.set_content("The new ropes arrive on Friday. The old ones go to the museum.")
    message.add_attachment(b"Rope,Length", maintype="text", subtype="csv", filename="ropes.csv")
    target.write_bytes(message.as_bytes())


def _paragraph(text: str, *, level: int | None = None) -> str:
    chosen = f'<w:pPr><w:outlineLvl w:val="{level}"/></w:pPr>' if level is not None else ""
    return f"<w:p>{chosen}<w:r><w:t>{text}</w:t></w:r></w:p>"


def draw_page(source: Path) -> Image:
    """Draw the first page of a PDF as a picture, as a camera would."""
    with pypdfium2.PdfDocument(source) as document:
        return document[0].render(scale=DPI[0] / 72).to_pil()


def encrypt(source: Path, target: Path) -> None:
    """A copy that asks for PASSWORD."""
    writer = PdfWriter(clone_from=source)
    writer.encrypt(PASSWORD, algorithm="RC4-128")
    save(writer, target, title="Travel rules under lock and key")


def retitle(source: Path, target: Path, *, title: str) -> None:
    """A copy with other bytes and another title."""
    save(PdfWriter(clone_from=source), target, title=title)


def pad(source: Path, target: Path, *, title: str, size_bytes: int) -> None:
    """A copy that carries an attachment, so that sending it takes time."""
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(source.read_bytes())))
    noise = bytes((index * 7919) % 251 for index in range(4096)) * (size_bytes // 4096 + 1)
    writer.add_attachment("ballast.bin", noise[:size_bytes])
    save(writer, target, title=title)


def save(writer: PdfWriter, target: Path, *, title: str) -> None:
    writer.add_metadata({**WRITTEN_WITH, "/Title": title})
    with target.open("wb") as file:
        writer.write(file)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
