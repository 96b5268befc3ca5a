"""Write small Office files, books and messages part by part."""

import io
import zipfile
from collections.abc import Mapping, Sequence

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
STRICT_WORD = "http://purl.oclc.org/ooxml/wordprocessingml/main"
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main"
_SLIDES = "http://schemas.openxmlformats.org/presentationml/2006/main"
_ODF = "urn:oasis:names:tc:opendocument:xmlns"
_ODF_NAMES = {"draw": "drawing", "svg": "svg-compatible"}
_OFFICE = "application/vnd.openxmlformats-officedocument."

_ODF_SPACES = ("office", "text", "table", "draw", "style", "presentation", "svg")
ODF_SPACES = " ".join(f'xmlns:{name}="{_ODF}:{_ODF_NAMES.get(name, name)}:1.0"' for name in _ODF_SPACES)
"""The namespaces of OpenDocument."""

Parts = Mapping[str, str | bytes]

STYLES = f"""<w:styles xmlns:w="{WORD}">
<w:style w:type="paragraph" w:styleId="H1"><w:name w:val="heading 1"/></w:style>
<w:style w:type="paragraph" w:styleId="H2"><w:name w:val="heading 2"/><w:basedOn w:val="H1"/></w:style>
<w:style w:type="paragraph" w:styleId="Top"><w:name w:val="Title"/></w:style>
</w:styles>"""
NUMBERING = f"""<w:numbering xmlns:w="{WORD}"><w:abstractNum w:abstractNumId="7">
<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>
<w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%1.%2)"/></w:lvl>
</w:abstractNum><w:num w:numId="3"><w:abstractNumId w:val="7"/></w:num></w:numbering>"""


def archive(parts: Parts) -> bytes:
    """Return a ZIP archive. The part `mimetype` is first and uncompressed, as its formats require."""
    output = io.BytesIO()
    with zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED) as opened:
        first = ("mimetype", "[Content_Types].xml")
        for name, content in sorted(parts.items(), key=lambda item: item[0] not in first):
            method = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            opened.writestr(zipfile.ZipInfo(name), content, method)
    return output.getvalue()


def relations(*entries: tuple[str, str, str]) -> str:
    """Return a part of relations (id, kind, target). Addresses are external."""
    outside = ' TargetMode="External"'
    made = "".join(
        f'<Relationship Id="{key}" Type="{RELATIONS}/{kind}" Target="{target}"{outside if "://" in target else ""}/>'
        for key, kind, target in entries
    )
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{made}</Relationships>'


def content_types(part: str, media_type: str) -> str:
    """Return the part that names the main part's type."""
    return (
        f'<Types xmlns="{_PACKAGE}/content-types"><Override PartName="/{part}" '
        f'ContentType="{media_type}.main+xml"/></Types>'
    )


def core(title: str) -> str:
    """Return the part of core properties."""
    return (
        f'<c:coreProperties xmlns:c="{_PACKAGE}/metadata/core-properties" '
        f'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{title}</dc:title></c:coreProperties>'
    )


def docx(
    body: str, *, title: str = "", parts: Parts | None = None, links: Sequence[tuple[str, str, str]] = ()
) -> bytes:
    """Return a Word file from the XML of a body, with the styles H1, H2 and Top and the numbered list 3."""
    document = f'<w:document xmlns:w="{WORD}" xmlns:r="{RELATIONS}"><w:body>{body}</w:body></w:document>'
    return archive({
        "[Content_Types].xml": content_types("word/document.xml", f"{_OFFICE}wordprocessingml.document"),
        "_rels/.rels": relations(("a", "officeDocument", "word/document.xml"), ("b", "core-properties", "core.xml")),
        "core.xml": core(title),
        "word/document.xml": document,
        "word/_rels/document.xml.rels": relations(("s", "styles", "styles.xml"), ("n", "numbering", "numbering.xml"),
                                                  ("f", "footnotes", "footnotes.xml"),
                                                  ("c", "comments", "comments.xml"), *links),
        "word/styles.xml": STYLES,
        "word/numbering.xml": NUMBERING,
        **(parts or {}),
    })  # fmt: skip


def paragraph(text: str, *, style: str = "", extra: str = "") -> str:
    """A paragraph of a Word file."""
    properties = f'<w:pStyle w:val="{style}"/>' if style else ""
    return f"<w:p><w:pPr>{properties}{extra}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"


def word_table(rows: Sequence[Sequence[str]]) -> str:
    """A table of a Word file."""
    made = "".join(f"<w:tr>{''.join(f'<w:tc>{paragraph(cell)}</w:tc>' for cell in row)}</w:tr>" for row in rows)
    return f"<w:tbl>{made}</w:tbl>"


