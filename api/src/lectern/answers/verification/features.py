"""Features of a sentence and its evidence: where its figures match, and which of its words are covered (pure)."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from lectern.answers.text_analysis import content_words
from lectern.answers.verification.evidence import Cell, EvidenceUnit
from lectern.answers.verification.quantities import Clause, Limit, ParsedText, Quantity, parse_text, same_amount
from lectern.answers.verification.tokens import DATA
from lectern.answers.verification.translation import WordLinks

_REACH: Final = 8.0  # words, within which a word belongs to a figure
_LEADING: Final = 0.8  # weight of a word before all figures
_FAR: Final = 0.3  # weight of a word further away in the sentence
_NUMBER_WEIGHT: Final = 1.5  # figures of one sentence belong together
_BONUS: Final = 0.3  # for the same unit, and for the same limit
_UNKNOWN_WEIGHT: Final = 1.2  # of a word that the evidence does not have
_MIN_OVERLAP: Final = 0.36  # of a clause, for negation
_MIN_GAIN: Final = 0.12  # of the words, for a further sentence
_MIN_VERBATIM: Final = 0.45  # of the pairs of adjacent words, for a sentence in the words of the evidence
_MIN_COVERED_VERBATIM: Final = 0.6
_MIN_VERBATIM_KNOWN: Final = 0.4  # the same, if the evidence has each word
_MIN_COVERED_KNOWN: Final = 0.5
_SMOOTHING: Final = 4  # pairs added to the denominator, so that a few do not suffice
_MIN_MARGIN: Final = -0.25
_MAX_MARGIN: Final = 0.15
_LIGHT: Final = frozenset(content_words(DATA["grammar"]["light"]))
_TOTALS: Final = frozenset(content_words(" ".join(DATA["grammar"]["totals"])))
_EMPTY: Final = parse_text("")
_NO_LINKS: Final[WordLinks] = {}


@dataclass(frozen=True, slots=True)
class FigureMatch:
    """A figure of the sentence and the figure of the evidence that supports it best."""

    quantity: Quantity
    unit: EvidenceUnit
    cell: Cell
    score: float
    margin: float


@dataclass(frozen=True, slots=True)
class Alignment:
    """The units that support a sentence, and what speaks for and against it."""

    units: tuple[EvidenceUnit, ...]
    matches: tuple[FigureMatch, ...]
    has_all_figures: bool
    features: Mapping[str, float]


class Aligner:
    """Compares one sentence with the units of its evidence."""

    def __init__(
        self,
        claim: ParsedText,
        units: Sequence[EvidenceUnit],
        names: ParsedText,
        *,
        links: WordLinks | None = None,
    ) -> None:
        self.claim, self.units, self.names = claim, units, names
        self._links = links or _NO_LINKS
        contexts = list(_contexts(units))
        self._weights = {word.stem: self._weight(word.stem, contexts) for word in claim.words}
        self._own = {f"number:{one.written}" for one in claim.quantities if not one.is_year}
        known = names.stems.union(*(unit.parsed.stems | unit.header.stems for unit in units))
        self._unknown = {stem for stem in claim.stems - _LIGHT if not self._is_in(stem, known)}
        self._total = sum(weight for stem, weight in self._weights.items() if stem not in self._own)

    def _weight(self, stem: str, contexts: Sequence[AbstractSet[str]]) -> float:
        frequency = sum(self._is_in(stem, one) for one in contexts)
        if not frequency:
            return 0.0 if stem in _LIGHT else _UNKNOWN_WEIGHT
        weight = math.log((len(contexts) + 1.5) / (frequency + 0.5))
        return weight * _NUMBER_WEIGHT if stem.startswith("number:") else weight

    def _is_in(self, stem: str, stems: AbstractSet[str]) -> bool:
        """Return True if a stem or one of its translations is among the stems."""
        return stem in stems or not stems.isdisjoint(self._links.get(stem, ()))

    def align(self) -> Alignment:
        """Return the best supporting units and the features."""
        wanted = [one for one in self.claim.quantities if not one.is_year]
        years = [one for one in self.claim.quantities if one.is_year]
        matches = [match for quantity in wanted or years if (match := self._best_match(quantity))]
        matches = [match for match in matches if not _names_column(match, matches)]
        named = {one.value for one in self.names.quantities}
        columns = {one.value for match in matches for one in match.cell.column.quantities}
        known = {match.quantity.value for match in matches} | named | columns
        has_all = all(one.value in known for one in wanted) and all(self._has_year(one) for one in years)
        units = self._used_units([match.unit for match in matches])
        return Alignment(tuple(units), tuple(matches), has_all, self._features(units, matches))

    def _has_year(self, year: Quantity) -> bool:
        texts = [self.names, *(text for unit in self.units for text in (unit.parsed, unit.header, unit.caption))]
        return any(year.value == one.value for text in texts for one in text.quantities)

    def _best_match(self, quantity: Quantity) -> FigureMatch | None:
        cells = [(unit, cell) for unit in self.units for cell in unit.cells]
        scored = [(self._score(quantity, unit, cell), unit, cell) for unit, cell in cells]
        right = [one for one in scored if self._is_same(quantity, one[1], one[2])]
        if not right:
            return None
        score, unit, cell = max(right, key=lambda one: one[0])
        rivals = [
            rival
            for rival, other_unit, other in scored
            # the words of a label are those of its row: no cell of the row is a rival that fits no better
            if self._is_rival(quantity, cell, other_unit, other)
            and not (cell.is_label and other_unit is unit and rival <= score)
            and not (_is_total(unit) and other_unit is not unit and rival <= score)
        ]
        return FigureMatch(quantity, unit, cell, score, (score - max(rivals, default=0.0)) / (self._total or 1.0))

    def _is_same(self, quantity: Quantity, unit: EvidenceUnit, cell: Cell) -> bool:
        """Return True if the amounts are equal. A figure without a scale may have that of another one."""
        scales = scales_of(unit, cell)
        others = {one.scale for one in self.claim.quantities} if quantity.scale == 1.0 else set[float]()
        return any(
            same_amount(replace(quantity, scale=scale), cell.quantity, scales=scales)
            for scale in {quantity.scale, *others}
        )

    def _is_rival(self, quantity: Quantity, match: Cell, unit: EvidenceUnit, cell: Cell) -> bool:
        """Return True if a cell has another amount of the same kind, and not in a column of another year."""
        actual = cell.quantity
        if (cell.is_label and not match.is_label) or actual.is_year != match.quantity.is_year:
            return False
        if self._is_same(quantity, unit, cell) or any(actual.value == one.value for one in self.claim.quantities):
            return False
        years = {one.value for one in self.claim.quantities if one.is_year}
        column = {one.value for one in cell.column.quantities if one.is_year}
        if years and column and years.isdisjoint(column):
            return False
        kinds = {_kind(quantity.dimension), _kind(actual.dimension)}
        return kinds in ({"period"}, {"date"}) or unit_relation(quantity, unit, cell) >= 0

    def _score(self, quantity: Quantity, unit: EvidenceUnit, cell: Cell) -> float:
        """Return the weight of the sentence's words around the figure, as far as the unit has them around its own."""
        score = 0.0
        for word in self.claim.words:
            weight = self._weights.get(word.stem, 0.0)
            if weight > 0.0 and word.position != quantity.position and word.stem != quantity.dimension:
                near = _attachment(word.position, quantity, self.claim.quantities)
                score += weight * near * self._presence(word.stem, unit, cell)
        has_limit = quantity.limit is not None and quantity.limit in _limit_of(unit, cell)
        return score + _BONUS * (has_limit + (unit_relation(quantity, unit, cell) > 0))

    def _presence(self, stem: str, unit: EvidenceUnit, cell: Cell) -> float:
        if unit.is_row:
            return float(self._is_in(stem, _stems_of(unit, cell)))
        return max(
            (
                _attachment(word.position, cell.quantity, unit.parsed.quantities)
                for word in unit.parsed.words
                if word.position != cell.quantity.position and self._is_in(stem, {word.stem})
            ),
            default=0.0,
        )

    def _used_units(self, matched: Iterable[EvidenceUnit]) -> list[EvidenceUnit]:
        """Return the units of the figures, and one that has most of the remaining words."""
        used = list(dict.fromkeys(matched))
        covered = self._covered(used) + _MIN_GAIN if used else 0.0
        further = [(self._covered([*used, unit]), unit) for unit in self.units if unit not in used]
        share, unit = max(further, key=lambda one: one[0], default=(0.0, None))
        return [*used, unit] if unit is not None and share > covered else used

    def _covered(self, units: Sequence[EvidenceUnit]) -> float:
        """Return the share of the sentence's words in the units, their headers and the names above."""
        stems = frozenset(self.names.stems).union(*(unit.parsed.stems | unit.header.stems for unit in units))
        words = {stem: weight for stem, weight in self._weights.items() if stem not in self._own}
        covered = sum(weight for stem, weight in words.items() if self._is_in(stem, stems))
        return covered / self._total if self._total else 1.0

    def _features(self, units: Sequence[EvidenceUnit], matches: Sequence[FigureMatch]) -> dict[str, float]:
        margin = min((max(_MIN_MARGIN, min(match.margin, _MAX_MARGIN)) for match in matches), default=_MAX_MARGIN)
        return {
            "margin": margin,
            "foreign": float(bool(self._links)),
            "uncovered": 0.0 if matches else 1.0 - self._covered(units[:1]),
            "verbatim": float(not matches and self._is_verbatim(units)),
            "empty": float(not (self._total or matches)),
            "addition": float(not self._links and self._adds_words()),
            "unit_conflict": float(any(unit_relation(one.quantity, one.unit, one.cell) < 0 for one in matches)),
            "rate_conflict": float(self._has_other_rate(units) or any(map(_differs_in_rate, matches))),
            "limit_conflict": float(any(map(_differs_in_limit, matches))),
            "year_conflict": float(self._has_other_year(matches)),
            "negation": float(
                self._is_negated_otherwise(units) or self._lacks_otherwise([one.unit for one in matches] or units)
            ),
            "opposite": float(self._is_opposite(units)),
            "row_conflict": float(self._mixes_rows(units, matches)),
        }

    def _adds_words(self) -> bool:
        """Return True if the evidence has none of three words in a row."""
        unknown = [word.stem in self._unknown for word in self.claim.words if word.stem not in _LIGHT]
        return any(map(all, zip(unknown, unknown[1:], unknown[2:], strict=False)))

    def _is_verbatim(self, units: Sequence[EvidenceUnit]) -> bool:
        """Return True if most words that are adjacent in the sentence are adjacent in the evidence too."""
        pairs = set(pairwise(word.stem for word in self.claim.words))
        actual = [[word.stem for word in unit.parsed.words] for unit in self.units]
        found = {pair for stems in actual for pair in (*pairwise(stems), *zip(stems, stems[2:], strict=False))}
        share, covered = len(pairs & found) / (len(pairs) + _SMOOTHING), self._covered(units)
        if not self._unknown and share >= _MIN_VERBATIM_KNOWN and covered >= _MIN_COVERED_KNOWN:
            return True
        return share >= _MIN_VERBATIM and covered >= _MIN_COVERED_VERBATIM

    def _has_other_rate(self, units: Sequence[EvidenceUnit]) -> bool:
        """Return True if the sentence has a period or unit ("a month") where the evidence has another one."""
        own = {(one.dimension, one.factor) for one in self.claim.quantities}
        actual = {
            unit
            for one in units
            for text in (one.parsed, one.header, self.names)
            for unit in (*text.bare_units, *((cell.dimension, cell.factor) for cell in text.quantities))
        }
        rates = {unit for one in units for unit in one.parsed.bare_units | one.header.bare_units}
        dimensions = {_kind(unit[0]) for unit in rates - self.claim.bare_units - own}
        if any(one.rate and one.rate not in actual for one in self.claim.quantities):
            return True
        missing = {unit for unit in self.claim.bare_units - actual if not unit[0].startswith(("money", "percent"))}
        return any(_kind(unit[0]) in dimensions for unit in missing)

    def _has_other_year(self, matches: Sequence[FigureMatch]) -> bool:
        """Return True if a figure is in a column, or in a sentence, of other years only."""
        years = sorted((one for one in self.claim.quantities if one.is_year), key=lambda one: one.position)
        figures = sorted((one for one in matches if not one.quantity.is_year), key=lambda one: one.quantity.position)
        for place, match in enumerate(figures if years else ()):
            is_paired = _alternate(years, figures)
            wanted = {years[place].value} if is_paired else {year.value for year in years}
            wanted |= {year - 1 for year in wanted} if "priorp" in self.claim.stems else set()
            actual = {one.value for one in match.cell.column.quantities if one.is_year}
            if not match.unit.is_row:
                actual = years_of(match.unit.parsed, match.cell.quantity)
            if actual and wanted.isdisjoint(actual):
                return True
        return False

    def _mixes_rows(self, used: Sequence[EvidenceUnit], matches: Sequence[FigureMatch]) -> bool:
        """Return True if the sentence has another row's value in place of the row's own in that column.

        A row whose label is in the sentence is no other row.
        """
        rows = [match.unit for match in matches if match.unit.columns] or [one for one in used[:1] if one.columns]
        prose = [one for one in used if not one.is_row]
        texts = [self.names, *(text for one in (*rows, *prose) for text in (one.parsed, one.header, one.caption))]
        known = frozenset[str]().union(*(text.stems for text in texts))
        unknown = {stem for stem, weight in self._weights.items() if weight > 0.0 and not self._is_in(stem, known)}
        return any(
            self._has_value_of(other, row, unknown)
            for row in rows
            for other in self.units
            if len(other.columns) == len(row.columns) and not self._says_cell(other.columns[0])
        )

    def _has_value_of(self, other: EvidenceUnit, row: EvidenceUnit, unknown: AbstractSet[str]) -> bool:
        """Return True if the sentence has a cell of another row with an unknown word, and not the row's own cell."""
        return any(
            self._says_cell(cell) and any(self._is_in(stem, cell) for stem in unknown) and not self._says_cell(own)
            for cell, own in zip(other.columns[1:], row.columns[1:], strict=True)
            if own
        )

    def _says_cell(self, cell: AbstractSet[str]) -> bool:
        """Return True if the sentence has most words of a cell."""
        said = sum(any(self._is_in(word, {stem}) for word in self._weights) for stem in cell)
        return 2 * said > len(cell)

    def _is_opposite(self, units: Sequence[EvidenceUnit]) -> bool:
        """Return True if the sentence has a word and the evidence only its antonym."""
        actual = frozenset[tuple[int, bool]]().union(*(unit.parsed.antonyms for unit in units))
        return any((pair, not side) in actual and (pair, side) not in actual for pair, side in self.claim.antonyms)

    def _is_negated_otherwise(self, units: Sequence[EvidenceUnit]) -> bool:
        """Return True if a clause says what the evidence negates, or the reverse, word by word."""
        actual = [clause for unit in units for clause in unit.parsed.clauses]
        for clause in self.claim.clauses:
            same = opposite = 0.0
            for stem in clause.stems - self.names.stems:
                near = [other for other in actual if self._is_in(stem, other.stems)]
                weight = self._weights.get(stem, 0.0) if near else 0.0
                if all(map(clause.contradicts, near)):
                    opposite += weight
                else:
                    same += weight
            if opposite > 0.0 and opposite >= _MIN_OVERLAP * (same + opposite):
                return True
        return any(clause.negation and self._says(clause, actual) for clause in actual)

    def _lacks_otherwise(self, units: Sequence[EvidenceUnit]) -> bool:
        """Return True if the sentence is "without" what the evidence has, or the reverse."""
        return any(_lacks(self.claim, unit.parsed) or _lacks(unit.parsed, self.claim) for unit in units)

    def _says(self, negated: Clause, actual: Sequence[Clause]) -> bool:
        """Return True if the sentence says each word of a negated clause: "to the tank, never to the river"."""
        others = frozenset[str]().union(*(clause.stems for clause in actual if clause is not negated))
        stems = negated.stems - self.names.stems
        for stem in stems:
            near = [one for one in self.claim.clauses if any(self._is_in(own, {stem}) for own in one.stems)]
            if stem in others or not near or not all(map(negated.contradicts, near)):
                return False
        return bool(stems)


