"""The time of a response does not distinguish a foreign value from an invented one.

The same API answers both values, alternately and often. Their medians may differ by the noise of the measurement only.
A difference below `NOISE_SECONDS` is not promised (docs/explanation/security.md). A machine that gets busy shifts one
median. What tells the values apart shifts all of them.
"""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from .probes import Request
from .values import Foreign
from .worlds import Caller, World, Worlds

PAIRS = 40
ROUNDS = 3
NOISE_SECONDS = 0.002
DEVIATIONS = 5.0
Ask = Callable[[Foreign, int], Request]

ASKED: dict[str, Ask] = {
    "a document": lambda foreign, _: Request("GET", f"/api/v1/documents/{foreign.ids['document']}"),
    "an original": lambda foreign, _: Request("GET", f"/api/v1/documents/{foreign.ids['document']}/original"),
    "a collection": lambda foreign, _: Request("GET", f"/api/v1/collections/{foreign.ids['collection']}"),
    "a tag": lambda foreign, _: Request("GET", "/api/v1/documents", {"tags": foreign.tag}),
    "a filename": lambda foreign, _: Request("GET", "/api/v1/documents/named", {"name": foreign.filename}),
    "a job": lambda foreign, _: Request("GET", f"/api/v1/jobs/{foreign.ids['job']}"),
    "a word": lambda foreign, at: Request("POST", "/api/v1/search", json={"query": f"{foreign.word} {at}"}),
    "a quote": lambda foreign, _: Request("POST", "/api/v1/quotes/verify", json={"quote": foreign.sentence}),
    "a new tag": lambda foreign, _: Request("POST", "/api/v1/tags", json={"name": foreign.tag}),
}


async def seconds(world: World, caller: Caller, request: Request) -> float:
    start = time.perf_counter()
    await world.api.client.request(
        request.method, request.path, params=request.params, json=request.json, headers=caller.headers
    )
    return time.perf_counter() - start


@pytest.mark.parametrize("name", ASKED)
@pytest.mark.parametrize("scope", ["by tag", "by collection"])
async def test_time_does_not_distinguish_a_foreign_value(worlds: Worlds, name: str, scope: str) -> None:
    caller = next(each for each in worlds.callers if each.name == f"reading key {scope}")
    world, other = worlds.pair
    found: list[Difference] = []
    for number in range(ROUNDS):
        found.append(await measure_difference(caller, (world, other), ASKED[name], first=number * PAIRS))
        if not found[-1].is_noticed:
            break
    assert not found[-1].is_noticed, f"{name}: {found}"


@dataclass(frozen=True, slots=True)
class Difference:
    """The median difference in time, and what the noise of its measurement explains."""

    seconds: float
    allowed: float

    @property
    def is_noticed(self) -> bool:
        return abs(self.seconds) > self.allowed


async def measure_difference(caller: Caller, worlds: tuple[World, World], ask: Ask, *, first: int) -> Difference:
    """Ask for both values alternately, each pair in the other order than the one before.

    The requests are numbered from `first`, so that no response is cached.
    """
    world, other = worlds
    differences: list[float] = []
    for at in range(first, first + PAIRS):
        pair = [(1, world.foreign), (-1, other.foreign)]
        taken = [
            sign * await seconds(world, caller, ask(foreign, at)) for sign, foreign in pair[:: 1 if at % 2 else -1]
        ]
        differences.append(sum(taken))
    median = statistics.median(differences)
    spread = statistics.median(abs(each - median) for each in differences)
    return Difference(median, max(NOISE_SECONDS, DEVIATIONS * 1.25 * spread / PAIRS**0.5))
