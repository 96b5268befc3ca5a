"""Measure answers about tables in files with WikiTableQuestions: tables of Wikipedia and questions of other people.

    python benchmarks/wiki_tables.py CHECKOUT OUT cells
    python benchmarks/wiki_tables.py CHECKOUT OUT answers [--half tuning|frozen] [--rows FILE]

CHECKOUT is https://github.com/ppasupat/WikiTableQuestions with its folders `csv`, `data` and `page`. OUT gets 300
tables that questions look up cells of, each in a file with the title of its page. CSV and HTML are those of the set.
XLSX and DOCX are written from the CSV.
`cells` writes each of these tables in all formats and prints the share of rows whose cells are extracted apart.

`answers` asks questions of their document and of the library. A *lookup* names a cell of one row and asks for another.
An *order* asks for the first, next, most or the like, and its answer is a cell. A *count* asks for a count, sum or
difference that no cell has. An *absent* question is a lookup that names a cell of another table, asked of its document.
A lookup is right if the answer has the labelled cell and the named one, an order if it has the labelled cell. No other
answer is right: an answer without a chat endpoint quotes, and computes nothing.
"""

import asyncio
import csv
import hashlib
import io
import json
import re
import unicodedata
import zipfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal, TypeAlias
from xml.sax.saxutils import escape

import corpora
from openpyxl import Workbook
from throwaway import ThrowawayDatabase, fresh_library

from lectern.answers.schemas import AnswerRequest
from lectern.answers.service import AnswerService
from lectern.answers.text_analysis import split_cells
from lectern.db.scope import SYSTEM_SCOPE
from lectern.embeddings.cache import CachedQueries
from lectern.extraction.detection import HEAD_BYTES, detect_content_type
from lectern.extraction.registry import extract_document
from lectern.extraction.types import ExtractionLimits
from lectern.search.service import SearchEngine
from lectern.settings import SearchSettings

Kind: TypeAlias = Literal["lookup", "order", "count", "absent"]
FORMATS: Final = ("csv", "html", "xlsx", "docx")
_TABLES: Final = 300
_PER_TABLE: Final = 3  # questions of a kind
_PER_HALF: Final = {"lookup": 125, "order": 80, "count": 45, "absent": 80}
_MAX_ROWS: Final = 80
_MIN_ROWS: Final = 4
_MIN_NAME: Final = 3  # characters of a cell that a question names
_COUNT: Final = re.compile(
    r"\b(?:how (?:many|much)|number of|amount of|total|difference|sum|average|combined|how long|more than)\b"
)
_ORDER: Final = re.compile(
    r"\b(?:first|last|next|previous|prior|before|after|earliest|latest|top|bottom|most|least|fewest|best|worst|same"
    r"|following|follows|followed|precedes|preceded|above|below|between|more|less|fewer|only|other|both|either|or"
    r"|consecutive|besides|not|never|than|until|since|\w{3,}est|(?:high|low|larg|small|long|short|great|old|young)er)\b"
)
_NOT_IN_NAMES: Final = re.compile(r"[^\w() ,.&’'-]+")
_WORD: Final = re.compile(r"[^\W_]+")
_FIGURE: Final = re.compile(r"\d{1,3}(?:,\d{3})+|[1-9]\d{0,8}|0")
_THOUSANDS: Final = re.compile(r"(?<=\d),(?=\d{3})")
_WORD_XML: Final = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_WORD_TYPES: Final = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override'
    ' PartName="/word/document.xml" ContentType='
    '"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
)
_WORD_RELATIONS: Final = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type='
    '"http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/>'
    "</Relationships>"
)


@dataclass(frozen=True, slots=True)
class WikiTable:
    """A table of the set, its first row the header."""

    key: str
    title: str
    rows: Sequence[Sequence[str]]
    half: str
    format: str

    @property
    def filename(self) -> str:
        """The title as a name of a file."""
        return f"{_NOT_IN_NAMES.sub(' ', self.title).strip()}.{self.format}"