def _lacks(one: ParsedText, other: ParsedText) -> bool:
    """Return True if a text is "without" what another one has."""
    with_it = [clause.stems for clause in other.clauses if not clause.negation]
    return any(stem not in other.missing and any(map({stem}.issubset, with_it)) for stem in one.missing)


def _alternate(years: Sequence[Quantity], figures: Sequence[FigureMatch]) -> bool:
    """Return True if each figure has a year of its own: "410 in 2023 and 480 in 2024"."""
    places = [(one.position, True) for one in years] + [(one.quantity.position, False) for one in figures]
    kinds = [kind for _, kind in sorted(places)]
    return len(years) == len(figures) and all(one != other for one, other in pairwise(kinds))


def _is_total(unit: EvidenceUnit) -> bool:
    """Return True for a row that sums the others. A sentence about the sum may not name it."""
    label = {stem for stem in unit.parsed.stems if ":" not in stem}
    return unit.is_row and bool(label) and label <= _TOTALS


def _names_column(match: FigureMatch, matches: Sequence[FigureMatch]) -> bool:
    """Return True if a figure only names the column of another one: "28 % at a depth of 60 mm"."""
    return any(
        match.quantity.value == one.value and not one.is_year
        for other in matches
        if other is not match and other.cell is not match.cell
        for one in other.cell.column.quantities
    )


