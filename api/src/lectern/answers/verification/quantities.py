"""Quantities of a text: values with unit, scale, limit and period, in digits or words (pure).

"EUR 17.8 million" and "17,803 thousand euro" are the same amount, "1.5 per cent" and "0.015" the same share.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final, Literal, TypeAlias

from lectern.answers.text_analysis import compile_any, content_words, load_data, normalize_number, singular
from lectern.answers.verification.figures import join_compounds, number_words
from lectern.search.query.question import fold

Limit: TypeAlias = Literal["up", "down"]

_DATA: Final = load_data("quantities")
_UNITS: Final = {
    word: (dimension, float(factor))
    for dimension, factors in _DATA["units"].items()
    for factor, words in factors.items()
    for word in words.split()
}
_SCALES: Final = {word: float(scale) for scale, words in _DATA["scales"].items() for word in words.split()}
_ORDINALS: Final = {word: float(value) for value, words in _DATA["ordinals"].items() for word in words.split()}
_VALUES: Final = {word: float(value) for word, value in number_words().items() if word not in _SCALES} | _ORDINALS
_HALVES: Final = frozenset(word for word, value in _ORDINALS.items() if value < 1)  # "half an hour"
_RATES: Final = {word: _UNITS[unit] for unit, words in _DATA["rates"].items() for word in words.split()}
_CALENDAR: Final = {word: name for name, words in _DATA["calendar"].items() for word in words.split()}
_PLACES: Final = {
    fold(name.strip()): "place:" + fold(names.split(",")[0]).replace(" ", "")
    for names in load_data("exonyms")["places"]
    for name in names.split(",")
}
_PLACE: Final = compile_any([rf"\b(?:{'|'.join(sorted(map(re.escape, _PLACES), key=len, reverse=True))})\b"])
_PERCENT: Final = compile_any([r"\bper\s*cento?\b", r"\bprozent\b", r"\bpor\s+ciento\b"])
_LIMITS: Final = [
    (step["direction"], compile_any([rf"\b(?:{'|'.join(step['patterns'])})\b"])) for step in _DATA["limits"]
]
_LIMIT_MARK: Final[dict[str, Limit]] = {"‹down›": "down", "‹up›": "up"}
_TOKEN: Final = re.compile(
    r"(?P<limit>‹(?:down|up)›)|(?P<place>place:\w+)|(?P<number>\d+(?:[.,'’\u00a0\u202f]\d+)*(?![\w/-]*[^\W_]))"
    r"|(?P<word>[^\W_]+(?:[-./:&][^\W_]+)*)|(?P<symbol>[%€$£])|(?P<break>[.;:!?()|]+)|(?P<comma>,)"
)
_ATTACHED: Final = re.compile(r"(\d+(?:[.,]\d+)*)[-–]?([^\W\d_]+)")
_DATE: Final = re.compile(r"(\d{1,2})[./-](\d{1,2})[./-]((?:19|20)\d\d)")
_RANGE: Final = re.compile(r"(?<=\d)[–-](?=\d)")
_PLAIN: Final = re.compile(r"[^\W\d_]+")
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_NEGATION: Final = compile_any([rf"\b(?:{'|'.join(_DATA['negation']['words'])})\b"])
_CLAUSE: Final = re.compile(
    rf"[;.!?](?:\s|$)|,\s+(?:{'|'.join(_DATA['negation']['clauses'])})\s|\s(?=(?:{'|'.join(_DATA['negation']['conditions'])})\s)"
)
_ANSWER: Final = re.compile(rf"(?:{'|'.join(_DATA['negation']['answers'])}),\s")
_ELISION: Final = re.compile(rf"\b(?:{'|'.join(_DATA['negation']['elisions'])})'(?=\w)")
_ANTONYMS: Final = [
    (compile_any([rf"\b(?:{'|'.join(pair['one'])})\b"]), compile_any([rf"\b(?:{'|'.join(pair['other'])})\b"]))
    for pair in load_data("antonyms")["pair"]
]
_MONTHS: Final = tuple(dict.fromkeys(_CALENDAR.values()))[:12]
_COMMA_DISTANCE: Final = 4
_LONG_WORD: Final = 8
_DATE_DIMENSION: Final = ("date", 1.0)
_LETTER: Final = re.compile(r"(?<=\w )([A-HJ-Z])(?=[\s,;:.)|]|$)")  # "Lamp B": words of one letter are ignored
_CONJUNCTION_DISTANCE: Final = 4
_CONJUNCTIONS: Final = frozenset(_DATA["negation"]["conjunctions"])
_BREAK_DISTANCE: Final = 6
_LIMIT_WORDS: Final = 7  # between a limit and its figure
_LIMIT_WORDS_AFTER: Final = 2
_MIN_ROUNDED_DIGITS: Final = 2
_PER_CENT: Final = 100.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """A number with what is said about it. `position` counts words, and more for punctuation."""

    value: float
    written: str
    position: float
    dimension: str = ""
    factor: float = 1.0
    scale: float = 1.0
    limit: Limit | None = None
    is_year: bool = False


@dataclass(frozen=True, slots=True)
class Word:
    """A stem, or a place, month, weekday, year or code that needs no translation."""

    stem: str
    position: float
    plain: str = ""

    def forms(self) -> tuple[str, ...]:
        """Return the stem, and a longer form of a long word: "internal" and "internet" have one stem."""
        return (self.stem, f"={singular(self.plain)}") if len(self.plain) >= _LONG_WORD else (self.stem,)


@dataclass(frozen=True, slots=True)
class Clause:
    """The stems of a clause, and whether it is negated."""

    stems: frozenset[str]
    is_negated: bool


@dataclass(frozen=True, slots=True)
class ParsedText:
    """The words and quantities of a text. `bare_units` have no number of their own: "a day", "per tonne"."""

    words: tuple[Word, ...]
    quantities: tuple[Quantity, ...]
    bare_units: frozenset[tuple[str, float]]
    scales: frozenset[float]
    clauses: tuple[Clause, ...]
    codes: frozenset[str]
    stems: frozenset[str]
    limits: frozenset[Limit]
    antonyms: frozenset[tuple[int, bool]]


@dataclass(slots=True)
class _Token:
    kind: str
    text: str
    position: float


@lru_cache(maxsize=4096)
def parse_text(text: str) -> ParsedText:
    """Return the words and quantities of a sentence, row or header."""
    plain = _normalize(text)
    tokens = list(_tokenize(plain))
    words: list[Word] = []
    quantities: list[Quantity] = []
    used: set[int] = set()
    for place, token in enumerate(tokens):
        value = _value(token)
        if value is not None:
            quantities.append(_quantity(tokens, place, value, used))
        words += _words(token)
    words += list(_labels(tokens, words))
    words += [
        Word(f"unit:{unit[0]}:{unit[1]:g}", token.position)
        for place, token in enumerate(tokens)
        if place not in used and token.kind == "word" and (unit := _bare_unit(token.text))
    ]
    codes = frozenset(token.text for token in tokens if token.kind == "code")
    free = [token.text for place, token in enumerate(tokens) if place not in used]
    units = frozenset(unit for word in free if (unit := _bare_unit(word)))
    scales = frozenset(_SCALES[word] for word in free if word in _SCALES)
    return ParsedText(
        tuple(words),
        tuple(quantities),
        units,
        scales,
        tuple(_clauses(plain)),
        codes,
        frozenset(form for word in words for form in word.forms()),
        frozenset(_LIMIT_MARK[token.text] for token in tokens if token.kind == "limit"),
        frozenset(_sides(text)),
    )


def _labels(tokens: Sequence[_Token], words: Sequence[Word]) -> Iterator[Word]:
    """Yield numbers that belong to the word before them: "Zone 2", "level 1"."""
    stems = {word.position: word.stem for word in words if word.plain}
    for before, token in pairwise(tokens):
        if token.kind == "number" and before.position in stems:
            yield Word(f"{stems[before.position]}#{normalize_number(token.text)}", token.position)


def _sides(text: str) -> Iterator[tuple[int, bool]]:
    """Yield the pairs of antonyms of which a text has only one side."""
    for number, (one, other) in enumerate(_ANTONYMS):
        has_one, has_other = one.search(text) is not None, other.search(text) is not None
        if has_one != has_other:
            yield number, has_one


def _bare_unit(word: str) -> tuple[str, float] | None:
    """Return the unit of a word without a number. Single letters are too often something else."""
    return _RATES.get(word) or (_UNITS.get(word) if len(word) > 1 or not word.isalpha() else None)


def _normalize(text: str) -> str:
    """Fold a text and replace what is written in several ways by one mark."""
    plain = _ELISION.sub("", _PERCENT.sub("%", join_compounds(fold(_LETTER.sub(r"q\1q", text)))))
    plain = _ANSWER.sub("", plain, count=1) if _ANSWER.match(plain) else plain
    plain = _DATE.sub(lambda match: f"{match[1]} {_month(match[2])} {match[3]}", plain)
    plain = _RANGE.sub(" - ", plain)
    for limit, pattern in _LIMITS:
        plain = pattern.sub(f" ‹{limit}› ", plain)
    return _PLACE.sub(lambda match: _PLACES[match[0]], plain)


def _month(number: str) -> str:
    return _MONTHS[int(number) - 1] if 1 <= int(number) <= len(_MONTHS) else number


def _tokenize(text: str) -> Iterator[_Token]:
    position = 0.0
    for match in _TOKEN.finditer(text):
        kind, written = str(match.lastgroup), match[0]
        if kind in {"comma", "break"}:
            position += _COMMA_DISTANCE if kind == "comma" else _BREAK_DISTANCE
            yield _Token(kind, written, position)
            continue
        for part, part_kind in _split(written, kind):
            position += _CONJUNCTION_DISTANCE if part in _CONJUNCTIONS else 1
            yield _Token(part_kind, part, position)


def _split(written: str, kind: str) -> Iterator[tuple[str, str]]:
    """Split "65dB" and "24-month" into number and unit, and compounds into words. Codes stay whole."""
    attached = _ATTACHED.fullmatch(written) if kind == "word" else None
    if attached and attached[2] in _UNITS:
        yield attached[1], "number"
        yield attached[2], "word"
    elif kind == "word" and any(map(str.isdigit, written)):
        yield written, "code"
    elif kind == "word":
        yield from ((part, "word") for part in re.split(r"[-/&.:]", written) if part)
    else:
        yield written, "word" if kind == "symbol" else kind


def _value(token: _Token) -> float | None:
    if token.kind == "number":
        return float(normalize_number(token.text))
    return _VALUES.get(token.text) if token.kind == "word" else None


def _quantity(tokens: Sequence[_Token], place: int, value: float, used: set[int]) -> Quantity:
    token = tokens[place]
    is_year = token.kind == "number" and _YEAR.fullmatch(token.text) is not None
    after, scale = place + 1, 1.0
    while after < len(tokens) and tokens[after].text in _SCALES:
        scale *= _SCALES[tokens[after].text]
        used.add(after)
        after += 1
    unit, unit_place = _unit(tokens, place, after)
    if unit_place is not None:
        used.add(unit_place)
    is_year = is_year and scale == 1.0 and (not unit or unit == _DATE_DIMENSION)
    end = max(after - 1, unit_place or 0)
    return Quantity(
        value=value,
        written=token.text if token.kind == "number" else normalize_number(f"{value:g}"),
        position=token.position,
        dimension=unit[0] if unit else "",
        factor=unit[1] if unit else 1.0,
        scale=scale,
        limit=_limit(tokens, place, end),
        is_year=is_year,
    )


def _unit(tokens: Sequence[_Token], place: int, after: int) -> tuple[tuple[str, float] | None, int | None]:
    """Return the unit after a number ("ten working days" too), or the currency before it."""
    for candidate in (after, after + 1):
        if candidate < len(tokens) and tokens[candidate].kind == "word":
            word = tokens[candidate].text
            if word in _UNITS and (
                candidate == after
                or (len(word) > 1 and (_is_adjective(tokens[after]) or tokens[place].text in _HALVES))
            ):
                return _UNITS[word], candidate
    if after < len(tokens) and tokens[after].text in _CALENDAR:
        return _DATE_DIMENSION, None
    before = place - 1
    if before >= 0 and tokens[before].text in _UNITS and _UNITS[tokens[before].text][0].startswith("money"):
        return _UNITS[tokens[before].text], before
    return None, None


def _is_adjective(token: _Token) -> bool:
    return token.kind == "word" and token.text not in _VALUES and bool(content_words(token.text))


def _limit(tokens: Sequence[_Token], place: int, end: int) -> Limit | None:
    """Return the limit just before or after a figure, not beyond another figure."""
    for distance in range(1, _LIMIT_WORDS + 1):
        before = tokens[place - distance] if place >= distance else None
        if before is None or before.kind in {"number", "break"} or (distance > 1 and _bare_unit(before.text)):
            break
        if tokens[place - distance].kind == "limit":
            return _LIMIT_MARK[tokens[place - distance].text]
    for following in tokens[end + 1 : end + 1 + _LIMIT_WORDS_AFTER]:
        if following.kind not in {"limit", "word"}:
            break
        if following.kind == "limit":
            return _LIMIT_MARK[following.text]
    return None


def _words(token: _Token) -> Iterator[Word]:
    """Yield what a token adds to the context of quantities."""
    if token.kind in {"place", "code"}:
        yield Word(token.text, token.position)
    elif token.kind == "number":
        yield Word("number:" + normalize_number(token.text), token.position)
    elif token.text in _CALENDAR:
        yield Word("date:" + _CALENDAR[token.text], token.position)
    elif token.kind == "word" and not any(token.text in known for known in (_UNITS, _RATES, _VALUES, _SCALES)):
        yield from (Word(stem, token.position, token.text) for stem in content_words(token.text))


def _clauses(text: str) -> Iterator[Clause]:
    for part in _CLAUSE.split(text):
        words = (Word(stem, 0.0, token) for token in _PLAIN.findall(part) for stem in content_words(token))
        stems = frozenset(form for word in words for form in word.forms())
        if stems:
            yield Clause(stems, _NEGATION.search(part) is not None)


def same_amount(claimed: Quantity, actual: Quantity, *, scales: frozenset[float] = frozenset()) -> bool:
    """Return True if two quantities are equal, converted, rounded, or written with another scale.

    `scales` are those that the header or caption gives the actual quantity.
    """
    if _are_equal(claimed, claimed.value * claimed.scale, actual.value * actual.scale):
        return actual.scale > 1 or claimed.scale > 1 or not scales or claimed.scale in scales or actual.is_year
    if any(_are_equal(claimed, claimed.value * claimed.scale, actual.value * scale) for scale in scales):
        return True
    if claimed.value == actual.value and actual.scale == 1.0 and not scales and claimed.scale > 1:
        return True  # a table without its caption
    if claimed.dimension == actual.dimension and claimed.dimension and claimed.factor != actual.factor:
        return _is_close(claimed.value * claimed.factor, actual.value * actual.factor)
    if {claimed.dimension.split(":")[0], actual.dimension.split(":")[0]} == {"money"}:
        return _is_close(claimed.value * claimed.factor, actual.value * actual.factor)
    if {claimed.dimension, actual.dimension} == {"", "percent"}:
        share, percentage = sorted((claimed, actual), key=lambda one: one.dimension)
        return share.value < 1 and _is_close(share.value * _PER_CENT, percentage.value)
    return False


def _are_equal(claimed: Quantity, wanted: float, actual: float) -> bool:
    if wanted == actual:
        return True
    digits = len(re.sub(r"\D", "", claimed.written).strip("0"))
    if digits < _MIN_ROUNDED_DIGITS or claimed.scale == 1.0:
        return False
    decimals = len(claimed.written.split(".")[1]) if "." in normalize_number(claimed.written) else 0
    unit = claimed.scale * 10.0**-decimals
    return abs(wanted - actual) <= unit / 2


def _is_close(one: float, other: float) -> bool:
    return abs(one - other) <= 1e-6 * max(abs(one), abs(other))
