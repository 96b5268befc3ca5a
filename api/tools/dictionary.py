"""Build the dictionary that search translates queries with, from the word lists in `tools/dictionary/`.

    python tools/dictionary.py

A line of `italian.txt` is an Italian word, further forms of it that have another stem, and up to four English words,
the most likely first: `scrivere scritto: write`. The second one counts half as much, the third one a third.
A line without English words has stop words, which are not translated.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Final, TypeAlias

from lectern.answers.text_analysis import load_data
from lectern.search.query.translation import STEMMERS, WITH_COMPOUNDS, create_stemmer, split_compound

Weights: TypeAlias = Mapping[str, Mapping[str, float]]
"""The translations of each word with their weight."""

LISTS: Final = Path(__file__).with_name("dictionary")
OUTPUT: Final = Path(__file__).parents[1] / "src/lectern/search/query/dictionary"
MAX_TRANSLATIONS: Final = 4
MIN_SHARE: Final = 0.15  # of the weight of the best translation
MAX_TENTHS: Final = 9


def read_list(path: Path) -> list[tuple[list[str], dict[str, float]]]:
    """Read the forms of each word, and its English words with their weight. The weights of a word add up to 1."""
    entries: list[tuple[list[str], dict[str, float]]] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        forms, english = (side.split() for side in line.split(":"))
        total = sum(1 / rank for rank in range(1, len(english) + 1))
        entries.append((forms, {word: 1 / rank / total for rank, word in enumerate(english, start=1)}))
    return entries


def weigh(language: str) -> tuple[Weights, Weights]:
    """Return the translations of a language's words into English, and back.

    A compound translates no English word: "heat pump" is Wärmepumpe, but neither "heat" nor "pump" is.
    """
    entries = read_list(LISTS / f"{STEMMERS[language]}.txt")
    known = frozenset(chain.from_iterable(forms for forms, _ in entries))
    into: defaultdict[str, dict[str, float]] = defaultdict(dict)
    back: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for forms, english in entries:
        for form in forms:
            into[form] |= {word: into[form].get(word, 0.0) + weight for word, weight in english.items()}
        if language not in WITH_COMPOUNDS or not split_compound(forms[0], known.__contains__):
            for word, weight in english.items():
                back[word][forms[0]] = weight
    return into, back


@cache
def cached_stemmer(language: str) -> Callable[[str], str]:
    """Return a stemmer that stems each word once. English words are in the lists of all languages."""
    return cache(create_stemmer(language))


def format_file(source: str, target: str, translations: Weights) -> str:
    """Return the file of two languages."""
    stem, target_stem = cached_stemmer(source), cached_stemmer(target)
    columns = {word: _column(_best(weights, target_stem)) for word, weights in translations.items()}
    # A stop word has no translation, also if its stem is that of another word: "non" and "nono".
    columns |= dict.fromkeys(load_data("words")["stop_words"][source].split(), "")
    return "".join(sorted(f"{stem(word)}\t{word}\t{column}\n" for word, column in columns.items()))


def build() -> dict[str, str]:
    """Return the files by name, two for each language that has a list."""
    files: dict[str, str] = {}
    for language in STEMMERS.keys() - {"en"}:
        into, back = weigh(language)
        files[f"{language}-en.tsv"] = format_file(language, "en", into)
        files[f"en-{language}.tsv"] = format_file("en", language, back)
    return files


def _best(weights: Mapping[str, float], stem: Callable[[str], str]) -> dict[str, float]:
    """Return the most likely words, each stem once."""
    best: dict[str, float] = {}
    for word, weight in sorted(weights.items(), key=lambda entry: (-entry[1], entry[0])):
        is_likely = weight >= max(weights.values()) * MIN_SHARE
        if is_likely and len(best) < MAX_TRANSLATIONS and stem(word) not in {stem(other) for other in best}:
            best[word] = weight
    return best


def _column(weights: Mapping[str, float]) -> str:
    total = sum(weights.values())
    return " ".join(f"{word}:{max(1, min(MAX_TENTHS, round(10 * share / total)))}" for word, share in weights.items())


if __name__ == "__main__":
    for name, content in build().items():
        (OUTPUT / name).write_text(content, encoding="utf-8")
