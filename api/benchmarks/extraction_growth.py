"""Measure how extraction and chunking scale: each format with N pages of prose and tables, and with 4 N.

    python benchmarks/extraction_growth.py [--pages 250] [--only FORMAT...] [--keep FOLDER]

The text is the handbook in `test-docs/`. Every page has a heading and paragraphs, every fifth a table. Each file is
extracted in a child process, as in the worker. Linear growth gives a factor near 4.
"""

import argparse
import asyncio
import html
import itertools
import resource
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from lectern.chunking.chunker import chunk_document
from lectern.chunking.types import ChunkingOptions
from lectern.extraction.detection import HEAD_BYTES, detect_content_type
from lectern.extraction.sandbox.extraction import extract_in_child
from lectern.extraction.types import ExtractionLimits

SOURCE: Final = Path(__file__).parents[2] / "test-docs" / "documents" / "employee-handbook.md"
FACTOR: Final = 4
TABLE: Final = [
    ["Region", "2022", "2023"],
    *([f"Area {row}", f"{row * 17}.5", f"{row * 19}.5"] for row in range(20)),
]
_OPEN: Final = "http://schemas.openxmlformats.org"
_TO: Final = f"{_OPEN}/officeDocument/2006/relationships"
_W: Final = f'xmlns:w="{_OPEN}/wordprocessingml/2006/main"'
_S: Final = f'xmlns="{_OPEN}/spreadsheetml/2006/main" xmlns:r="{_TO}"'
_P: Final = f'xmlns:a="{_OPEN}/drawingml/2006/main" xmlns:p="{_OPEN}/presentationml/2006/main" xmlns:r="{_TO}"'


@dataclass(frozen=True, slots=True)
class Leaf:
    """The content of a page: a heading, paragraphs and sometimes a table."""

    heading: str
    paragraphs: tuple[str, ...]
    rows: list[list[str]] | None


def leaves(count: int) -> Iterator[Leaf]:
    """Yield pages of repeated paragraphs of the handbook, every fifth with a table."""
    paragraphs = [part.strip() for part in SOURCE.read_text(encoding="utf-8").split("\n\n") if len(part.strip()) > 80]
    endless = itertools.cycle(paragraphs)
    for number in range(count):
        own = tuple(f"{next(endless)} ({number}.{part})" for part in range(6))
        yield Leaf(f"Section {number + 1}", own, TABLE if number % 5 == 0 else None)


