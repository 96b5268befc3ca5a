"""Limits of an answer in several steps: searches, tokens and seconds."""

import time
from dataclasses import dataclass, field

from lectern.answers.trace import BudgetName


@dataclass(frozen=True, slots=True, kw_only=True)
class StepBudget:
    """Limits of one answer. Tokens are those of prompts and completions."""

    searches: int = 6
    tokens: int = 60_000
    seconds: float = 180.0


class BudgetExhausted(Exception):
    """A limit is reached before the answer is complete."""

    def __init__(self, limit: BudgetName) -> None:
        super().__init__(limit)
        self.limit: BudgetName = limit


@dataclass(slots=True)
class BudgetMeter:
    """Searches, tokens and time that an answer has used."""

    budget: StepBudget
    searches: int = 0
    tokens: int = 0
    started: float = field(default_factory=time.perf_counter)

    @property
    def seconds_left(self) -> float:
        """Return the seconds until the limit."""
        return self.budget.seconds - (time.perf_counter() - self.started)

    def check(self) -> None:
        """Raise BudgetExhausted if tokens or seconds are used up."""
        if self.tokens >= self.budget.tokens:
            raise BudgetExhausted("tokens")
        if self.seconds_left <= 0:
            raise BudgetExhausted("seconds")

    def start_search(self) -> None:
        """Count a search. Raises BudgetExhausted."""
        self.check()
        if self.searches >= self.budget.searches:
            raise BudgetExhausted("searches")
        self.searches += 1
