"""Expand a query with synonyms: words that documents use for a term of the query.

A balance sheet that answers "Has the quick ratio improved?" has current assets and liabilities, and no ratio.
Entries are TOML: the built-in `synonyms.toml`, and the operator's own file.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from lectern.errors import describe_invalid
from lectern.search.errors import SynonymsMisconfigured

FALLBACK_LANGUAGE: Final = "en"

_BUILT_IN_FILE: Final = Path(__file__).with_name("synonyms.toml")
_MAX_CASE_SENSITIVE: Final = 3  # letters: "HR" and "DIO" are words of some language in lower case

_WORD: Final = re.compile(r"\w+")

_Text = Annotated[str, StringConstraints(strip_whitespace=True, pattern=r"\w", max_length=200)]


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid")

    terms: list[_Text] = Field(min_length=1, max_length=50)
    synonyms: dict[Annotated[str, StringConstraints(pattern="^[a-z]{2}$")], list[_Text]] = Field(min_length=1)


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")

    use_built_in: bool = True
    entry: list[_Entry] = Field(default=[], max_length=5_000)


@dataclass(frozen=True, slots=True)
class SynonymMatch:
    """A term of the query and its synonyms by language, without words that the query already has."""

    term: str
    synonyms: Mapping[str, tuple[str, ...]]

    @property
    def phrases(self) -> tuple[str, ...]:
        """The synonyms of all languages."""
        return tuple(dict.fromkeys(phrase for phrases in self.synonyms.values() for phrase in phrases))

    def in_language(self, language: str | None) -> tuple[str, ...]:
        """Return the synonyms in a language, or in English if there are none."""
        return self.synonyms.get(language or FALLBACK_LANGUAGE) or self.synonyms.get(FALLBACK_LANGUAGE, ())


@dataclass(frozen=True, slots=True, eq=False)
class SynonymDictionary:
    """Entries by term. The last entry with a term counts. Instances compare by identity."""

    entries: Sequence[_Entry]
    _by_group: dict[str, _Entry] = field(init=False)
    _pattern: re.Pattern[str] = field(init=False)
    _first_words: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        by_term = {term: entry for entry in self.entries for term in entry.terms}
        longest_first = sorted(by_term, key=lambda term: (-len(term), term))
        alternatives = "|".join(f"(?P<n{number}>{_term_pattern(term)})" for number, term in enumerate(longest_first))
        pattern = re.compile(rf"(?<![\w&])(?:{alternatives})s?(?![\w&])")
        firsts = {_WORD.findall(term.lower())[0] for term in by_term}
        object.__setattr__(
            self, "_by_group", {f"n{number}": by_term[term] for number, term in enumerate(longest_first)}
        )
        object.__setattr__(self, "_pattern", pattern)
        object.__setattr__(self, "_first_words", frozenset(firsts | {f"{word}s" for word in firsts}))

    def match(self, query: str) -> tuple[SynonymMatch, ...]:
        """Return the entries that the query matches, in its order, each entry once."""
        if self._first_words.isdisjoint(_WORD.findall(query.lower())):
            return ()  # most queries: the pattern takes fifty times as long
        matches: dict[int, SynonymMatch] = {}
        own = " ".join(query.lower().split())
        for match in self._pattern.finditer(query):
            entry = self._by_group[match.lastgroup or ""]
            missing = {
                language: tuple(phrase for phrase in phrases if phrase.lower() not in own)
                for language, phrases in entry.synonyms.items()
            }
            synonyms = {language: phrases for language, phrases in missing.items() if phrases}
            if synonyms:
                matches.setdefault(id(entry), SynonymMatch(match[0], synonyms))
        return tuple(matches.values())


def _term_pattern(term: str) -> str:
    """Return a pattern for a term. Blanks match hyphens. Only two or three capitals are case-sensitive."""
    joined = r"[\s-]+".join(re.escape(word) for word in re.split(r"[\s-]+", term))
    return joined if term.isupper() and len(term) <= _MAX_CASE_SENSITIVE else f"(?i:{joined})"


@lru_cache(maxsize=8)
def load_synonyms(file: Path | None = None) -> SynonymDictionary:
    """Load the built-in entries and those of a file; with `use_built_in = false` in it, the file's alone.

    Raises:
        SynonymsMisconfigured: The file cannot be read or is invalid.
    """
    own = _read(file) if file else _File()
    return SynonymDictionary([*(_read(_BUILT_IN_FILE).entry if own.use_built_in else ()), *own.entry])


def _read(path: Path) -> _File:
    try:
        return _File.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise SynonymsMisconfigured(f"{path} cannot be read: {error.strerror}.") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SynonymsMisconfigured(f"{path} is not TOML: {error}.") from error
    except ValidationError as error:
        first = error.errors()[0]
        location = ".".join(str(part) for part in first["loc"])
        raise SynonymsMisconfigured(f"{path}, {location}: {describe_invalid(first)[1]}.") from error
