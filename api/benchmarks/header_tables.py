"""Measure answers about tables with headers of several levels: AIT-QA and annotated tables of HiTab.

    python benchmarks/header_tables.py AITQA HITAB OUT [--half tuning|frozen] [--rows FILE] [--browser chromium]

AITQA is https://github.com/IBM/AITQA (CDLA-Sharing 1.0): tables of airlines' annual reports. HITAB is
https://github.com/microsoft/HiTab (C-UDA 1.0): 50 workbooks of Statistics Canada in `Annotation_examples`, of which
only questions for one cell are used. OUT gets each table as a file: HTML with cells over rows and columns, XLSX with
merged cells, or a PDF page with rules. Rows are indented as the set says. A PDF that is there is used again.

Each question is asked of its document. The answer is right if it has the labelled cell and the name of its row. It is
*headed* if it also has all names of the column and the rows that the row is below. Nothing else is right: an answer
without a chat endpoint quotes.
"""

import asyncio
import hashlib
import html
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, zip_longest
from pathlib import Path
from typing import Any, Final

import corpora
from openpyxl import Workbook, load_workbook
from openpyxl.styles import Alignment
from openpyxl.worksheet.worksheet import Worksheet
from tatqa_pages import print_pdf
from throwaway import ThrowawayDatabase, fresh_library
from wiki_tables import squeeze

from lectern.answers.schemas import AnswerRequest
from lectern.answers.service import AnswerService
from lectern.db.scope import SYSTEM_SCOPE
from lectern.embeddings.cache import CachedQueries
from lectern.search.service import SearchEngine
from lectern.settings import SearchSettings

FORMATS: Final = ("html", "xlsx", "pdf")
_AIRLINES: Final = ("Alaska", "American", "Delta", "Southwest", "United")
_SHEETS: Final = Path("Annotation_examples", "Sentence Revision Alignment Conversion-StatCan")
_READ: Final = frozenset({"hitab/1", "hitab/2", "tab-0"})  # before the halves were made
_PLACE: Final = re.compile(r"=\$?([A-Z]+)\$?(\d+)")
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_FIGURE: Final = re.compile(r"\d{1,3}(?:,\d{3})+|(?:0|[1-9]\d{0,8})(\.\d+)?")
_STYLE: Final = """@page{size:A4 landscape;margin:1.5cm}body{font:9pt sans-serif}table{border-collapse:collapse}
th,td{padding:2px 8px;text-align:right;vertical-align:bottom;font-weight:normal}
th{border-bottom:1px solid}thead th{font-weight:bold;text-align:center}td:first-child,h1{text-align:left}
tr:last-child td{border-bottom:2px solid}h1{font-size:11pt}"""


@dataclass(frozen=True, slots=True)
class TableCell:
    """A cell over columns and rows. `indent` is that of the name of a row."""

    text: str
    across: int = 1
    down: int = 1
    indent: int = 0


@dataclass(frozen=True, slots=True)
class Labelled:
    """A cell with the names of its row and column, from the outermost to the innermost."""

    text: str
    row: Sequence[str]
    column: Sequence[str]


@dataclass(frozen=True, slots=True)
class HeaderTable:
    """A table: its rows of cells, the first of them the header, and its labelled cells."""

    key: str
    name: str
    caption: str
    head: Sequence[Sequence[TableCell]]
    body: Sequence[Sequence[TableCell]]
    labelled: Sequence[Labelled]

    @property
    def half(self) -> str:
        """The half of the set, by a digest."""
        return "tuning" if self.key in _READ or _digest(self.key) % 2 else "frozen"

    @property
    def filename(self) -> str:
        """The name with the ending of a format, by a digest."""
        return f"{self.name}.{FORMATS[_digest(self.key) // 2 % len(FORMATS)]}"


@dataclass(frozen=True, slots=True)
class HeaderQuestion:
    """A question with the cells that answer it."""

    table: HeaderTable
    question: str
    answer: str
    cells: Sequence[Labelled]


def _digest(text: str) -> int:
    return int(hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()[:12], 16)


