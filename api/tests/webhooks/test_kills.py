"""Killing the worker at any moment loses no event and sends none before its commit."""

import asyncio
import uuid
from collections.abc import AsyncGenerator
from pathlib import Path
from random import Random

import psycopg
import pytest
from benchmarks.throwaway import ThrowawayDatabase
from pydantic import SecretStr
from tests.ingestion.library import LIBRARY, Library, open_library

from lectern.db.engine import libpq_url
from lectern.db.scope import SYSTEM_SCOPE
from lectern.settings import AccountsSettings, Settings
from lectern.webhooks.models import Webhook
from lectern.webhooks.sending import Sender, new_secret

from .receiver import Receiver

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

SIGNING_KEY = "jwt-secret-of-the-tests-0123456789-abcdef"
ADD = """
INSERT INTO documents (id, collection_id, filename, content_type, size_bytes, sha256, status)
VALUES (%s, %s, %s, 'text/plain', 1, %s, 'failed')
"""


@pytest.fixture
async def library(database: ThrowawayDatabase, tmp_path: Path) -> AsyncGenerator[Library]:
    async with open_library(database, tmp_path) as made:
        made.environment = {"JWT_SECRET_KEY": SIGNING_KEY, "LECTERN_FETCH_ALLOWED": '["127.0.0.1"]'}
        yield made


async def add_webhook(library: Library, receiver: Receiver) -> str:
    """A webhook for created documents, with the secret that a worker can decrypt."""
    settings = Settings(accounts=AccountsSettings(jwt_secret_key=SecretStr(SIGNING_KEY)))
    secret, cipher = new_secret(), Sender(settings).cipher
    assert cipher is not None
    webhook = Webhook(
        id=uuid.uuid4(),
        url=receiver.url,
        secret=cipher.encrypt(secret),
        event_types=["document.created"],
        created_by="system",
    )
    async with library.database.session(SYSTEM_SCOPE) as session:
        session.add(webhook)
    return secret


def names(receiver: Receiver) -> list[str]:
    return [each.message["data"]["document"]["filename"] for each in receiver.received]


async def add(connection: psycopg.AsyncConnection, name: str) -> None:
    await connection.execute(ADD.encode(), (uuid.uuid4(), LIBRARY, name, uuid.uuid4().hex))


async def until_received(receiver: Receiver, expected: set[str]) -> None:
    await receiver.wait_for(lambda: expected <= set(names(receiver)))


async def test_random_kills_lose_nothing_and_duplicates_have_the_same_id(library: Library, receiver: Receiver) -> None:
    secret = await add_webhook(library, receiver)
    random, expected = Random(11), [f"{number}.txt" for number in range(40)]
    receiver.delay_seconds = 0.1
    async with await psycopg.AsyncConnection.connect(libpq_url(library.urls.service_url), autocommit=True) as owner:
        await owner.execute("SET ROLE lectern_system")
        for name in expected:
            await add(owner, name)
        for _ in range(3):
            wanted = min(len(receiver.received) + 2, len(expected))  # all may arrive before a busy machine kills
            process = await library.start_worker_process()
            await receiver.wait_for(lambda wanted=wanted: len(receiver.received) >= wanted)
            await asyncio.sleep(random.uniform(0.0, 0.3))  # a random moment, mostly while a message is under way
            process.kill()
            await process.wait()
            await owner.execute("UPDATE webhooks SET leased_until = now()")  # half a minute later
    async with library.worker_process():
        await until_received(receiver, set(expected))
    firsts = list(dict.fromkeys(names(receiver)))
    assert firsts == expected, "all arrived, in their order"
    ids: dict[str, set[str]] = {}
    for each, name in zip(receiver.received, names(receiver), strict=True):
        ids.setdefault(name, set()).add(each.id)
    assert all(len(own) == 1 for own in ids.values())
    assert len(receiver.received) <= len(expected) + 3, "a kill repeats one message at most"
    assert all(each.is_signed_with(secret) for each in receiver.received)


async def test_event_is_sent_after_its_commit_and_a_later_commit_is_not_skipped(
    library: Library, receiver: Receiver
) -> None:
    await add_webhook(library, receiver)
    url = libpq_url(library.urls.service_url)
    async with library.worker_process(), await psycopg.AsyncConnection.connect(url) as slow:
        await slow.execute("SET ROLE lectern_system")
        await add(slow, "slow.txt")  # its event has the smaller sequence, and is not committed
        async with await psycopg.AsyncConnection.connect(url, autocommit=True) as quick:
            await quick.execute("SET ROLE lectern_system")
            for name in ("quick.txt", "next.txt"):  # two rounds of the dispatcher
                await add(quick, name)
                await until_received(receiver, {name})
            assert names(receiver) == ["quick.txt", "next.txt"]
            await slow.commit()
            await until_received(receiver, {"slow.txt"})
            await add(slow, "never.txt")
            await slow.rollback()
            await add(quick, "last.txt")
            await until_received(receiver, {"last.txt"})
    assert names(receiver) == ["quick.txt", "next.txt", "slow.txt", "last.txt"]


async def test_two_workers_deliver_each_event_once(library: Library, receiver: Receiver) -> None:
    await add_webhook(library, receiver)
    async with library.worker_process(), library.worker_process():
        async with await psycopg.AsyncConnection.connect(libpq_url(library.urls.service_url), autocommit=True) as owner:
            await owner.execute("SET ROLE lectern_system")
            for number in range(30):
                await add(owner, f"{number}.txt")
        await until_received(receiver, {f"{number}.txt" for number in range(30)})
    assert names(receiver) == [f"{number}.txt" for number in range(30)]
