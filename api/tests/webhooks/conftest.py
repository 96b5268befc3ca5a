"""An API with a receiver of webhooks, and a dispatcher that delivers when the test says so."""

import asyncio
import contextlib
import uuid
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from benchmarks.throwaway import ThrowawayDatabase
from tests.api import Api, Person, api_settings, open_api

from lectern.db.scope import SYSTEM_SCOPE
from lectern.settings import ExtractsSettings
from lectern.webhooks import repository
from lectern.webhooks.dispatcher import Dispatcher

from .receiver import Receiver, receiving


@dataclass
class Desk:
    """An API, an administrator and a receiver on loopback."""

    api: Api
    admin: Person
    receiver: Receiver

    async def call(self, method: str, path: str = "", *, status: int = 200, **sent: Any) -> Any:
        url = f"/api/v1/webhooks{path}"
        response = await self.api.client.request(method, url, headers=self.admin.headers, **sent)
        assert response.status_code == status, response.text
        return response.json() if response.content else None

    async def create(self, **wanted: Any) -> tuple[str, str]:
        """The id and the secret of a new webhook."""
        made = await self.call("POST", json={"url": self.receiver.url, **wanted}, status=201)
        return made["webhook"]["id"], made["secret"]

    @asynccontextmanager
    async def dispatcher(self) -> AsyncGenerator[None]:
        """Run a dispatcher until the end of the block."""
        task = asyncio.create_task(Dispatcher(self.api.database, self.api.app.state.webhook_sender).run())
        try:
            yield
        finally:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task

    async def publish(self) -> None:
        """Give positions to the events, without delivering them."""
        async with self.api.database.session(SYSTEM_SCOPE) as session:
            await repository.publish_events(session)

    async def deliver_for(self, seconds: float) -> None:
        """Deliver for a while, where nothing or little is to arrive."""
        async with self.dispatcher():
            await asyncio.sleep(seconds)

    async def deliver_until(self, attempts: int) -> None:
        """Deliver until the log has so many attempts. None is waited for, but the one after the last keeps its time."""
        counted = """SELECT (SELECT count(*) FROM webhook_deliveries),
            ARRAY(SELECT next_attempt_at FROM webhooks WHERE next_attempt_at IS NOT NULL)"""
        hurry = "UPDATE webhooks SET next_attempt_at = now() WHERE next_attempt_at = ANY (:seen)"
        async with asyncio.timeout(120), self.dispatcher():
            while True:
                ((made, seen),) = await self.api.sql(counted)
                if made >= attempts:
                    return
                await self.api.sql(hurry, seen=seen)
                await asyncio.sleep(0.1)

    async def upload(self, **wanted: Any) -> uuid.UUID:
        item = await self.api.upload(self.admin.headers, **wanted)
        return uuid.UUID(item["document"]["id"])


@pytest.fixture
def receiver() -> Generator[Receiver]:
    with receiving() as made:
        yield made


@pytest.fixture
async def desk(database: ThrowawayDatabase, tmp_path: Path, receiver: Receiver) -> AsyncGenerator[Desk]:
    settings = api_settings(database, tmp_path)
    settings.extracts = ExtractsSettings(allowed=["127.0.0.1"])
    async with open_api(settings) as api:
        yield Desk(api, await api.person("admin"), receiver)
