"""Sentences, list items and table rows of a chunk, with the context they need (pure)."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

from lectern.answers.extractive.headers import ends_sentence, find_headers
from lectern.answers.extractive.procedures import join_steps
from lectern.answers.questions import drop_page_numbers
from lectern.answers.text_analysis import is_instruction, split_cells
from lectern.search.presentation.sentences import MAX_CHARACTERS, Span, find_label, split_sentences
from lectern.search.schemas import Hit

_MIN_CHARACTERS: Final = 12
_FIGURE: Final = re.compile(r"\d+(?:[.,]\d+)*")
_END: Final = re.compile(r"[.!?:;][\"”»')\]]*\s*$")
_INITIALS: Final = re.compile(r"\b(?:\w\.){2,}$")  # "S.r.l."
_QUESTION: Final = re.compile(r"\?[\"”»')\]*]*\s*$")
_WORD: Final = re.compile(r"\S*\w\S*")  # neither a bar nor the rule of a Markdown table
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_NOTE: Final = re.compile(r"\(\d{1,2}(?:,\s?\d{1,2})*\)$")  # the mark of a footnote
_LETTERS: Final = re.compile(r"(?:\|\s*[A-Z]{1,2}\s*)+\|?")  # what spreadsheets call columns without names
TABLE_RULE: Final = re.compile(r"[\s|:-]+")  # between the header of a Markdown table and its rows
_ITEM: Final = re.compile(r"\s*(?:[|•◦▪‣·*–—-]|\(?(?:\d{1,3}[.)]?|[a-zA-Z][.)])\s)")
_FIRST_VALUE: Final = re.compile(r"(?<![^\s|])[(\-−]?\d")  # "500 g" in "FV-102 Hammer 500 g"
_LEAD: Final = re.compile(r":\s*$")
_MIN_ROWS_WITH_HEADER: Final = 2
_NAME_AND_FIGURE: Final = 2  # cells
_MAX_HEADER_WORDS: Final = 12
_MAX_GROUP_WORDS: Final = 12
_MAX_QUESTION_WORDS: Final = 20


@dataclass(frozen=True, slots=True)
class SentenceInContext:
    """A sentence, list item or row, with the sentence before it or the header above it.

    `end` includes the list items that the sentence introduces ("on three things:"). `label` is that of an entry of a
    form, such as "Date of birth": it is a row with its label as name. `group` are the lines above a group of rows.
    """

    hit: Hit
    span: Span
    context: Span | None
    end: int
    label: str = ""
    group: Span | None = None

    @property
    def text(self) -> str:
        """The sentence itself."""
        return cut(self.hit, self.span)

    @property
    def is_row(self) -> bool:
        """True for a row of figures or an entry of a form."""
        return bool(self.label) or self.hit.content_type == "table" or _is_row(self.text)

    @property
    def has_columns(self) -> bool:
        """True for a row with bars or several figures: only a header says what each of them is.

        Below rows of cells, a line without a tab is prose.
        """
        is_prose = "\t" in self.hit.text and "\t" not in self.text and not self.text.startswith("|")
        if not self.is_row or self.label or is_prose:
            return False
        return self.text.startswith("|") or len(_FIGURE.findall(self.text)) > 1

    @property
    def row_name(self) -> str:
        """The label of an entry, the words of a row before its first value, or nothing for a sentence."""
        if self.label:
            return self.label
        is_sentence = not self.is_row or _END.search(self.text) is not None
        return "" if is_sentence else _FIRST_VALUE.split(self.text, maxsplit=1)[0]

    @property
    def has_lead(self) -> bool:
        """True if the context introduces a list: "For a full tank, choose one of these:"."""
        return _LEAD.search(self.context_text) is not None

    @property
    def context_text(self) -> str:
        """The text of the context, or nothing."""
        return cut(self.hit, self.context) if self.context else ""


def cut(hit: Hit, span: Span) -> str:
    """Return the text of a span."""
    return hit.text[span.start : span.end]


def list_sentences(hit: Hit, *, joins_steps: bool = False) -> Iterator[SentenceInContext]:
    """Yield the sentences that may answer.

    Short ones, questions, table headers, lines with the page number and instructions to a model are left out.

    A question of the document is the context of the sentence after it. `joins_steps` makes one sentence of numbered
    steps.
    """
    spans = [
        span
        for span in split_sentences(hit.text, content_type=hit.content_type, heading=hit.section_heading)
        if not (is_instruction(text := cut(hit, span)) or TABLE_RULE.fullmatch(text) or _has_page_number(text))
    ]
    if joins_steps:
        spans = join_steps(hit.text, spans)
    if hit.content_type == "table":
        sentences = [
            one
            for table in _split_at_rules(hit, spans)
            for is_prose, part in groupby(table, key=lambda span: _is_prose(hit, span))
            for one in (_with_context if is_prose else _with_header)(hit, list(part))
        ]
    else:
        sentences = [one for part in _split_at_forms(hit, spans) for one in part]
    entries = {one.span for one in sentences if one.label}
    headers = {row: one for row, one in find_headers(hit.text, spans).items() if row not in entries}
    names = {part for header in headers.values() for part in (header.columns, header.group) if part}
    rows = (SentenceInContext(hit, row, None, row.end) for row in headers.keys() - {one.span for one in sentences})
    for one in sorted([*sentences, *rows], key=lambda one: one.span.start):
        # a lead with the header of its table is no answer either
        is_name = any(part.start < one.end and one.span.start < part.end for part in names)
        if (one.label or (len(one.text) >= _MIN_CHARACTERS and not is_name)) and not is_question(one.text):
            header = headers.get(one.span)
            yield replace(one, context=header.columns, group=header.group) if header else one


def _has_page_number(text: str) -> bool:
    """Return True for a running head or foot, such as "Travel policy 2024, page 1 of 2"."""
    return drop_page_numbers(text) != text and not _END.search(text)


def _is_prose(hit: Hit, span: Span) -> bool:
    """Return True for a sentence above, below or between rows of cells."""
    text = cut(hit, span)
    return "\t" in hit.text and "\t" not in text and ends_sentence(text)


def is_question(text: str) -> bool:
    """Return True for a short sentence that ends with a question mark. In a long one, it is often a wrong character."""
    return _QUESTION.search(text) is not None and len(text.split()) <= _MAX_QUESTION_WORDS


def _split_at_forms(hit: Hit, spans: Sequence[Span]) -> Iterator[Iterable[SentenceInContext]]:
    """Yield the entries of each form below its title, and the sentences before, between and after them."""
    title: Span | None = None
    for is_form, part in groupby(zip(spans, _list_labels(hit, spans), strict=True), key=lambda pair: bool(pair[1])):
        if is_form:
            yield [SentenceInContext(hit, span, title, span.end, label) for span, label in part]
        else:
            between = [span for span, _ in part]
            above = cut(hit, between[-1])
            title = None if _END.search(above) and not _LEAD.search(above) else between[-1]
            yield _with_context(hit, between)


def _list_labels(hit: Hit, spans: Sequence[Span]) -> list[str]:
    """Return the label of each entry of a form, nothing for other sentences. A form has two entries or more."""
    labels = [
        "" if _END.search(text) and not _INITIALS.search(text) else find_label(text)
        for text in (cut(hit, span) for span in spans)
    ]
    return [
        label if before or after else ""
        for before, label, after in zip(["", *labels], labels, [*labels[1:], ""], strict=False)
    ]


def _with_context(hit: Hit, spans: Sequence[Span]) -> Iterator[SentenceInContext]:
    """Give rows the line without figures above them, list items their lead, other sentences the one before.

    A title, a label or a line above rows is no answer, even with the years of its columns. Nor is a lead without its
    list items.
    """
    before: Span | None = None
    header: Span | None = None
    lead: Span | None = None
    for place, span in enumerate(spans):
        text, following = cut(hit, span), spans[place + 1 :]
        is_row = _is_row(text) and not (following and _names_columns(text, cut(hit, following[0])))
        if lead and before is not lead and not (_is_item(text) or find_label(text)):
            lead = None
        is_title = not is_row and not _END.search(text)
        if _LEAD.search(text):
            lead = span
            if following:
                yield SentenceInContext(hit, span, before, _end_of_items(hit, span, following))
        elif not is_title or ((lead or _is_item(text)) and not (following and _is_row(cut(hit, following[0])))):
            yield SentenceInContext(hit, span, (header or lead) if is_row else (lead or before), span.end)
        if is_title:
            header = Span(before.start, span.end) if before and before is lead else span
        elif not is_row:
            header = None
        before = None if text.startswith("|") else span  # a table row introduces no sentence


def _end_of_items(hit: Hit, lead: Span, following: Sequence[Span]) -> int:
    """Return where the quotable list items after a lead end. The first of them need not look like one."""
    end = lead.end
    for place, span in enumerate(following):
        is_item = not place or _is_item(cut(hit, span))
        if not is_item or span.end - lead.start > MAX_CHARACTERS:
            break
        end = span.end
    return end


def _is_item(text: str) -> bool:
    return _is_row(text) or _ITEM.match(text) is not None


def _is_row(text: str) -> bool:
    """Return True for a line with figures that does not end as a sentence does."""
    return _FIGURE.search(_NOTE.sub("", text)) is not None and not _END.search(text)


def _names_columns(text: str, below: str) -> bool:
    """Return True for a line with the years of columns, as "Employees 2025 2024" above "Shops 2,604 2,496"."""
    several = len(_FIGURE.findall(text)) > 1
    return several and _has_only_years(text) and _is_row(below) and not _has_only_years(below)


def _has_only_years(text: str) -> bool:
    figures = _FIGURE.findall(text)
    return bool(figures) and all(map(_YEAR.fullmatch, figures))


def _has_rule(text: str) -> bool:
    """Return True for the first row of a Markdown table, with the rule below it."""
    return any(line.startswith("|") and TABLE_RULE.fullmatch(line) for line in text.split("\n"))


def _split_at_rules(hit: Hit, rows: Sequence[Span]) -> list[list[Span]]:
    """Split the rows of a chunk into its tables: one begins with each row above a rule."""
    tables: list[list[Span]] = [[]]
    for row in rows:
        if _has_rule(cut(hit, row)) and tables[-1]:
            tables.append([])
        tables[-1].append(row)
    return tables


def _with_header(hit: Hit, rows: Sequence[Span]) -> Iterator[SentenceInContext]:
    """Give rows their header, and the names of their group: rows whose other cells are empty. These are no answer."""
    header = _find_header(hit, rows)
    group: Span | None = None
    is_below_name = False
    for row, label, following in zip(rows, _list_labels(hit, rows), [*rows[1:], None], strict=True):
        if row == header:
            continue
        if following and _is_group_name(cut(hit, row)):
            group = Span(group.start if group and is_below_name else row.start, row.end)
            is_below_name = True
        else:
            yield SentenceInContext(hit, row, header, row.end, label, group)
            is_below_name = False


def _is_group_name(row: str) -> bool:
    """Return True for a row of a Markdown table with one short cell among empty ones."""
    cells = split_cells(row)
    filled = [cell for cell in cells if cell]
    return len(filled) == 1 < len(cells) and not ends_sentence(filled[0]) and len(filled[0].split()) <= _MAX_GROUP_WORDS


def _find_header(hit: Hit, rows: Sequence[Span]) -> Span | None:
    """Return the row above a rule, or else the row before the first one with figures.

    It may have figures itself if these are years. Without any figures it is the first of many rows.
    A long line without a rule is no header.
    """
    if rows and _has_rule(top := cut(hit, rows[0])):
        if _is_named_figure(top):
            return None
        if not _LETTERS.fullmatch(top.split("\n", 1)[0].strip()):
            return rows[0]
        rows = rows[1:]
    header = rows[0] if len(rows) > _MIN_ROWS_WITH_HEADER else None
    for before, row, below in zip([None, *rows], rows, [*rows[1:], None], strict=False):
        if _FIGURE.search(cut(hit, row)):
            header = row if below and _has_only_years(cut(hit, row)) else before
            break
    return header if header and len(_WORD.findall(cut(hit, header))) <= _MAX_HEADER_WORDS else None


def _is_named_figure(text: str) -> bool:
    """Return True for "| Deposit | EUR 500 |", the first row of a table that has no header."""
    cells = split_cells(text.split("\n", 1)[0])
    return len(cells) == _NAME_AND_FIGURE and _FIGURE.search(cells[1]) is not None and not _has_only_years(cells[1])
