"""Grammar of calculations over cells (pure).

    expression = term {("+" | "-") term}
    term       = factor {("*" | "/") factor}
    factor     = "-" factor | NUMBER | NAME | FUNCTION "(" expression {"," expression} ")" | "(" expression ")"

An expression is parsed into a tree and never executed as code.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Final, TypeAlias

from lectern.answers.steps.refusals import CalculationRefused

MAX_CHARACTERS: Final = 300
_MAX_DEPTH: Final = 12
_TOKEN: Final = re.compile(r"\s*(?:(?P<number>\d+(?:\.\d+)?)|(?P<name>[A-Za-z_]\w*)|(?P<sign>[-+*/(),]))")
_SIGNS: Final = {"+": "add", "-": "difference", "*": "product", "/": "ratio"}

ARGUMENTS: Final[dict[str, tuple[int, int]]] = {
    "add": (2, 2),
    "sum": (1, 20),
    "average": (1, 20),
    "min": (1, 20),
    "max": (1, 20),
    "difference": (2, 2),
    "product": (2, 2),
    "ratio": (2, 2),
    "percent_of": (2, 2),
    "percent_change": (2, 2),
    "compare": (2, 2),
    "negative": (1, 1),
}
"""Functions with the smallest and the largest number of their arguments."""


@dataclass(frozen=True, slots=True)
class Reference:
    """The cell of a search, or all its cells within an aggregate."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class NumberLiteral:
    """A number of the expression itself."""

    value: Decimal

    def __str__(self) -> str:
        return str(self.value)


@dataclass(frozen=True, slots=True)
class Operation:
    """A function of expressions."""

    function: str
    arguments: tuple["Expression", ...]

    def __str__(self) -> str:
        return f"{self.function}({', '.join(map(str, self.arguments))})"


Expression: TypeAlias = Reference | NumberLiteral | Operation


def parse_expression(text: str) -> Expression:
    """Parse an expression. Raises CalculationRefused."""
    if len(text) > MAX_CHARACTERS:
        raise CalculationRefused("unreadable_expression", f"It is longer than {MAX_CHARACTERS} characters.")
    parser = _Parser(list(_tokens(text)))
    expression = parser.expression(0)
    if parser.peek():
        raise CalculationRefused("unreadable_expression", f"Unexpected {parser.peek()!r}.")
    return expression


def references(expression: Expression) -> list[str]:
    """Return the names in an expression, each once, in order."""
    if isinstance(expression, Reference):
        return [expression.name]
    if isinstance(expression, NumberLiteral):
        return []
    return list(dict.fromkeys(name for part in expression.arguments for name in references(part)))


def _tokens(text: str) -> Iterator[str]:
    position = 0
    plain = text.rstrip()
    while position < len(plain):
        match = _TOKEN.match(plain, position)
        if match is None:
            raise CalculationRefused("unreadable_expression", f"Unexpected {plain[position:].lstrip()[:1]!r}.")
        yield match[0].strip()
        position = match.end()


class _Parser:
    """Recursive descent over tokens."""

    def __init__(self, tokens: list[str]) -> None:
        self._tokens = tokens
        self._position = 0

    def peek(self) -> str:
        """Return the next token, or nothing at the end."""
        return self._tokens[self._position] if self._position < len(self._tokens) else ""

    def _take(self, wanted: str = "") -> str:
        token = self.peek()
        if not token or (wanted and token != wanted):
            raise CalculationRefused("unreadable_expression", f"Expected {wanted or 'a value'!r}, got {token!r}.")
        self._position += 1
        return token

    def expression(self, depth: int) -> Expression:
        if depth > _MAX_DEPTH:
            raise CalculationRefused("unreadable_expression", "It is nested too deeply.")
        return self._chain("+-", depth)

    def _chain(self, signs: str, depth: int) -> Expression:
        def part() -> Expression:
            return self._chain("*/", depth) if signs == "+-" else self._factor(depth)

        left = part()
        while self.peek() and self.peek() in signs:
            sign = self._take()
            left = Operation(_SIGNS[sign], (left, part()))
        return left

    def _factor(self, depth: int) -> Expression:
        part = self._take()
        if part == "-":
            if depth > _MAX_DEPTH:
                raise CalculationRefused("unreadable_expression", "It is nested too deeply.")
            return Operation("negative", (self._factor(depth + 1),))
        if part == "(":
            inner = self.expression(depth + 1)
            self._take(")")
            return inner
        if part[0].isdigit():
            return NumberLiteral(Decimal(part))
        if not (part[0].isalpha() or part[0] == "_"):
            raise CalculationRefused("unreadable_expression", f"Unexpected {part!r}.")
        return self._call(part, depth) if self.peek() == "(" else Reference(part)

    def _call(self, function: str, depth: int) -> Expression:
        if function not in ARGUMENTS:
            known = ", ".join(name for name in ARGUMENTS if name != "negative")
            raise CalculationRefused("unreadable_expression", f"There is no function {function!r}. Known: {known}.")
        self._take("(")
        arguments = [self.expression(depth + 1)]
        while self.peek() == ",":
            self._take()
            arguments.append(self.expression(depth + 1))
        self._take(")")
        fewest, most = ARGUMENTS[function]
        if not fewest <= len(arguments) <= most:
            count = f"{fewest}" if fewest == most else f"{fewest} to {most}"
            raise CalculationRefused("unreadable_expression", f"{function} takes {count} values.")
        return Operation(function, tuple(arguments))
