"""Figures as they are written in a sentence: number, scale and unit with their place (pure)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from lectern.answers.steps.amounts import PERCENT
from lectern.answers.text_analysis import NUMBER, normalize_number
from lectern.answers.verification.tokens import SCALES, UNITS
from lectern.search.presentation.sentences import Span
from lectern.search.query.question import fold

_PERCENT: Final = re.compile(
    r"\s?(?:%|per\s?cent\w*(?:age points?)?|percentage points?|punt[io] percentual[ei]|prozent(?:punkte?)?|por ciento)",
    re.IGNORECASE,
)
_WORD: Final = re.compile(r"[\s-]?([^\W\d_]+|[€$£])")
_CURRENCY_BEFORE: Final = re.compile(r"([^\W\d_]+|[€$£])\s?\Z")
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_WORDS_AFTER: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenFigure:
    """A number with its scale and unit. `span` covers all three, `step` is the value of its last digit."""

    span: Span
    value: Decimal
    scale: Decimal
    step: Decimal
    digits: int
    dimension: str
    factor: float
    is_year: bool


def find_figures(text: str) -> Iterator[WrittenFigure]:
    """Yield the figures in digits, in order."""
    for match in NUMBER.finditer(text):
        yield read_figure(text, Span(*match.span()))


def read_figure(text: str, number: Span) -> WrittenFigure:
    """Read the scale and the unit around a number."""
    written = text[number.start : number.end]
    value = Decimal(normalize_number(written))
    scale, (dimension, factor), end = _read_after(text, number.end)
    start = number.start
    before = _CURRENCY_BEFORE.search(text[: number.start])
    if not dimension and before and (unit := UNITS.get(fold(before[1]))) and unit[0].startswith("money"):
        (dimension, factor), start = unit, before.start()
    decimals = len(re.split(r"[.,]", written)[-1]) if value != value.to_integral_value() else 0
    is_bare = scale == 1 and not dimension and end == number.end
    return WrittenFigure(
        span=Span(start, end),
        value=value * scale,
        scale=scale,
        step=scale * Decimal(10) ** -decimals,
        digits=len(str(value).replace(".", "").strip("0")),
        dimension=dimension,
        factor=factor,
        is_year=is_bare and _YEAR.fullmatch(written) is not None,
    )


def _read_after(text: str, position: int) -> tuple[Decimal, tuple[str, float], int]:
    """Return the scale and the unit of the words after a number, and their end."""
    scale = Decimal(1)
    end = position
    for _ in range(_WORDS_AFTER):
        if percent := _PERCENT.match(text, end):
            return scale, (PERCENT, 1.0), percent.end()
        word = _WORD.match(text, end)
        name = fold(word[1]) if word else ""
        if word and name in SCALES:
            scale *= Decimal(int(SCALES[name]))
            end = word.end()
        elif word and name in UNITS and (len(name) > 1 or not name.isalpha()):
            return scale, UNITS[name], word.end()
        else:
            break
    return scale, ("", 1.0), end
