"""Questions and what they ask for (pure)."""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from lectern.answers.text_analysis import compile_any, content_words, load_data, numbers
from lectern.search.query.analysis import QueryAnalysis
from lectern.search.query.question import AnswerKind, fold, parse_names
from lectern.search.query.synonyms import SynonymMatch

_DATA: Final = load_data("questions")
_FRAGMENTS: Final = _DATA["fragments"]


def _compile_units(dimension: str) -> re.Pattern[str]:
    """Return a pattern for the units of a dimension, in all languages."""
    units = " ".join(load_data("quantities")["units"][dimension].values()).split()
    return re.compile(rf"(?<![^\W\d_])(?:{'|'.join(map(re.escape, units))})\b", re.IGNORECASE)


def _compile_words(patterns: Iterable[str]) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(patterns)})(?!\w)", re.IGNORECASE)


_DURATION, _PERIODIC, _NUMBER_WORD, _DATE, _OCCASION, _TIME_UNIT, _CURRENCY, _PAGE_NUMBER = (
    compile_any(_DATA["answer"][name], fragments=_FRAGMENTS)
    for name in ("duration", "frequency", "number", "date", "occasion", "time_unit", "currency", "page_number")
)
# A change, an average or a share is calculated from other figures.
CALCULATED_KINDS: Final[frozenset[AnswerKind]] = frozenset({"change", "average", "share"})
# Words without which a sentence has no reason, change, average or share.
_SIGNS: Final[dict[AnswerKind, re.Pattern[str]]] = {
    kind: compile_any(_DATA["answer"][kind]) for kind in ("reason", *sorted(CALCULATED_KINDS))
}
# Units by the kind of answer that they show.
_UNITS: Final[dict[AnswerKind, re.Pattern[str]]] = {
    "duration": _TIME_UNIT,
    "length": _compile_units("length"),
    "weight": _compile_units("weight"),
}
_MEASURE: Final = compile_any(_DATA["question"]["measure"])
_FREQUENCY: Final = compile_any(_DATA["question"]["frequency"])
_ORDER: Final = compile_any(_DATA["question"]["order"], fragments=_FRAGMENTS)
_EXTREME: Final = compile_any(_DATA["question"]["extreme"])
_LENGTH_COLUMN: Final = compile_any(_DATA["answer"]["length_column"])
_CONJUNCTION: Final = compile_any(_DATA["question"]["conjunction"])
_ANY_YEAR: Final = re.compile(r"(?<![\d.,/-])(?:1\d|20)\d\d(?![\d]|[.,]\d)")
_NUMBER_AND_GAP: Final = re.compile(rf"(?:\d|\b(?:{_FRAGMENTS['number_words']})\b)[\s\u00a0\u202f-]*", re.IGNORECASE)
_ITEM_MARKERS: Final = "•◦▪–- \n0123456789.()"
# Labels by the kind of question that they answer, what it asks for them, and the words that they answer.
_LABELS: Final = [
    (entry.get("kind"), *map(_compile_words, (entry["label"], entry["asked"], entry["asked"] + entry.get("also", []))))
    for entry in load_data("labels").values()
]
PRICE_WORDS: Final = content_words(" ".join(_DATA["answer"]["price_words"]))


