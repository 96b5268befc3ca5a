"""Send the same requests to both worlds and compare what comes back."""

import asyncio
import random
from collections.abc import Iterator, Sequence
from typing import Any

import httpx

from .comparing import Comparison, Normalizer
from .probes import Probe, Request
from .worlds import Caller, Worlds

SECONDS = 120  # starting a process takes half a minute on a crowded machine
READS = tuple(
    Request("GET", f"/api/v1/{path}")
    for path in (
        "documents",
        "tags",
        "collections",
        "jobs",
        "evaluations/golden",
        "answers",
        "threads",
        "extracts/caches",
    )
)
"""Paths that a caller reads after a change, because a foreign name can leak later than in the response."""
READING_PATHS = ("/api/v1/search", "/api/v1/extracts", "/api/v1/quotes", "/api/v1/evaluations/preview")
"""Paths whose POST requests change nothing."""


class Lockstep:
    """Both worlds as one. Counts the calls."""

    def __init__(self, worlds: Worlds) -> None:
        self.worlds = worlds
        self.calls = 0
        self._normalizer = Normalizer(worlds.common_ids, worlds.started_at)

    async def send(self, caller: Caller, request: Request) -> list[httpx.Response]:
        options: dict[str, Any] = {"params": request.params, "headers": {**caller.headers, **request.headers}}
        options |= {"json": request.json, "content": request.content, "files": request.files}
        self.calls += 2
        sent = (world.api.client.request(request.method, request.path, **options) for world in self.worlds.pair)
        async with asyncio.timeout(SECONDS):
            return list(await asyncio.gather(*sent))

    async def find_difference(self, caller: Caller, request: Request, *, is_changing: bool = True) -> str | None:
        """Return how the responses differ, or those of reads that follow a change. Undo the change."""
        responses = await self.send(caller, request)
        compared = self._normalizer.compare(*responses)
        difference = self._describe(compared, caller, request)
        is_reading = request.method == "GET" or request.path.startswith(READING_PATHS) or not is_changing
        if is_reading or not any(response.is_success for response in responses):
            return difference
        for read in READS if difference is None else ():
            compared = self._normalizer.compare(*await self.send(caller, read))
            difference = difference or self._describe(compared, caller, request, read)
        for world in self.worlds.pair:
            assert world.snapshot
            world.snapshot.restore()
        return difference

    def _describe(self, compared: Comparison, caller: Caller, *requests: Request) -> str | None:
        if compared.is_equal:
            return None
        return f"{caller.name}: {', then '.join(map(str, requests))}\n{compared}"


def plan(probes: Sequence[Probe], worlds: Worlds, choose: random.Random) -> Iterator[tuple[Probe, Caller, Request]]:
    """Return requests without end: in each round one for every probe, with the next caller and the next value."""
    writers = [caller for caller in worlds.callers if caller.can_write]
    orders = {
        "GET": choose.sample(worlds.callers, k=len(worlds.callers)),
        "POST": [*choose.sample(writers, k=len(writers)), *choose.sample(worlds.callers, k=len(worlds.callers))],
    }
    turn = 0
    while True:
        for number, probe in enumerate(choose.sample(probes, k=len(probes))):
            order = orders["GET" if probe.operation.method == "GET" else "POST"]
            caller = order[(turn + number) % len(order)]
            requests = probe.requests(caller, worlds.pair[turn % 2].foreign)
            yield probe, caller, requests[turn // 2 % len(requests)]
        turn += 1
