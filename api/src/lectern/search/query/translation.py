"""Translate the words of a query, so that a passage in another language is found by its words, too (pure).

`dictionary/it-en.tsv` has a line for each Italian word: its Snowball stem, the word, and English words with their
probability in tenths. Source of the weights: Darwish and Oard, "Probabilistic Structured Query Methods", 2003.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain
from pathlib import Path
from typing import Final, cast

import snowballstemmer  # pyright: ignore[reportMissingTypeStubs]

_FOLDER: Final = Path(__file__).with_name("dictionary")
STEMMERS: Final = {"en": "english", "es": "spanish", "it": "italian"}
TARGETS: Final = {"en": ("es", "it"), "es": ("en",), "it": ("en",)}
_WORD: Final = re.compile(r"[^\W\d_]{3,}")


@dataclass(frozen=True, slots=True)
class Translation:
    """A word in another language, and the probability that it is meant."""

    language: str
    word: str
    probability: float


def translate(text: str, language: str | None) -> tuple[Translation, ...]:
    """Return the translations of a text's words; none if its language has no dictionary.

    If the language is not known, it is the one whose dictionaries have most of the words; none if two have as many.
    """
    words = dict.fromkeys(word.lower() for word in _WORD.findall(text))
    found = {each: [_find(word, each) for word in words] for each in STEMMERS if language in {each, None}}
    known = {each: sum(map(bool, of_words)) for each, of_words in found.items()}
    best = [each for each in found if known[each] == max(known.values())]
    return tuple(chain.from_iterable(found[best[0]])) if len(best) == 1 else ()


def create_stemmer(language: str) -> Callable[[str], str]:
    """Return a function that stems words of a language that has a dictionary."""
    stemmer = snowballstemmer.stemmer(STEMMERS[language])  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    return cast("Callable[[str], str]", stemmer.stemWord)  # pyright: ignore[reportUnknownMemberType]


def join_by_language(translations: Iterable[Translation]) -> dict[str, str]:
    """Return the words of each language as a text."""
    words: dict[str, list[str]] = {}
    for each in translations:
        words.setdefault(each.language, []).append(each.word)
    return {language: " ".join(dict.fromkeys(of_language)) for language, of_language in words.items()}


@lru_cache(maxsize=20_000)
def _find(word: str, language: str) -> tuple[Translation, ...]:
    """Return the translations of a word, or those of all words with its stem."""
    stem = create_stemmer(language)(word)
    translations: list[Translation] = []
    for target, lines in _load(language).items():
        first, last = bisect_left(lines, f"{stem}\t"), bisect_left(lines, f"{stem}\n")
        entries = [line.split("\t")[1:] for line in lines[first:last]]
        chosen = [entry for entry in entries if entry[0] == word] or entries
        found: dict[str, float] = {}
        for _, listed in chosen:
            for translation, _, tenths in (each.partition(":") for each in listed.split()):
                found[translation] = found.get(translation, 0.0) + int(tenths) / 10 / len(chosen)
        translations += [Translation(target, translation, probability) for translation, probability in found.items()]
    return tuple(translations)


@cache
def _load(language: str) -> dict[str, list[str]]:
    """Return the sorted lines of the dictionaries of a language, by the other language."""
    paths = {target: _FOLDER / f"{language}-{target}.tsv" for target in TARGETS[language]}
    return {target: path.read_text(encoding="utf-8").splitlines() for target, path in paths.items()}