@dataclass(frozen=True, slots=True)
class Synonym:
    """The words of a term in the question and of its synonym: CEO, chief executive officer."""

    term: frozenset[str]
    phrase: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question and the facts that an answer is checked against."""

    text: str
    kind: AnswerKind
    words: tuple[str, ...]
    years: frozenset[str]
    names: frozenset[str]
    is_comparison: bool
    language: str | None
    synonyms: tuple[Synonym, ...] = ()

    @property
    def own_words(self) -> frozenset[str]:
        """The words of the question and of its synonyms. A sentence that only has these tells nothing new."""
        return frozenset(self.words).union(*(synonym.phrase for synonym in self.synonyms))


def parse_question(analysis: QueryAnalysis) -> Question:
    """Take from the analysis of a query what an answer is checked against. A term with synonyms is no name."""
    return Question(
        text=analysis.text,
        kind=analysis.answer_kind,
        words=tuple(dict.fromkeys(content_words(_MEASURE.sub("how", analysis.text)))),
        years=analysis.years,
        names=analysis.names - {fold(match.term) for match in analysis.expansions},
        is_comparison=analysis.is_comparison,
        language=analysis.language,
        synonyms=tuple(_list_synonyms(analysis.expansions)),
    )


def _list_synonyms(expansions: Iterable[SynonymMatch]) -> Iterator[Synonym]:
    """Yield the terms with one synonym in each language. Several are the lines that a measure is computed from."""
    for match in expansions:
        if all(len(phrases) == 1 for phrases in match.synonyms.values()):
            term = frozenset(content_words(match.term))
            yield from (Synonym(term, frozenset(content_words(phrase))) for phrase in match.phrases)


def list_words(text: str, question: Question) -> list[str]:
    """Return the content words of a text, and the terms of the question that it has a synonym of."""
    words = content_words(text)
    known = set(words)
    return [
        *words,
        *(word for synonym in question.synonyms if synonym.phrase <= known for word in synonym.term - known),
    ]


def list_label_words(label: str, question: Question) -> list[str]:
    """Return the words of the question that a label answers under another name: "From" says who sent a message."""
    for kind, name, asked, answered in _LABELS:
        if kind in {None, question.kind} and name.fullmatch(label) and asked.search(question.text):
            return content_words(" ".join(answered.findall(question.text)))
    return []


def topic_words(question: Question) -> set[str]:
    """Return the words that say what the question is about: "Within how many days?" has none of "days"."""
    return set(question.words) & set(content_words(_TIME_UNIT.sub(" ", question.text)))


def may_ask_for_several(question: str) -> bool:
    """Return True for a question with "and", which may join two things to find or two words for one."""
    return _CONJUNCTION.search(question) is not None


def asks_for_order(question: str, row: str) -> bool:
    """Return True if the question has words for an order of rows, such as "highest" or "next", that a row has not."""
    words = {match[0].lower() for match in _ORDER.finditer(question)}
    return bool(words) and not (any(word in row.lower() for word in words) or _EXTREME.search(row))


def has_unit(kind: AnswerKind, text: str) -> bool:
    """Return True if a header says that the figures below it are times, lengths or weights: "Warranty (years)".

    "How long?" asks for a time or a length.
    """
    is_long = kind == "duration" and (_LENGTH_COLUMN.search(text) or _UNITS["length"].search(text)) is not None
    return is_long or (kind in _UNITS and _UNITS[kind].search(text) is not None)


def drop_page_numbers(text: str) -> str:
    """Return a text without "page 3 of 9"."""
    return _PAGE_NUMBER.sub(" ", text)


def has_currency(text: str) -> bool:
    """Return True if the text names a currency."""
    return _CURRENCY.search(text) is not None


def kind_match(kind: AnswerKind, sentence: str, *, question: str, words: Collection[str]) -> float:
    """Return how well a sentence has the kind of answer that is asked for, 0..1. Unknown kinds give 0.5.

    What the question says itself is no answer. `words` are the content words of the question.
    """
    if kind == "duration":
        return 1.0 if _DURATION.search(sentence) else _frequency_match(sentence, question)
    if kind == "date":
        return _date_match(sentence, question)
    if kind == "person":
        names = (set(content_words(name)) for name in parse_names(sentence.lstrip(_ITEM_MARKERS)))
        return float(any(name and name.isdisjoint(words) for name in names))
    if kind in _UNITS:
        return float(any(_UNITS[kind].match(sentence, match.end()) for match in _NUMBER_AND_GAP.finditer(sentence)))
    if kind in _SIGNS and not _SIGNS[kind].search(sentence):
        return 0.0
    if kind == "number" or kind in CALCULATED_KINDS:
        return float(bool(numbers(sentence) - numbers(question)) or _NUMBER_WORD.search(sentence) is not None)
    return 1.0 if kind in _SIGNS else 0.5


def _date_match(sentence: str, question: str) -> float:
    if set(_ANY_YEAR.findall(sentence)) - set(_ANY_YEAR.findall(question)) or _DATE.search(sentence):
        return 1.0
    return 0.5 * any(pattern.search(sentence) for pattern in (_OCCASION, _DURATION, _PERIODIC))


def _frequency_match(sentence: str, question: str) -> float:
    if not _FREQUENCY.search(question):
        return 0.0
    return 1.0 if _PERIODIC.search(sentence) else 0.5 * bool(_OCCASION.search(sentence) or _DATE.search(sentence))