def read_aitqa(checkout: Path) -> Iterator[HeaderQuestion]:
    """Yield the questions of AIT-QA. A file is named after the airline that most questions about it name."""
    asked: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for row in _read_lines(checkout / "raw_data" / "aitqa_questions.jsonl"):
        asked[row["table_id"]].append((row["question"], row["answers"][0]))
    for row in _read_lines(checkout / "raw_data" / "aitqa_tables.jsonl"):
        questions = asked[row["id"]]
        named = Counter(name for text, _ in questions for name in _AIRLINES if name.lower() in text.lower())
        airline = named.most_common(1)[0][0] if named else "Airline"
        number = row["id"].removeprefix("tab-")
        table = _draw_aitqa(row, f"{airline} Airlines annual report {number}")
        for text, answer in questions:
            cells = [one for one in table.labelled if one.text == answer]
            if cells:
                yield HeaderQuestion(table, text, answer, cells)


def _read_lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _draw_aitqa(row: dict[str, Any], name: str) -> HeaderTable:
    columns, data = row["column_header"], row["data"]
    names = row["row_header"] if any(row["row_header"]) else []
    has_names = bool(names)
    levels = max(map(len, columns), default=0)
    head = [list(_draw_level(columns, level, levels)) for level in range(levels)]
    if has_names and head:
        head[0].insert(0, TableCell("", down=levels))
    body: list[list[TableCell]] = []
    labelled: list[Labelled] = []
    above: list[str] = []
    for path, values in zip_longest(names, data[: len(names)] if has_names else data, fillvalue=[]):
        for depth, part in enumerate(path[:-1]):
            if above[: depth + 1] != path[: depth + 1]:
                body.append([TableCell(part, indent=depth), *[TableCell("")] * len(values)])
        above = path
        label = [TableCell(path[-1] if path else "", indent=max(0, len(path) - 1))] if has_names else []
        body.append([*label, *map(TableCell, values)])
        row_names = path if has_names else list(values[:1])
        labelled += [Labelled(value, row_names, column) for value, column in zip(values, columns, strict=False)]
    return HeaderTable(row["id"], name, "", head, body, labelled)


def _draw_level(columns: Sequence[Sequence[str]], level: int, levels: int) -> Iterator[TableCell]:
    """Yield the cells of a level of the header: equal names below the same one are merged, short paths go down."""
    for path, own in groupby(columns, key=lambda column: column[: level + 1]):
        across = len(list(own))
        if len(path) == level + 1:
            is_last = all(len(column) == len(path) for column in columns if column[: level + 1] == path)
            yield TableCell(path[-1], across, levels - level if is_last else 1)
        elif not level:
            yield TableCell("", across, levels)


def read_hitab(checkout: Path) -> Iterator[HeaderQuestion]:
    """Yield the questions for one cell of the annotated workbooks."""
    for path in sorted((checkout / _SHEETS).glob("*.xlsx"), key=lambda path: int(path.stem)):
        book = load_workbook(path)
        sheet = _Sheet(book["original"])
        labelled = sheet.label_cells()
        title = sheet.text(1, 1).split("\n")[0]
        head, body = sheet.draw(range(sheet.first_row, sheet.body)), sheet.draw(range(sheet.body, sheet.end))
        table = HeaderTable(f"hitab/{path.stem}", f"statcan {path.stem}", title, head, body, list(labelled.values()))
        rows = list(book["labeling"].iter_rows(max_col=2, values_only=True))
        for (_, question), (_, formula), (name, aggregation) in zip(rows, rows[1:], rows[2:], strict=False):
            place = _PLACE.fullmatch(str(formula or ""))
            is_lookup = str(name).startswith("aggregation") and aggregation == "none" and question
            if is_lookup and place and (cell := labelled.get(place[1] + place[2])):
                yield HeaderQuestion(table, str(question), cell.text, [cell])


