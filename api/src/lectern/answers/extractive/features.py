"""How well a sentence answers a question, and whether well enough (pure).

The table was fitted by `benchmarks/answers.py` on labelled sets, each set measured by a table fitted on the others
(docs/benchmarks/answers.md).
"""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from lectern.answers.questions import Question, years_in
from lectern.answers.words import folded, normal_number

_TOKEN: Final = re.compile(r"[^\W_]+(?:[-./:'’][^\W_]+)*%?")

FEATURES: Final = (
    "confidence",
    "similarity",
    "sentence_words",
    "context_words",
    "identifiers",
    "pairs",
    "rank",
    "kind",
)


@dataclass(frozen=True, slots=True)
class Features:
    """What tells a sentence that answers; each 0..1, but for `similarity` (-0.5..1.5) and `identifiers` (-1..1).

    confidence: of the search. similarity: of what is quoted and the question, 0 for unrelated texts, 1 for good
    answers. sentence_words: share of the question's weight in the sentence and its heading. context_words: the same
    with the sentence before it, or with the header of its table. identifiers: whether it has the numbers and codes of
    the question: 1 all, -1 none, 0 where there are none. pairs: share of the question's neighbouring words that are
    neighbours there too. rank: 1 / place of its passage. kind: whether it has what is asked for.
    """

    confidence: float
    similarity: float
    sentence_words: float
    context_words: float
    identifiers: float
    pairs: float
    rank: float
    kind: float

    def values(self) -> tuple[float, ...]:
        return tuple(getattr(self, name) for name in FEATURES)


# Intercept, then a weight for each of FEATURES.
WEIGHTS: Final = (-5.77, 0.25, 2.51, 0.57, 2.46, 0.78, 0.91, 0.64, 1.04)
THRESHOLD: Final = 0.3


def probability(features: Features, *, weights: Sequence[float] = WEIGHTS) -> float:
    """That a sentence with these features answers."""
    total = weights[0] + sum(weight * value for weight, value in zip(weights[1:], features.values(), strict=True))
    return 1 / (1 + math.exp(-total))


def word_weights(words: Iterable[str], passages: Sequence[Iterable[str]]) -> dict[str, float]:
    """What each word of the question is worth: more, the fewer of the passages found have it."""
    kept = [set(passage) for passage in passages]
    return {word: math.log(1 + len(kept) / (0.5 + sum(word in passage for passage in kept))) for word in words}


def coverage(weights: Mapping[str, float], words: Iterable[str]) -> float:
    """The share of the question's weight that is among the words; 1 for a question without words."""
    total = sum(weights.values())
    present = set(words)
    return sum(weight for word, weight in weights.items() if word in present) / total if total else 1.0


def neighbours(words: Sequence[str]) -> set[tuple[str, str]]:
    """Words that stand beside each other."""
    return set(pairwise(words))


def identifiers(text: str) -> set[str]:
    """Numbers as they are worth, and codes that hold a digit ("SKU-0042", "12-bis")."""
    tokens = (match[0] for match in _TOKEN.finditer(text))
    return {
        folded(token) if any(map(str.isalpha, token)) else normal_number(token.rstrip("%"))
        for token in tokens
        if any(map(str.isdigit, token))
    }


def contradicts_year(question: Question, text: str) -> bool:
    """Whether years are named in the text (passage, headings, title, filename), and none of those asked for."""
    named = years_in(re.sub(r"[_-]", " ", text))
    return bool(question.years) and bool(named) and not question.years & named


def names_found(question: Question, text: str) -> float:
    """The share of the names in the question that the text names; 1 where there are none."""
    if not question.names:
        return 1.0
    plain = folded(text)
    return sum(name in plain for name in question.names) / len(question.names)
