"""Calculation of an expression over cells, with checks of units and periods (pure)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, localcontext
from typing import Final, Literal, TypeAlias

from lectern.answers.steps.amounts import PERCENT, Amount, align_units, join_cells, join_periods
from lectern.answers.steps.expression import Expression, NumberLiteral, Operation, Reference
from lectern.answers.steps.refusals import CalculationRefused

Order: TypeAlias = Literal["greater", "less", "equal"]

_PRECISION: Final = 34
_HUNDRED: Final = Decimal(100)
_AGGREGATES: Final = frozenset({"sum", "average", "min", "max"})
# Numbers that formulas need: halves, quarters, months, per cent, days.
_COMMON_NUMBERS: Final = frozenset(map(Decimal, (1, 2, 4, 12, 100, 360, 365)))


@dataclass(frozen=True, slots=True)
class CalculatedLine:
    """An operation and its result. `order` is the result of a comparison."""

    operation: Operation
    operands: tuple[Amount, ...]
    result: Amount
    order: Order | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CalculationRules:
    """The question's part in a calculation: its numbers, its years, and if it compares periods."""

    numbers: frozenset[Decimal] = frozenset()
    years: frozenset[str] = frozenset()
    is_across_periods: bool = False


class Calculator:
    """Evaluates expressions over the cells of each search. `lines` are the operations in order."""

    def __init__(self, cells: Mapping[str, Sequence[Amount]], rules: CalculationRules) -> None:
        self._cells, self._rules = cells, rules
        self.lines: list[CalculatedLine] = []

    def calculate(self, expression: Expression) -> Amount:
        """Return the result. Raises CalculationRefused."""
        with localcontext() as context:
            context.prec = _PRECISION
            return self._value(expression)

    def _value(self, expression: Expression) -> Amount:
        if isinstance(expression, Reference):
            amounts = self._referenced(expression.name)
            if len(amounts) > 1:
                detail = f"{expression.name} has {len(amounts)} figures where one is needed."
                raise CalculationRefused("ambiguous_cell", detail)
            return amounts[0]
        if isinstance(expression, NumberLiteral):
            if expression.value not in self._rules.numbers | _COMMON_NUMBERS:
                detail = f"The number {expression.value} is neither in the question nor in a cell."
                raise CalculationRefused("number_not_allowed", detail)
            return Amount(value=expression.value)
        operands = self._operands(expression)
        result, order = self._apply(expression.function, operands)
        if expression.function != "negative":
            self.lines.append(CalculatedLine(expression, tuple(operands), result, order))
        return result

    def _referenced(self, name: str) -> list[Amount]:
        amounts = list(self._cells.get(name, ()))
        if not amounts:
            raise CalculationRefused("missing_cell", f"No figure was found for {name}.")
        wanted = frozenset[str]() if self._rules.is_across_periods else self._rules.years
        other = next((one for one in amounts if wanted and one.years and one.years.isdisjoint(wanted)), None)
        if other:
            detail = (
                f"The figure for {name} is of {_periods(other)}, the question is about {', '.join(sorted(wanted))}."
            )
            raise CalculationRefused("period_mismatch", detail)
        return amounts

    def _operands(self, operation: Operation) -> list[Amount]:
        if operation.function not in _AGGREGATES:
            return [self._value(part) for part in operation.arguments]
        operands: list[Amount] = []
        for part in operation.arguments:
            operands += self._referenced(part.name) if isinstance(part, Reference) else [self._value(part)]
        return operands

    def _apply(self, function: str, operands: Sequence[Amount]) -> tuple[Amount, Order | None]:
        self._check_periods(operands)
        joined = {"periods": join_periods(operands), "cells": join_cells(operands)}
        if function == "compare":
            one, other = align_units(operands)
            order = "equal" if one.value == other.value else "greater" if one.value > other.value else "less"
            return replace(one, value=one.value - other.value, **joined), order
        result = _FUNCTIONS[function](operands)
        is_choice = function in {"min", "max"}
        return (result if is_choice else replace(result, **joined)), None

    def _check_periods(self, operands: Sequence[Amount]) -> None:
        known = [one for one in operands if one.periods]
        if self._rules.is_across_periods or len({one.periods for one in known}) < 2:  # noqa: PLR2004 - nothing differs
            return
        periods = " and ".join(dict.fromkeys(_periods(one) for one in known))
        raise CalculationRefused("period_mismatch", f"The figures are of different periods ({periods}).")


def _periods(amount: Amount) -> str:
    return " ".join(sorted(amount.periods))


def _sum(operands: Sequence[Amount]) -> Amount:
    aligned = align_units(operands)
    return replace(aligned[0], value=sum((one.value for one in aligned), Decimal(0)))


def _average(operands: Sequence[Amount]) -> Amount:
    total = _sum(operands)
    return replace(total, value=total.value / len(operands))


def _difference(operands: Sequence[Amount]) -> Amount:
    one, other = align_units(operands)
    return replace(one, value=one.value - other.value)


def _product(operands: Sequence[Amount]) -> Amount:
    one, other = sorted(operands, key=lambda amount: (not amount.dimension, amount.dimension == PERCENT))
    if other.dimension == PERCENT:
        return replace(one, value=one.value * other.value / _HUNDRED)
    if other.dimension:
        detail = f"Two figures with units cannot be multiplied ({one.unit} and {other.unit})."
        raise CalculationRefused("unit_mismatch", detail)
    return replace(one, value=one.value * other.value)


def _ratio(operands: Sequence[Amount]) -> Amount:
    one, other = operands
    if other.value == 0:
        raise CalculationRefused("division_by_zero", "The divisor is 0.")
    if not other.dimension and other.scale == 1:
        return replace(one, value=one.value / other.value)
    one, other = align_units(operands)
    return Amount(value=one.value / other.value)


def _percent_of(operands: Sequence[Amount]) -> Amount:
    one, other = align_units(operands)
    if other.value == 0:
        raise CalculationRefused("division_by_zero", "The whole is 0.")
    return Amount(value=one.value / other.value * _HUNDRED, dimension=PERCENT)


def _percent_change(operands: Sequence[Amount]) -> Amount:
    earlier, later = align_units(operands)
    if earlier.periods and later.periods and min(earlier.periods) > max(later.periods):
        detail = f"percent_change takes the earlier figure first ({_periods(earlier)}, {_periods(later)})."
        raise CalculationRefused("period_order", detail)
    if earlier.value == 0:
        raise CalculationRefused("division_by_zero", "The earlier figure is 0.")
    change = (later.value - earlier.value) / abs(earlier.value) * _HUNDRED
    return Amount(value=change, dimension=PERCENT)


def _min(operands: Sequence[Amount]) -> Amount:
    return min(align_units(operands), key=lambda one: one.value)


def _max(operands: Sequence[Amount]) -> Amount:
    return max(align_units(operands), key=lambda one: one.value)


def _negative(operands: Sequence[Amount]) -> Amount:
    return replace(operands[0], value=-operands[0].value)


_FUNCTIONS: Final[dict[str, Callable[[Sequence[Amount]], Amount]]] = {
    "add": _sum,
    "sum": _sum,
    "average": _average,
    "difference": _difference,
    "product": _product,
    "ratio": _ratio,
    "percent_of": _percent_of,
    "percent_change": _percent_change,
    "min": _min,
    "max": _max,
    "negative": _negative,
}
