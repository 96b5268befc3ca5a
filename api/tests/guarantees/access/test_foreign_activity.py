"""Activity out of a caller's scope changes nothing that the caller reads, not even whether a response is cached."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from .lockstep import READS, Lockstep
from .probes import Request
from .values import OWN, Foreign
from .worlds import Caller, Worlds

READINGS = (
    *READS,
    Request("POST", "/api/v1/search", json={"query": OWN["query"]}),
    Request("POST", "/api/v1/search", json={"query": OWN["query"], "hybrid": False}),
    Request("POST", "/api/v1/answers", json={"question": OWN["question"]}),
    Request("POST", "/api/v1/quotes/verify", json={"quote": OWN["quote"]}),
)
Act = Callable[[Foreign], tuple[str, str, Any]]

ACTIVITIES: dict[str, Act] = {
    "restores a document": lambda foreign: ("POST", f"documents/{foreign.ids['deleted_document']}/restore", None),
    "changes a title": lambda foreign: ("PATCH", f"documents/{foreign.ids['document']}", {"title": "Other"}),
    "adds a tag": lambda foreign: ("PATCH", f"documents/{foreign.ids['document']}", {"tags": [foreign.tag, "more"]}),
    "trashes a document": lambda foreign: ("DELETE", f"documents/{foreign.ids['deleted_document']}", None),
    "renames a tag": lambda foreign: ("PATCH", f"tags/{foreign.ids['tag']}", {"name": "renamed"}),
    "renames a collection": lambda foreign: ("PATCH", f"collections/{foreign.ids['collection']}", {"name": "Other"}),
    "shares a document": lambda foreign: (
        "PUT",
        f"documents/{foreign.ids['document']}/grants",
        {"email": "new@example.org"},
    ),
    "takes a grant back": lambda foreign: (
        "DELETE",
        f"documents/{foreign.ids['document']}/grants/{foreign.ids['grant']}",
        None,
    ),
    "shares a tag": lambda foreign: ("PUT", f"tags/{foreign.ids['tag']}/grants", {"email": "new@example.org"}),
    "gives documents and tags to a caller": lambda foreign: (
        "POST",
        f"users/{foreign.ids['user']}/transfer",
        {"email": foreign.texts["owner"]},
    ),
    "searches": lambda foreign: ("POST", "search", {"query": foreign.question}),
}
"""Actions of an administrator in one of the worlds."""


CALLERS = {
    "editor",
    "writing key by tag",
    "reading key by document",
    "reader with a grant",
    "reader with a shared tag",
    "reader who owns a tag",
}


def choose_pairs(callers: Sequence[Caller], callers_per_reading: int, *, turn: int) -> Iterator[tuple[Caller, Request]]:
    """Yield every reading with some of the callers. Each caller has a part, and another one in the next turn."""
    for number, reading in enumerate(READINGS):
        for offset in range(callers_per_reading):
            yield callers[(number + turn + offset) % len(callers)], reading


@pytest.mark.timeout(600)
@pytest.mark.parametrize("callers_per_reading", [1, pytest.param(len(CALLERS), marks=pytest.mark.slow)])
async def test_activity_out_of_scope_changes_no_response(worlds: Worlds, callers_per_reading: int) -> None:
    lockstep = Lockstep(worlds)
    callers = [caller for caller in worlds.callers if caller.name in CALLERS]
    assert len(callers) == len(CALLERS)
    asked = [(caller, reading) for caller in callers for reading in READINGS]
    busy = worlds.pair[0]
    found: list[str] = []
    for caller, reading in asked:  # fills the caches
        await lockstep.send(caller, reading)
    for turn, (name, act) in enumerate(ACTIVITIES.items()):
        method, path, body = act(busy.foreign)
        headers = worlds.admin.headers
        response = await busy.api.client.request(method, f"/api/v1/{path}", json=body, headers=headers)
        assert response.is_success, response.text
        for caller, reading in choose_pairs(callers, callers_per_reading, turn=turn):
            difference = await lockstep.find_difference(caller, reading, is_changing=False)
            found += [f"after somebody {name}: {difference}"] if difference else []
    for world in worlds.pair:
        assert world.snapshot
        world.snapshot.restore()
    assert not found, f"{len(found)} differences\n\n" + "\n\n".join(found[:10])
