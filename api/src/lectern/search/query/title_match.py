"""Match documents by title: words of the query with a year or another figure, or the latest version (pure).

"What was Boeing's revenue in 2022?" is about BOEING_2022_10K.pdf. A word identifies a document if most chunks with it
are in documents with it in their titles ("Boeing", not "report"). Postgres looks this up together with the terms
(`lectern_match_documents_by_title`); this module decides which matches count (docs/adr/0022).
"""

import re
import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from lectern.search.query.language_patterns import any_of, list_patterns, number_words
from lectern.search.query.terms import KeywordQuery, ReadWord

MIN_WEIGHT_SHARE: Final = 0.5  # of the best match's weight

_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_SHORT_YEAR: Final = re.compile(
    r"\b(?:(?:FY|CY)\s?['\u2019]?|(?:[1-4]Q|Q[1-4])(?:\s?['\u2019])?)(\d\d)\b", re.IGNORECASE
)
_JOINED_YEAR: Final = re.compile(r"\b(?:[1-4]Q|Q[1-4]|FY|CY|H[12]|[12]H)((?:19|20)\d\d)\b", re.IGNORECASE)
_QUARTER: Final = re.compile(r"\b(?:q([1-4])|([1-4])q)(?:(?:19|20)?\d\d)?\b", re.IGNORECASE)
_ORDINALS: Final = number_words("periods.ordinals")
_WRITTEN_QUARTER: Final = re.compile(rf"\b({'|'.join(_ORDINALS)})\s+{any_of('periods.quarter')}\b", re.IGNORECASE)
_QUARTER_TERM: Final = re.compile(r"q[1-4]|[1-4]q")
_INTERIM_QUARTERS: Final = frozenset({"q1", "q2", "q3", "1q", "2q", "3q"})
_TIME_STEMS: Final = frozenset(list_patterns("periods.stems"))
_NUMBERED: Final = re.compile(r"(\w+)\W{1,3}(?:n[.°ro]*\s*|num\w*\.?\s*|#\s*)?(\d+)(?![\w%]|[.,]\d)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class TitleMatch:
    """A document with terms of the query in its title: identifying `words`, and `figures`.

    `terms` are all terms of the title.
    """

    document_id: uuid.UUID
    chunk_count: int
    words: frozenset[str]
    figures: frozenset[str]
    terms: frozenset[str] = frozenset()

    @property
    def year(self) -> str:
        """The last year in the title, or an empty string."""
        return max(filter(_YEAR.fullmatch, self.terms), default="")

    def is_similar(self, other: "TitleMatch") -> bool:
        """Return true if the titles share half of their words, without words for time."""
        mine, theirs = (
            {term for term in match.terms - _TIME_STEMS if term.isalpha() and len(term) > 1} for match in (self, other)
        )
        return 2 * len(mine & theirs) >= len(mine | theirs)


def parse_periods(query: str) -> tuple[str, ...]:
    """Return the years of the query's abbreviations, and its quarters as file names write them.

    >>> parse_periods("How did it change between FY20 and Q32021?")
    ('2020', '2021', 'q3', '3q')
    """
    years = (f"20{digits}" for digits in _SHORT_YEAR.findall(query))
    numbers = ["".join(groups) for groups in _QUARTER.findall(query)]
    numbers += [str(_ORDINALS[word.lower()]) for word in _WRITTEN_QUARTER.findall(query)]
    quarters = (term for number in numbers for term in (f"q{number}", f"{number}q"))
    return tuple(dict.fromkeys([*years, *_JOINED_YEAR.findall(query), *quarters]))


def match_documents_by_title(
    matches: Sequence[TitleMatch],
    query: str,
    keywords: KeywordQuery,
    *,
    words: Sequence[ReadWord],
    max_chunks: int,
    allowed: Collection[uuid.UUID] | None = None,
) -> tuple[uuid.UUID, ...]:
    """Return the ids of the documents that the query names.

    A match needs words of the title and a figure. A figure is a year, a term with letters ("10K", "Q2", "45/2023"), or
    a number after a word of the title ("release 12"). A year also matches any other year of the query, because a later
    report covers earlier years. A quarter and a year match without a word.

    A query with a year and no quarter leaves out reports of the first three quarters if there are others. A query
    without year and figure matches the latest of similar titles. The result is empty if it would be every document in
    `allowed`, or more than `max_chunks` chunks.
    """
    if not matches:
        return ()
    weights = {term.term: term.weight for term in keywords.terms if not term.is_expansion}
    identifying = weights.keys() - _TIME_STEMS
    candidates = [
        replace(match, words=match.words & identifying)
        for match in matches
        if allowed is None or match.document_id in allowed
    ]
    asked = {*re.findall(r"\w+", query.lower()), *parse_periods(query)}
    has_year = any(map(_YEAR.fullmatch, asked))
    named = _match_by_figures(candidates, _terms_before_numbers(query, words), weights)
    if has_year and not any(map(_QUARTER_TERM.fullmatch, asked)):
        named = [match for match in named if not match.terms & _INTERIM_QUARTERS] or named
    if not named and not has_year:
        named = _match_latest(candidates, weights)
    is_too_large = sum(match.chunk_count for match in named) > max_chunks
    is_all = allowed is not None and len(named) == len(allowed)
    return () if is_too_large or is_all else tuple(sorted(match.document_id for match in named))


def _match_by_figures(
    matches: Sequence[TitleMatch], numbered: Mapping[str, set[str]], weights: Mapping[str, float]
) -> list[TitleMatch]:
    """Return matches with words and figures, or with a quarter and a year."""
    likely: dict[TitleMatch, frozenset[str]] = {}
    for match in matches:
        figures = _distinctive_figures(match.figures, match.words, numbered)
        is_quarter = "year" in figures and any(map(_QUARTER_TERM.fullmatch, figures))
        if (match.words and figures) or is_quarter:
            likely[match] = match.words | figures
    return _keep_best(likely, weights)


def _match_latest(matches: Sequence[TitleMatch], weights: Mapping[str, float]) -> list[TitleMatch]:
    """Return the latest of documents with the same matched words in similar titles.

    Titles without different years, and titles that share little more than the word ("form 10-K"), do not match.
    """
    groups: dict[frozenset[str], list[TitleMatch]] = {}
    for match in _keep_best({match: match.words for match in matches if match.words}, weights):
        groups.setdefault(match.words, []).append(match)
    latest: list[TitleMatch] = []
    for group in groups.values():
        last = max(group, key=lambda match: (match.year, match.document_id))
        if any(match.year not in {"", last.year} for match in group) and all(map(last.is_similar, group)):
            latest += [match for match in group if match.year == last.year]
    return latest


def _keep_best(likely: Mapping[TitleMatch, frozenset[str]], weights: Mapping[str, float]) -> list[TitleMatch]:
    """Drop matches below half of the best weight, and those whose terms are a proper subset of another's."""
    weight_of = {
        match: sum(weights.get(term, 0.0) for term in terms if not re.search(r"\d", term))
        for match, terms in likely.items()
    }
    best = max(weight_of.values(), default=0.0)
    return [
        match
        for match, terms in likely.items()
        if weight_of[match] >= MIN_WEIGHT_SHARE * best and not any(terms < other for other in likely.values())
    ]


def _distinctive_figures(
    figures: Collection[str], words: Collection[str], numbered: Mapping[str, set[str]]
) -> frozenset[str]:
    """Return the figures that distinguish documents; all years count as one."""
    distinctive = {figure for figure in figures if re.search(r"[^\d.,]", figure) and not figure.endswith("%")}
    distinctive |= {figure for figure in figures if numbered.get(figure, set()) & set(words)}
    years = {figure for figure in figures if _YEAR.fullmatch(figure)}
    return frozenset((distinctive - years) | ({"year"} if years else set()))


def _terms_before_numbers(query: str, words: Sequence[ReadWord]) -> dict[str, set[str]]:
    """Return the terms of the word before each plain number of the query."""
    terms: dict[str, set[str]] = {}
    for read in words:
        if read.term is not None:
            terms.setdefault(read.word, set()).add(read.term)
    before: dict[str, set[str]] = {}
    for word, number in _NUMBERED.findall(query):
        before.setdefault(number, set()).update(terms.get(word.lower(), ()))
    return before
