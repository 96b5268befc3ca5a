"""The parts of small DOCX and PPTX files."""

import re
from collections.abc import Iterable, Iterator, Sequence
from xml.sax.saxutils import escape

from generator.markup import Block, Heading, Items, Rows, Text

_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_SLIDES = "http://schemas.openxmlformats.org/presentationml/2006/main"
_DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main"
_KIND = "application/vnd.openxmlformats-officedocument"
_BOLD = re.compile(r"(\*\*.+?\*\*)")


def docx_parts(title: str, blocks: Sequence[Block]) -> dict[str, bytes]:
    """Return the parts of a DOCX file by name."""
    body = "".join(_word_block(block) for block in [Heading(0, title), *blocks])
    styles = [("Title", "Title", 36), ("ListBullet", "List Bullet", 22), ("ListNumber", "List Number", 22)]
    styles += [(f"Heading{level}", f"heading {level}", 32 - 4 * level) for level in (1, 2, 3)]
    styled = "".join(
        f'<w:style w:type="paragraph" w:styleId="{key}"><w:name w:val="{name}"/>'
        f'{_outline(name)}<w:rPr><w:sz w:val="{size}"/></w:rPr></w:style>'
        for key, name, size in styles
    )
    return {
        "[Content_Types].xml": _types(
            ("/word/document.xml", f"{_KIND}.wordprocessingml.document.main+xml"),
            ("/word/styles.xml", f"{_KIND}.wordprocessingml.styles+xml"),
            ("/docProps/core.xml", "application/vnd.openxmlformats-package.core-properties+xml"),
        ),
        "_rels/.rels": _relations((f"{_OFFICE}/officeDocument", "word/document.xml"), _CORE),
        "docProps/core.xml": _core(title),
        "word/_rels/document.xml.rels": _relations((f"{_OFFICE}/styles", "styles.xml")),
        "word/styles.xml": _part(f'<w:styles xmlns:w="{_WORD}">{styled}</w:styles>'),
        "word/document.xml": _part(f'<w:document xmlns:w="{_WORD}"><w:body>{body}<w:sectPr/></w:body></w:document>'),
    }


def _outline(name: str) -> str:
    return f'<w:pPr><w:outlineLvl w:val="{int(name[-1]) - 1}"/></w:pPr>' if name.startswith("heading") else ""


def _word_block(block: Block) -> str:
    match block:
        case Heading(level, text):
            return _word_paragraph(text, style=f"Heading{level}" if level else "Title")
        case Items(items, is_numbered):
            style = "ListNumber" if is_numbered else "ListBullet"
            marks = [f"{number}. " if is_numbered else "• " for number in range(1, len(items) + 1)]
            return "".join(_word_paragraph(mark + item, style=style) for mark, item in zip(marks, items, strict=True))
        case Rows(rows):
            lines = "".join(
                "<w:tr>" + "".join(f"<w:tc>{_word_paragraph(cell)}</w:tc>" for cell in row) + "</w:tr>" for row in rows
            )
            grid = "<w:gridCol/>" * len(rows[0])
            return f"<w:tbl><w:tblPr/><w:tblGrid>{grid}</w:tblGrid>{lines}</w:tbl>{_word_paragraph('')}"
        case Text(text):
            return _word_paragraph(text)
        case _:
            raise ValueError(f"DOCX has no {block}.")


def _word_paragraph(text: str, *, style: str = "") -> str:
    mark = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    runs = "".join(
        f'<w:r>{"<w:rPr><w:b/></w:rPr>" if is_bold else ""}<w:t xml:space="preserve">{escape(run)}</w:t></w:r>'
        for run, is_bold in _runs(text)
    )
    return f"<w:p>{mark}{runs}</w:p>"


def _runs(text: str) -> Iterator[tuple[str, bool]]:
    for part in _BOLD.split(text):
        if part:
            yield (part[2:-2], True) if part.startswith("**") else (part, False)


