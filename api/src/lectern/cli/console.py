"""Output of the command line: results on standard output, notes on standard error."""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, is_dataclass
from itertools import chain, groupby, zip_longest
from typing import Any, Final

from pydantic import BaseModel
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

results = Console(highlight=False, soft_wrap=True)
notes = Console(stderr=True, highlight=False, soft_wrap=True)

SERVICE_STYLES: Final = {"lectern": "bold", "api": "cyan", "worker": "green", "mcp": "magenta"}
COLUMN_GAP: Final = "  "
KILOBYTE: Final = 1_000
MEGABYTE: Final = 1_000_000
DELIMITER_ROW: Final = re.compile(r"[-: ]*-[-: ]*")
UNINTERESTING: Final = ("time", "at")


def show_json(value: Any) -> None:  # noqa: ANN401 - whatever json can write
    """Print one JSON value on standard output, for scripts."""
    print(json.dumps(value, ensure_ascii=False, indent=2, default=_to_json))


def _to_json(value: object) -> object:
    """Convert what `json` does not know: models of Pydantic and dataclasses by their fields, anything else as text."""
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else str(value)


def show(value: Any, text: str | Callable[[], None], *, is_json: bool) -> None:  # noqa: ANN401 - whatever json can write
    """Print the value as JSON for scripts, or the text for people. A function prints its text itself."""
    if is_json:
        show_json(value)
    elif isinstance(text, str):
        results.print(text, markup=False)
    else:
        text()


def show_table(
    titles: Sequence[str], rows: Sequence[Sequence[str]], *, can_be_list: bool = False, empty: str = ""
) -> None:
    """Print columns as wide as their contents, or `empty` without rows.

    With `can_be_list`, a single row wider than the terminal is a list.
    """
    if empty and not rows:
        results.print(empty, markup=False)
        return
    widths = [max(map(len, column)) for column in zip(titles, *rows, strict=True)]
    if can_be_list and len(rows) == 1 and sum(widths) + len(COLUMN_GAP) * (len(widths) - 1) > results.width:
        longest = max(map(len, titles))
        for title, cell in zip(titles, rows[0], strict=True):
            results.print(Text.assemble((title.ljust(longest), "dim"), COLUMN_GAP, cell))
        return
    for number, row in enumerate((titles, *rows)):
        line = COLUMN_GAP.join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        results.print(Text(line, style="dim" if number == 0 else ""))


def show_passage(passage: Text, *, indent: str) -> None:
    """Print the lines of a passage with their styles, and neighbouring rows of tables as columns.

    A terminal gets lines that fit. Elsewhere each line and each row stays one line, for `grep`.
    """
    room = results.width - len(indent)
    for is_table, group in groupby(passage.split("\n"), key=_is_row):
        lines = list(group)
        for line in _layout_rows([_split_cells(line) for line in lines], room) if is_table else lines:
            wrapped = line.wrap(results, room) if results.is_terminal else (line,)
            for part in wrapped if line.plain.strip() else ():
                part.rstrip()
                results.print(Text.assemble(indent, part))


def _is_row(line: Text) -> bool:
    return "\t" in line.plain or line.plain.startswith("|")


def _split_cells(line: Text) -> list[Text]:
    """Return the cells of a row with tabs, or of a row in Markdown. A bar within a cell is escaped there."""
    if not line.plain.startswith("|"):
        return list(line.split("\t"))
    cells: list[Text] = []
    for piece in line[1:].split("|"):
        if cells and cells[-1].plain.endswith("\\"):
            cells[-1] = Text.assemble(cells[-1][:-1], "|", piece)
        else:
            cells.append(piece)
    return [cell[len(cell) - len(cell.plain.lstrip()) :] for cell in cells]


def _layout_rows(rows: list[list[Text]], room: int) -> Iterator[Text]:
    """Yield the lines of rows: as columns if they fit, otherwise with a bar between cells."""
    rows = [row for row in rows if not DELIMITER_ROW.fullmatch("".join(cell.plain for cell in row))]
    for cell in chain.from_iterable(rows):
        cell.rstrip()
    widths = _fit_widths(rows, room)
    for row in rows:
        if not widths:
            yield Text(" | ").join(row)
            continue
        parts = [cell.wrap(results, max(width, 1)) for cell, width in zip(row, widths, strict=False)]
        for cells in zip_longest(*parts, fillvalue=Text()):
            line = Text()
            for cell, width in zip(cells, widths, strict=False):
                cell.rstrip()
                line.append_text(cell).append(" " * (width - cell.cell_len) + COLUMN_GAP)
            line.rstrip()
            yield line


def _fit_widths(rows: list[list[Text]], room: int) -> list[int]:
    """Return the widths of columns. A terminal narrows the widest ones down to their longest word. Empty: none fit."""
    columns = [[cell for cell in column if cell] for column in zip_longest(*rows)]
    widths = [max((cell.cell_len for cell in column), default=0) for column in columns]
    words = [max((cell_len(word) for cell in column for word in cell.plain.split()), default=0) for column in columns]
    gaps = len(COLUMN_GAP) * (len(widths) - 1)
    if results.is_terminal and sum(words) + gaps <= room:
        while sum(widths) + gaps > room:
            widest = max((index for index, width in enumerate(widths) if width > words[index]), key=widths.__getitem__)
            widths[widest] -= 1
    return widths if sum(widths) + gaps <= room else []


def counted(number: int, noun: str) -> str:
    """Return a number and its noun, as `1 page` or `2 pages`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def format_size(size_bytes: int) -> str:
    """Return a size in its largest unit, as `0 bytes`, `12.3 KB` or `1,234.5 MB`."""
    if size_bytes < KILOBYTE:
        return counted(size_bytes, "byte")
    is_large = size_bytes >= MEGABYTE
    return f"{size_bytes / MEGABYTE:,.1f} MB" if is_large else f"{size_bytes / KILOBYTE:,.1f} KB"


def show_step(step: str) -> None:
    """Print a step of a long command on standard error."""
    notes.print(f"{step} ...", markup=False)


def show_error(message: str, *, hint: str | None) -> None:
    """Print an error on standard error in one line: the message, then the hint."""
    line = f"{message} {hint}" if hint else message
    notes.print(Text.assemble(("lectern: ", "bold red"), " ".join(line.split())))


def show_service_line(service: str, line: str) -> None:
    """Print a line of a service's log behind its name. JSON events become readable text."""
    notes.print(Text.assemble((f"{service:<7}| ", SERVICE_STYLES.get(service, "")), readable(line)))


def readable(line: str) -> str:
    """Return a JSON log event as `level logger message name=value`. Other lines stay as they are."""
    if not line.startswith("{"):
        return line
    try:
        event: dict[str, Any] = json.loads(line)
    except ValueError:
        return line
    head = [str(event.pop(name)) for name in ("level", "logger", "message") if name in event]
    rest = [f"{name}={value}" for name, value in event.items() if name not in UNINTERESTING and value not in ("", "-")]
    return " ".join([*head, *rest])
