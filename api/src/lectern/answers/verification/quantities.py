"""Quantities of a text: values with unit, scale, limit and period, in digits or words (pure).

"EUR 17.8 million" and "17,803 thousand euro" are the same amount, "1.5 per cent" and "0.015" the same share.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from lectern.answers.text_analysis import compile_any, content_words, load_data, normalize_number
from lectern.answers.verification.tokens import (
    CALENDAR,
    DATA,
    MONTHS_BEFORE_DAYS,
    ORDINALS,
    RATES,
    SCALES,
    UNITS,
    VALUES,
    TextToken,
    normalize_text,
    tokenize,
)

Limit: TypeAlias = Literal["up", "down"]
Negation: TypeAlias = Literal["", "not", "no", "without"]

_HALVES: Final = frozenset(word for word, value in ORDINALS.items() if value < 1)  # "half an hour"
_LIMITS: Final[tuple[Limit, ...]] = ("down", "up")
_LIMIT_MARK: Final[dict[str, Limit]] = {f"‹{limit}{place}›": limit for limit in _LIMITS for place in ("", "-", "+")}
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_NEGATION_KINDS: Final[tuple[Negation, ...]] = ("not", "no", "without")
_NEGATIONS: Final[Mapping[Negation, re.Pattern[str]]] = {
    kind: compile_any([rf"\b(?:{'|'.join(DATA['negations'][kind])})\b"]) for kind in _NEGATION_KINDS
}
_BAN: Final = compile_any([rf"\b(?:{'|'.join(DATA['negations']['ban'])})\b"])
_NEGATION: Final = "|".join([*DATA["negations"]["not"], *DATA["negations"]["no"]])
_CLAUSE: Final = re.compile(
    rf"[;:.!?](?:\s|$)|,\s+(?:{'|'.join(DATA['grammar']['clauses'])})\s"
    rf"|\s(?=(?:{'|'.join(DATA['grammar']['conditions'] + DATA['grammar']['contrasts'])})\s)"
    rf"|(?:,|\s(?:{'|'.join(DATA['grammar']['conjunctions'])}))\s(?=(?:(?:{'|'.join(DATA['grammar']['auxiliaries'])})\s)?(?:{_NEGATION})\s)"
)
_NOT_NEGATION: Final = compile_any([rf"\b(?:{'|'.join(DATA['grammar']['not_negations'])})\b"])
_LEADING_CONDITION: Final = re.compile(rf"\s*(?:{'|'.join([*DATA['grammar']['conditions'], 'si'])})\s[^,]+,")
_ANTONYMS: Final = [
    (compile_any([rf"\b(?:{'|'.join(pair['one'])})\b"]), compile_any([rf"\b(?:{'|'.join(pair['other'])})\b"]))
    for pair in load_data("antonyms")["pair"]
]
_NO_UNITS: Final = frozenset("abcdefghijklmnopqrstuvwxyz") | {"ma"}  # too often something else
_PERIODS: Final = frozenset({"time", "calendar", "night"})
_RATE_LINKS: Final = frozenset(DATA["grammar"]["rate_links"])
_DATE_LINKS: Final = frozenset(DATA["grammar"]["date_links"])
_RATE_WORDS: Final = 3  # after a figure and its unit
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
    rate: tuple[str, float] | None = None
    is_year: bool = False


@dataclass(frozen=True, slots=True)
class Word:
    """A stem, or a place, month, weekday, year or code."""

    stem: str
    position: float


@dataclass(frozen=True, slots=True)
class Clause:
    """The stems of a clause, and how it is negated: "not" for the verb, "no" for a noun, "without" for a part of it."""

    stems: frozenset[str]
    negation: Negation

    def contradicts(self, other: "Clause") -> bool:
        """Return True if only one of two clauses is negated. "Without power" is "no power"."""
        kinds = {self.negation, other.negation}
        return kinds != {"no", "without"} and len({kind in {"not", "no"} for kind in kinds}) > 1


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
    missing: frozenset[str]  # stems after "without"


@lru_cache(maxsize=4096)
def parse_text(text: str) -> ParsedText:
    """Return the words and quantities of a sentence, row or header."""
    plain = normalize_text(text)
    tokens = list(tokenize(plain))
    words: list[Word] = []
    quantities: list[Quantity] = []
    used: set[int] = set()
    for place, token in enumerate(tokens):
        value = _value(token)
        if value is not None:
            quantities.append(_quantity(tokens, place, value, used))
        words += _words(token)
    words += [
        Word(f"unit:{unit[0]}:{unit[1]:g}", token.position)
        for place, token in enumerate(tokens)
        if place not in used and token.kind == "word" and (unit := _bare_unit(token.text))
    ]
    codes = frozenset(token.text for token in tokens if token.kind == "code")
    free = [token.text for place, token in enumerate(tokens) if place not in used]
    units = frozenset(unit for word in free if (unit := _bare_unit(word)))
    scales = frozenset(SCALES[word] for word in free if word in SCALES)
    return ParsedText(
        tuple(words),
        tuple(quantities),
        units,
        scales,
        tuple(_clauses(plain)),
        codes,
        frozenset(word.stem for word in words),
        frozenset(_LIMIT_MARK[token.text] for token in tokens if token.kind == "limit"),
        frozenset(_sides(text)),
        frozenset(_missing(_NOT_NEGATION.sub(" ", plain))),
    )


def _sides(text: str) -> Iterator[tuple[int, bool]]:
    """Yield the pairs of antonyms of which a text has only one side."""
    for number, (one, other) in enumerate(_ANTONYMS):
        has_one, has_other = one.search(text) is not None, other.search(text) is not None
        if has_one != has_other:
            yield number, has_one


def _missing(text: str) -> Iterator[str]:
    """Yield the stem after each preposition such as "without"."""
    for match in _NEGATIONS["without"].finditer(text):
        yield from content_words(text[match.end() :])[:1]


def _bare_unit(word: str) -> tuple[str, float] | None:
    """Return the unit of a word without a number."""
    return RATES.get(word) or (UNITS.get(word) if word not in _NO_UNITS else None)


def _value(token: TextToken) -> float | None:
    if token.kind == "number":
        return float(normalize_number(token.text))
    return VALUES.get(token.text) if token.kind == "word" else None


def _quantity(tokens: Sequence[TextToken], place: int, value: float, used: set[int]) -> Quantity:
    token = tokens[place]
    is_year = token.kind == "number" and _YEAR.fullmatch(token.text) is not None
    after, scale = place + 1, 1.0
    while after < len(tokens) and tokens[after].text in SCALES:
        scale *= SCALES[tokens[after].text]
        used.add(after)
        after += 1
    unit, unit_place = _unit(tokens, place, after)
    if unit_place is not None:
        used.add(unit_place)
    is_among_years = any(_YEAR.fullmatch(tokens[one].text) for one in (place - 1, place + 1) if 0 <= one < len(tokens))
    if is_year and is_among_years:  # the header "euro 2025 2024"
        unit = None
    is_year = is_year and scale == 1.0 and (not unit or unit[0].startswith("date:"))
    end = max(after - 1, unit_place or 0)
    return Quantity(
        value=value,
        written=normalize_number(token.text if token.kind == "number" else f"{value:g}"),
        position=token.position,
        dimension=unit[0] if unit else "",
        factor=unit[1] if unit else 1.0,
        scale=scale,
        limit=_limit(tokens, place, end),
        rate=_rate(tokens[end + 1 : end + 1 + _RATE_WORDS]),
        is_year=is_year,
    )


def _unit(tokens: Sequence[TextToken], place: int, after: int) -> tuple[tuple[str, float] | None, int | None]:
    """Return the unit after a number ("ten working days" too), or the currency before it."""
    for candidate in (after, after + 1):
        if candidate < len(tokens) and tokens[candidate].kind == "word":
            word = tokens[candidate].text
            if word in UNITS and (
                candidate == after
                or (len(word) > 1 and (_is_adjective(tokens[after]) or tokens[place].text in _HALVES))
            ):
                return UNITS[word], candidate
    before = place - 1
    following = [token.text for token in tokens[after : after + 2] if token.text not in _DATE_LINKS]
    preceding = [tokens[before].text] if before >= 0 and tokens[before].text in MONTHS_BEFORE_DAYS else []
    for near in (*following[:1], *preceding):
        if near in CALENDAR:
            return (f"date:{CALENDAR[near]}", 1.0), None
    if before >= 0 and tokens[before].text in UNITS and UNITS[tokens[before].text][0].startswith("money"):
        return UNITS[tokens[before].text], before
    return None, None


def _is_adjective(token: TextToken) -> bool:
    return token.kind == "word" and token.text not in VALUES and bool(content_words(token.text))


def _limit(tokens: Sequence[TextToken], place: int, end: int) -> Limit | None:
    """Return the limit just before or after a figure, not beyond another figure."""
    for distance in range(1, _LIMIT_WORDS + 1):
        before = tokens[place - distance] if place >= distance else None
        if before is None or before.kind in {"number", "break"} or (distance > 1 and _bare_unit(before.text)):
            break
        if before.text.endswith("-›"):  # "12 or more" says nothing of what follows
            break
        if before.kind == "limit":
            return _LIMIT_MARK[before.text]
    for following in tokens[end + 1 : end + 1 + _LIMIT_WORDS_AFTER]:
        if following.kind not in {"limit", "word"} or following.text.endswith("+›"):  # "5 cm below the ground"
            break
        if following.kind == "limit":
            return _LIMIT_MARK[following.text]
    return None


def _rate(following: Sequence[TextToken]) -> tuple[str, float] | None:
    """Return the unit after "a", "per" or "every". A period may follow the figure at once: "monthly"."""
    for place, token in enumerate(following):
        if token.kind != "word" or token.text in VALUES:
            return None
        if unit := _bare_unit(token.text):
            is_linked = unit[0] in _PERIODS or any(one.text in _RATE_LINKS for one in following[:place])
            return unit if is_linked else None
    return None


def _words(token: TextToken) -> Iterator[Word]:
    """Yield what a token adds to the context of quantities."""
    if token.kind in {"place", "code"}:
        yield Word(token.text, token.position)
    elif token.kind == "number":
        yield Word("number:" + normalize_number(token.text), token.position)
    elif token.kind == "word" and token.text in VALUES:
        yield Word(f"number:{VALUES[token.text]:g}", token.position)
    elif token.text in CALENDAR:
        yield Word("date:" + CALENDAR[token.text], token.position)
    elif token.kind == "word" and not _is_known(token.text):
        yield from (Word(stem, token.position) for stem in content_words(token.text))


@lru_cache(maxsize=16384)
def _is_known(word: str) -> bool:
    """Return True for words that are compared as units, figures or negation, not as context."""
    if any(word in known for known in (UNITS, RATES, VALUES, SCALES)):
        return True
    return any(words.fullmatch(word) for words in (_BAN, _NEGATIONS["not"], _NEGATIONS["no"]))


def _clauses(text: str) -> Iterator[Clause]:
    for whole in _CLAUSE.split(_NOT_NEGATION.sub(" ", text)):
        condition = _LEADING_CONDITION.match(whole)
        for part in (condition[0], whole[condition.end() :]) if condition else (whole,):
            if stems := frozenset(word.stem for token in tokenize(part) for word in _words(token)):
                yield Clause(stems, _negation(part))


def _negation(text: str) -> Negation:
    found: list[Negation] = [kind for kind, words in _NEGATIONS.items() if words.search(text)]
    if _BAN.search(text):
        return "" if "not" in found else "not"
    return found[0] if found else ""


def same_amount(claimed: Quantity, actual: Quantity, *, scales: frozenset[float] = frozenset()) -> bool:
    """Return True if two quantities are equal, converted, rounded, or written with another scale.

    `scales` are those that the header or caption gives the actual quantity.
    """
    if _are_equal(claimed, claimed.value * claimed.scale, actual.value * actual.scale):
        is_money = claimed.dimension.startswith("money")
        return not is_money or actual.scale > 1 or claimed.scale > 1 or not scales or claimed.scale in scales
    if any(_are_equal(claimed, claimed.value * claimed.scale, actual.value * scale) for scale in scales):
        return True
    if claimed.value == actual.value and actual.scale == 1.0 and not scales and claimed.scale > 1:
        return True  # a table without its caption
    is_money = {claimed.dimension.split(":")[0], actual.dimension.split(":")[0]} == {"money"}
    if is_money or (claimed.dimension == actual.dimension and claimed.dimension):
        return _is_close(_in_base_unit(claimed), _in_base_unit(actual))
    if {claimed.dimension, actual.dimension} == {"", "percent"}:
        share, percentage = sorted((claimed, actual), key=lambda one: one.dimension)
        return share.value < 1 and _is_close(share.value * _PER_CENT, percentage.value)
    return False


def _are_equal(claimed: Quantity, wanted: float, actual: float) -> bool:
    if wanted == actual:
        return True
    whole, _, decimals = claimed.written.partition(".")
    if claimed.scale == 1.0 or len((whole + decimals).strip("0")) < _MIN_ROUNDED_DIGITS:
        return False
    unit = claimed.scale * 10.0 ** -len(decimals)
    return abs(wanted - actual) <= unit / 2


def _in_base_unit(quantity: Quantity) -> float:
    return quantity.value * quantity.scale * quantity.factor


def _is_close(one: float, other: float) -> bool:
    return abs(one - other) <= 1e-6 * max(abs(one), abs(other))
