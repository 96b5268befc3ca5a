"""A key is asked about once, believed for a short while, and forgotten in time."""

import asyncio
import gc
from datetime import UTC, datetime
from typing import Any

import pytest
from pydantic import SecretStr

from lectern_mcp import limits, principal
from lectern_mcp.api_models import KeyIntrospection
from lectern_mcp.errors import Failure
from lectern_mcp.limits import TokenBuckets
from lectern_mcp.principal import REFUSED_SECONDS, Principals

KEY = SecretStr("lk_key")


class Directory:
    """Answers introspections and counts them."""

    def __init__(self, **answer: Any) -> None:
        self.answer: dict[str, Any] = {"is_active": True, "principal": "key:1", "toolsets": ["search"], **answer}
        self.is_down = False
        self.asked = 0
        self.clients: list[str | None] = []
        self.now = 1_800_000_000.0

    async def __call__(self, _key: SecretStr, client: str | None) -> KeyIntrospection:
        self.asked += 1
        self.clients.append(client)
        await asyncio.sleep(0)
        if self.is_down:
            raise Failure("INTERNAL_ERROR")
        return KeyIntrospection.model_validate(self.answer)

    def principals(self) -> Principals:
        return Principals(self, accepted_seconds=45, clock=lambda: self.now)


async def test_an_accepted_key_is_asked_about_again_only_after_its_time() -> None:
    directory = Directory()
    principals = directory.principals()
    for _ in range(2):
        await principals.resolve(KEY)
    caller = await principals.resolve(KEY)
    assert (caller.principal, caller.toolsets, directory.asked) == ("key:1", frozenset({"search"}), 1)
    directory.now += 44.9
    assert principals.remembers(KEY)
    directory.now += 0.2
    assert not principals.remembers(KEY)
    await principals.resolve(KEY)
    assert directory.asked == 2


async def test_callers_at_once_ask_together() -> None:
    directory = Directory()
    principals = directory.principals()
    impatient = asyncio.create_task(principals.resolve(KEY))
    others = [asyncio.create_task(principals.resolve(KEY)) for _ in range(20)]
    await asyncio.sleep(0)
    impatient.cancel()
    assert {caller.principal for caller in await asyncio.gather(*others)} == {"key:1"}
    assert directory.asked == 1


async def test_a_failure_that_nobody_waits_for_is_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    directory = Directory()
    directory.is_down = True
    impatient = asyncio.create_task(directory.principals().resolve(KEY))
    await asyncio.sleep(0)
    impatient.cancel()
    await asyncio.wait([impatient])
    del impatient
    gc.collect()  # asyncio complains when it drops the task
    assert directory.asked == 1
    assert caplog.messages == []


async def test_a_key_is_asked_about_for_each_address() -> None:
    directory = Directory()
    principals = directory.principals()
    for client in ("10.0.0.1", "10.0.0.2", "10.0.0.1"):
        assert (await principals.resolve(KEY, client)).client == client
    assert directory.clients == ["10.0.0.1", "10.0.0.2"]
    assert not principals.remembers(KEY)


async def test_a_revoked_key_stops_working_when_its_time_is_over() -> None:
    directory = Directory()
    principals = directory.principals()
    await principals.resolve(KEY)
    directory.answer = {"is_active": False}
    await principals.resolve(KEY)
    directory.now += 45.1
    with pytest.raises(Failure, match="revoked"):
        await principals.resolve(KEY)


async def test_a_refused_key_is_asked_about_again_after_a_few_seconds() -> None:
    directory = Directory(is_active=False)
    principals = directory.principals()
    codes: list[str] = []
    for _ in range(3):
        with pytest.raises(Failure) as caught:
            await principals.resolve(KEY)
        codes.append(caught.value.code)
    assert (codes, directory.asked) == (["UNAUTHORIZED"] * 3, 1)
    directory.answer["is_active"] = True
    directory.now += REFUSED_SECONDS + 0.1
    assert (await principals.resolve(KEY)).principal == "key:1"


async def test_a_key_is_not_believed_beyond_its_own_expiry() -> None:
    directory = Directory()
    directory.answer["expires_at"] = datetime.fromtimestamp(directory.now + 10, UTC).isoformat()
    principals = directory.principals()
    await principals.resolve(KEY)
    directory.now += 10.1
    with pytest.raises(Failure, match="expired"):
        await principals.resolve(KEY)
    assert directory.asked == 2


async def test_a_directory_that_is_down_is_not_remembered_as_a_refusal() -> None:
    directory = Directory()
    directory.is_down = True
    principals = directory.principals()
    with pytest.raises(Failure) as caught:
        await principals.resolve(KEY)
    assert caught.value.code == "INTERNAL_ERROR"
    directory.is_down = False
    assert (await principals.resolve(KEY)).principal == "key:1"


async def test_the_table_of_keys_forgets_the_oldest_and_holds_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(principal, "MAX_ENTRIES", 3)
    directory = Directory()
    principals = directory.principals()
    for number in range(5):
        await principals.resolve(SecretStr(f"lk_{number}"))
    assert [principals.remembers(SecretStr(f"lk_{number}")) for number in range(5)] == [False, False, True, True, True]
    assert "lk_" not in str(vars(principals))


def test_a_bucket_refills_at_its_rate_and_no_further_than_its_burst() -> None:
    now = [0.0]
    buckets = TokenBuckets(per_minute=60, burst=2, clock=lambda: now[0])
    assert [buckets.take("a"), buckets.take("a")] == [0, 0]
    assert buckets.take("a") == pytest.approx(1)
    now[0] += 0.25
    assert buckets.take("a") == pytest.approx(0.75)
    assert buckets.take("b") == 0
    now[0] += 3_600
    assert [buckets.take("a"), buckets.take("a")] == [0, 0]
    assert buckets.take("a") > 0


def test_looking_at_a_bucket_takes_nothing_out() -> None:
    buckets = TokenBuckets(per_minute=60, burst=1, clock=lambda: 0.0)
    assert [buckets.wait_seconds("a") for _ in range(3)] == [0, 0, 0]
    assert buckets.take("a") == 0
    assert buckets.wait_seconds("a") == pytest.approx(1)


def test_the_table_of_buckets_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_ENTRIES", 2)
    buckets = TokenBuckets(per_minute=60, burst=1, clock=lambda: 0.0)
    for name in ("a", "b", "c"):
        assert buckets.take(name) == 0
    assert buckets.take("c") > 0
    assert buckets.take("a") == 0
