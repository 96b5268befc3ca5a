"""No operation distinguishes a foreign value from an invented one.

Every request goes to two worlds that differ only outside the caller's scope. A value of one world is foreign there and
invented in the other. Status, headers, bodies, numbers and order must be equal, also in what the caller reads after a
change. Every operation is asked at least once. `LECTERN_LEAK_CALLS=20000` makes a nightly run, and `LECTERN_LEAK_SEED`
makes other worlds.
"""

import itertools
import os
import random
import sys
from collections import Counter

import pytest
from tests.api import read_openapi

from .lockstep import Lockstep, plan
from .probes import operations
from .values import EXEMPT, KINDS, NEUTRAL, VARIANTS, WITHOUT_FOREIGN_VALUE
from .worlds import Worlds

OPERATIONS = operations(read_openapi())
PROBES = [probe for operation in OPERATIONS for probe in operation.probes()]
CALLS = int(os.environ.get("LECTERN_LEAK_CALLS", "1500"))
MAX_OPERATIONS, MAX_LINES = 3, 12
"""Differences to show. The first one often causes the others, so it must survive a log that is cut."""
READING = {
    "search",
    "create_answer",
    "create_chat_completion",
    "verify_quote",
    "list_documents",
    "get_document",
    "get_named_document",
    "get_collection",
    "get_named_collection",
    "list_tags",
    "get_tag",
    "get_job",
    "get_user",
    "get_api_key",
    "list_audit_events",
}
"""Operations by which an administrator must see the difference between the worlds, or the test proves nothing."""


def test_every_operation_is_covered_or_has_no_foreign_value() -> None:
    covered = {probe.operation.name for probe in PROBES if probe.values}
    silent = {operation.name for operation in OPERATIONS if list(operation.fields())} - covered
    assert silent == WITHOUT_FOREIGN_VALUE.keys()


def test_the_tables_name_nothing_that_is_gone() -> None:
    fields = {(each.name, path[-1 if path[-1] != "[]" else -2]) for each in OPERATIONS for _, path, _ in each.fields()}
    names = {name for _, name in fields} | {f"{operation}.{name}" for operation, name in fields} | {"file"}
    assert KINDS.keys() | NEUTRAL.keys() <= names
    assert VARIANTS.keys() <= {operation.name for operation in OPERATIONS}


async def test_an_administrator_sees_the_difference(worlds: Worlds) -> None:
    lockstep = Lockstep(worlds)
    seen: set[str] = set()
    for probe in PROBES:
        if probe.values and probe.operation.name in READING:
            requests = probe.requests(worlds.admin, worlds.pair[0].foreign)
            differences = [await lockstep.find_difference(worlds.admin, request) for request in requests]
            seen |= {probe.operation.name} if any(differences) else set()
    assert seen == READING


@pytest.mark.timeout(7200)
async def test_no_caller_distinguishes_a_foreign_value_from_an_invented_one(worlds: Worlds) -> None:
    lockstep = Lockstep(worlds)
    found: dict[str, str] = {}
    asked: Counter[str] = Counter()
    expected = {operation.name for operation in OPERATIONS} - EXEMPT.keys() - {"stream_all_events"}
    for probe, caller, request in plan(PROBES, worlds, random.Random(CALLS)):
        difference = await lockstep.find_difference(caller, request)
        asked[probe.operation.name] += 1
        if difference:
            found.setdefault(probe.operation.name, difference)
        if lockstep.calls >= CALLS and asked.keys() >= expected:
            break
    print(f"{lockstep.calls} calls, {len(PROBES)} probes, {len(worlds.callers)} callers", file=sys.stderr)
    assert asked.keys() == expected
    first = itertools.islice(found.values(), MAX_OPERATIONS)
    shown = ("\n".join(itertools.islice(text.splitlines(), MAX_LINES)) for text in first)
    assert not found, f"{len(found)} operations\n\n" + "\n\n".join(shown)
