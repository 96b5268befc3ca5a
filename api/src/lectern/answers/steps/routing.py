"""Decision between an answer in one step and in several (pure)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from typing import Final

from lectern.answers.questions import Question
from lectern.answers.steps.arithmetic import CalculationRules
from lectern.answers.text_analysis import compile_any, load_data, numbers
from lectern.answers.trace import Route, RouteReason, StepsChoice
from lectern.search.query.question import fold

_DATA: Final = load_data("steps")


def _words(group: str, name: str) -> re.Pattern[str]:
    return compile_any([rf"(?<!\w)(?:{'|'.join(_DATA[group][name])})(?!\w)"])


_CALCULATION: Final = _words("route", "calculation")
_AGGREGATE: Final = _words("route", "aggregate")
_ACROSS_PERIODS: Final = _words("periods", "across")
_WORD: Final = re.compile(r"[\w&’'-]+")
_SEVERAL: Final = 2


@dataclass(frozen=True, slots=True)
class RouteDecision:
    """The way of an answer and its reason."""

    route: Route
    reason: RouteReason


def choose_route(question: Question, choice: StepsChoice, *, is_endpoint_set: bool, has_hits: bool) -> RouteDecision:
    """Choose several steps for calculations and comparisons, unless the request decides."""
    if not is_endpoint_set:
        return RouteDecision("single_step", "no_chat_endpoint")
    if not has_hits:
        return RouteDecision("single_step", "nothing_found")
    if choice != "auto":
        return RouteDecision("multi_step" if choice == "always" else "single_step", "requested")
    if _CALCULATION.search(question.text):
        return RouteDecision("multi_step", "calculation")
    is_several = len(question.years) >= _SEVERAL or count_entities(question) >= _SEVERAL
    is_change = len(question.years) >= _SEVERAL and _ACROSS_PERIODS.search(question.text)
    if is_change or (is_several and _AGGREGATE.search(question.text)):
        return RouteDecision("multi_step", "calculation")
    if is_several and question.is_comparison:
        return RouteDecision("multi_step", "comparison")
    return RouteDecision("single_step", "simple_question")


def count_entities(question: Question) -> int:
    """Count the names of a question. Words next to each other are one name."""
    ends = list(_names(question))
    joined = sum(not question.text[one[1] : other[0]].strip() for one, other in pairwise(ends))
    return len(ends) - joined


def _names(question: Question) -> Iterator[tuple[int, int]]:
    for match in _WORD.finditer(question.text):
        if fold(re.sub(r"['’]s$", "", match[0])) in question.names:
            yield match.span()


def calculation_rules(question: Question) -> CalculationRules:
    """Return what the question allows in a calculation."""
    is_across = len(question.years) >= _SEVERAL or _ACROSS_PERIODS.search(question.text) is not None
    return CalculationRules(
        numbers=frozenset(map(Decimal, numbers(question.text))), years=question.years, is_across_periods=is_across
    )