def pptx_parts(title: str, slides: Sequence[tuple[str, list[Block]]]) -> dict[str, bytes]:
    """Return the parts of a PPTX file by name. The first slide is the title."""
    pages = [_slide(title, []), *(_slide(head, content) for head, content in slides)]
    numbers = range(1, len(pages) + 1)
    names = f'xmlns:p="{_SLIDES}" xmlns:a="{_DRAWING}" xmlns:r="{_OFFICE}"'
    listed = "".join(f'<p:sldId id="{255 + number}" r:id="rId{number + 1}"/>' for number in numbers)
    layout = f"{_KIND}.presentationml"
    return {
        "[Content_Types].xml": _types(
            ("/ppt/presentation.xml", f"{layout}.presentation.main+xml"),
            ("/ppt/slideMasters/slideMaster1.xml", f"{layout}.slideMaster+xml"),
            ("/ppt/slideLayouts/slideLayout1.xml", f"{layout}.slideLayout+xml"),
            ("/ppt/theme/theme1.xml", f"{_KIND}.theme+xml"),
            ("/docProps/core.xml", "application/vnd.openxmlformats-package.core-properties+xml"),
            *((f"/ppt/slides/slide{number}.xml", f"{layout}.slide+xml") for number in numbers),
        ),
        "_rels/.rels": _relations((f"{_OFFICE}/officeDocument", "ppt/presentation.xml"), _CORE),
        "docProps/core.xml": _core(title),
        "ppt/presentation.xml": _part(
            f'<p:presentation {names}><p:sldMasterIdLst><p:sldMasterId id="2147483648" r:id="rId1"/></p:sldMasterIdLst>'
            f'<p:sldIdLst>{listed}</p:sldIdLst><p:sldSz cx="9144000" cy="6858000"/><p:notesSz cx="6858000" cy="9144000"/></p:presentation>'
        ),
        "ppt/_rels/presentation.xml.rels": _relations(
            (f"{_OFFICE}/slideMaster", "slideMasters/slideMaster1.xml"),
            *((f"{_OFFICE}/slide", f"slides/slide{number}.xml") for number in numbers),
        ),
        "ppt/slideMasters/slideMaster1.xml": _part(
            f"<p:sldMaster {names}>{_TREE.format('')}"
            '<p:clrMap bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2" accent1="accent1" accent2="accent2" accent3="accent3" '
            'accent4="accent4" accent5="accent5" accent6="accent6" hlink="hlink" folHlink="folHlink"/>'
            '<p:sldLayoutIdLst><p:sldLayoutId id="2147483649" r:id="rId1"/></p:sldLayoutIdLst></p:sldMaster>'
        ),
        "ppt/slideMasters/_rels/slideMaster1.xml.rels": _relations(
            (f"{_OFFICE}/slideLayout", "../slideLayouts/slideLayout1.xml"), (f"{_OFFICE}/theme", "../theme/theme1.xml")
        ),
        "ppt/slideLayouts/slideLayout1.xml": _part(f'<p:sldLayout {names} type="obj">{_TREE.format("")}</p:sldLayout>'),
        "ppt/slideLayouts/_rels/slideLayout1.xml.rels": _relations(
            (f"{_OFFICE}/slideMaster", "../slideMasters/slideMaster1.xml")
        ),
        "ppt/theme/theme1.xml": _part(_theme()),
        **{f"ppt/slides/slide{number}.xml": page for number, page in zip(numbers, pages, strict=True)},
        **{
            f"ppt/slides/_rels/slide{number}.xml.rels": _relations(
                (f"{_OFFICE}/slideLayout", "../slideLayouts/slideLayout1.xml")
            )
            for number in numbers
        },
    }


_TREE = (
    '<p:cSld><p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>'
    "{}</p:spTree></p:cSld>"
)


def _slide(title: str, blocks: Iterable[Block]) -> bytes:
    shapes = [_shape(2, "title", [title], left=457_200, top=274_638, width=8_229_600, height=1_143_000)]
    lines: list[str] = []
    tables: list[Rows] = []
    for block in blocks:
        match block:
            case Rows():
                tables.append(block)
            case Items(items):
                lines += items
            case Heading(_, text) | Text(text):
                lines.append(text)
            case _:
                raise ValueError(f"PPTX has no {block}.")
    if lines:
        shapes.append(_shape(3, "body", lines, left=457_200, top=1_600_200, width=8_229_600, height=2_400_000))
    shapes += [_frame(number, table, top=4_100_000) for number, table in enumerate(tables, start=4)]
    tree = _TREE.format("".join(shapes))
    return _part(f'<p:sld xmlns:p="{_SLIDES}" xmlns:a="{_DRAWING}" xmlns:r="{_OFFICE}">{tree}</p:sld>')


def _shape(number: int, kind: str, lines: Iterable[str], *, left: int, top: int, width: int, height: int) -> str:
    text = "".join(f"<a:p>{_slide_runs(line)}</a:p>" for line in lines)
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="{number}" name="{kind} {number}"/><p:cNvSpPr/><p:nvPr><p:ph type="{kind}"/></p:nvPr></p:nvSpPr>'
        f'<p:spPr><a:xfrm><a:off x="{left}" y="{top}"/><a:ext cx="{width}" cy="{height}"/></a:xfrm>'
        f'<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr><p:txBody><a:bodyPr/><a:lstStyle/>{text}</p:txBody></p:sp>'
    )


