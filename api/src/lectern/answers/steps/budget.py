"""Limits of an answer in several steps, searches, tokens and seconds, and a request to the model within them."""

import asyncio
import time
from dataclasses import dataclass, field
from typing import Final

from lectern.answers.generation.chat import Chat, Exchange
from lectern.answers.generation.prompt import Prompt
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


_CHARACTERS_PER_TOKEN: Final = 4  # for endpoints that do not report their usage


@dataclass(slots=True)
class ModelCall:
    """The reply to a prompt, with its costs. They are set if the request fails, too."""

    exchange: Exchange = field(default_factory=Exchange)
    reply: str = ""
    seconds: float = 0.0
    tokens: int = 0

    async def run(self, chat: Chat, prompt: Prompt, *, meter: BudgetMeter) -> str:
        """Return the reply. Raises what `Chat.stream` raises, and BudgetExhausted."""
        meter.check()
        started = time.perf_counter()
        limit = asyncio.timeout(meter.seconds_left)
        try:
            async with limit:
                self.reply = "".join([piece async for piece in chat.stream(prompt, self.exchange)])
        except TimeoutError:
            if limit.expired():
                raise BudgetExhausted("seconds") from None
            raise
        finally:
            self.seconds = time.perf_counter() - started
            self.tokens = count_tokens(self.exchange, prompt, self.reply)
            meter.tokens += self.tokens
        return self.reply


def count_tokens(exchange: Exchange, prompt: Prompt, reply: str) -> int:
    """Return the tokens of an exchange, estimated if the endpoint does not report them."""
    reported = exchange.prompt_tokens + exchange.completion_tokens
    written = sum(len(str(message["content"])) for message in prompt.messages) + len(reply)
    return reported or written // _CHARACTERS_PER_TOKEN
