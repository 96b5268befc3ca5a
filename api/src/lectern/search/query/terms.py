"""What the keyword arm looks for (pure): terms, their weights, which of them find candidates, where it is blind.

A query is read under every language of the library. Terms are taken rarest first (MaxScore, Turtle and Flood 1995):
candidates are the chunks with one of the rarest terms, all terms weigh in their score. Then those without, as far as
their terms could add up to more than the score reached so far.
"""

import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

K1: Final = 1.2
B: Final = 0.75
AVERAGE_LENGTH: Final = 180.0  # terms of a usual chunk (measured: 143 to 237); frozen, so no vector is ever rewritten
MAX_WEIGHT: Final = K1 + 1  # what the weight of a term tends to as it is repeated

SPARSE_DIMENSIONS: Final = 1_000_000_000
# A language is blind to a query when its evidence is below this share of the best language's, and only then if the
# query has a few words. Measured on 320 questions: 96 % of the foreign ones recognised, no other (search.md).
UNMATCHED_BELOW: Final = 0.6
MIN_WORDS_FOR_LANGUAGE: Final = 3
STOP_WORD_FREQUENCY: Final = 0.5  # of chunks in its language; stop words are not indexed, so not counted
RARE_CHUNKS: Final = 10  # an identifier is in no more chunks than this, or than 2 % of the library's
RARE_SHARE: Final = 0.02
LONG_NUMBER: Final = 5  # digits of a number that is an identifier by itself
_MIXED: Final = re.compile(r"(?=.*\d)(?=.*[^\W\d]|.*[/-]).{3,}(?<!%)")
_ORDINAL: Final = re.compile(r"\d+(?:st|nd|rd|th|o|a|\u00aa|\u00ba)")
# "FY20", "Q32021", "1H22": a year or a part of one, of which many passages speak in other signs.
_PERIOD: Final = re.compile(r"(?:fy|cy|[1-4]q|q[1-4]|[12]h|h[12])['\u2019]?(?:(?:19|20)?\d\d)", re.IGNORECASE)
_TWO_YEARS: Final = re.compile(r"((?:19|20)\d\d)[/-](?:19|20)?(\d\d)")
Counts = Mapping[str, Mapping[str, int]]
"""In how many chunks of each language a term occurs: {term: {language: chunks}}; the empty term counts all chunks."""


@dataclass(frozen=True, slots=True)
class ReadWord:
    """A word of the query under one language; `term` is None for a stop word, `language` for figures.

    `is_expansion`: not the query's own, but what passages say for something that it names.
    """

    word: str
    frequency: int
    language: str | None
    term: str | None
    term_hash: int
    is_expansion: bool = False


@dataclass(frozen=True, slots=True)
class QueryTerm:
    """A term that occurs in the library; `is_expansion` as in `ReadWord`."""

    term: str
    term_hash: int
    frequency: int
    chunk_count: int
    idf: float
    is_expansion: bool = False

    @property
    def weight(self) -> float:
        return self.frequency * self.idf


@dataclass(frozen=True, slots=True)
class KeywordQuery:
    """The query as the index understands it: its known terms by rising frequency in the library."""

    terms: tuple[QueryTerm, ...]
    total: int
    unmatched_languages: tuple[str, ...] = ()
    unknown_words: tuple[str, ...] = ()

    @property
    def identifiers(self) -> tuple[str, ...]:
        """Its terms that stand for one thing ("SKU-0042", "63/2013", "222730") and are rare in the library."""
        rare = max(RARE_CHUNKS, self.total * RARE_SHARE)
        own = (term for term in self.terms if not term.is_expansion and term.chunk_count <= rare)
        return tuple(term.term for term in own if _is_identifier(term.term))

    @property
    def weights(self) -> str:
        """The query as a sparsevec literal: the hash of each term with its frequency times its idf."""
        entries = ((term.term_hash, term.weight) for term in self.terms)
        return "{" + ",".join(f"{place}:{weight:.9g}" for place, weight in sorted(entries)) + f"}}/{SPARSE_DIMENSIONS}"


def _is_identifier(term: str) -> bool:
    """Letters and digits, digits with a stroke or hyphen, or a long number; no ordinal, share or period ("FY20")."""
    is_long = sum(character.isdigit() for character in term) >= LONG_NUMBER and not term.endswith("%")
    is_mark = bool(is_long or _MIXED.fullmatch(term)) and not _ORDINAL.fullmatch(term)
    return is_mark and not _is_period(term)


