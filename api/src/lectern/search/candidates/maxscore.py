"""Choose the terms that find lexical candidates: MaxScore pruning (Turtle and Flood, 1995; pure).

Terms are taken rarest first. Chunks with one of the rarest terms are candidates and are scored with all terms. A second
pass adds chunks without them if the upper bounds of their terms exceed the score reached so far.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from lectern.search.query.terms import KeywordQuery, QueryTerm

# Upper bound of a term's weight in a chunk. The theoretical bound is 2.2; with 1.7, .9992 of the true first ten hits
# are found (ADR 21).
USUAL_MAXIMUM: Final = 1.7
SECOND_PASS_FACTOR: Final = 2  # of the budget
# The first pass only finds a threshold for the second, so a smaller library needs fewer chunks (ADR 21).
FIRST_PASS_SHARE: Final = 0.02
FIRST_PASS_MINIMUM: Final = 1_000
BUDGET_SHARE: Final = 0.01  # of the library: 5,000 chunks are enough for 100,000, not for a million (ADR 21)


@dataclass(frozen=True, slots=True)
class Candidates:
    """The rarest terms as one tsquery, and the other terms by falling weight.

    Of each other term: its tsquery literal, the most that it adds to a score, and the share of chunks that have it.
    """

    rare: str
    terms: tuple[str, ...]
    upper_bounds: tuple[float, ...]
    shares: tuple[float, ...]


def candidate_budget(least: int, *, chunks: int) -> int:
    """Return how many chunks one pass may score: 1 % of the library's `chunks`, at least `least`."""
    return max(least, round(chunks * BUDGET_SHARE))


def first_pass_budget(budget: int, *, chunks: int) -> int:
    """Return how many chunks the first pass may score: 2 % of the `chunks` in scope, 1,000 to `budget`."""
    return min(budget, max(FIRST_PASS_MINIMUM, round(chunks * FIRST_PASS_SHARE)))


def choose_candidates(query: KeywordQuery, *, budget: int, selectivity: float) -> Candidates:
    """Choose the rarest terms whose chunks in scope fit the budget, at least one term."""
    rare = _count_fitting(query.terms, budget=budget, selectivity=selectivity)
    others = sorted(query.terms[rare:], key=lambda term: (-term.weight, term.term))
    return Candidates(
        rare=" | ".join(quote_term(term.term) for term in query.terms[:rare]),
        terms=tuple(quote_term(term.term) for term in others),
        upper_bounds=tuple(term.weight * USUAL_MAXIMUM for term in others),
        shares=tuple(min(1.0, term.chunk_count / max(1, query.total)) for term in others),
    )


def quote_term(term: str) -> str:
    """Return a term as a tsquery literal."""
    return "'" + term.replace("\\", "\\\\").replace("'", "''") + "'"


def _count_fitting(terms: Sequence[QueryTerm], *, budget: int, selectivity: float) -> int:
    spent = 0.0
    for number, term in enumerate(terms):
        spent += term.chunk_count * selectivity
        if number and spent > budget:
            return number
    return len(terms)
