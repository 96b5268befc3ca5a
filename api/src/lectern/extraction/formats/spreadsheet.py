"""Tables of XLSX, ODS and CSV: headers, column types, and columns that sheets share."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, zip_longest

from lectern.extraction.formats.page_builder import PageBuilder, join_names
from lectern.extraction.patterns import any_of, load_patterns

Row = Sequence[str]

_HEADER_WITHIN_ROWS = 10
_MAX_LEVELS = 6
_UNIQUENESS, _NAMES, _COVERAGE = 0.5, 0.3, 0.2
_NEARLY_BEST = 0.05
_MIN_NAME_SHARE = 0.5
_MIN_CELLS = 2
_MOSTLY = 0.8
_SAMPLE_ROWS = 2_000
_NOTED_COLUMNS = 30
_MAX_NAME_CHARACTERS = 60
_ALPHABET = 26

_NUMBER = re.compile(r"[(+\-−]?\s*[€$£¥]?\s*[+\-−]?\d[\d.,'’\u00a0 ]*(?:[eE][+-]?\d+)?\s*[%€$£¥¢)]{0,2}")
_NIL = re.compile(r"[€$£¥]\s*[—–-]+|[—–-]+\s*[%¢]")
_DATE = re.compile(
    r"\d{4}-\d{1,2}-\d{1,2}(?:[ T]\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?)?|\d{1,2}[./-]\d{1,2}[./-](?:\d{4}|\d\d)"
)
_YEAR = re.compile(r"(?:19|20)\d\d")
_NAME = re.compile(r"[\w#%]")
_SHEET_NAME = re.compile(any_of("sheet_names"), re.IGNORECASE)
_BOOLEANS = frozenset(load_patterns()["booleans"])


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its name, the type of most cells (`number date boolean text empty`), the share of filled cells."""

    name: str
    kind: str
    density: float


@dataclass(frozen=True, slots=True)
class Block:
    """A table with the lines of text above it and its header, if any."""

    above: list[Row]
    header: Row | None
    rows: list[Row]


def join_header_levels(rows: Sequence[Row], widths: Mapping[int, Mapping[int, int]]) -> list[Row]:
    """Make one row of each header of several levels: it begins with a row of cells that are merged across.

    `widths` are the columns that merged cells span, by row and column. A merged cell is above each of its columns.
    Below values, up to a blank row, merged cells are no header.
    """
    joined: list[Row] = []
    position = 0
    is_below_values = False
    while position < len(rows):
        is_below_values = bool(rows[position]) and (is_below_values or _has_value(rows[position]))
        end = position if is_below_values else _end_of_header(rows, position, widths)
        levels = [_spread(rows[number], widths.get(number, {})) for number in range(position, end)]
        if levels:
            joined.append([join_names(column) for column in zip_longest(*levels, fillvalue="")])
        else:
            joined.append(rows[position])
        position = max(end, position + 1)
    return joined


def _end_of_header(rows: Sequence[Row], first: int, widths: Mapping[int, Mapping[int, int]]) -> int:
    """Return the end of the header that begins at `first`, at most six rows below, or `first` if there is none.

    Below its merged cells are names without a row name, or one row of names. Values are below it.
    """
    above, below = rows[first], rows[first + 1 : first + 2]
    is_above = bool(below) and _is_level(below[0], widths.get(first + 1, {})) and not _has_value(above)
    if not _is_level(above, widths.get(first, {})) and not (is_above and _width(above[1:]) > 1):
        return first
    end = first + 1
    while end < len(rows) and not _has_value(rows[end]):
        row = rows[end]
        has_name = bool(row) and row[0].strip() not in {"", rows[first][0].strip() if rows[first] else ""}
        is_below = _is_level(rows[end - 1], widths.get(end - 1, {}))
        if not row or not any(row[1:]) or (has_name and not is_below) or end - first > _MAX_LEVELS:
            break
        end += 1
    return end if end < len(rows) and rows[end] else first


def _is_level(row: Row, widths: Mapping[int, int]) -> bool:
    """Return whether a row has names over several columns. One name over all of them is a title."""
    spans = [column for column, width in widths.items() if width > 1 and column < len(row) and row[column].strip()]
    return bool(spans) and not _has_value(row) and (max(spans) > 0 or _width(row) > 1)


def _has_value(row: Row) -> bool:
    """Return whether a cell behind the first is a number, a date or a boolean, but no year."""
    return any(kind_of(cell) in {"number", "date", "boolean"} and not _YEAR.fullmatch(cell.strip()) for cell in row[1:])


