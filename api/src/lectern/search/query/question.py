"""Read what a question asks for: its subject, the kind of answer, years, names and comparisons (pure)."""

import re
import unicodedata
from collections.abc import Iterator
from typing import Final, Literal, TypeAlias, cast, get_args

from lectern.search.query.language_patterns import any_of, list_patterns

AnswerKind: TypeAlias = Literal[
    "duration",
    "length",
    "weight",
    "reason",
    "meaning",
    "change",
    "average",
    "share",
    "number",
    "date",
    "person",
    "steps",
    "any",
]

_KINDS: Final[tuple[AnswerKind, ...]] = get_args(AnswerKind)
# Of the patterns that match at one place, the first counts.
_ALTERNATIVES: Final = "|".join(f"(?P<{kind}>{any_of('answers.' + kind)})" for kind in _KINDS)
_QUESTION_WORD: Final = re.compile(rf"\b(?:{_ALTERNATIVES})\b", re.IGNORECASE)
_COMPARISON: Final = re.compile(rf"\b{any_of('comparisons.words')}\b", re.IGNORECASE)
# Both begin with what is rare in a text: a look at the character before comes later. Long reports are read for years.
_YEAR: Final = re.compile(r"((?:19|20)\d\d)(?<![\d.,/-]\d{4})(?!\d|[.,]\d)")
_SHORT_YEAR: Final = re.compile(r"[Ff](?<!\w[Ff])[Yy]\s?'?(\d\d)\b")
_NAME: Final = re.compile(r"\b[A-ZÀ-ÖØ-Þ][\w&’'-]*[\w]|\b[A-Z]\b")
_NUMBER_BEHIND: Final = re.compile(r"\s+(\d+(?:[.,/:-]\d+)*)(?!\w|\s?%|[.,]\d)")
_PERIOD: Final = re.compile(r"(?:fy|q|h)\d{1,4}")
_REQUEST: Final = re.compile(rf"[\s¿¡]*{any_of('requests.openings')}(?![\w’'-])[\s,:;!]*(?=\w)", re.IGNORECASE)
_REQUEST_ENDING: Final = re.compile(rf"(?<=\w){any_of('requests.endings')}[\s.!?]*$", re.IGNORECASE)
_NOT_NAMES: Final = frozenset(list_patterns("names.exceptions"))
_CAPITALIZED_NOUNS: Final = frozenset({"de"})


def drop_request(query: str) -> str:
    """Return what is asked for: "how long it lasts" of "Can you tell me how long it lasts, please?"."""
    subject = _REQUEST_ENDING.sub("", query)
    while (match := _REQUEST.match(subject)) is not None:
        subject = subject[match.end() :]
    return subject


def parse_answer_kind(question: str) -> AnswerKind:
    """Return the kind of answer that the first question word asks for."""
    match = _QUESTION_WORD.search(question)
    return cast("AnswerKind", match.lastgroup) if match and match.lastgroup else "any"


def is_comparison(question: str) -> bool:
    """Return true if the question compares things."""
    return _COMPARISON.search(question) is not None


def parse_years(text: str) -> frozenset[str]:
    """Return the years in a text, fiscal years too: "FY17" is 2017."""
    return frozenset(_YEAR.findall(text)) | {f"20{short}" for short in _SHORT_YEAR.findall(text)}


def parse_names(text: str, *, language: str | None = None) -> frozenset[str]:
    """Return capitalized words, folded, that do not begin a sentence.

    In languages that capitalize all nouns, names cannot be recognized.
    """
    if language in _CAPITALIZED_NOUNS:
        return frozenset()
    return frozenset(name for name, _ in _find_names(text))


def parse_numbered_names(text: str) -> frozenset[tuple[str, str]]:
    """Return the names with a number behind them, such as ("aqualine", "60"), in any language. A year is none."""
    numbered = ((name, _NUMBER_BEHIND.match(text, end)) for name, end in _find_names(text))
    return frozenset((name, match[1]) for name, match in numbered if match and not parse_years(match[1]))


def _find_names(text: str) -> Iterator[tuple[str, int]]:
    """Yield each name, folded, with the place behind it."""
    for match in _NAME.finditer(text):
        before = text[: match.start()].rstrip(" \"“«('‘")
        is_first = not before or before[-1] in ".!?:\n¿¡"
        name = fold(match[0].removesuffix("'s").removesuffix("’s"))
        if not is_first and name not in _NOT_NAMES and len(name) > 1 and not _PERIOD.fullmatch(name):
            yield name, match.end()


def fold(word: str) -> str:
    """Return a word in lower case, without accents, with a straight apostrophe."""
    plain = word.casefold().replace("’", "'")
    if plain.isascii():
        return plain
    decomposed = unicodedata.normalize("NFKD", plain)
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))