def shape(*paragraphs: str, kind: str = "", level: int = 0) -> str:
    """Return a slide shape with paragraphs. `kind` makes it a placeholder."""
    place = f'<p:nvPr><p:ph type="{kind}"/></p:nvPr>' if kind else ""
    made = "".join(f'<a:p><a:pPr lvl="{level}"/><a:r><a:t>{text}</a:t></a:r></a:p>' for text in paragraphs)
    return f"<p:sp><p:nvSpPr>{place}</p:nvSpPr><p:txBody>{made}</p:txBody></p:sp>"


def slide_xml(shapes: str, *, root: str = "sld", attributes: str = "") -> str:
    """A slide or its notes."""
    return (
        f'<p:{root} xmlns:p="{_SLIDES}" xmlns:a="{_DRAWING}" xmlns:r="{RELATIONS}" {attributes}>'
        f"<p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:{root}>"
    )


def pptx(*slides: str, parts: Parts | None = None) -> bytes:
    """Return a presentation of slides made by `slide_xml`. Part names are ppt/slides/slide1.xml and so on."""
    listed = "".join(f'<p:sldId id="{256 + n}" r:id="r{n}"/>' for n in range(len(slides)))
    main = (
        f'<p:presentation xmlns:p="{_SLIDES}" xmlns:r="{RELATIONS}"><p:sldIdLst>{listed}</p:sldIdLst></p:presentation>'
    )
    made: dict[str, str | bytes] = {f"ppt/slides/slide{n + 1}.xml": slide for n, slide in enumerate(slides)}
    return archive({
        "[Content_Types].xml": content_types("ppt/presentation.xml", f"{_OFFICE}presentationml.presentation"),
        "_rels/.rels": relations(("a", "officeDocument", "ppt/presentation.xml")),
        "ppt/presentation.xml": main,
        "ppt/_rels/presentation.xml.rels": relations(
            *((f"r{n}", "slide", f"slides/slide{n + 1}.xml") for n in range(len(slides)))
        ),
        **made,
        **(parts or {}),
    })  # fmt: skip


def odt(body: str, *, styles: str = "", parts: Parts | None = None) -> bytes:
    """Return an OpenDocument text from the XML of its body and automatic styles."""
    return _open_document("text", body, styles=styles, parts=parts)


def ods(sheets: str, *, styles: str = "", parts: Parts | None = None) -> bytes:
    """Return an OpenDocument spreadsheet from the XML of its sheets and automatic styles."""
    return _open_document("spreadsheet", sheets, styles=styles, parts=parts)


def odp(slides: str, *, styles: str = "", parts: Parts | None = None) -> bytes:
    """Return an OpenDocument presentation from the XML of its slides and automatic styles."""
    return _open_document("presentation", slides, styles=styles, parts=parts)


def ods_rows(*rows: Sequence[str]) -> str:
    """Return rows of cells that display these texts."""
    cell = "<table:table-cell><text:p>{}</text:p></table:table-cell>"
    return "".join(f"<table:table-row>{''.join(map(cell.format, row))}</table:table-row>" for row in rows)


def _open_document(kind: str, body: str, *, styles: str = "", parts: Parts | None = None) -> bytes:
    media_type = f"application/vnd.oasis.opendocument.{kind}"
    entries = "".join(
        f'<m:file-entry m:full-path="{path}" m:media-type="{kind_of_part}"/>'
        for path, kind_of_part in (("/", media_type), ("content.xml", "text/xml"))
    )
    return archive({
        "mimetype": media_type,
        "META-INF/manifest.xml": f'<m:manifest xmlns:m="{_ODF}:manifest:1.0">{entries}</m:manifest>',
        "content.xml": f'<office:document-content {ODF_SPACES} xmlns:xlink="http://www.w3.org/1999/xlink">'
                       f"<office:automatic-styles>{styles}</office:automatic-styles>"
                       f"<office:body><office:{kind}>{body}</office:{kind}></office:body></office:document-content>",
        **(parts or {}),
    })  # fmt: skip


def epub(*chapters: str, parts: Parts | None = None) -> bytes:
    """A book of chapters written in HTML."""
    items = "".join(
        f'<item id="c{n}" href="text/c%20{n}.xhtml" media-type="application/xhtml+xml"/>' for n in range(len(chapters))
    )
    spine = "".join(f'<itemref idref="c{n}"/>' for n in range(len(chapters)))
    made: dict[str, str | bytes] = {f"OEBPS/text/c {n}.xhtml": chapter for n, chapter in enumerate(chapters)}
    return archive({
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": '<c><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></c>',
        "OEBPS/book.opf": '<package xmlns:dc="http://purl.org/dc"><metadata><dc:title>The cards</dc:title>'
                          f"<dc:language>en</dc:language></metadata><manifest>{items}</manifest>"
                          f"<spine>{spine}</spine></package>",
        **made,
        **(parts or {}),
    })  # fmt: skip


def xlsx(sheets: Mapping[str, Sequence[Sequence[object]]]) -> bytes:
    """A workbook of sheets."""
    import openpyxl

    book = openpyxl.Workbook()
    book.remove(book.worksheets[0])
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(list(row))
    output = io.BytesIO()
    book.save(output)
    return output.getvalue()
