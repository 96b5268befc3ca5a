"""What a question is looked for under besides its own words: the words that passages have for what it names.

"Has the quick ratio improved?" is answered by a balance sheet, which has current assets and liabilities and no ratio.
No ranking finds that by the question's words. Others ask for an e-mail address, and the passage has one without the
word. Entries are TOML: `synonyms.toml` beside this module, and a file of the operator's own.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Final, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, model_validator

from lectern.search.errors import SynonymsMisconfigured
from lectern.search.query.addresses import Address, term_of

OTHERWISE: Final = "en"  # the language of words for a question whose own the entry has none in

_DELIVERED_FILE: Final = Path(__file__).with_name("synonyms.toml")
_LONGEST_LETTERS: Final = 3  # "HR" and "DIO" are words of some language when written small

_WORD: Final = re.compile(r"\w+")

_Text = Annotated[str, StringConstraints(strip_whitespace=True, pattern=r"\w", max_length=200)]


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid")

    names: list[_Text] = Field(min_length=1, max_length=50)
    words: dict[Annotated[str, StringConstraints(pattern="^[a-z]{2}$")], list[_Text]] = {}
    addresses: list[Address] = []

    @model_validator(mode="after")
    def _has_something(self) -> Self:
        if not self.words and not self.addresses:
            raise ValueError("an entry needs words or addresses")
        return self


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")

    delivered: bool = True
    entry: list[_Entry] = Field(default=[], max_length=5_000)


@dataclass(frozen=True, slots=True)
class SynonymMatch:
    """A name in a question and the words of passages that the question lacks, by language.

    `addresses` are the terms of the kinds of address that the name asks for.
    """

    name: str
    words: Mapping[str, tuple[str, ...]]
    addresses: tuple[str, ...] = ()

    @property
    def phrases(self) -> tuple[str, ...]:
        """Those of all languages."""
        return tuple(dict.fromkeys(phrase for phrases in self.words.values() for phrase in phrases))

    def in_language(self, language: str | None) -> tuple[str, ...]:
        """Its words in a language, or in English where there are none."""
        return self.words.get(language or OTHERWISE) or self.words.get(OTHERWISE, ())


@dataclass(frozen=True, slots=True, eq=False)
class SynonymDictionary:
    """Entries by name; of a name that two have, the later one's words count. Equal is the same."""

    entries: Sequence[_Entry]
    _named: dict[str, _Entry] = field(init=False)
    _pattern: re.Pattern[str] = field(init=False)
    _first_words: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        named = {name: entry for entry in self.entries for name in entry.names}
        longest_first = sorted(named, key=lambda name: (-len(name), name))
        alternatives = "|".join(f"(?P<n{number}>{_as_written(name)})" for number, name in enumerate(longest_first))
        pattern = re.compile(rf"(?<![\w&])(?:{alternatives})s?(?![\w&])")
        firsts = {_WORD.findall(name.lower())[0] for name in named}
        object.__setattr__(self, "_named", {f"n{number}": named[name] for number, name in enumerate(longest_first)})
        object.__setattr__(self, "_pattern", pattern)
        object.__setattr__(self, "_first_words", frozenset(firsts | {f"{word}s" for word in firsts}))

    def read(self, question: str) -> tuple[SynonymMatch, ...]:
        """What the question names, in its order, an entry once; without words that it has itself."""
        if self._first_words.isdisjoint(_WORD.findall(question.lower())):
            return ()  # most questions: the pattern takes fifty times as long
        found: dict[int, SynonymMatch] = {}
        own = " ".join(question.lower().split())
        for match in self._pattern.finditer(question):
            entry = self._named[match.lastgroup or ""]
            asked = ((of, tuple(one for one in every if one.lower() not in own)) for of, every in entry.words.items())
            words = {of: lacking for of, lacking in asked if lacking}
            addresses = tuple(term_of(address) for address in entry.addresses)
            if words or addresses:
                found.setdefault(id(entry), SynonymMatch(match[0], words, addresses))
        return tuple(found.values())


def _as_written(name: str) -> str:
    """A pattern for a name: blanks may be hyphens; any case, but for two or three capitals."""
    joined = r"[\s-]+".join(re.escape(word) for word in re.split(r"[\s-]+", name))
    return joined if name.isupper() and len(name) <= _LONGEST_LETTERS else f"(?i:{joined})"


@lru_cache(maxsize=8)
def load_synonyms(file: Path | None = None) -> SynonymDictionary:
    """The delivered entries, and those of a file; with `delivered = false` in it, those alone.

    Raises:
        VocabularyMisconfigured: The file cannot be read, or is not what it should be.
    """
    own = _read(file) if file else _File()
    return SynonymDictionary([*(_read(_DELIVERED_FILE).entry if own.delivered else ()), *own.entry])


def _read(path: Path) -> _File:
    try:
        return _File.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise SynonymsMisconfigured(f"{path} cannot be read: {error.strerror}.") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SynonymsMisconfigured(f"{path} is not TOML: {error}.") from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise SynonymsMisconfigured(f"{path}, {place}: {first['msg']}.") from error
