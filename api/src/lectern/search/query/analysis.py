"""Analyze a query once, for search and for answers (pure)."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from lectern.chunking.languages import detect_language
from lectern.extraction.layout.text_cleaning import clean_text
from lectern.search.query.question import (
    AnswerKind,
    drop_request,
    is_comparison,
    parse_answer_kind,
    parse_names,
    parse_years,
)
from lectern.search.query.references import SectionPattern, parse_page_references, parse_section_references
from lectern.search.query.synonyms import SynonymDictionary, SynonymMatch
from lectern.search.query.title_match import parse_periods
from lectern.search.query.translation import Translation, translate

# Detected if the library's own words do not show the language of a query.
DEFAULT_LANGUAGES: Final = ("en", "it", "de", "fr", "es", "pt", "nl")


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryAnalysis:
    """The content of a query, before the library is consulted. `KeywordQuery` adds its terms and identifiers."""

    text: str
    language: str | None
    expansions: tuple[SynonymMatch, ...]
    translations: tuple[Translation, ...]
    periods: tuple[str, ...]
    pages: tuple[int, ...]
    sections: tuple[SectionPattern, ...]

    @property
    def years(self) -> frozenset[str]:
        """Years in the query, fiscal years too."""
        return parse_years(self.text)

    @property
    def names(self) -> frozenset[str]:
        """Folded names in the query."""
        return parse_names(self.text, language=self.language)

    @property
    def answer_kind(self) -> AnswerKind:
        """The kind of answer that the query asks for."""
        return parse_answer_kind(self.text)

    @property
    def is_comparison(self) -> bool:
        """True if the query compares things."""
        return is_comparison(self.text)

    @property
    def expanded_text(self) -> str:
        """The query with its synonyms in the query's language, for the embedding model."""
        words = ", ".join(phrase for match in self.expansions for phrase in match.in_language(self.language))
        return f"{self.text} ({words})" if words else self.text


@lru_cache(maxsize=2_000)
def analyze_query(
    text: str, *, languages: tuple[str, ...] = DEFAULT_LANGUAGES, synonyms: SynonymDictionary | None = None
) -> QueryAnalysis:
    """Analyze a query without the request around it, cleaned like the text of documents.

    Without a dictionary it is not expanded. The language is None if it is unclear, and empty if it is none of the
    `languages`.
    """
    text = drop_request(clean_text(text))
    language = detect_language(text, languages=languages)
    return QueryAnalysis(
        text=text,
        language=language,
        expansions=synonyms.match(text) if synonyms else (),
        translations=translate(text, language),
        periods=parse_periods(text),
        pages=parse_page_references(text),
        sections=parse_section_references(text),
    )
