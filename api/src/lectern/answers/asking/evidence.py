"""How well a sentence answers a question, and whether well enough (pure).

The table was fitted by `benchmarks/answers.py` on labelled sets, each set measured by a table fitted on the others
(docs/explanation/answers.md).
"""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from lectern.answers.asking.questions import Kind, Question, years_in
from lectern.answers.asking.words import content_words, folded, numbers

_NUMBER_WORDS: Final = re.compile(
    r"\b(one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|thousand"
    r"|half|twice|third|quarter|due|tre|quattro|cinque|sei|sette|otto|nove|dieci|undici|dodici|quindici|venti|trenta"
    r"|quaranta|cinquanta|sessanta|novanta|cento|mille|metà|doppio|zero)\b",
    re.IGNORECASE,
)
_MONTHS: Final = re.compile(
    r"\b(january|february|march|april|may|june|july|august|september|october|november|december|gennaio|febbraio|marzo"
    r"|aprile|maggio|giugno|luglio|agosto|settembre|ottobre|novembre|dicembre|monday|tuesday|wednesday|thursday"
    r"|friday|saturday|sunday|luned|marted|mercoled|gioved|venerd|sabato|domenica|\d{1,2}[./]\d{1,2}[./]\d{2,4})",
    re.IGNORECASE,
)
_CENTURY: Final = re.compile(r"\b(century|secolo|decade|a\.?c\.?|b\.?c\.?)\b", re.IGNORECASE)
_CAPITAL: Final = re.compile(r"\b[A-ZÀ-ÖØ-Þ][\w’'-]+")

FEATURES: Final = ("confidence", "similarity", "sentence_words", "passage_words", "kind", "names")


@dataclass(frozen=True, slots=True)
class Features:
    """Each 0..1."""

    confidence: float
    similarity: float
    sentence_words: float
    passage_words: float
    kind: float
    names: float

    def values(self) -> tuple[float, ...]:
        return tuple(getattr(self, name) for name in FEATURES)


# Intercept, then a weight for each of FEATURES.
WEIGHTS: Final = (-5.59, 0.23, 1.42, 2.36, 1.1, 1.11, 0.88)
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


def has_kind(kind: Kind, sentence: str, question: Question) -> float:
    """Whether a sentence has what the question asks for: 1 or 0, and one half where it asks for nothing certain."""
    if kind == "any":
        return 0.5
    new_numbers = numbers(sentence) - numbers(question.text)
    if kind == "number":
        return float(bool(new_numbers) or _NUMBER_WORDS.search(sentence) is not None)
    if kind == "date":
        has_date = years_in(sentence) - question.years or _MONTHS.search(sentence) or _CENTURY.search(sentence)
        return float(bool(has_date))
    asked = set(question.words)
    names = [name for name in _CAPITAL.findall(sentence)[0:] if not set(content_words(name)) & asked]
    return float(len(names) > 1 or (bool(names) and not sentence.lstrip().startswith(names[0])))


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
