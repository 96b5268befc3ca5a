"""Translate the words of a query, so that a passage in another language is found by its words, too (pure).

`dictionary/it-en.tsv` has a line for each Italian word: its Snowball stem, the word, and English words with their
probability in tenths. Source of the weights: Darwish and Oard, "Probabilistic Structured Query Methods", 2003.
"""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from itertools import chain, takewhile
from pathlib import Path
from typing import Final, cast

import snowballstemmer  # pyright: ignore[reportMissingTypeStubs]

_FOLDER: Final = Path(__file__).with_name("dictionary")
STEMMERS: Final = {
    "de": "german",
    "en": "english",
    "es": "spanish",
    "fr": "french",
    "it": "italian",
    "nl": "dutch",
    "pt": "portuguese",
}
WITH_COMPOUNDS: Final = frozenset({"de", "nl"})
_LEAST_PROBABILITY: Final = 0.1  # of a translation by way of English
_LEAST_PART: Final = 4  # letters of a part of a compound
# Letters that join the parts of a compound, and those that it drops: Arbeit-s-platz, Sonne-n-schein, Schul(e)-bus.
_JOINTS: Final = (("", ""), ("s", ""), ("n", ""), ("en", ""), ("es", ""), ("er", ""), ("e", ""), ("", "e"), ("", "en"))
_WORD: Final = re.compile(r"[^\W\d_]{3,}")


@dataclass(frozen=True, slots=True)
class Translation:
    """A word in another language, and the probability that it is meant."""

    language: str
    word: str
    probability: float


def translate(text: str, language: str | None) -> tuple[Translation, ...]:
    """Return the translations of a text's words; none if its language has no dictionary.

    If the language is not known, it is the one whose dictionary has most of the words. If several have as many, the
    translations that they have in common are returned.
    """
    words = dict.fromkeys(word.lower() for word in _WORD.findall(text))
    evidence = {each: sum(_evidence(word, each) for word in words) for each in STEMMERS if language in {each, None}}
    likely = [each for each in evidence if evidence[each] == max(evidence.values())]
    found = [dict.fromkeys(chain.from_iterable(_translate(word, each) for word in words)) for each in likely]
    shared = [{(each.language, each.word) for each in of_language} for of_language in found]
    return tuple(each for each in found[0] if all((each.language, each.word) in one for one in shared)) if found else ()


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
def _translate(word: str, language: str) -> tuple[Translation, ...]:
    """Return the translations of a word into English, and from there into the other languages."""
    found = _find(word, language)
    probability: defaultdict[tuple[str, str], float] = defaultdict(float)
    for english in found if language != "en" else ():
        for other in _look_up(english.word, "en"):
            probability[other.language, other.word] += english.probability * other.probability
    further = ((*key, each) for key, each in probability.items() if key[0] != language and each >= _LEAST_PROBABILITY)
    return (*found, *(Translation(*each) for each in further))


@lru_cache(maxsize=20_000)
def _find(word: str, language: str) -> tuple[Translation, ...]:
    """Return what the dictionaries of a language have for a word, or for the parts of a compound."""
    if (found := _look_up(word, language)) or language not in WITH_COMPOUNDS:
        return found
    parts = split_compound(word, partial(_look_up, language=language))
    return tuple(chain.from_iterable(_look_up(part, language) for part in parts))


def split_compound(word: str, is_known: Callable[[str], object]) -> tuple[str, ...]:
    """Return the known words that a compound is made of, or none: Kündigung-s-frist."""
    for at in range(_LEAST_PART, len(word) - _LEAST_PART + 1):
        first, last = word[:at], word[at:]
        if not is_known(last):
            continue
        for joint, ending in _JOINTS:
            stem = first.removesuffix(joint) + ending
            if first.endswith(joint) and len(stem) >= _LEAST_PART and is_known(stem):
                return (stem, last)
        if parts := split_compound(first, is_known):
            return (*parts, last)
    return ()


@lru_cache(maxsize=20_000)
def _look_up(word: str, language: str) -> tuple[Translation, ...]:
    """Return the translations of a word, or those of the nearest words with its stem."""
    stem = create_stemmer(language)(word)
    translations: list[Translation] = []
    for target, lines in _load(language).items():
        first, last = bisect_left(lines, f"{stem}\t"), bisect_left(lines, f"{stem}\n")
        entries = [line.split("\t")[1:] for line in lines[first:last]]
        nearest = max((_nearness(entry[0], word) for entry in entries), default=None)
        chosen = [entry for entry in entries if _nearness(entry[0], word) == nearest]
        found: dict[str, float] = {}
        for _, listed in chosen:
            for translation, _, tenths in (each.partition(":") for each in listed.split()):
                found[translation] = found.get(translation, 0.0) + int(tenths) / 10 / len(chosen)
        translations += [Translation(target, translation, probability) for translation, probability in found.items()]
    return tuple(translations)


def _nearness(word: str, other: str) -> tuple[int, int]:
    """Return the number of common first letters, and the difference in length. The word itself is nearest."""
    common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(word, other, strict=False)))
    return common, -abs(len(word) - len(other))


def _evidence(word: str, language: str) -> int:
    """Return 2 if a language has the word, 1 if it has one with the same stem."""
    return 2 if _has_word(word, language) else bool(_find(word, language))


@lru_cache(maxsize=20_000)
def _has_word(word: str, language: str) -> bool:
    """Return true if a dictionary of the language has the word, stop words included."""
    start = f"{create_stemmer(language)(word)}\t{word}\t"
    return any(_first_from(start, lines).startswith(start) for lines in _load(language).values())


def _first_from(start: str, lines: list[str]) -> str:
    """Return the first of sorted lines that is not before `start`."""
    at = bisect_left(lines, start)
    return lines[at] if at < len(lines) else ""


@cache
def _load(language: str) -> dict[str, list[str]]:
    """Return the sorted lines of the dictionaries of a language, by the other language."""
    targets = ("en",) if language != "en" else tuple(STEMMERS.keys() - {"en"})
    paths = {target: _FOLDER / f"{language}-{target}.tsv" for target in sorted(targets)}
    return {target: path.read_text(encoding="utf-8").splitlines() for target, path in paths.items()}