def _differs_in_limit(match: FigureMatch) -> bool:
    """Return True for "at most" and "at least", and for a maximum if it is in another column of the row."""
    limit, actual = match.quantity.limit, _limit_of(match.unit, match.cell)
    if limit is None or limit in actual or (match.unit.is_row and limit in match.unit.parsed.limits):
        return False
    return bool(actual) or (match.unit.is_row and any(limit in cell.column.limits for cell in match.unit.cells))


def _differs_in_rate(match: FigureMatch) -> bool:
    """Return True for "EUR 5 a month" and "EUR 5 a year"."""
    one, other = match.quantity.rate, match.cell.quantity.rate
    return one is not None and other is not None and one != other and _kind(one[0]) == _kind(other[0])


def years_of(text: ParsedText, figure: Quantity) -> set[float]:
    """Return the nearest year, and the first one if it is before all figures."""
    years = [one for one in text.quantities if one.is_year]
    if not years:
        return set()
    nearest = min(years, key=lambda one: abs(one.position - figure.position))
    return {nearest.value, *([text.quantities[0].value] if text.quantities[0].is_year else [])}


def unit_relation(claimed: Quantity, unit: EvidenceUnit, cell: Cell) -> int:
    """Return 1 if two figures have the same unit, -1 if different ones, 0 if one is unknown."""
    actual = cell.quantity
    if not claimed.dimension:
        return 0
    if actual.dimension:
        return _relation(claimed, actual.dimension, actual.factor, is_equal=claimed.value == actual.value)
    # a column with a name has its own unit, if any; one of a year has that of the header
    has_name = bool(cell.column.words) and not any(one.is_year for one in cell.column.quantities)
    texts = (unit.parsed, cell.column) if has_name else (unit.parsed, cell.column, unit.header)
    for text in texts if unit.is_row else ():
        periods = () if text is cell.column else ("time", "calendar", "night")
        known = [one for one in text.bare_units if one[0] not in periods]
        if known:
            is_equal = claimed.value == actual.value
            return max(_relation(claimed, dimension, factor, is_equal=is_equal) for dimension, factor in known)
    return 0