def _is_period(term: str) -> bool:
    """A year, a part of one, or one and the next ("2002-03"); "2013/36" is a directive."""
    years = _TWO_YEARS.fullmatch(term)
    return bool(_PERIOD.fullmatch(term) or (years and int(years[2]) == (int(years[1]) + 1) % 100))


def understand(words: Sequence[ReadWord], counts: Counts, *, query_language: str | None = None) -> KeywordQuery:
    """Weigh the terms of a query by what the library holds.

    `query_language` is the language the query was detected to be in; the library may have none of it.
    """
    total = sum(counts.get("", {}).values())
    asked, added = [[read for read in words if read.is_expansion is which] for which in (False, True)]
    evidence = evidence_of_languages(asked, counts, query_language=query_language)
    best = max(sorted(evidence), key=lambda language: evidence[language], default=None)
    ignored = {read.word for read in asked if read.language == best and read.term is None}
    own = _frequencies(asked, ignored)
    # these are phrases of several languages: a stop word of any is none of their words
    others = _frequencies(added, {read.word for read in added if read.term is None})
    terms = [
        QueryTerm(
            *(term, term_hash, frequency, chunks, inverse_document_frequency(chunks, total=total)),
            is_expansion=term not in own,
        )
        for term, (frequency, term_hash) in (others | own).items()
        if (chunks := sum(counts.get(term, {}).values())) > 0
    ]
    terms.sort(key=lambda term: (term.chunk_count, term.term))
    is_long_enough = len({read.word for read in asked if read.language is not None}) >= MIN_WORDS_FOR_LANGUAGE
    unmatched = _unmatched_languages(evidence, counts) if is_long_enough else ()
    return KeywordQuery(tuple(terms), total, unmatched, _unknown(asked, counts))


def _frequencies(words: Sequence[ReadWord], ignored: Collection[str]) -> dict[str, tuple[int, int]]:
    """How often each term occurs in the query, and its hash; without the ignored words."""
    found: dict[str, tuple[int, int]] = {}
    for read in words:
        if read.term is not None and (read.language is None or read.word not in ignored):
            frequency, _ = found.get(read.term, (0, 0))
            found[read.term] = (max(frequency, read.frequency), read.term_hash)
    return found


def evidence_of_languages(words: Sequence[ReadWord], counts: Counts, *, query_language: str | None) -> dict[str, float]:
    """How many of the query's words speak for each language.

    A word is shared out among the languages by how frequent it is in each; a word that none has speaks for the
    language that the query was detected to be in.
    """
    totals = counts.get("", {})
    evidence = dict.fromkeys(sorted({read.language for read in words if read.language is not None}), 0.0)
    for word in dict.fromkeys(read.word for read in words if read.language is not None):
        frequency = {
            read.language: _frequency(read, counts, totals)
            for read in words
            if read.word == word and read.language is not None
        }
        found = sum(frequency.values())
        if found:
            for language, share in frequency.items():
                evidence[language] += share / found
        elif query_language in evidence:
            evidence[query_language] += 1.0
    return evidence


def _frequency(read: ReadWord, counts: Counts, totals: Mapping[str, int]) -> float:
    if read.term is None:
        return STOP_WORD_FREQUENCY
    language = read.language or ""
    return counts.get(read.term, {}).get(language, 0) / max(1, totals.get(language, 0))


def _unmatched_languages(evidence: Mapping[str, float], counts: Counts) -> tuple[str, ...]:
    """Languages of the library that are not the query's."""
    best = max(evidence.values(), default=0.0)
    return tuple(
        language
        for language, found in evidence.items()
        if found < best * UNMATCHED_BELOW and language in counts.get("", {})
    )


def _unknown(words: Sequence[ReadWord], counts: Counts) -> tuple[str, ...]:
    """Words of the query that no chunk has under any language, in the query's spelling and order."""
    found = {read.word for read in words if read.term is None or read.term in counts}
    return tuple(dict.fromkeys(read.word for read in words if read.word not in found))


def inverse_document_frequency(chunk_count: int, *, total: int) -> float:
    """ln(1 + (N - n + 0.5) / (n + 0.5)): what a term says that occurs in n of N chunks; never negative."""
    return math.log1p((max(total, chunk_count) - chunk_count + 0.5) / (chunk_count + 0.5))


def term_weight(frequency: float, *, length: float) -> float:
    """The weight of a term that occurs `frequency` times in a chunk of `length` words (not figures); 0 to 2.2."""
    return frequency * MAX_WEIGHT / (frequency + K1 * (1 - B + B * length / AVERAGE_LENGTH))
