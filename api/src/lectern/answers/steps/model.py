"""One request to the model within the budget."""

import asyncio
import time
from dataclasses import dataclass, field
from typing import Final

from lectern.answers.generation.chat import Chat, Exchange
from lectern.answers.generation.prompt import Prompt
from lectern.answers.steps.budget import BudgetExhausted, BudgetMeter

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
