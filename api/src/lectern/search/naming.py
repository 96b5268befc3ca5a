"""Documents that a question names: by words of their names, and a year or another figure beside them (pure).

"What was Boeing's revenue in 2022?" is about BOEING_2022_10K.pdf. A word names when the passages that have it are
mostly those of documents with it in their names ("Boeing"; not "report", of which everybody speaks). What that takes is
asked of Postgres together with the terms (`lectern_named_documents`); what is made of it is here (docs/adr/0087).
"""

import re
import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from lectern.search.lexical import KeywordQuery, ReadWord

# Of the weight of the best name's words: what a document of another name needs to be meant too.
LEAST_SHARE: Final = 0.5

_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_SHORT_YEAR: Final = re.compile(r"\b(?:FY|CY)\s?['\u2019]?(\d\d)\b", re.IGNORECASE)
_JOINED_YEAR: Final = re.compile(r"\b(?:[1-4]Q|Q[1-4]|FY|CY|H[12]|[12]H)((?:19|20)\d\d)\b", re.IGNORECASE)
_NUMBERED: Final = re.compile(r"(\w+)\W{1,3}(?:n[.°ro]*\s*|num\w*\.?\s*|#\s*)?(\d+)(?![\w%]|[.,]\d)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Name:
    """A document and which of the question's terms are in its name: `words` that name, and figures."""

    document_id: uuid.UUID
    chunk_count: int
    words: frozenset[str]
    figures: frozenset[str]


def years_meant(question: str) -> tuple[str, ...]:
    """The years behind the question's abbreviations.

    >>> years_meant("How did it change between FY20 and Q32021?")
    ('2020', '2021')
    """
    short = (f"20{digits}" for digits in _SHORT_YEAR.findall(question))
    return tuple(dict.fromkeys([*short, *_JOINED_YEAR.findall(question)]))


def named_documents(
    names: Sequence[Name],
    question: str,
    query: KeywordQuery,
    *,
    words: Sequence[ReadWord],
    most_chunks: int,
    allowed: Collection[uuid.UUID] | None = None,
) -> tuple[uuid.UUID, ...]:
    """The documents that the question names, by id; none where they are all there is or have too many chunks.

    A figure is a year, a mark with letters ("10K", "Q2", "45/2023"), or a number that follows a word of the name
    ("release 12"). Any of several years will do: a report of the later one has those before it. Who has all that
    another has and more is meant instead of it.
    """
    if not names:  # as nearly always: most questions have no figure
        return ()
    numbered = _numbered(question, words)
    weights = {term.term: term.weight for term in query.terms if not term.is_added}
    likely: dict[uuid.UUID, frozenset[str]] = {}
    for name in names:
        own = frozenset(word for word in name.words if word in weights)
        figures = _telling(name.figures, own, numbered)
        if own and figures and (allowed is None or name.document_id in allowed):
            likely[name.document_id] = own | figures
    worth = {document: sum(weights.get(term, 0.0) for term in terms) for document, terms in _words_only(likely).items()}
    best = max(worth.values(), default=0.0)
    meant = [
        document
        for document, terms in likely.items()
        if worth[document] >= LEAST_SHARE * best and not any(terms < other for other in likely.values())
    ]
    chunks = {name.document_id: name.chunk_count for name in names}
    is_too_much = sum(chunks[document] for document in meant) > most_chunks
    return () if is_too_much or (allowed is not None and len(meant) == len(allowed)) else tuple(sorted(meant))


def _telling(figures: Collection[str], words: Collection[str], numbered: Mapping[str, set[str]]) -> frozenset[str]:
    """Figures that tell documents apart, all years as one."""
    marks = {figure for figure in figures if re.search(r"[^\d.,]", figure) and not figure.endswith("%")}
    marks |= {figure for figure in figures if numbered.get(figure, set()) & set(words)}
    years = {figure for figure in figures if _YEAR.fullmatch(figure)}
    return frozenset((marks - years) | ({"year"} if years else set()))


def _words_only(likely: Mapping[uuid.UUID, frozenset[str]]) -> dict[uuid.UUID, frozenset[str]]:
    return {
        document: frozenset(term for term in terms if not re.search(r"\d", term)) for document, terms in likely.items()
    }


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