def _relation(claimed: Quantity, dimension: str, factor: float, *, is_equal: bool) -> int:
    if claimed.dimension == dimension:
        return -1 if is_equal and claimed.factor != factor else 1
    kinds = {_kind(claimed.dimension), _kind(dimension)}
    return 1 if kinds == {"money"} and "money" in {claimed.dimension, dimension} else -1


def _kind(dimension: str) -> str:
    return "period" if dimension in {"time", "calendar", "night"} else dimension.split(":", maxsplit=1)[0]


def scales_of(unit: EvidenceUnit, cell: Cell) -> frozenset[float]:
    """Return the scales of a row's label, of its column, of the header or of the caption."""
    if not unit.is_row:
        return frozenset()
    return unit.parsed.scales or cell.column.scales or unit.header.scales or unit.caption.scales


def _limit_of(unit: EvidenceUnit, cell: Cell) -> frozenset[Limit]:
    """Return the limit of a figure, or of its column."""
    if cell.quantity.limit is not None:
        return frozenset({cell.quantity.limit})
    if not unit.is_row:
        return frozenset()
    return cell.column.limits or (unit.header.limits if cell.column == _EMPTY else frozenset()) or unit.caption.limits


def _contexts(units: Sequence[EvidenceUnit]) -> Iterator[AbstractSet[str]]:
    """Yield the words around each cell of a table, and those of each sentence."""
    for unit in units:
        cells = unit.cells if unit.is_row else ()
        yield from [unit.parsed.stems | _stems_of(unit, cell) for cell in cells] or [unit.parsed.stems]


def _stems_of(unit: EvidenceUnit, cell: Cell) -> AbstractSet[str]:
    """Return the words of a cell's row and column. The whole header counts if its columns are not clear."""
    row = {word.stem for word in unit.parsed.words if word.position != cell.quantity.position}
    return row | (unit.header.stems if cell.column == _EMPTY else cell.column.stems)


def _attachment(position: float, quantity: Quantity, others: Sequence[Quantity]) -> float:
    """Return how much a word belongs to a figure: less with distance. The first words belong to all figures."""
    near = _FAR + (1.0 - _FAR) * math.exp(-abs(position - quantity.position) / _REACH)
    is_leading = position < min([*(one.position for one in others), quantity.position])
    return max(near, _LEADING) if is_leading else near
