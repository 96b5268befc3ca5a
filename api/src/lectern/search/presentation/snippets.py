"""Choose the snippet of a chunk, mark its matched words and locate it on its pages (pure)."""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from lectern.search.presentation.sentences import Span, longest_line, split_sentences

MAX_CHARACTERS: Final = 360
# A word or number with its separators, as in lectern_extract_numeric_terms and lectern_extract_words.
_WORD: Final = re.compile(r"\w+(?:[-/.,_]\w+)*%?")
# Each match begins with one set of characters: two alternatives would be tried at every character.
_SENTENCE_END: Final = re.compile(r"[.!?;:\n](?:(?<!\n)\s+|(?<=\n)\s*\n)")
_LINE_END: Final = re.compile(r"\n+")
_ROW: Final = re.compile(r"^(?:\|.*|[^\n\t]*\t.*)\n*", re.MULTILINE)
_WHITE_SPACE: Final = " \n\t"
_PARTS: Final = re.compile(r"[^\W_]+")
_NUMBER: Final = re.compile(r"(?:\d{1,3}(?:[.,]\d{3})+(?:[.,]\d+)?|\d+(?:[.,]\d+)?)%?")  # "4.2" is one term


@dataclass(frozen=True, slots=True)
class Snippet:
    """Character offsets in the chunk; `matches` are offsets in the snippet.

    `sentence` is the sentence that the snippet is centered on, or the one with most of the query's weight.
    """

    start: int
    end: int
    matches: tuple[tuple[int, int], ...]
    sentence: Span | None = None


@dataclass(frozen=True, slots=True)
class PageText:
    """A page's text and its start in the document's text."""

    page_number: int
    char_start: int
    text: str


@dataclass(frozen=True, slots=True)
class PageSpan:
    """A range of a page's text."""

    page_number: int
    start: int
    end: int


def list_words(text: str, terms: Collection[str]) -> set[str]:
    """Return words of a chunk that may be indexed as one of the terms, by their first two letters."""
    if not terms:
        return set()
    beginnings = {term[:2] for term in terms}
    tokens = set(text.split())
    words = set(filter(str.isalnum, tokens))
    rest = set(_WORD.findall(" ".join(tokens - words)))
    words |= rest
    words.update(_PARTS.findall(" ".join(word for word in rest if not word.isalnum())))
    return {word for word in words if _BEGINNINGS[word[:2]] in beginnings}


def make_snippet(
    text: str,
    matching: Mapping[str, Collection[str]],
    *,
    weights: Mapping[str, float],
    content_type: str,
    around: Span | None = None,
) -> Snippet:
    """Choose the sentences (or table rows) with most of the query's weight; without matches, the beginning.

    Args:
        text: The chunk.
        matching: The terms of each matched word.
        weights: The weight of each term.
        content_type: The chunk's content type.
        around: A sentence that the snippet must contain.
    """
    found = _find_matches(text, matching) if matching else []
    start, end = _best_window(_units(text, content_type=content_type), found, weights, around=around)
    first = around.start if around else next((f[0] for f in found if start <= f[0] < end), start)
    start, end = _trimmed(text, start, end, first_match=first)
    inside = [match for match in found if start <= match[0] and match[1] <= end]
    if around:
        sentence = _clipped(around, start, end)
    else:
        length = longest_line(text)
        spans = split_sentences(text[start:end], content_type=content_type, line_length=length) if inside else []
        sentence = _weightiest([Span(start + span.start, start + span.end) for span in spans], inside, weights)
    return Snippet(start, end, tuple((left - start, right - start) for left, right, _ in inside), sentence)