class _Sheet:
    """A worksheet with a title, a header of merged cells, indented rows, and annotations below."""

    first_row: Final = 3

    def __init__(self, sheet: Worksheet) -> None:
        self._sheet = sheet
        self._areas = {
            (row, column): (area.min_row, area.min_col, area.max_row, area.max_col)
            for area in sheet.merged_cells.ranges
            for row in range(area.min_row, area.max_row + 1)
            for column in range(area.min_col, area.max_col + 1)
        }
        rows = range(self.first_row, sheet.max_row + 1)
        self.end = next(row for row in rows if self.text(row, 1).startswith("table descriptive"))
        filled = [row for row in rows if row < self.end and any(map(str.strip, self._values(row, sheet.max_column)))]
        self.end = filled[-1] + 1
        self._width = max(
            column for row in filled for column in range(1, sheet.max_column + 1) if self.text(row, column)
        )
        self.body = next(row for row in filled if any(map(_is_figure, self._values(row, self._width)[1:])))
        while self.text(self.body - 1, 1) and not any(self._values(self.body - 1, self._width)[1:]):
            self.body -= 1

    def text(self, row: int, column: int) -> str:
        """Return the text of a cell, for a part of a merged cell that of the whole."""
        row, column, *_ = self._areas.get((row, column), (row, column))
        value = self._sheet.cell(row, column).value
        return "" if value is None else str(value).strip()

    def draw(self, rows: Iterable[int]) -> list[list[TableCell]]:
        """Return the cells of rows."""
        return [[cell for column in range(1, self._width + 1) for cell in self._draw_cell(row, column)] for row in rows]

    def _draw_cell(self, row: int, column: int) -> Iterator[TableCell]:
        top, left, bottom, right = self._areas.get((row, column), (row, column, row, column))
        if (row, column) == (max(top, self.first_row), left):
            across, down = min(right, self._width) - left + 1, min(bottom, self.end - 1) - row + 1
            yield TableCell(self.text(row, column), across, down, self._indent(row) if column == 1 else 0)

    def label_cells(self) -> dict[str, Labelled]:
        """Return the cells below the header, by place."""
        labelled: dict[str, Labelled] = {}
        groups: list[tuple[int, str]] = []
        unit = ""
        is_indented = any(map(self._indent, range(self.body, self.end)))
        for row in range(self.body, self.end):
            name, indent = self.text(row, 1), self._indent(row)
            groups = [one for one in groups if one[0] < indent or not (is_indented or self._is_group(row))]
            if self._is_group(row):
                groups += [(indent, name)] if name else []
                unit = next(filter(None, self._values(row, self._width)[1:]), unit)
                continue
            for column in range(2, self._width + 1):
                above = dict.fromkeys(self.text(top, column) for top in range(self.first_row, self.body))
                key = self._sheet.cell(row, column).coordinate
                names = [one for one in [*above, unit] if one]
                labelled[key] = Labelled(self.text(row, column), [*(one for _, one in groups), name], names)
        return labelled

    def _values(self, row: int, width: int) -> list[str]:
        return [self.text(row, column) for column in range(1, width + 1)]

    def _is_group(self, row: int) -> bool:
        """Return True for the name of a group of rows, or a unit over all columns."""
        values = set(self._values(row, self._width)[1:])
        return len(values) == 1 and not any(map(_is_figure, values)) and self._width > 2

    def _indent(self, row: int) -> int:
        return int(self._sheet.cell(row, 1).alignment.indent or 0)


def _is_figure(text: str) -> bool:
    return _FIGURE.fullmatch(text) is not None and not _YEAR.fullmatch(text)


def write_table(table: HeaderTable, folder: Path, *, browser: str) -> Path:
    """Write a table as a file of its format."""
    path = folder / table.filename
    if path.suffix == ".xlsx":
        _write_book(table, path)
    elif path.suffix == ".html":
        path.write_text(draw_page(table), encoding="utf-8")
    elif not path.exists():
        print_pdf(draw_page(table), path.absolute(), browser=browser)
    return path


def draw_page(table: HeaderTable) -> str:
    """Return a table as HTML, below its title."""
    head = "".join(f"<tr>{''.join(_draw_tag(cell, 'th') for cell in row)}</tr>" for row in table.head)
    body = "".join(f"<tr>{''.join(_draw_tag(cell, 'td') for cell in row)}</tr>" for row in table.body)
    title = f"<h1>{html.escape(table.caption)}</h1>" if table.caption else ""
    parts = f"<table><thead>{head}</thead><tbody>{body}</tbody></table>"
    return f"<meta charset=utf-8><title>{table.name}</title><style>{_STYLE}</style>{title}{parts}"


def _draw_tag(cell: TableCell, tag: str) -> str:
    spans = f" colspan={cell.across}" * (cell.across > 1) + f" rowspan={cell.down}" * (cell.down > 1)
    indent = f" style='padding-left:{8 + 12 * cell.indent}px'" if cell.indent else ""
    return f"<{tag}{spans}{indent}>{html.escape(cell.text)}</{tag}>"


def _write_book(table: HeaderTable, path: Path) -> None:
    book = Workbook()
    sheet = book.worksheets[0]
    top = 1
    if table.caption:
        sheet.cell(1, 1, table.caption)
        top = 3
    taken: set[tuple[int, int]] = set()
    for row, cells in enumerate([*table.head, *table.body], top):
        column = 1
        for cell in cells:
            while (row, column) in taken:
                column += 1
            _write_cell(sheet, row, column, cell)
            taken |= {(row + down, column + across) for down in range(cell.down) for across in range(cell.across)}
    book.save(path)


