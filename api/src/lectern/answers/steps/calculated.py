"""Sentences that state calculated figures, restated with the figures of the documents (pure).

"Profit grew by 16.26 % from 2023 to 2024" becomes "Profit grew by from 2023 to 2024: 41.2 million, 47.9 million".
The verification of sentences then holds its words, names and years against the cited cells. The calculated figure
itself must be a result of the calculation, and the direction must have its sign.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from lectern.answers.citations import CitedSpan
from lectern.answers.generation.writer import RestatedSentence, evidence_text
from lectern.answers.steps.amounts import PERCENT, Amount
from lectern.answers.steps.arithmetic import CalculatedLine
from lectern.answers.steps.cells import VerifiedCell
from lectern.answers.steps.written import WrittenFigure, find_figures
from lectern.answers.text_analysis import compile_any, load_data
from lectern.answers.verification.quantities import parse_text
from lectern.search.query.question import parse_years
from lectern.search.schemas import Hit

_DIRECTION: Final = load_data("steps")["direction"]
_UP, _DOWN = (compile_any([rf"(?<!\w)(?:{'|'.join(_DIRECTION[side])})(?!\w)"]) for side in ("up", "down"))
_DIRECTED: Final = frozenset({"percent_change", "difference", "compare"})
_KEEPS_UNIT: Final = frozenset({"add", "sum", "average", "min", "max", "difference", "product", "compare"})
_MIN_DIGITS: Final = 2  # of a rounded figure
_HALF: Final = Decimal("0.5")
_HUNDRED: Final = Decimal(100)
_SPACES: Final = re.compile(r"\s+(?=[\s.,;:])")


@dataclass(frozen=True, slots=True)
class CalculatedFigures:
    """The results of a calculation and the cells that they come from."""

    cells: tuple[VerifiedCell, ...]
    lines: tuple[CalculatedLine, ...]

    @property
    def results(self) -> list[str]:
        """The lines for the prompt, the last one first."""
        figures = "; ".join(
            f"{cell.label} {' '.join(sorted(cell.amount.periods))} = {cell.value} ({cell.hit.document})"
            for cell in self.cells
        )
        return [f"{describe(line)}\nfrom the figures: {figures}" for line in reversed(self.lines)]

    @property
    def hits(self) -> list[Hit]:
        """The chunks of the cells."""
        return list({cell.hit.chunk_id: cell.hit for cell in self.cells}.values())

    @property
    def sources(self) -> list[CitedSpan]:
        """The quoted places of the cells."""
        return [CitedSpan(cell.hit, cell.span) for cell in self.cells]

    def restate(self, sentence: str) -> RestatedSentence | None:
        """Replace calculated figures by those of the cells. Return None if the sentence has the wrong direction."""
        if self._contradicts(sentence):
            return None
        calculated = [figure for figure in find_figures(sentence) if self._is_calculated(figure)]
        if not calculated:
            return RestatedSentence(sentence, is_calculated=False)
        rest = sentence
        for figure in reversed(calculated):
            rest = f"{rest[: figure.span.start].rstrip()} {rest[figure.span.end :].lstrip()}"
        plain = _SPACES.sub("", rest).strip().rstrip(".")
        years = [year for match in re.finditer(r"\d{4}", sentence) for year in parse_years(match[0])]
        values = ", ".join(cell.value for cell in sorted(self.cells, key=lambda cell: _position(cell, years)))
        return RestatedSentence(f"{plain}: {values}", is_calculated=True)

    def _is_calculated(self, figure: WrittenFigure) -> bool:
        is_own = any(figure.value == abs(cell.amount.value) for cell in self.cells)
        return not is_own and not figure.is_year and any(_matches(figure, line) for line in self.lines)

    def _contradicts(self, sentence: str) -> bool:
        """Return True if the sentence says that something is more or has grown, and the result says otherwise."""
        line = self.lines[-1] if self.lines else None
        is_up, is_down = _UP.search(sentence) is not None, _DOWN.search(sentence) is not None
        if line is None or line.operation.function not in _DIRECTED or is_up == is_down:
            return False
        sign = -line.result.value if self._is_reversed(sentence, line) else line.result.value
        return sign == 0 or (sign > 0) != is_up

    def _is_reversed(self, sentence: str, line: CalculatedLine) -> bool:
        """Return True if the sentence is about the second of two things that are compared."""
        first, second = line.operands
        if line.operation.function == "percent_change":
            return False
        if first.periods and second.periods and first.periods != second.periods:
            return min(first.periods) < min(second.periods)  # earlier - later: growth is negative
        one, other = (self._stems(amount) for amount in (first, second))
        places = {word.stem: word.position for word in reversed(parse_text(sentence).words) if word.stem in one ^ other}
        earliest = min(places, key=lambda stem: places[stem], default=None)
        return earliest is not None and earliest in other

    def _stems(self, amount: Amount) -> frozenset[str]:
        texts = [
            f"{cell.label}\n{evidence_text(cell.hit).names}\n{cell.hit.text[cell.span.start : cell.span.end]}"
            for cell in self.cells
            if cell.id in amount.cells
        ]
        return parse_text("\n".join(texts)).stems


def describe(line: CalculatedLine) -> str:
    """Return an operation with its operands and its result."""
    values = ", ".join(str(operand) for operand in line.operands)
    if line.order:
        difference = "" if line.order == "equal" else f" (difference {_unsigned(line.result)})"
        return f"compare({values}): the first is {line.order}{difference}"
    return f"{line.operation.function}({values}) = {line.result}"


def _unsigned(amount: Amount) -> str:
    return str(amount).lstrip("-")


def _position(cell: VerifiedCell, years: Sequence[str]) -> tuple[int, str]:
    """Return the place of a cell's year in the sentence."""
    own = [place for place, year in enumerate(years) if year in cell.amount.periods]
    return (own[0] if own else len(years), min(cell.amount.periods, default=""))


def _matches(figure: WrittenFigure, line: CalculatedLine) -> bool:
    """Return True if a figure is the result, rounded to no fewer than two digits."""
    result = line.result
    if figure.dimension and result.dimension == figure.dimension and result.factor != figure.factor:
        return False
    if result.dimension == figure.dimension or (not figure.dimension and result.dimension != PERCENT):
        return _is_rounded(figure, abs(result.value))
    if result.dimension:
        return False
    if figure.dimension == PERCENT:
        return line.operation.function == "ratio" and _is_rounded(figure, abs(result.value) * _HUNDRED)
    return line.operation.function in _KEEPS_UNIT and _is_rounded(figure, abs(result.value))


def _is_rounded(figure: WrittenFigure, exact: Decimal) -> bool:
    if figure.value == exact:
        return True
    is_precise = figure.digits >= _MIN_DIGITS or figure.step < figure.scale
    return is_precise and abs(figure.value - exact) <= figure.step * _HALF


def exact_text(value: Decimal) -> str:
    """Return a decimal number without an exponent and without surplus zeros."""
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