@dataclass(frozen=True, slots=True)
class TableQuestion:
    """A question with its labelled answer and the cells of its table. A lookup has the cell that it names."""

    key: str
    table: str
    document: str
    kind: Kind
    half: str
    question: str
    answer: str
    named: str
    cells: str


def read_tables(checkout: Path) -> Iterator[WikiTable]:
    """Yield the first table of each page in the order of a digest, if it has 4 to 80 rows."""
    titles: set[str] = set()
    paths = sorted(checkout.glob("csv/*/*.csv"), key=lambda path: _digest("/".join(path.parts[-2:])))
    for path in paths:
        page = checkout / "page" / path.parent.name.replace("csv", "page") / f"{path.stem}.json"
        title = json.loads(page.read_text(encoding="utf-8"))["title"]
        text = path.read_text(encoding="utf-8")
        rows = list(csv.reader(io.StringIO(text), doublequote=False, escapechar="\\"))
        if title not in titles and _MIN_ROWS < len(rows) <= _MAX_ROWS:
            titles.add(title)
            key = f"csv/{path.parent.name}/{path.name}"
            digest = _digest(key)
            yield WikiTable(key, title, rows, "tuning" if digest % 2 else "frozen", FORMATS[digest // 2 % len(FORMATS)])


def _digest(text: str) -> int:
    return int(hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()[:12], 16)


def write_table(table: WikiTable, checkout: Path, folder: Path) -> Path:
    """Write a table as a file of its format."""
    path = folder / table.filename
    source = checkout / table.key
    if table.format == "csv":
        path.write_bytes(source.read_bytes())
    elif table.format == "html":
        path.write_bytes(source.with_suffix(".html").read_bytes())
    elif table.format == "xlsx":
        book = Workbook()
        sheet = book.worksheets[0]
        for number, row in enumerate(table.rows, 1):
            for column, cell in enumerate(row, 1):
                value, number_format = _read_cell(cell)
                sheet.cell(number, column, value).number_format = number_format
        book.save(path)
    else:
        path.write_bytes(_draw_docx(table.rows))
    return path


def _read_cell(text: str) -> tuple[int | str, str]:
    """Return a value and its number format: figures are numbers, with their separator as format."""
    if not _FIGURE.fullmatch(text):
        return "".join(one for one in text if one.isprintable() or one == "\n"), "General"
    return int(text.replace(",", "")), "#,##0" if "," in text else "General"


def _draw_docx(rows: Sequence[Sequence[str]]) -> bytes:
    cell = "<w:tc><w:p><w:r><w:t>{}</w:t></w:r></w:p></w:tc>"
    drawn = "".join(f"<w:tr>{''.join(cell.format(escape(one)) for one in row)}</w:tr>" for row in rows)
    body = f'<w:document xmlns:w="{_WORD_XML}"><w:body><w:tbl>{drawn}</w:tbl></w:body></w:document>'
    output = io.BytesIO()
    with zipfile.ZipFile(output, "w") as file:
        file.writestr("[Content_Types].xml", _WORD_TYPES)
        file.writestr("_rels/.rels", _WORD_RELATIONS)
        file.writestr("word/document.xml", body)
    return output.getvalue()


def squeeze(text: str) -> str:
    """Return the words of a text in lower case, with a space around each."""
    plain = "".join(one for one in unicodedata.normalize("NFKD", text) if not unicodedata.combining(one))
    return f" {' '.join(_WORD.findall(_THOUSANDS.sub('', plain.lower())))} "


def read_questions(checkout: Path, tables: dict[str, WikiTable]) -> Iterator[TableQuestion]:
    """Yield the questions with one answer about these tables, if they are of one of the kinds."""
    for name in ("training", "pristine-unseen-tables"):
        lines = (checkout / "data" / f"{name}.tsv").read_text(encoding="utf-8").split("\n")[1:]
        for key, question, source, target in (line.split("\t") for line in lines if line):
            table = tables.get(source)
            if table is None or "|" in target:
                continue
            answer = target.replace("\\n", "\n").replace("\\p", "|")
            if (found := _find_kind(question, answer, table)) is not None:
                kind, named = found
                cells = "|".join(squeeze(cell) for row in table.rows for cell in row)
                yield TableQuestion(key, source, table.filename, kind, table.half, question, answer, named, cells)


def _find_kind(question: str, answer: str, table: WikiTable) -> tuple[Kind, str] | None:
    asked, wanted = squeeze(question), squeeze(answer)
    rows = [[squeeze(cell) for cell in row] for row in table.rows[1:]]
    named = {place: cells for place, row in enumerate(rows) if (cells := _named_cells(asked, row))}
    is_cell = any(wanted in row for row in rows)
    if not _ORDER.search(question) and len(named) == 1:
        place, cells = named.popitem()
        others = [cell for cell in rows[place] if cell not in cells]
        if wanted in others and wanted.strip():
            return "lookup", max(cells, key=len)
    if _COUNT.search(question):
        return ("count", "") if answer.replace(",", "").isdigit() and not is_cell else None
    return ("order", "") if is_cell and _ORDER.search(question) and wanted not in asked else None


def _named_cells(asked: str, row: Sequence[str]) -> list[str]:
    return [cell for cell in row if len(cell.strip()) >= _MIN_NAME and cell in asked]


def choose_tables(checkout: Path) -> tuple[list[WikiTable], list[TableQuestion]]:
    """Return the first 300 tables that a lookup asks about, and their questions."""
    tables = {table.key: table for table in read_tables(checkout)}
    questions = list(read_questions(checkout, tables))
    looked_up = {one.table for one in questions if one.kind == "lookup"}
    chosen = [table for key, table in tables.items() if key in looked_up][:_TABLES]
    keys = {table.key for table in chosen}
    return chosen, [one for one in questions if one.table in keys]


def choose_questions(questions: Sequence[TableQuestion]) -> list[TableQuestion]:
    """Return the first questions of each half and kind in the order of a digest, at most three of a table."""
    chosen: list[TableQuestion] = []
    of_table: Counter[tuple[str, str]] = Counter()
    of_half: Counter[tuple[str, str]] = Counter()
    for one in sorted(questions, key=lambda one: _digest(one.key)):
        if of_table[one.table, one.kind] < _PER_TABLE and of_half[one.half, one.kind] < _PER_HALF[one.kind]:
            of_table[one.table, one.kind] += 1
            of_half[one.half, one.kind] += 1
            chosen.append(one)
    return [*chosen, *_make_absent(chosen)]


def _make_absent(questions: Sequence[TableQuestion]) -> Iterator[TableQuestion]:
    """Yield lookups that name a cell of another table of their half, in the order of the questions."""
    for half in ("tuning", "frozen"):
        lookups = [one for one in questions if one.half == half and one.kind == "lookup"]
        made = [
            replace(one, kind="absent", question=asked, answer="", named="")
            for one, other in zip(lookups, [*lookups[1:], *lookups[:1]], strict=True)
            if one.table != other.table and not _is_digits(one.named) and not _is_digits(other.named)
            if (asked := squeeze(one.question).replace(one.named, other.named).strip()) and other.named not in one.cells
        ]
        yield from made[: _PER_HALF["absent"]]


def _is_digits(text: str) -> bool:
    return text.replace(" ", "").isdigit()


def compare_cells(table: WikiTable, path: Path) -> Counter[str]:
    """Count the rows of a table, those whose cells are extracted apart, and whether the header is the first row."""
    content_type = detect_content_type(path.read_bytes()[:HEAD_BYTES], path.name)
    pages = extract_document(path, content_type, limits=ExtractionLimits()).pages
    lines = [split_cells(line) for page in pages for line in page.text.split("\n")]
    extracted = [_filled(cells) for cells in lines if cells]
    header, *rows = (filled for row in table.rows if (filled := _filled(row)))
    whole = sum(any(_has_cells(cells, row) for cells in extracted) for row in rows)
    return Counter(tables=1, headers=int(_has_cells(extracted[0], header)), rows=len(rows), whole=whole)


def _has_cells(cells: Sequence[str], wanted: Sequence[str]) -> bool:
    """Return True if each wanted cell is in a cell of its own, in order. Marks of notes may follow it."""
    remaining = iter(cells)
    return all(any(one in cell for cell in remaining) for one in wanted)


def _filled(row: Sequence[str]) -> tuple[str, ...]:
    return tuple(text for cell in row if (text := squeeze(cell)).strip())


async def ask(
    questions: Sequence[TableQuestion], files: Sequence[Path], address: ThrowawayDatabase, *, cache: Path
) -> list[dict[str, str]]:
    """Fill a library, and ask each question of its document and of the library."""
    rows: list[dict[str, str]] = []
    async with corpora.connect(address, cache, threads=2) as (database, provider):
        chunked = [await asyncio.to_thread(corpora.chunk_file, path, cache) for path in files]
        await corpora.fill(database, chunked, address, provider=provider, cache=cache)
        service = AnswerService(SearchEngine(database, CachedQueries(provider), SearchSettings()))
        for one in questions:
            for scope in ("document",) if one.kind == "absent" else ("document", "library"):
                documents = [one.document] if scope == "document" else []
                request = AnswerRequest(question=one.question, documents=documents, save=False)
                answer = (await service.ask(request, SYSTEM_SCOPE)).data
                outcome = answer.outcome if answer.outcome != "answered" else _judge(one, answer.answer)
                passages = " … ".join(source.snippet for source in answer.nearest)
                row = {name: getattr(one, name) for name in ("key", "document", "kind", "half", "question", "answer")}
                rows.append({**row, "scope": scope, "outcome": outcome, "text": answer.answer, "closest": passages})
    return rows


def _judge(one: TableQuestion, text: str) -> str:
    quoted = squeeze(text)
    is_right = one.kind in {"lookup", "order"} and squeeze(one.answer) in quoted and one.named in quoted
    return "right" if is_right else "wrong"


def report(rows: Sequence[dict[str, str]]) -> None:
    """Print the outcomes of each half, scope and kind, and those of lookups by format."""
    outcomes = ("right", "wrong", "closest_passages", "nothing_found")
    groups: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        groups[f"{row['half']} {row['scope']} {row['kind']}"][row["outcome"]] += 1
        if row["kind"] == "lookup":
            groups[f"{row['half']} {row['scope']} lookup {row['document'].rsplit('.', 1)[1]}"][row["outcome"]] += 1
    for name, counted in sorted(groups.items()):
        print(f"{name:32s} {counted.total():4d}  " + "  ".join(f"{one} {counted[one]:3d}" for one in outcomes))


def main() -> None:
    """Write the tables, and compare their cells or ask the questions."""
    parser = corpora.make_parser(__doc__)
    parser.add_argument("checkout", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("command", choices=("cells", "answers"))
    parser.add_argument("--half", choices=("tuning", "frozen"))
    parser.add_argument("--rows", type=Path, help="file for the answers as JSON lines")
    arguments = parser.parse_args()
    tables, asked = choose_tables(arguments.checkout)
    arguments.out.mkdir(parents=True, exist_ok=True)
    if arguments.command == "cells":
        print_cells(tables, arguments.checkout, arguments.out)
        return
    files = [write_table(table, arguments.checkout, arguments.out) for table in tables]
    asked = [one for one in choose_questions(asked) if arguments.half in {None, one.half}]
    with fresh_library() as address:
        rows = asyncio.run(ask(asked, files, address, cache=arguments.cache))
    if arguments.rows:
        arguments.rows.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    report(rows)


def print_cells(tables: Sequence[WikiTable], checkout: Path, folder: Path) -> None:
    """Print how many headers and rows each format keeps."""
    for name in FORMATS:
        counted: Counter[str] = Counter()
        for table in tables:
            own = WikiTable(table.key, table.title, table.rows, table.half, name)
            counted += compare_cells(own, write_table(own, checkout, folder))
        print(name, dict(counted))


if __name__ == "__main__":
    main()
