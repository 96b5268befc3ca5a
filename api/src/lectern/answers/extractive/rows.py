"""Rows of tables that a question looks up by the name of a cell, or that it compares (pure)."""

import re
from collections.abc import Iterable
from typing import Final

from lectern.answers.extractive.sentences import SentenceInContext
from lectern.answers.questions import Question, asks_for_order, has_unit
from lectern.answers.text_analysis import content_words, split_cells
from lectern.search.query.question import fold

_WORD: Final = re.compile(r"[^\W_]+")
_YEAR: Final = re.compile(r"(?:1\d|20)\d\d")
_MIN_LETTERS: Final = 3


def find_looked_up_row(question: Question, sentences: Iterable[SentenceInContext]) -> str | None:
    """Return the text of the only row with a cell that the question names, if it names another column too.

    "How many laps did Ann Lee complete?" looks up "Laps" in the row of "Ann Lee". Of rows with several such cells, the
    one with most is meant.
    """
    asked = _join_words(question.text)
    named: dict[str, int] = {}
    columns: dict[str, bool] = {}
    for one in sentences:
        cells = [_join_words(cell) for cell in split_cells(one.text)]
        places = {place for place, cell in enumerate(cells) if _is_name(cell) and cell in asked}
        if places:
            named[one.text] = len(places)
            columns[one.text] = _names_column(question, one, without=places)
    most = [text for text, count in named.items() if count == max(named.values())]
    return most[0] if len(most) == 1 and columns[most[0]] else None


def needs_other_rows(question: Question, row: SentenceInContext) -> bool:
    """Return True if the question asks for the highest, the next or another row, and this one does not say so."""
    headings = row.hit.section_heading or ""
    return row.has_columns and asks_for_order(question.text, f"{headings} {row.context_text} {row.text}")


def _join_words(text: str) -> str:
    """Return the folded words of a text, with a space around each."""
    return f" {' '.join(map(fold, _WORD.findall(text)))} "


def _is_name(cell: str) -> bool:
    return sum(map(str.isalpha, cell)) >= _MIN_LETTERS or _YEAR.fullmatch(cell.strip()) is not None


def _names_column(question: Question, row: SentenceInContext, *, without: Iterable[int]) -> bool:
    """Return True if the question asks for the column of another cell than these, by a word of it or its unit."""
    header = split_cells(row.context_text.split("\n", 1)[0])
    others = " ".join(cell for place, cell in enumerate(header) if place not in without)
    return has_unit(question.kind, others) or not set(question.words).isdisjoint(content_words(others))
