"""Build the keyword query: terms, their weights, identifiers and unmatched languages (pure).

A query is read under every language of the library. Term weights follow BM25, as in `lectern_build_lexical_entry`.
Source: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009; idf as in Lucene.
"""

import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from lectern.search.query.language_patterns import any_of
from lectern.search.query.translation import Translation

K1: Final = 1.2
B: Final = 0.75
AVERAGE_LENGTH: Final = 180.0  # terms of a chunk (measured: 143 to 237); fixed, so that no vector is ever rewritten
MAX_WEIGHT: Final = K1 + 1  # upper bound of a term's weight

SPARSE_DIMENSIONS: Final = 1_000_000_000
# A language is unmatched if its evidence is below this share of the best language's and the query has enough words.
# On 320 questions this recognizes 96 % of the foreign ones and no other (search.md).
UNMATCHED_BELOW: Final = 0.6
MIN_WORDS_FOR_LANGUAGE: Final = 3
STOP_WORD_FREQUENCY: Final = 0.5  # share of chunks; stop words are not indexed, so they are not counted
RARE_CHUNKS: Final = 10  # an identifier is in at most this many chunks, or in 2 % of the library
RARE_SHARE: Final = 0.02
LONG_NUMBER: Final = 5  # digits that make a number an identifier
_MIXED: Final = re.compile(r"(?=.*\d)(?=.*[^\W\d]|.*[/-]).{3,}(?<!%)")
_ORDINAL: Final = re.compile(rf"\d+{any_of('identifiers.ordinal_suffixes')}")
_PERIOD: Final = re.compile(r"(?:fy|cy|[1-4]q|q[1-4]|[12]h|h[12])['\u2019]?(?:(?:19|20)?\d\d)", re.IGNORECASE)
_TWO_YEARS: Final = re.compile(r"((?:19|20)\d\d)[/-](?:19|20)?(\d\d)")

Counts: TypeAlias = Mapping[str, Mapping[str, int]]
"""Chunks with a term by language: {term: {language: chunks}}. The empty term counts all chunks."""


@dataclass(frozen=True, slots=True)
class ReadWord:
    """A word of the query, or of its synonyms or translations, under one language.

    Stop words have no term, numbers no language.
    """

    word: str
    frequency: int
    language: str | None
    term: str | None
    term_hash: int
    source: Literal["query", "synonym", "translation"] = "query"


@dataclass(frozen=True, slots=True)
class QueryTerm:
    """A term of the query that occurs in the library, or may occur if `chunk_count` is 0."""

    term: str
    term_hash: int
    frequency: float
    chunk_count: int
    idf: float
    is_expansion: bool = False

    @property
    def weight(self) -> float:
        return self.frequency * self.idf


@dataclass(frozen=True, slots=True)
class KeywordQuery:
    """The query for the lexical index: its terms, rarest first.

    `language` is the query's, None if it is unclear. `unmatched_chunks` are in an unmatched language. `unknown_words`
    were not counted in any chunk, with their terms.
    """

    terms: tuple[QueryTerm, ...]
    total: int
    language: str | None = None
    unmatched_languages: tuple[str, ...] = ()
    unmatched_chunks: int = 0
    unknown_words: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])

    @property
    def identifiers(self) -> tuple[str, ...]:
        """Rare terms that identify one thing: "SKU-0042", "63/2013", "222730"."""
        rare = max(RARE_CHUNKS, self.total * RARE_SHARE)
        own = (term for term in self.terms if not term.is_expansion and term.chunk_count <= rare)
        return tuple(term.term for term in own if _is_identifier(term.term))

    @property
    def weights(self) -> str:
        """The terms as a sparsevec literal: the hash of each term with its weight."""
        entries = ((term.term_hash, term.weight) for term in self.terms)
        return "{" + ",".join(f"{index}:{weight:.9g}" for index, weight in sorted(entries)) + f"}}/{SPARSE_DIMENSIONS}"

    @property
    def term_vectors(self) -> list[str]:
        """A unit vector for each term, as sparsevec literals."""
        return [f"{{{term.term_hash}:1}}/{SPARSE_DIMENSIONS}" for term in self.terms]


def build_keyword_query(
    words: Sequence[ReadWord],
    counts: Counts,
    *,
    query_language: str | None = None,
    is_sampled: bool = False,
    translations: Sequence[Translation] = (),
) -> KeywordQuery:
    """Weigh the terms of a query by their frequency in the library.

    The library need not have documents in the `query_language`. If the counts are from a sample, terms without a count
    are kept: other chunks may have them.
    """
    total = sum(counts.get("", {}).values())
    asked = [read for read in words if read.source == "query"]
    added = [read for read in words if read.source != "query"]
    evidence = score_languages(asked, counts, query_language=query_language)
    best = max(sorted(evidence), key=lambda language: evidence[language], default=None)
    own = _frequencies(asked, {read.word for read in asked if read.language == best and read.term is None})
    # Synonyms come in several languages: a stop word of any of them is ignored.
    expansions = _frequencies(added, {read.word for read in added if read.term is None})
    translated = _weigh_translations(added, translations)
    terms = [
        QueryTerm(
            *(term, term_hash, frequency if term in own else frequency * translated.get(term, 1.0), chunks),
            inverse_document_frequency(chunks, total=total),
            is_expansion=term not in own,
        )
        for term, (frequency, term_hash) in (expansions | own).items()
        if (chunks := sum(counts.get(term, {}).values())) > 0 or is_sampled
    ]
    terms.sort(key=lambda term: (term.chunk_count, term.term))
    is_long_enough = len({read.word for read in asked if read.language is not None}) >= MIN_WORDS_FOR_LANGUAGE
    weak = _list_weak_languages(evidence) if is_long_enough else []
    unmatched = tuple(language for language in weak if language in counts.get("", {}))
    in_unmatched = sum(counts[""][language] for language in unmatched)
    is_clear = is_long_enough and len(weak) == len(evidence) - 1
    return KeywordQuery(
        tuple(terms),
        total,
        language=best if query_language is None and is_clear else query_language,
        unmatched_languages=unmatched,
        unmatched_chunks=in_unmatched,
        unknown_words=_find_unknown_words(asked, counts),
    )