def _spread(row: Row, widths: Mapping[int, int]) -> list[str]:
    """Return a row with the text of each merged cell in all its columns."""
    cells = list(row)
    for column, width in widths.items():
        if width > 1 and column < len(row):
            cells.extend([""] * (column + width - len(cells)))
            cells[column : column + width] = [row[column]] * width
    return cells


def header_score(row: Row, below: Sequence[Row] = (), *, width: int) -> float:
    """Score a row as a header: uniqueness x 0.5 + share of names x 0.3 + coverage x 0.2 (0..1)."""
    filled = [cell.strip() for cell in row if cell.strip()]
    if not filled or not width:
        return 0.0
    return (
        _UNIQUENESS * len({cell.casefold() for cell in filled}) / len(filled)
        + _NAMES * len(_find_names(row, below)) / len(filled)
        + _COVERAGE * min(1.0, len(filled) / width)
    )


def find_header(rows: Sequence[Row]) -> int | None:
    """Return the position of the header among the first ten rows: the first that scores nearly best.

    A header has at least two cells, half of them names, and a row below it. Full of names, even of equal ones, it is
    preferred to rows with values.
    """
    width = max((_width(row) for row in rows), default=0)
    scores: dict[int, float] = {}
    for position, row in enumerate(rows[: min(_HEADER_WITHIN_ROWS, max(0, len(rows) - 1))]):
        filled = [cell for cell in row if cell.strip()]
        below = rows[position + 1 : position + 1 + _HEADER_WITHIN_ROWS]
        if len(filled) >= min(_MIN_CELLS, width) and len(_find_names(row, below)) >= _MIN_NAME_SHARE * len(filled):
            scores[position] = header_score(row, below, width=width)
    if not scores:
        return None
    best = max(scores.values())
    position = next(position for position, score in scores.items() if score >= best - _NEARLY_BEST)
    first = next(iter(scores))
    is_headed = _has_only_names(rows[first], width=width) and not _has_only_names(rows[position], width=width)
    return first if is_headed else position


def _has_only_names(row: Row, *, width: int) -> bool:
    return sum(kind_of(cell) == "text" for cell in row) == width


def _find_names(row: Row, below: Sequence[Row]) -> set[int]:
    """Return the positions that can name a column: text, and years in a sequence above other values."""
    names = {number for number, cell in enumerate(row) if kind_of(cell) == "text" and _NAME.search(cell)}
    years = {number: int(cell) for number, cell in enumerate(row) if _YEAR.fullmatch(cell.strip())}
    steps = {later - earlier for earlier, later in pairwise(years.values())}
    if steps not in ({1}, {-1}):
        return names
    values = (other[number].strip() for other in below for number in years if number < len(other))
    return names if any(map(_YEAR.fullmatch, values)) else names | years.keys()


def split_blocks(rows: Sequence[Row]) -> Iterator[Block]:
    """Split tables at blank rows that are followed by a header."""
    pieces = list(_pieces(rows))
    current: list[Row] = []
    for piece in pieces:
        if current and _brings_header(piece):
            yield _block(current)
            current = []
        current.extend(piece)
    if current:
        yield _block(current)


def analyse_columns(header: Row | None, rows: Sequence[Row]) -> tuple[Column, ...]:
    """Analyse every column by the first 2,000 rows. Columns without a name are A, B, C."""
    width = max([len(header or ()), *(len(row) for row in rows[:_SAMPLE_ROWS])], default=0)
    columns: list[Column] = []
    sample = rows[:_SAMPLE_ROWS]
    for number in range(width):
        cells = [row[number].strip() for row in sample if number < len(row) and row[number].strip()]
        name = header[number].strip() if header and number < len(header) else ""
        if not cells and not name:
            continue
        kinds = Counter(map(kind_of, cells))
        kind, count = kinds.most_common(1)[0] if kinds else ("empty", 0)
        kind = kind if count >= _MOSTLY * len(cells) else "text"
        columns.append(Column(name or column_letters(number), kind, len(cells) / len(sample) if sample else 0.0))
    return tuple(columns)


def common_columns(sheets: Sequence[Sequence[Column]]) -> tuple[str, ...]:
    """Return the names of the columns that all sheets share, in the order of the first; none for a single sheet."""
    if len(sheets) < _MIN_CELLS:
        return ()
    shared = {column.name.casefold() for column in sheets[0]}
    for sheet in sheets[1:]:
        shared &= {column.name.casefold() for column in sheet}
    return tuple(dict.fromkeys(column.name for column in sheets[0] if column.name.casefold() in shared))


