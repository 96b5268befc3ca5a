"""Rate limits of a principal are shared by all processes."""

import asyncio
import time
from pathlib import Path

from benchmarks.throwaway import ThrowawayDatabase
from tests.api import Api, Person, api_settings, open_api

from lectern.accounts.repository import BucketSize, take_token
from lectern.db.scope import SYSTEM_SCOPE

ME = "/api/v1/auth/me"


async def statuses(api: Api, person: Person, count: int) -> list[int]:
    answers = await asyncio.gather(*(api.client.get(ME, headers=person.headers) for _ in range(count)))
    return [answer.status_code for answer in answers]


async def test_two_processes_share_one_bucket(database: ThrowawayDatabase, tmp_path: Path) -> None:
    settings = api_settings(database, tmp_path, http={"rate_limit_per_minute": 20})
    async with open_api(settings) as one, open_api(settings, is_new=True) as two:
        person, other = await one.person(), await one.person()
        began = time.monotonic()
        answers = [*await statuses(one, person, 20), *await statuses(two, person, 20)]
        refilled = int((time.monotonic() - began) * 20 / 60) + 1
        assert 20 <= answers.count(200) <= 20 + refilled
        assert set(answers) == {200, 429}
        assert await statuses(two, other, 1) == [200]


async def test_a_refusal_says_when_to_come_back(database: ThrowawayDatabase, tmp_path: Path) -> None:
    async with open_api(api_settings(database, tmp_path, http={"rate_limit_per_minute": 2})) as api:
        person = await api.person()
        first = await api.client.get(ME, headers=person.headers)
        assert (first.headers["ratelimit-limit"], first.headers["ratelimit-remaining"]) == ("2", "1")
        await api.client.get(ME, headers=person.headers)
        refused = await api.client.get(ME, headers=person.headers)
        assert (refused.status_code, refused.json()["code"]) == (429, "rate_limited")
        assert refused.headers["retry-after"] == "30"
        assert refused.json()["limit_per_minute"] == 2


async def test_zero_switches_rates_off(api: Api) -> None:
    person = await api.person()
    response = await api.client.get(ME, headers=person.headers)
    assert "ratelimit-limit" not in response.headers
    assert await api.sql("SELECT 1 FROM rate_buckets") == []


async def test_a_bucket_fills_with_time_and_not_beyond_its_size(api: Api) -> None:
    size = BucketSize(3, 60.0)

    async def take() -> float | None:
        async with api.database.session(SYSTEM_SCOPE) as session:
            return await take_token(session, "test", size)

    async def pass_seconds(seconds: float) -> None:
        await api.sql("UPDATE rate_buckets SET updated_at = updated_at - make_interval(secs => :s)", s=seconds)

    assert [await take() is not None for _ in range(4)] == [True, True, True, False]
    await pass_seconds(size.longest_wait_seconds)
    assert [await take() is not None for _ in range(2)] == [True, False]
    await pass_seconds(100_000)
    assert [await take() is not None for _ in range(4)] == [True, True, True, False]
    await pass_seconds(-3600)  # a clock that was set back takes nothing away
    assert await take() is None