def _write_cell(sheet: Worksheet, row: int, column: int, cell: TableCell) -> None:
    """Write a cell, a figure as a number in its format."""
    written = sheet.cell(row, column, "".join(one for one in cell.text if one.isprintable()))
    if figure := _FIGURE.fullmatch(cell.text):
        written.value = float(cell.text.replace(",", "")) if figure[1] else int(cell.text.replace(",", ""))
        decimals = "." + "0" * (len(figure[1]) - 1) if figure[1] else ""
        written.number_format = ("#,##0" if "," in cell.text else "0") + decimals
    written.alignment = Alignment(indent=cell.indent)
    if cell.across > 1 or cell.down > 1:
        sheet.merge_cells(None, row, column, row + cell.down - 1, column + cell.across - 1)


async def ask(
    questions: Sequence[HeaderQuestion], files: Sequence[Path], address: ThrowawayDatabase, *, cache: Path
) -> list[dict[str, str]]:
    """Fill a library, and ask each question of its document."""
    rows: list[dict[str, str]] = []
    async with corpora.connect(address, cache, threads=2) as (database, provider):
        chunked = [await asyncio.to_thread(corpora.chunk_file, path, cache) for path in files]
        await corpora.fill(database, chunked, address, provider=provider, cache=cache)
        service = AnswerService(SearchEngine(database, CachedQueries(provider), SearchSettings()))
        for one in questions:
            name = one.table.filename
            request = AnswerRequest(question=one.question, documents=[name], save=False)
            answer = (await service.ask(request, SYSTEM_SCOPE)).data
            row = {"document": name, "half": one.table.half, "question": one.question, "label": one.answer}
            passages = " … ".join(source.snippet for source in answer.nearest)
            rows.append(
                {**row, "text": answer.answer, "closest": passages, **_judge(one, answer.outcome, answer.answer)}
            )
    return rows


def _judge(one: HeaderQuestion, outcome: str, text: str) -> dict[str, str]:
    """Return the outcome, and of a right answer which names it has."""
    if outcome != "answered":
        return {"outcome": outcome, "headed": ""}
    quoted = squeeze(text)
    right = [cell for cell in one.cells if squeeze(cell.text) in quoted and squeeze(cell.row[-1]) in quoted]
    is_headed = any(all(squeeze(name) in quoted for name in [*cell.row, *cell.column]) for cell in right)
    return {"outcome": "right" if right else "wrong", "headed": "headed" if is_headed else ""}


def report(rows: Sequence[dict[str, str]]) -> None:
    """Print the outcomes of each half and set, and those by format."""
    outcomes = ("right", "wrong", "closest_passages", "nothing_found")
    groups: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        name = "HiTab" if row["document"].startswith("statcan") else "AIT-QA"
        for group in (name, f"{name} {row['document'].rsplit('.', 1)[1]}"):
            groups[f"{row['half']} {group}"].update([row["outcome"], *filter(None, [row["headed"]])])
    for name, counted in sorted(groups.items()):
        total = sum(counted[one] for one in outcomes)
        counts = "  ".join(f"{one} {counted[one]:3d}" for one in (*outcomes, "headed"))
        print(f"{name:20s} {total:4d}  {counts}")


def main() -> None:
    """Write the tables and ask the questions."""
    parser = corpora.make_parser(__doc__)
    parser.add_argument("aitqa", type=Path)
    parser.add_argument("hitab", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--half", choices=("tuning", "frozen"))
    parser.add_argument("--rows", type=Path, help="file for the answers as JSON lines")
    parser.add_argument("--browser", default="chromium")
    arguments = parser.parse_args()
    questions = [*read_aitqa(arguments.aitqa), *read_hitab(arguments.hitab)]
    questions = [one for one in questions if arguments.half in {None, one.table.half}]
    arguments.out.mkdir(parents=True, exist_ok=True)
    tables = {one.table.key: one.table for one in questions}.values()
    files = [write_table(table, arguments.out, browser=arguments.browser) for table in tables]
    with fresh_library() as address:
        rows = asyncio.run(ask(questions, files, address, cache=arguments.cache))
    if arguments.rows:
        arguments.rows.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    report(rows)


if __name__ == "__main__":
    main()