def describe_columns(columns: Sequence[Column]) -> str:
    """Return a sentence such as `Columns: Date (date), Amount (number, 98 % filled)` for the page ledger."""
    described = [
        f"{' '.join(column.name.split())[:_MAX_NAME_CHARACTERS]} ({column.kind}"
        f"{'' if column.density >= 0.995 else f', {column.density:.0%} filled'.replace('%', ' %')})"  # noqa: PLR2004 - shown as 100 %
        for column in columns[:_NOTED_COLUMNS]
    ]
    rest = len(columns) - len(described)
    return f"Columns: {', '.join(described)}{f' and {rest} more' if rest > 0 else ''}." if described else ""


def add_tables(pages: PageBuilder, rows: Sequence[Row]) -> tuple[Column, ...]:
    """Add the tables of a sheet, and note and return the columns of the largest."""
    largest: tuple[Column, ...] = ()
    most = -1
    for block in split_blocks(rows):
        for line in block.above:
            pages.paragraph(" ".join(cell.strip() for cell in line if cell.strip()))
        if not block.rows and block.header is None:
            continue
        columns = analyse_columns(block.header, block.rows)
        if len(block.rows) > most:
            largest, most = columns, len(block.rows)
        width = max(len(block.header or ()), *(len(row) for row in block.rows))
        header = block.header or [column_letters(number) for number in range(width)]
        pages.table([header, *block.rows])
    if largest:
        pages.note(describe_columns(largest))
    return largest


def described_columns(sheets: Mapping[str, Sequence[Column]]) -> dict[str, str]:
    """Return the columns of each sheet, and those that all sheets share, as JSON."""
    analysed = {name: columns for name, columns in sheets.items() if columns}
    described = {
        name: [{"name": column.name, "type": column.kind, "density": round(column.density, 3)} for column in columns]
        for name, columns in analysed.items()
    }
    result = {"columns": json.dumps(described, ensure_ascii=False)} if described else {}
    shared = common_columns(list(analysed.values()))
    return result | ({"common_columns": json.dumps(shared, ensure_ascii=False)} if shared else {})


def is_placeholder(name: str) -> bool:
    """Return whether a program gave a sheet its name, such as "Sheet1"."""
    return _SHEET_NAME.fullmatch(name.strip()) is not None


def kind_of(cell: str) -> str:
    """Return `number`, `date`, `boolean`, `text` or `empty`."""
    text = cell.strip()
    if not text:
        return "empty"
    if text[0] in "0123456789+-−–—(€$£¥" and len(text) <= _MAX_NAME_CHARACTERS:
        if _DATE.fullmatch(text):
            return "date"
        if _NUMBER.fullmatch(text) or _NIL.fullmatch(text):
            return "number"
    return "boolean" if text.casefold() in _BOOLEANS else "text"


def column_letters(number: int) -> str:
    """Return the name of a column: 0 is A, 26 is AA."""
    letters = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, _ALPHABET)
        letters = chr(ord("A") + rest) + letters
    return letters


def _width(row: Row) -> int:
    return sum(1 for cell in row if cell.strip())


def _pieces(rows: Sequence[Row]) -> Iterator[list[Row]]:
    piece: list[Row] = []
    for row in rows:
        if any(cell.strip() for cell in row):
            piece.append(row)
        elif piece:
            yield piece
            piece = []
    if piece:
        yield piece


def _brings_header(piece: Sequence[Row]) -> bool:
    """Return whether rows after a blank one begin a new table: column names above values."""
    position = find_header(piece[:_HEADER_WITHIN_ROWS])
    if position is None:
        return False
    header, below = piece[position], piece[position + 1]
    names = _find_names(header, [below]) - {0}
    return any(kind_of(below[number]) in {"number", "date"} for number in names if number < len(below))


def _block(rows: Sequence[Row]) -> Block:
    position = find_header(rows)
    if position is None:
        is_text = all(_width(row) < _MIN_CELLS for row in rows)
        return Block(list(rows), None, []) if is_text else Block([], None, list(rows))
    first = position
    while first and _is_upper_level(rows[first - 1]):
        first -= 1
    header = [join_names(column) for column in zip_longest(*rows[first : position + 1], fillvalue="")]
    return Block(list(rows[:first]), header, list(rows[position + 1 :]))


def _is_upper_level(row: Row) -> bool:
    """Return whether a row above a header has names or years of several columns, and no name of a row."""
    return bool(row) and not row[0].strip() and _width(row) > 1 and not _has_value(row)