def locate(text: str, start: int, end: int, *, char_start: int, pages: Sequence[PageText]) -> list[PageSpan]:
    """Locate the characters start..end of a chunk on its pages.

    A chunk has no page headers and footers, so its lines are located one by one. A repeated table header has no place.
    """
    for page in pages:
        offset = char_start - page.char_start
        if offset >= 0 and page.text.startswith(text[:end], offset):  # nothing of the page is missing
            return [PageSpan(page.page_number, offset + start, offset + end)] if start < end else []
    ranges: list[PageSpan] = []
    position, cursor = 0, char_start
    for line in text.split("\n"):
        left, right = max(start, position), min(end, position + len(line))
        place = _find_line(line, cursor, pages) if line.strip() else None
        if place is not None:
            page, offset = place
            cursor = page.char_start + offset + len(line)
            if left < right:
                ranges.append(PageSpan(page.page_number, offset + left - position, offset + right - position))
        position += len(line) + 1
        if position > end:
            break
    return _merged(ranges)


def _find_line(line: str, cursor: int, pages: Sequence[PageText]) -> tuple[PageText, int] | None:
    for page in pages:
        if page.char_start + len(page.text) <= cursor:
            continue
        offset = page.text.find(line, max(0, cursor - page.char_start))
        if offset >= 0:
            return page, offset
    return None


def _merged(ranges: Sequence[PageSpan]) -> list[PageSpan]:
    """Join adjacent lines into one range."""
    merged: list[PageSpan] = []
    for part in ranges:
        last = merged[-1] if merged else None
        if last and last.page_number == part.page_number and last.end <= part.start <= last.end + 1:
            merged[-1] = PageSpan(last.page_number, last.start, part.end)
        else:
            merged.append(part)
    return merged


def _folded(word: str) -> str:
    if word.isascii():
        return word.lower()
    decomposed = unicodedata.normalize("NFKD", word.lower())
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))


class _Beginnings(dict[str, str]):
    """Map the first two letters of a word to those of its term.

    It is read for every word of every hit, and a dictionary that fills itself needs no call. Its size is limited.
    """

    def __missing__(self, letters: str) -> str:
        found = _folded(letters)[:2]
        if len(self) < _MAX_BEGINNINGS:
            self[letters] = found
        return found


_MAX_BEGINNINGS: Final = 10_000
_BEGINNINGS: Final = _Beginnings()


def _find_matches(text: str, matching: Mapping[str, Collection[str]]) -> list[tuple[int, int, set[str]]]:
    """Return start, end and terms of each word that is indexed as a term of the query.

    Searching for the few matching words takes a tenth of the time of a walk through the chunk.
    """
    found: dict[int, tuple[int, int, set[str]]] = {}
    for word in matching:
        place = text.find(word)
        while place >= 0:
            whole = _WORD.match(text, _word_start(text, place))
            if whole is not None and whole.start() not in found:
                terms = _terms_of(whole[0], matching)
                if terms:
                    found[whole.start()] = (whole.start(), whole.end(), terms)
            place = text.find(word, place + 1)
    return [found[start] for start in sorted(found)]


def _terms_of(word: str, matching: Mapping[str, Collection[str]]) -> set[str]:
    terms = set(matching.get(word, ()))
    if not word.isalnum() and not _NUMBER.fullmatch(word):
        terms.update(term for part in _PARTS.findall(word) for term in matching.get(part, ()))
    return terms


def _word_start(text: str, place: int) -> int:
    """Return the start of the word (as in `_WORD`) at this place."""
    if place and text[place - 1] in _WHITE_SPACE:
        return place
    while place and (
        _is_letter(text[place - 1]) or (text[place - 1] in "-/.," and _is_letter(text[place - 2 : place - 1]))
    ):
        place -= 1
    return place


def _is_letter(character: str) -> bool:
    return character.isalnum() or character == "_"


def _units(text: str, *, content_type: str) -> list[tuple[int, int]]:
    """Return the rows of cells, and the sentences between them. Lists and tables without cells have lines only."""
    rows = [match.span() for match in _ROW.finditer(text)] if "\t" in text or "|" in text else []
    is_in_lines = content_type == "list" or (content_type == "table" and not rows)
    end_of_unit = _LINE_END if is_in_lines else _SENTENCE_END
    edges = {0, len(text)}.union(*rows)
    for start, end in pairwise([0, *(edge for row in rows for edge in row), len(text)]):
        if (start, end) not in rows:
            edges.update(match.end() for match in end_of_unit.finditer(text, start, end))
    units = [(left, right) for left, right in pairwise(sorted(edges)) if text[left:right].strip()]
    return [part for unit in units for part in _split_long(text, unit)] if rows else units


