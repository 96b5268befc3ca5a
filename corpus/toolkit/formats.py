"""Write a source as one of the formats that are not PDF: DOCX, PPTX, XLSX, HTML, Markdown, CSV, EML or plain text.

Every writer gives the same bytes for the same source.
"""

import csv
import html
import io
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import SMTP
from itertools import groupby

import openpyxl
from generator.markup import Block, Directive, Heading, Items, Rows, Source, Text

from toolkit.ooxml import docx_parts, pptx_parts

_EPOCH = (2026, 1, 1, 0, 0, 0)
_BOLD = re.compile(r"\*\*(.+?)\*\*")


def resolved(source: Source, tables: Mapping[str, Rows]) -> list[Block]:
    """Return the blocks with tables in place of their directives. Contents and page breaks are dropped."""
    blocks: list[Block] = []
    for block in source.blocks:
        if not isinstance(block, Directive):
            blocks.append(block)
        elif block.name == "table":
            blocks.append(tables[block.argument])
    return blocks


def slides(blocks: Iterable[Block]) -> Iterator[tuple[str, list[Block]]]:
    """Group blocks by headings of level 1: the title of a slide or sheet, and its content."""
    title = ""
    for is_title, group in groupby(blocks, key=lambda block: isinstance(block, Heading) and block.level == 1):
        if is_title:
            *empty, last = [block.text for block in group if isinstance(block, Heading)]
            yield from ((text, []) for text in empty)
            title = last
        else:
            yield title, list(group)


def write_docx(source: Source, blocks: list[Block]) -> bytes:
    """Write headings, paragraphs, lists and tables."""
    return _zip(docx_parts(source.meta["title"], blocks))


def write_pptx(source: Source, blocks: list[Block]) -> bytes:
    """Write a slide for each heading of level 1."""
    return _zip(pptx_parts(source.meta["title"], list(slides(blocks))))


def write_xlsx(source: Source, blocks: list[Block]) -> bytes:
    """Write a sheet for each heading of level 1. Numbers become numbers."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    book.properties.title = source.meta["title"]
    book.properties.created = book.properties.modified = datetime(*_EPOCH, tzinfo=UTC).replace(tzinfo=None)
    for title, content in slides(blocks):
        sheet = book.create_sheet(title[:31])
        for block in content:
            if isinstance(block, Rows):
                for row in block.rows:
                    sheet.append([_number(cell) for cell in row])
            elif isinstance(block, Text | Heading):
                sheet.append([block.text])
    stream = io.BytesIO()
    book.save(stream)
    with zipfile.ZipFile(stream) as written:
        return _zip({name: _stable(written.read(name)) for name in sorted(written.namelist())})


def _stable(part: bytes) -> bytes:
    return re.sub(rb"(<dcterms:modified[^>]*>)[^<]*", rb"\g<1>2026-01-01T00:00:00Z", part)


def _number(cell: str) -> str | int | float:
    plain = cell.replace(",", "")
    if re.fullmatch(r"-?(0|[1-9]\d{0,14})", plain):
        return int(plain)
    # A trailing zero would be lost.
    return float(plain) if re.fullmatch(r"-?\d{1,12}\.\d*[1-9]", plain) else cell


def write_html(source: Source, blocks: list[Block]) -> bytes:
    """Write a page with title, headings, paragraphs, lists and tables."""
    body = "\n".join(_html(block) for block in blocks)
    title, language = html.escape(source.meta["title"]), source.meta["language"]
    return (
        f'<!doctype html>\n<html lang="{language}">\n<head><meta charset="utf-8"><title>{title}</title></head>\n'
        f"<body>\n<h1>{title}</h1>\n{body}\n</body>\n</html>\n"
    ).encode()


def _html(block: Block) -> str:
    match block:
        case Heading(level, text):
            return f"<h{level + 1}>{html.escape(text)}</h{level + 1}>"
        case Items(items, is_numbered):
            name = "ol" if is_numbered else "ul"
            return f"<{name}>" + "".join(f"<li>{_html_inline(item)}</li>" for item in items) + f"</{name}>"
        case Rows(rows):
            head = "".join(f"<th>{html.escape(cell)}</th>" for cell in rows[0])
            body = "".join(
                "<tr>" + "".join(f"<td>{_html_inline(cell)}</td>" for cell in row) + "</tr>" for row in rows[1:]
            )
            return f"<table><tr>{head}</tr>{body}</table>"
        case Text(text):
            return f"<p>{_html_inline(text)}</p>"
        case Directive():
            return ""


def _html_inline(text: str) -> str:
    return _BOLD.sub(r"<b>\1</b>", html.escape(text, quote=False))


def write_markdown(source: Source, blocks: list[Block]) -> bytes:
    """Write Markdown with a title."""
    return f"# {source.meta['title']}\n\n{_markdown(blocks, heading='#')}\n".encode()


def write_text(source: Source, blocks: list[Block]) -> bytes:
    """Write plain text with a title."""
    text = _BOLD.sub(r"\g<1>", _markdown(blocks, heading=""))
    return f"{source.meta['title']}\n\n{text}\n".encode()


def _markdown(blocks: Iterable[Block], *, heading: str) -> str:
    parts: list[str] = []
    for block in blocks:
        match block:
            case Heading(level, text):
                parts.append(f"{heading * (level + 1)} {text}".strip())
            case Items(items, is_numbered):
                parts.append("\n".join(f"{f'{i}.' if is_numbered else '-'} {item}" for i, item in enumerate(items, 1)))
            case Rows(rows):
                lines = ["| " + " | ".join(row) + " |" for row in rows]
                parts.append("\n".join([lines[0], "|" + "---|" * len(rows[0]), *lines[1:]]))
            case Text(text):
                parts.append(text)
            case Directive():
                pass
    return "\n\n".join(parts)


def write_csv(_source: Source, blocks: list[Block]) -> bytes:
    """Write the only table."""
    (table,) = [block for block in blocks if isinstance(block, Rows)]
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows(table.rows)
    return stream.getvalue().encode()


def write_mail(source: Source, blocks: list[Block]) -> bytes:
    """Write a message. Front matter: from, to, date (RFC 5322), cc."""
    message = EmailMessage(policy=SMTP)
    for header in ("from", "to", "cc", "date"):
        if header in source.meta:
            message[header.title()] = source.meta[header]
    message["Subject"] = source.meta["title"]
    message["Message-ID"] = f"<{source.meta['code']}@example.org>"
    message.set_content(_BOLD.sub(r"\g<1>", _markdown(blocks, heading="")), cte="8bit")
    return message.as_bytes()


def _zip(parts: Mapping[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(zipfile.ZipInfo(name, _EPOCH), content, zipfile.ZIP_DEFLATED)
    return stream.getvalue()


WRITERS = {
    ".docx": write_docx,
    ".pptx": write_pptx,
    ".xlsx": write_xlsx,
    ".html": write_html,
    ".md": write_markdown,
    ".txt": write_text,
    ".csv": write_csv,
    ".eml": write_mail,
}
"""The writer of each suffix. `.pdf` is written by the generator of the sample documents."""
