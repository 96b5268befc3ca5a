"""Words that make a question depend on the one before it, for each language of `data/follow_ups.toml`."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from lectern.answers.text_analysis import compile_any, load_data

_DATA: Final = load_data("follow_ups")
_LANGUAGES: Final = tuple(_DATA["joiners"])


@dataclass(frozen=True, slots=True)
class Grammar:
    """Patterns of one language, or of all for a language without its own."""

    connector: re.Pattern[str]
    question_word: re.Pattern[str]
    anaphor: re.Pattern[str]
    expletive: re.Pattern[str]
    preposition: re.Pattern[str]
    prepositions: Sequence[re.Pattern[str]]
    links: frozenset[str]
    joiner: str
    opening_mark: str
    has_capital_nouns: bool
    """True if each noun begins with a capital, so that a capital makes no name."""


@cache
def grammar_of(language: str | None) -> Grammar:
    """Return the grammar of a language."""
    languages = [language] if language in _LANGUAGES else _LANGUAGES

    def words(name: str) -> list[str]:
        return [word for one in languages for word in _DATA[name].get(one, ())]

    return Grammar(
        connector=re.compile(rf"\s*(?P<word>{'|'.join(words('connectors'))})(?![\w’'.])[\s,:]+", re.IGNORECASE),
        question_word=re.compile(
            rf"(?:[\w’']+[\s]+){{0,2}}(?:{'|'.join(words('question_words'))})(?!\w)", re.IGNORECASE
        ),
        anaphor=_compile_words(words("anaphors")),
        expletive=_compile_words(words("expletives")),
        preposition=_compile_words(words("prepositions")),
        prepositions=[_compile_words([group]) for group in words("prepositions")],
        links=frozenset(words("links")),
        joiner=_DATA["joiners"][languages[0]],
        opening_mark=_DATA["opening_marks"].get(language, ""),
        has_capital_nouns=language in _DATA["languages_with_capital_nouns"],
    )


def _compile_words(patterns: Iterable[str]) -> re.Pattern[str]:
    return compile_any([rf"(?<![\w’'])(?:{pattern})(?![\w])" for pattern in patterns])
