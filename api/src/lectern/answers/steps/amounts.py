"""Amounts with unit, scale and period, and how they are written (pure)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Final

from lectern.answers.steps.refusals import CalculationRefused
from lectern.answers.verification.tokens import SCALES, UNITS

PERCENT: Final = "percent"
_MONEY: Final = "money:"
_MAX_DECIMALS: Final = 2
_SMALL_DECIMALS: Final = 4
_NAMES: Final = {(dimension, factor): word for word, (dimension, factor) in reversed(UNITS.items())}
_SCALE_NAMES: Final = {scale: word for word, scale in reversed(SCALES.items())}


@dataclass(frozen=True, slots=True, kw_only=True)
class Amount:
    """A number in full ("41.2 million" is 41200000) with its unit and periods.

    `scale` is the one that the number is written in. `cells` are the ids of the cells that it comes from.
    """

    value: Decimal
    dimension: str = ""
    factor: float = 1.0
    scale: Decimal = Decimal(1)
    periods: frozenset[str] = frozenset()
    cells: tuple[str, ...] = ()

    @property
    def unit(self) -> str:
        """The name of the unit, such as EUR, % or days. Empty without one."""
        return unit_name(self.dimension, self.factor)

    @property
    def years(self) -> frozenset[str]:
        """The periods that are years."""
        return frozenset(period for period in self.periods if period.isdigit())

    def __str__(self) -> str:
        number = format_number(self.value / self.scale, is_ratio=not self.dimension and self.scale == 1)
        scale = "" if self.scale == 1 else scale_name(self.scale)
        return " ".join(part for part in (number, scale, self.unit) if part)


def unit_name(dimension: str, factor: float) -> str:
    """Return a short name of a unit."""
    if dimension == PERCENT:
        return "%"
    name = _NAMES.get((dimension, factor), dimension)
    return name.upper() if dimension.startswith(_MONEY) else name


def scale_name(scale: Decimal) -> str:
    """Return the word of a scale, such as million; nothing for 1."""
    return "" if scale == 1 else _SCALE_NAMES.get(float(scale), f"× {scale:f}")


def format_number(value: Decimal, *, is_ratio: bool = False) -> str:
    """Round to two decimals, or four for a ratio, and separate no thousands."""
    decimals = _SMALL_DECIMALS if is_ratio or abs(value) < 1 else _MAX_DECIMALS
    text = f"{value:.{decimals}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def align_units(amounts: Sequence[Amount]) -> list[Amount]:
    """Convert amounts to one unit: the smallest of a dimension. Raises CalculationRefused."""
    dimensions = list(dict.fromkeys(one.dimension for one in amounts))
    if len(dimensions) > 1:
        raise _mismatch(dimensions, amounts)
    factor = min(one.factor for one in amounts)
    scale = min(one.scale for one in amounts)
    return [
        replace(
            one,
            value=one.value * Decimal(str(one.factor)) / Decimal(str(factor)) if one.factor != factor else one.value,
            factor=factor,
            scale=scale,
        )
        for one in amounts
    ]


def _mismatch(dimensions: Sequence[str], amounts: Sequence[Amount]) -> CalculationRefused:
    units = " and ".join(dict.fromkeys(one.unit or "no unit" for one in amounts))
    if PERCENT in dimensions:
        return CalculationRefused("percent_with_absolute", f"A percentage cannot be combined with a number ({units}).")
    if all(one.startswith("money") for one in dimensions):
        return CalculationRefused("currency_mismatch", f"The figures are in different currencies ({units}).")
    return CalculationRefused("unit_mismatch", f"The figures have different units ({units}).")


def join_periods(amounts: Iterable[Amount]) -> frozenset[str]:
    """Return all periods of some amounts."""
    return frozenset[str]().union(*(one.periods for one in amounts))


def join_cells(amounts: Iterable[Amount]) -> tuple[str, ...]:
    """Return all cells of some amounts, each once."""
    return tuple(dict.fromkeys(cell for one in amounts for cell in one.cells))
