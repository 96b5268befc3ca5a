"""Split chunks into sentences, list entries or table rows (pure)."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from operator import itemgetter
from typing import Final

_GERMAN_DATE: Final = (  # "6. März"
    r"(?:(?<=\D\d\.\s)|(?<=\D\d\d\.\s))(?:Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)\b"
)
_END: Final = re.compile(
    rf"(?<=[.!?])[\"”»')\]]*\s+(?!{_GERMAN_DATE})(?=[\"“«(\[]?[A-ZÀ-ÖØ-Þ0-9]|<\||\[\w+[\] ])|\n\s*\n"
)
_ABBREVIATION: Final = re.compile(
    r"(?:\b(?:art|artt|no|nr|n|pag|pagg|p|pp|cfr|es|ecc|dott|sig|mr|mrs|ms|dr|prof|inc|corp|ltd|co|vs|fig|tab|cap|sez"
    r"|sec|vol|ed|al|tel|e\.g|i\.e|approx|ca|st|u\.s|s\.p\.a|s\.r\.l|avv"
    r"|mio|mrd|abs|ziff|bzw|inkl|exkl|zzgl|ggf|evtl|pág|núm|sr|sra)|\b[A-Z])\.$",
    re.IGNORECASE,
)
_GERMAN_ORDINAL: Final = re.compile(  # "im 3. Quartal", "19. und 20. Jahrhundert"
    r"\b(?:am|beim|das|dem|den|der|des|die|im|ins|jede[mnrs]?|vom|zum|zur|\d{1,2}\.\s(?:bis|oder|und))\s\d{1,2}\.$",
    re.IGNORECASE,
)
_LONGEST_ABBREVIATION: Final = 12
_SHORT_LINE: Final = 0.6  # of the longest line: a new paragraph follows
_FULL_LINE: Final = 0.8  # of the longest line: the line may be wrapped
_MIN_WORDS_OF_PROSE: Final = 8  # in a line between rows of cells
_MARK: Final = re.compile(r"\s*(?:[•◦▪‣·*–—-]|\(?(?:\d{1,3}|[a-zA-Z])[.)])\s")
_NUMBER_AT_LINE: Final = re.compile(r"(?:^|\n)[^\S\n]*\(?(?:\d{1,3}|[a-zA-Z])[.)]$")
_NUMBERED: Final = re.compile(r"[^\S\n]*\(?\d{1,3}[.)][^\S\n]+[A-ZÀ-ÖØ-Þ]")
_LABEL: Final = re.compile(  # "Date of birth: 3 May", "- **Owner:** Ada", or the first of two cells
    r"[^\S\n]*(?:(?:-[^\S\n]+)?\*\*)?([^\W\d_][^\n\t:.!?*]{0,39})"
    r"(?:(?:\*\*)?:(?:\*\*)?[^\S\n]+\S[^\n\t]*|:?\t[^\n\t]+)(?:\n|$)"
)
_WORD: Final = re.compile(r"\w")
_ENDS_OF_NUMBERS: Final = (".", ")", "•")  # of items, before a tab
_MAX_ENTRY_LINES: Final = 2  # of a form: its value may wrap once
_LETTER: Final = re.compile(r"[^\W\d_]")
_DIGIT: Final = re.compile(r"\d")
_UNFINISHED: Final = re.compile(r"[^\W\d_]-?$")
_CELL: Final = "|"  # in Markdown tables
_RULE: Final = re.compile(r"[\s|:-]+")  # below the header of a Markdown table
MAX_CHARACTERS: Final = 600


@dataclass(frozen=True, slots=True)
class Span:
    """A range of characters of a text."""

    start: int
    end: int


def split_sentences(
    text: str, *, content_type: str, heading: str | None = None, line_length: int | None = None
) -> list[Span]:
    """Split a text into sentences, a list into the sentences of its entries, a table into rows.

    Args:
        text: A chunk, or a part of it.
        content_type: The chunk's content type.
        heading: A heading that is left out at the beginning.
        line_length: The longest line of the chunk: a line that is much shorter is not wrapped. Default: of the text.
    """
    start = len(heading) if heading and text.startswith(heading) else 0
    longest = line_length or longest_line(text[start:])
    if content_type == "table":
        parts = _rows_and_prose(text, start, longest=longest)
    elif content_type == "list":
        entries = _entries(text, start, longest=longest, is_table=False)
        parts = (part for entry in entries for part in _sentences_of_entry(text, entry))
    else:
        parts = _sentences(text, start, longest=longest)
    return [trimmed for part in parts for trimmed in _trimmed(text, part)]


def find_label(text: str) -> str:
    """Return the label of a text such as "Date of birth: 3 May", or nothing."""
    label = _LABEL.match(text)
    return label[1] if label else ""


def longest_line(text: str) -> int:
    """Return the number of characters of the longest line."""
    return max(map(len, text.split("\n")))


def _rows_and_prose(text: str, start: int, *, longest: int) -> Iterator[Span]:
    """Split a table into rows, and the prose before, between and after rows of cells into sentences."""
    position = start
    for is_prose, lines in groupby(_mark_prose(text[start:].split("\n"), longest=longest), key=itemgetter(0)):
        end = min(position + sum(len(line) + 1 for _, line in lines), len(text))
        if is_prose:
            yield from _sentences(text[:end], position, longest=longest)
        else:
            yield from _entries(text[:end], position, longest=longest, is_table=True)
        position = end


def _mark_prose(lines: Sequence[str], *, longest: int) -> Iterator[tuple[bool, str]]:
    """Mark lines without cells, if there are rows of cells too and one of the lines is full of words."""
    has_cells = any("\t" in line for line in lines)
    for is_row, group in groupby(lines, key=lambda line: "\t" in line):
        run = list(group)
        is_prose = has_cells and not is_row and any(_is_full(line, longest=longest) for line in run)
        yield from ((is_prose, line) for line in run)


def _is_full(line: str, *, longest: int) -> bool:
    """Return true for a full line of many words."""
    return len(line) >= _FULL_LINE * longest and len(line.split()) >= _MIN_WORDS_OF_PROSE


def _entries(text: str, start: int, *, longest: int, is_table: bool) -> Iterator[Span]:
    """Split into rows or entries. A wrapped line belongs to the line before."""
    lines = text[start:].split("\n")
    left = position = start
    for line, following in pairwise([*lines, ""]):
        position += len(line) + 1
        if not _goes_on(line, following, longest=longest, is_table=is_table):
            yield Span(left, position - 1)
            left = position


def _goes_on(line: str, following: str, *, longest: int, is_table: bool) -> bool:
    """Return true if a line is wrapped and continues on the next.

    Its last word does not end a sentence, and the next line begins in lower case or (in a list) this line is full. Or
    only numbers follow a line without a number at its end, as the price of an item that takes two lines.
    """
    if not line.strip() or not following.strip() or _MARK.match(following):
        return False
    if following.startswith(_CELL):
        return _RULE.fullmatch(following) is not None
    last_word = line.rstrip().rsplit(maxsplit=1)[-1]
    if last_word.endswith(","):
        return len(line) >= _SHORT_LINE * longest
    if not _LETTER.search(following):
        return not _DIGIT.search(last_word)
    if not _UNFINISHED.search(last_word):
        return False
    if following.lstrip()[0].islower():
        return True
    return not is_table and last_word[0].islower() and len(line) >= _FULL_LINE * longest


def _sentences_of_entry(text: str, entry: Span) -> Iterator[Span]:
    """Split an entry into sentences. A single line without a bullet stays whole: a row of names or prices."""
    inside = text[entry.start : entry.end]
    mark = _MARK.match(inside)
    left = entry.start
    if mark or "\n" in inside.strip():
        for match in _END.finditer(inside, mark.end() if mark else 0):
            if not _is_abbreviation(inside, match.start()):
                yield Span(left, entry.start + match.end())
                left = entry.start + match.end()
    yield Span(left, entry.end)


def _sentences(text: str, start: int, *, longest: int) -> Iterator[Span]:
    left = start
    for edge in _edges(text, start, longest=longest):
        yield Span(left, edge)
        left = edge
    yield Span(left, len(text))


def _edges(text: str, start: int, *, longest: int) -> Iterator[int]:
    """Return the ends of sentences, and of headings, list entries, rows and the entries of forms."""
    ends = {match.end() for match in _END.finditer(text, start) if not _is_abbreviation(text, match.start())}
    ends.update(_entries_of_forms(text, start))
    position = start
    for line in text[start:].split("\n"):
        end = position + len(line) + 1
        following = text[end : end + 2].lstrip('•-–*"“«(')
        is_new = following[:1].isupper() or following[:1].isdigit()
        is_short = len(line) < _SHORT_LINE * longest or _is_row(line)
        if line.startswith(_CELL):
            ends.difference_update(range(position + 1, end))
        is_row = line.startswith(_CELL) or following.startswith(_CELL)
        if end < len(text) and (is_row or (is_short and is_new) or _NUMBERED.match(text, end)):
            ends.add(end)
        position = end
    yield from sorted(ends)


def _entries_of_forms(text: str, start: int) -> Iterator[int]:
    """Return where entries of forms begin: lines "Label: value" below each other, or with one line between them."""
    labelled: list[tuple[int, int]] = []
    position = start
    for number, line in enumerate(text[start:].split("\n")):
        if find_label(line) or _is_row(line):
            labelled.append((number, position))
        position += len(line) + 1
    for (number, begin), (next_number, next_begin) in pairwise(labelled):
        if next_number - number <= _MAX_ENTRY_LINES:
            yield from (begin, next_begin)


def _is_row(line: str) -> bool:
    """Return True for a line of two cells or more, unless the first is the number of an item."""
    first, tab, _ = line.partition("\t")
    return bool(tab) and not first.endswith(_ENDS_OF_NUMBERS) and _WORD.search(first) is not None


def _is_abbreviation(text: str, end: int) -> bool:
    """Return True if the full stop before `end` belongs to an abbreviation, an ordinal or a line number."""
    before = text[max(0, end - _LONGEST_ABBREVIATION) : end]
    return any(pattern.search(before) for pattern in (_ABBREVIATION, _GERMAN_ORDINAL, _NUMBER_AT_LINE))


def _trimmed(text: str, span: Span) -> Iterator[Span]:
    inner = text[span.start : span.end]
    start = span.start + len(inner) - len(inner.lstrip())
    end = span.start + len(inner.rstrip())
    while end - start > MAX_CHARACTERS:
        cut = max(text.rfind(" ", start, start + MAX_CHARACTERS), text.rfind("\n", start, start + MAX_CHARACTERS))
        cut = cut if cut > start else start + MAX_CHARACTERS
        yield Span(start, cut)
        start = cut + 1
    if end > start:
        yield Span(start, end)