def _slide_runs(line: str) -> str:
    marks = {True: ' b="1"', False: ""}
    return "".join(
        f'<a:r><a:rPr lang="en-GB"{marks[bold]}/><a:t>{escape(run)}</a:t></a:r>' for run, bold in _runs(line)
    )


def _frame(number: int, table: Rows, *, top: int) -> str:
    columns = len(table.rows[0])
    grid = f'<a:gridCol w="{8_229_600 // columns}"/>' * columns
    rows = "".join(
        '<a:tr h="370840">'
        + "".join(
            f'<a:tc><a:txBody><a:bodyPr/><a:lstStyle/><a:p><a:r><a:rPr lang="en-GB"/><a:t>{escape(cell)}</a:t></a:r></a:p></a:txBody><a:tcPr/></a:tc>'
            for cell in row
        )
        + "</a:tr>"
        for row in table.rows
    )
    return (
        f'<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="{number}" name="table {number}"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr>'
        f'<p:xfrm><a:off x="457200" y="{top}"/><a:ext cx="8229600" cy="{370_840 * len(table.rows)}"/></p:xfrm>'
        f'<a:graphic><a:graphicData uri="{_DRAWING[:-5]}/table"><a:tbl><a:tblPr firstRow="1"/><a:tblGrid>{grid}</a:tblGrid>{rows}</a:tbl>'
        "</a:graphicData></a:graphic></p:graphicFrame>"
    ).replace(f"{_DRAWING[:-5]}/table", "http://schemas.openxmlformats.org/drawingml/2006/table")


def _theme() -> str:
    names = (
        "dk1",
        "lt1",
        "dk2",
        "lt2",
        "accent1",
        "accent2",
        "accent3",
        "accent4",
        "accent5",
        "accent6",
        "hlink",
        "folHlink",
    )
    colours = (
        "000000",
        "FFFFFF",
        "1F497D",
        "EEECE1",
        "4F81BD",
        "C0504D",
        "9BBB59",
        "8064A2",
        "4BACC6",
        "F79646",
        "0000FF",
        "800080",
    )
    scheme = "".join(
        f'<a:{name}><a:srgbClr val="{colour}"/></a:{name}>' for name, colour in zip(names, colours, strict=True)
    )
    font = '<a:latin typeface="Calibri"/><a:ea typeface=""/><a:cs typeface=""/>'
    fill = '<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>' * 3
    line = '<a:ln w="9525"><a:solidFill><a:schemeClr val="phClr"/></a:solidFill></a:ln>' * 3
    effect = "<a:effectStyle><a:effectLst/></a:effectStyle>" * 3
    return (
        f'<a:theme xmlns:a="{_DRAWING}" name="Plain"><a:themeElements><a:clrScheme name="Plain">{scheme}</a:clrScheme>'
        f'<a:fontScheme name="Plain"><a:majorFont>{font}</a:majorFont><a:minorFont>{font}</a:minorFont></a:fontScheme>'
        f'<a:fmtScheme name="Plain"><a:fillStyleLst>{fill}</a:fillStyleLst><a:lnStyleLst>{line}</a:lnStyleLst>'
        f"<a:effectStyleLst>{effect}</a:effectStyleLst><a:bgFillStyleLst>{fill}</a:bgFillStyleLst></a:fmtScheme></a:themeElements></a:theme>"
    )


_CORE = (f"{_PACKAGE}/relationships/metadata/core-properties", "docProps/core.xml")


def _core(title: str) -> bytes:
    return _part(
        f'<cp:coreProperties xmlns:cp="{_PACKAGE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f"<dc:title>{escape(title)}</dc:title></cp:coreProperties>"
    )


def _types(*parts: tuple[str, str]) -> bytes:
    listed = "".join(f'<Override PartName="{name}" ContentType="{kind}"/>' for name, kind in parts)
    return _part(
        f'<Types xmlns="{_PACKAGE}/content-types"><Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Default Extension="xml" ContentType="application/xml"/>{listed}</Types>'
    )


def _relations(*targets: tuple[str, str]) -> bytes:
    listed = "".join(
        f'<Relationship Id="rId{number}" Type="{kind}" Target="{target}"/>'
        for number, (kind, target) in enumerate(targets, 1)
    )
    return _part(f'<Relationships xmlns="{_PACKAGE}/relationships">{listed}</Relationships>')


def _part(text: str) -> bytes:
    return (_HEAD + text).encode()