def score_languages(words: Sequence[ReadWord], counts: Counts, *, query_language: str | None) -> dict[str, float]:
    """Count the query's words as evidence for each language.

    A word is split among the languages by its frequency in each. An unknown word counts for the `query_language`.
    """
    totals = counts.get("", {})
    evidence = dict.fromkeys(sorted({read.language for read in words if read.language is not None}), 0.0)
    for word in dict.fromkeys(read.word for read in words if read.language is not None):
        frequency = {
            read.language: _frequency(read, counts, totals)
            for read in words
            if read.word == word and read.language is not None
        }
        total = sum(frequency.values())
        if total:
            for language, share in frequency.items():
                evidence[language] += share / total
        elif query_language in evidence:
            evidence[query_language] += 1.0
    return evidence


def inverse_document_frequency(chunk_count: int, *, total: int) -> float:
    """Return ln(1 + (N - n + 0.5) / (n + 0.5)) for a term in n of N chunks; never negative."""
    return math.log1p((max(total, chunk_count) - chunk_count + 0.5) / (chunk_count + 0.5))


def term_weight(frequency: float, *, length: float) -> float:
    """Return the weight, 0 to 2.2, of a term that occurs `frequency` times in a chunk of `length` words."""
    return frequency * MAX_WEIGHT / (frequency + K1 * (1 - B + B * length / AVERAGE_LENGTH))


def _is_identifier(term: str) -> bool:
    """Accept letters with digits, digits with a slash or hyphen, and long numbers; no ordinal, percentage or period."""
    is_long = sum(character.isdigit() for character in term) >= LONG_NUMBER and not term.endswith("%")
    is_mixed = bool(is_long or _MIXED.fullmatch(term)) and not _ORDINAL.fullmatch(term)
    return is_mixed and not _is_period(term)


def _is_period(term: str) -> bool:
    """Accept "FY20", "Q32021", "1H22", and a year with the next one: "2002-03", not "2013/36"."""
    years = _TWO_YEARS.fullmatch(term)
    return bool(_PERIOD.fullmatch(term) or (years and int(years[2]) == (int(years[1]) + 1) % 100))


def _frequencies(words: Sequence[ReadWord], ignored: Collection[str]) -> dict[str, tuple[int, int]]:
    """Return the frequency and hash of each term, without the ignored words."""
    frequencies: dict[str, tuple[int, int]] = {}
    for read in words:
        if read.term is not None and (read.language is None or read.word not in ignored):
            frequency, _ = frequencies.get(read.term, (0, 0))
            frequencies[read.term] = (max(frequency, read.frequency), read.term_hash)
    return frequencies


def _frequency(read: ReadWord, counts: Counts, totals: Mapping[str, int]) -> float:
    if read.term is None:
        return STOP_WORD_FREQUENCY
    language = read.language or ""
    return counts.get(read.term, {}).get(language, 0) / max(1, totals.get(language, 0))


def _weigh_translations(words: Sequence[ReadWord], translations: Sequence[Translation]) -> dict[str, float]:
    """Return the weight of each term that is only a translation, 0 to 1: its probability."""
    probability: dict[tuple[str | None, str], float] = {}
    for each in translations:
        place = (each.language, each.word)
        probability[place] = max(each.probability, probability.get(place, 0.0))
    synonyms = {read.term for read in words if read.source == "synonym"}
    weights: dict[str, float] = {}
    for read in words:
        if read.term is not None and read.term not in synonyms and (read.language, read.word) in probability:
            weights[read.term] = max(probability[read.language, read.word], weights.get(read.term, 0.0))
    return weights


def _list_weak_languages(evidence: Mapping[str, float]) -> list[str]:
    best = max(evidence.values(), default=0.0)
    return [language for language, score in evidence.items() if score < best * UNMATCHED_BELOW]


def _find_unknown_words(words: Sequence[ReadWord], counts: Counts) -> dict[str, frozenset[str]]:
    """Return words of the query that no chunk has under any language, as written and in order, with their terms."""
    known = {read.word for read in words if read.term is None or read.term in counts}
    unknown: dict[str, set[str]] = {}
    for read in words:
        if read.term is not None and read.word not in known:
            unknown.setdefault(read.word, set()).add(read.term)
    return {word: frozenset(terms) for word, terms in unknown.items()}
