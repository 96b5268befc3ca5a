"""Choose the terms that find lexical candidates, rarest first (MaxScore, Turtle and Flood 1995; pure)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from lectern.search.query.terms import KeywordQuery, QueryTerm

# The most that a term is taken to weigh in a chunk; 2.2 in theory. Of the true first ten .9992 are found (ADR 75).
USUAL_MAXIMUM: Final = 1.7
ENLARGEMENT: Final = 2  # of the budget, for the second look
# The first look only finds a threshold for the second: of a library that is not very large fewer passages do (ADR 94).
FIRST_LOOK_SHARE: Final = 0.02
FIRST_LOOK_LEAST: Final = 1_000
BUDGET_SHARE: Final = 0.01  # of the library's passages: 5,000 do for 100,000, not for a million (ADR 97)


@dataclass(frozen=True, slots=True)
class Candidates:
    """Which terms find candidates: the rarest as a tsquery literal, the rest by falling worth.

    Of the rest: each term as a tsquery literal, the most that it adds to a score, and the share of chunks that have it.
    """

    rare: str
    terms: tuple[str, ...]
    bounds: tuple[float, ...]
    shares: tuple[float, ...]


def budget_of(least: int, *, chunks: int) -> int:
    """How many passages may be scored at once: 1 % of the library's, not fewer than `least`."""
    return max(least, round(chunks * BUDGET_SHARE))


def first_budget(budget: int, *, chunks: int) -> int:
    """How many passages are scored at first: 2 % of those in scope, at least 1,000, at most the budget."""
    return min(budget, max(FIRST_LOOK_LEAST, round(chunks * FIRST_LOOK_SHARE)))


def choose_candidates(query: KeywordQuery, *, budget: int, selectivity: float) -> Candidates:
    """The rarest terms whose chunks in scope fit the budget (at least one term), and what the others can add."""
    rare = _fitting(query.terms, budget=budget, selectivity=selectivity)
    others = sorted(query.terms[rare:], key=lambda term: (-term.weight, term.term))
    return Candidates(
        rare=" | ".join(quoted(term.term) for term in query.terms[:rare]),
        terms=tuple(quoted(term.term) for term in others),
        bounds=tuple(term.weight * USUAL_MAXIMUM for term in others),
        shares=tuple(min(1.0, term.chunk_count / max(1, query.total)) for term in others),
    )


def quoted(term: str) -> str:
    """A term as a tsquery literal."""
    return "'" + term.replace("\\", "\\\\").replace("'", "''") + "'"


def _fitting(terms: Sequence[QueryTerm], *, budget: int, selectivity: float) -> int:
    spent = 0.0
    for number, term in enumerate(terms):
        spent += term.chunk_count * selectivity
        if number and spent > budget:
            return number
    return len(terms)