def archive(path: Path, parts: dict[str, str]) -> None:
    """Write a ZIP archive of the parts, the first one uncompressed."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for number, (name, content) in enumerate(parts.items()):
            file.writestr(name, content, zipfile.ZIP_STORED if number == 0 else None)


def docx(path: Path, pages: int) -> None:
    """Write paragraphs, tables and page breaks."""
    body: list[str] = []
    for leaf in leaves(pages):
        body.append(f'<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr>{_run(leaf.heading)}</w:p>')
        body += [f"<w:p>{_run(text)}</w:p>" for text in leaf.paragraphs]
        if leaf.rows:
            rows = ("".join(f"<w:tc><w:p>{_run(cell)}</w:p></w:tc>" for cell in row) for row in leaf.rows)
            body.append(f"<w:tbl>{''.join(f'<w:tr>{row}</w:tr>' for row in rows)}</w:tbl>")
        body.append('<w:p><w:r><w:br w:type="page"/></w:r></w:p>')
    archive(
        path,
        {
            "[Content_Types].xml": _types("word/document.xml", "wordprocessingml.document.main"),
            "_rels/.rels": _relationships("word/document.xml"),
            "word/document.xml": f"<w:document {_W}><w:body>{''.join(body)}</w:body></w:document>",
        },
    )


def _run(text: str) -> str:
    return f"<w:r><w:t>{html.escape(text)}</w:t></w:r>"


def pptx(path: Path, pages: int) -> None:
    """Write one slide for each page."""
    parts = {"[Content_Types].xml": _types("ppt/presentation.xml", "presentationml.presentation.main")}
    parts["_rels/.rels"] = _relationships("ppt/presentation.xml")
    ids, links = "", ""
    for number, leaf in enumerate(leaves(pages), start=1):
        ids += f'<p:sldId id="{255 + number}" r:id="rId{number}"/>'
        links += f'<Relationship Id="rId{number}" Type="{_TO}/slide" Target="slides/slide{number}.xml"/>'
        title = '<p:nvSpPr><p:nvPr><p:ph type="title"/></p:nvPr></p:nvSpPr>'
        shapes = _shape([leaf.heading], title) + _shape(leaf.paragraphs)
        slide = f"<p:sld {_P}><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:sld>"
        parts[f"ppt/slides/slide{number}.xml"] = slide
    parts["ppt/presentation.xml"] = f"<p:presentation {_P}><p:sldIdLst>{ids}</p:sldIdLst></p:presentation>"
    parts["ppt/_rels/presentation.xml.rels"] = _links(links)
    archive(path, parts)


def _shape(texts: Iterable[str], kind: str = "") -> str:
    paragraphs = "".join(f"<a:p><a:r><a:t>{html.escape(text)}</a:t></a:r></a:p>" for text in texts)
    return f"<p:sp>{kind}<p:txBody>{paragraphs}</p:txBody></p:sp>"


def xlsx(path: Path, pages: int) -> None:
    """Write one sheet with forty rows of eight cells for each page."""
    count = pages * 40
    rows = [f'<row r="1">{"".join(_text_cell(f"Column {column}") for column in range(8))}</row>']
    for number in range(2, count + 1):
        figures = "".join(f"<c><v>{number * column}</v></c>" for column in range(7))
        rows.append(f'<row r="{number}">{_text_cell(f"Item {number}")}{figures}</row>')
    sheets = '<sheets><sheet name="Items" sheetId="1" r:id="rId1"/></sheets>'
    link = f'<Relationship Id="rId1" Type="{_TO}/worksheet" Target="worksheets/sheet1.xml"/>'
    content = f'<dimension ref="A1:H{count}"/><sheetData>{"".join(rows)}</sheetData>'
    archive(
        path,
        {
            "[Content_Types].xml": _types("xl/workbook.xml", "spreadsheetml.sheet.main"),
            "_rels/.rels": _relationships("xl/workbook.xml"),
            "xl/workbook.xml": f"<workbook {_S}>{sheets}</workbook>",
            "xl/_rels/workbook.xml.rels": _links(link),
            "xl/worksheets/sheet1.xml": f"<worksheet {_S}>{content}</worksheet>",
        },
    )


def _text_cell(text: str) -> str:
    return f'<c t="inlineStr"><is><t>{text}</t></is></c>'


def csv(path: Path, pages: int) -> None:
    """Write forty rows of eight cells for each page."""
    lines = ["name," + ",".join(f"column{column}" for column in range(7))]
    lines += [f"item {number}," + ",".join(str(number * column) for column in range(7)) for number in range(pages * 40)]
    path.write_text("\n".join(lines), encoding="utf-8")


def markup(leaf: Leaf) -> str:
    """Return a page as HTML."""
    rows = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in leaf.rows or [])
    table = f"<table>{rows}</table>" if rows else ""
    return f"<h2>{leaf.heading}</h2>" + "".join(f"<p>{html.escape(text)}</p>" for text in leaf.paragraphs) + table


def web_page(path: Path, pages: int) -> None:
    """Write all pages into one body."""
    body = "".join(markup(leaf) for leaf in leaves(pages))
    head = "<!doctype html><html lang=en><head><title>A</title></head>"
    path.write_text(f"{head}<body>{body}</body></html>", encoding="utf-8")


def epub(path: Path, pages: int) -> None:
    """Write one chapter for each page."""
    root = '<rootfile full-path="b.opf" media-type="application/oebps-package+xml"/>'
    space = 'xmlns="urn:oasis:names:tc:opendocument:xmlns:container"'
    container = f"<container {space}><rootfiles>{root}</rootfiles></container>"
    items, spine = "", ""
    parts = {"mimetype": "application/epub+zip", "META-INF/container.xml": container}
    for number, leaf in enumerate(leaves(pages)):
        items += f'<item id="c{number}" href="c{number}.xhtml" media-type="application/xhtml+xml"/>'
        spine += f'<itemref idref="c{number}"/>'
        parts[f"c{number}.xhtml"] = f'<html xmlns="http://www.w3.org/1999/xhtml"><body>{markup(leaf)}</body></html>'
    space = 'xmlns:dc="http://purl.org/dc/elements/1.1/"'
    meta = f"<metadata {space}><dc:title>A</dc:title><dc:language>en</dc:language></metadata>"
    contents = f"{meta}<manifest>{items}</manifest><spine>{spine}</spine>"
    parts["b.opf"] = f'<package xmlns="http://www.idpf.org/2007/opf">{contents}</package>'
    archive(path, parts)


def odt(path: Path, pages: int) -> None:
    """Write headings and paragraphs."""
    names = ("office", "text", "table")
    spaces = " ".join(f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in names)
    body = "".join(
        f'<text:h text:outline-level="1">{leaf.heading}</text:h>'
        + "".join(f"<text:p>{html.escape(text)}</text:p>" for text in leaf.paragraphs)
        + "<text:p><text:soft-page-break/></text:p>"
        for leaf in leaves(pages)
    )
    text = f"<office:body><office:text>{body}</office:text></office:body>"
    content = f"<office:document-content {spaces}>{text}</office:document-content>"
    archive(path, {"mimetype": "application/vnd.oasis.opendocument.text", "content.xml": content})


def markdown(path: Path, pages: int) -> None:
    """Write headings, paragraphs and tables."""
    lines: list[str] = []
    for leaf in leaves(pages):
        lines += [f"# {leaf.heading}", *leaf.paragraphs]
        if leaf.rows:
            table = ["| " + " | ".join(row) + " |" for row in leaf.rows]
            lines.append("\n".join([table[0], "|---|---|---|", *table[1:]]))
    path.write_text("\n\n".join(lines), encoding="utf-8")


def plain(path: Path, pages: int) -> None:
    """Write text with form feeds between the pages."""
    texts = ["\n\n".join((leaf.heading, *leaf.paragraphs)) for leaf in leaves(pages)]
    path.write_text("\f".join(texts), encoding="utf-8")


def message(path: Path, pages: int) -> None:
    """Write one long message."""
    text = "\n\n".join("\n\n".join(leaf.paragraphs) for leaf in leaves(pages))
    head = "From: a@example.org\nTo: b@example.org\nSubject: Long\nContent-Type: text/plain; charset=utf-8\n\n"
    path.write_text(head + text, encoding="utf-8")


def pdf(path: Path, pages: int) -> None:
    """Write lines of Helvetica."""
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", "", "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"]
    kids: list[str] = []
    for leaf in leaves(pages):
        words = " ".join((leaf.heading, *leaf.paragraphs)).encode("ascii", "replace").decode()
        words = words.translate(str.maketrans("()\\", "[]/"))
        lines = [words[start : start + 100] for start in range(0, len(words), 100)]
        stream = "BT /F 9 Tf 12 TL 40 800 Td " + " ".join(f"({line}) Tj T*" for line in lines) + " ET"
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
        contents = f"/Contents {len(objects)} 0 R /Resources << /Font << /F 3 0 R >> >>"
        objects.append(f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] {contents} >>")
        kids.append(f"{len(objects)} 0 R")
    objects[1] = f"<< /Type /Pages /Count {len(kids)} /Kids [{' '.join(kids)}] >>"
    body = "\n".join(f"{number} 0 obj\n{content}\nendobj" for number, content in enumerate(objects, start=1))
    path.write_text(f"%PDF-1.7\n{body}\ntrailer << /Root 1 0 R >>\n", encoding="ascii")


def _types(part: str, kind: str) -> str:
    office, package = "application/vnd.openxmlformats-officedocument", "application/vnd.openxmlformats-package"
    return (
        f'<Types xmlns="{_OPEN}/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/>'
        f'<Default Extension="rels" ContentType="{package}.relationships+xml"/>'
        f'<Override PartName="/{part}" ContentType="{office}.{kind}+xml"/></Types>'
    )


def _relationships(part: str) -> str:
    return _links(f'<Relationship Id="rId1" Type="{_TO}/officeDocument" Target="{part}"/>')


def _links(links: str) -> str:
    return f'<Relationships xmlns="{_OPEN}/package/2006/relationships">{links}</Relationships>'


FORMATS: Final[dict[str, Callable[[Path, int], None]]] = {
    "pdf": pdf, "docx": docx, "pptx": pptx, "xlsx": xlsx, "csv": csv, "html": web_page, "md": markdown,
    "txt": plain, "eml": message, "odt": odt, "epub": epub,
}  # fmt: skip


async def measure(path: Path) -> tuple[int, int, float, float]:
    """Return pages, characters, and CPU seconds of extraction (in the child) and chunking."""
    head = (await asyncio.to_thread(path.read_bytes))[:HEAD_BYTES]
    content_type = detect_content_type(head, path.name)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    document = await extract_in_child(path, content_type, limits=ExtractionLimits(max_seconds=600))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.process_time()
    chunk_document(document, options=ChunkingOptions())
    chunking = time.process_time() - started
    reading = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return len(document.pages), sum(len(page.text) for page in document.pages), reading, chunking


async def report(folder: Path, formats: list[str], pages: int) -> None:
    """Print a row for each format."""
    print("| Format | Pages | Characters | Extraction, s | Chunking, s | growth of extraction | of chunking |")
    print("|---|---|---|---|---|---|---|")
    for name in formats:
        rows: list[tuple[int, int, float, float]] = []
        for count in (pages, FACTOR * pages):
            path = folder / f"{count}.{name}"
            FORMATS[name](path, count)
            rows.append(await measure(path))
        (_, _, reading, chunking), (count, characters, more_reading, more_chunking) = rows
        factors = f"{more_reading / reading:.1f} | {more_chunking / max(chunking, 0.001):.1f}"
        print(
            f"| {name} | {count:,} | {characters:,} | {more_reading:.2f} | {more_chunking:.2f} | {factors} |",
            flush=True,
        )


def main() -> None:
    """Print a table of the chosen formats."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=250)
    parser.add_argument("--only", nargs="*", choices=sorted(FORMATS), default=list(FORMATS))
    parser.add_argument("--keep", type=Path, help="folder for the files (default: a temporary one)")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        asyncio.run(report(folder, arguments.only, arguments.pages))


if __name__ == "__main__":
    main()
