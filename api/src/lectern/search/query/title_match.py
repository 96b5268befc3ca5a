"""Documents that a question names: by words of their names with a year or another figure, or as the latest (pure).

"What was Boeing's revenue in 2022?" is about BOEING_2022_10K.pdf. A word names when the passages that have it are
mostly those of documents with it in their names ("Boeing"; not "report", of which everybody speaks). What that takes is
asked of Postgres together with the terms (`lectern_match_documents_by_title`); what is made of it is here
(docs/adr/0023).
"""

import re
import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from lectern.search.query.terms import KeywordQuery, ReadWord

# Of the weight of the best name's words: what a document of another name needs to be meant too.
LEAST_SHARE: Final = 0.5

_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_SHORT_YEAR: Final = re.compile(
    r"\b(?:(?:FY|CY)\s?['\u2019]?|(?:[1-4]Q|Q[1-4])(?:\s?['\u2019])?)(\d\d)\b", re.IGNORECASE
)
_JOINED_YEAR: Final = re.compile(r"\b(?:[1-4]Q|Q[1-4]|FY|CY|H[12]|[12]H)((?:19|20)\d\d)\b", re.IGNORECASE)
_QUARTER: Final = re.compile(r"\b(?:q([1-4])|([1-4])q)(?:(?:19|20)?\d\d)?\b", re.IGNORECASE)
_ORDINALS: Final = {
    word: number
    for number, words in enumerate(("first primo", "second secondo", "third terzo", "fourth quarto"), start=1)
    for word in words.split()
}
_SPELT_QUARTER: Final = re.compile(rf"\b({'|'.join(_ORDINALS)})\s+(?:quarter|trimestre)\b", re.IGNORECASE)
_IS_QUARTER: Final = re.compile(r"q[1-4]|[1-4]q")
_INTERIM: Final = frozenset({"q1", "q2", "q3", "1q", "2q", "3q"})
# Stems of what titles and questions say of time: no name, however few documents have them in theirs.
_OF_TIME: Final = frozenset(
    re.findall(
        r"\w+",
        """year end fiscal quarter period month date januari februari march april may june juli august septemb octob
        novemb decemb anno anni eserciz trimestr semestr mes dat gennai febbrai marz magg giugn lugl agost settembr
        ottobr novembr dicembr""",
    )
)
_NUMBERED: Final = re.compile(r"(\w+)\W{1,3}(?:n[.°ro]*\s*|num\w*\.?\s*|#\s*)?(\d+)(?![\w%]|[.,]\d)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class TitleMatch:
    """A document and which of the question's terms are in its name: `words` that name, and figures.

    `terms` are all that its name has, whether or not they are in the question.
    """

    document_id: uuid.UUID
    chunk_count: int
    words: frozenset[str]
    figures: frozenset[str]
    terms: frozenset[str] = frozenset()

    @property
    def year(self) -> str:
        """The last year of its name; empty where it has none."""
        return max(filter(_YEAR.fullmatch, self.terms), default="")

    def is_alike(self, other: "TitleMatch") -> bool:
        """Whether half of the words of both names, but for those of time, are in either."""
        mine, theirs = (
            {term for term in name.terms - _OF_TIME if term.isalpha() and len(term) > 1} for name in (self, other)
        )
        return 2 * len(mine & theirs) >= len(mine | theirs)


def parse_periods(question: str) -> tuple[str, ...]:
    """The years behind the question's abbreviations, and its quarters as names of files write them.

    >>> periods_meant("How did it change between FY20 and Q32021?")
    ('2020', '2021', 'q3', '3q')
    """
    years = (f"20{digits}" for digits in _SHORT_YEAR.findall(question))
    numbers = ["".join(found) for found in _QUARTER.findall(question)]
    numbers += [str(_ORDINALS[word.lower()]) for word in _SPELT_QUARTER.findall(question)]
    quarters = (mark for number in numbers for mark in (f"q{number}", f"{number}q"))
    return tuple(dict.fromkeys([*years, *_JOINED_YEAR.findall(question), *quarters]))


def match_documents_by_title(
    names: Sequence[TitleMatch],
    question: str,
    query: KeywordQuery,
    *,
    words: Sequence[ReadWord],
    most_chunks: int,
    allowed: Collection[uuid.UUID] | None = None,
) -> tuple[uuid.UUID, ...]:
    """The documents that the question names, by id; none where they are all there is or have too many chunks.

    A figure is a year, a mark with letters ("10K", "Q2", "45/2023"), or a number that follows a word of the name
    ("release 12"). Any of several years will do: a report of the later one has those before it. A quarter and a year
    name without a word, too, where none is named by one. Who has all that another has and more is meant instead of it.
    A question about a year and no quarter does not mean the reports of the first three quarters, where there are
    others. One that gives neither year nor figure means the latest of documents whose names are alike.
    """
    if not names:
        return ()
    weights = {term.term: term.weight for term in query.terms if not term.is_expansion}
    telling = weights.keys() - _OF_TIME
    known = [
        replace(name, words=name.words & telling) for name in names if allowed is None or name.document_id in allowed
    ]
    asked = {*re.findall(r"\w+", question.lower()), *parse_periods(question)}
    is_dated = any(map(_YEAR.fullmatch, asked))
    meant = _by_figures(known, _numbered(question, words), weights)
    if is_dated and not any(map(_IS_QUARTER.fullmatch, asked)):
        meant = [name for name in meant if not name.terms & _INTERIM] or meant
    if not meant and not is_dated:
        meant = _latest(known, weights)
    is_too_much = sum(name.chunk_count for name in meant) > most_chunks
    is_all = allowed is not None and len(meant) == len(allowed)
    return () if is_too_much or is_all else tuple(sorted(name.document_id for name in meant))


def _by_figures(
    names: Sequence[TitleMatch], numbered: Mapping[str, set[str]], weights: Mapping[str, float]
) -> list[TitleMatch]:
    """Those with words and figures of the question, or with a quarter and a year of it."""
    likely: dict[TitleMatch, frozenset[str]] = {}
    for name in names:
        figures = _telling(name.figures, name.words, numbered)
        if (name.words and figures) or ("year" in figures and any(map(_IS_QUARTER.fullmatch, figures))):
            likely[name] = name.words | figures
    return _worthiest(likely, weights)


def _latest(names: Sequence[TitleMatch], weights: Mapping[str, float]) -> list[TitleMatch]:
    """Of documents with the same words of the question in names that are alike, those of the last year.

    None where all are of one year. Where names have little more in common than the word ("form 10-K") it names nothing.
    """
    groups: dict[frozenset[str], list[TitleMatch]] = {}
    for name in _worthiest({name: name.words for name in names if name.words}, weights):
        groups.setdefault(name.words, []).append(name)
    latest: list[TitleMatch] = []
    for group in groups.values():
        last = max(group, key=lambda name: (name.year, name.document_id))
        if any(name.year not in {"", last.year} for name in group) and all(map(last.is_alike, group)):
            latest += [name for name in group if name.year == last.year]
    return latest


def _worthiest(likely: Mapping[TitleMatch, frozenset[str]], weights: Mapping[str, float]) -> list[TitleMatch]:
    """Names whose words weigh half of what the best one's do, and none of whose terms are all another's, too."""
    worth = {
        name: sum(weights.get(term, 0.0) for term in terms if not re.search(r"\d", term))
        for name, terms in likely.items()
    }
    best = max(worth.values(), default=0.0)
    return [
        name
        for name, terms in likely.items()
        if worth[name] >= LEAST_SHARE * best and not any(terms < other for other in likely.values())
    ]


def _telling(figures: Collection[str], words: Collection[str], numbered: Mapping[str, set[str]]) -> frozenset[str]:
    """Figures that tell documents apart, all years as one."""
    marks = {figure for figure in figures if re.search(r"[^\d.,]", figure) and not figure.endswith("%")}
    marks |= {figure for figure in figures if numbered.get(figure, set()) & set(words)}
    years = {figure for figure in figures if _YEAR.fullmatch(figure)}
    return frozenset((marks - years) | ({"year"} if years else set()))


def _numbered(question: str, words: Sequence[ReadWord]) -> dict[str, set[str]]:
    """The terms of the word before each plain number of the question."""
    terms: dict[str, set[str]] = {}
    for read in words:
        if read.term is not None:
            terms.setdefault(read.word, set()).add(read.term)
    found: dict[str, set[str]] = {}
    for word, number in _NUMBERED.findall(question):
        found.setdefault(number, set()).update(terms.get(word.lower(), ()))
    return found