def _split_long(text: str, unit: tuple[int, int]) -> list[tuple[int, int]]:
    """Split a unit that is too long for a snippet at its lines."""
    start, end = unit
    if end - start <= MAX_CHARACTERS:
        return [unit]
    ends = [match.end() for match in _LINE_END.finditer(text, start, end)]
    return [(left, right) for left, right in pairwise([start, *ends, end]) if text[left:right].strip()]


def _best_window(
    units: Sequence[tuple[int, int]],
    found: Sequence[tuple[int, int, set[str]]],
    weights: Mapping[str, float],
    *,
    around: Span | None,
) -> tuple[int, int]:
    """Return the first run of units within MAX_CHARACTERS with most weight, as long as possible."""
    if not units:
        return (0, 0)
    starts, ends = zip(*units, strict=True)
    terms: dict[int, set[str]] = {}
    for left, _, matched in found:
        terms.setdefault(max(bisect_right(starts, left) - 1, 0), set()).update(matched)
    matched_units = sorted(terms)
    best, best_weight = (0, 0), -1.0
    for first in _beginnings(starts, ends, matched_units, around=around):
        last = max(bisect_right(ends, starts[first] + MAX_CHARACTERS) - 1, first)
        inside = slice(bisect_left(matched_units, first), bisect_right(matched_units, last))
        seen = {term for unit in matched_units[inside] for term in terms[unit]}
        weight = sum(weights.get(term, 0.0) for term in sorted(seen))
        if weight > best_weight:
            best, best_weight = (starts[first], ends[last]), weight
    return best


def _beginnings(
    starts: Sequence[int], ends: Sequence[int], matched_units: Sequence[int], *, around: Span | None
) -> list[int]:
    """Return the units that a window may start with, preferred ones first."""
    if around is None:
        # A later window is better only if it takes in one more match at its end.
        return sorted({min(unit, bisect_left(starts, ends[unit] - MAX_CHARACTERS)) for unit in matched_units} | {0})
    unit = max(bisect_right(starts, around.start) - 1, 0)
    # Start before the unit, as long as the whole unit fits.
    reach = max(ends[unit], min(around.end, starts[unit] + MAX_CHARACTERS)) - MAX_CHARACTERS
    earliest = min(bisect_left(starts, reach), unit)
    return [*range(max(unit - 1, earliest), earliest - 1, -1), unit]


def _weightiest(
    sentences: Sequence[Span], found: Sequence[tuple[int, int, set[str]]], weights: Mapping[str, float]
) -> Span | None:
    """Return the first sentence with most of the query's weight."""
    best, best_weight = None, 0.0
    for sentence in sentences:
        seen = {term for match in found if sentence.start <= match[0] < sentence.end for term in match[2]}
        weight = sum(weights.get(term, 0.0) for term in sorted(seen))
        if weight > best_weight:
            best, best_weight = sentence, weight
    return best


def _clipped(span: Span, start: int, end: int) -> Span | None:
    start, end = max(span.start, start), min(span.end, end)
    return Span(start, end) if start < end else None


def _trimmed(text: str, start: int, end: int, *, first_match: int) -> tuple[int, int]:
    """Strip white space, and cut a sentence that is too long between words."""
    if end - start > MAX_CHARACTERS:
        if first_match - start > MAX_CHARACTERS // 2:
            start = text.rfind(" ", start, first_match - MAX_CHARACTERS // 3) + 1 or first_match
        if end - start > MAX_CHARACTERS:
            end = start + MAX_CHARACTERS
            end = max(text.rfind(" ", start, end), text.rfind("\n", start, end), start + MAX_CHARACTERS // 2)
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end
