"""Alerts: sent once when a condition starts and once when it ends, however often and by however many it is read."""

import asyncio
from pathlib import Path
from typing import NamedTuple

import pytest

from lectern.db.scope import SYSTEM_SCOPE
from lectern.operations.metrics.service import read_conditions
from lectern.operations.system import service
from lectern.webhooks.service import announce_alerts, delete_expired

from .conftest import Desk
from .receiver import Receiver

RECORD = "INSERT INTO audit_events (actor, action, target) VALUES ('user:x', :action, 'backup:installation')"


class Usage(NamedTuple):
    total: int
    used: int
    free: int

    def of(self, _folder: Path) -> "Usage":
        return self


async def look(desk: Desk, originals: Path | None = None) -> None:
    """Do as two workers do."""

    async def announce() -> None:
        async with desk.api.database.session(SYSTEM_SCOPE) as session:
            await announce_alerts(session, await read_conditions(session, originals))

    await asyncio.gather(announce(), announce())


async def test_a_stuck_queue_and_a_failed_backup_are_told_once(desk: Desk, receiver: Receiver) -> None:
    await desk.create(event_types=["system.alert"])
    await desk.upload(filename="a.txt", content=b"a")
    await look(desk)
    for age in (3_700, 3_000, 3_700, 1_000):  # between half an hour and an hour nothing changes
        await desk.api.sql("UPDATE jobs SET created_at = now() - make_interval(secs => :age)", age=age)
        await look(desk)
    for action in ("backup.fail", "backup.fail", "backup.write", "backup.write"):
        await desk.api.sql(RECORD, action=action)
        await look(desk)
    await desk.api.sql("UPDATE webhook_events SET created_at = now() - interval '40 days'")
    await delete_expired(desk.api.database)
    await look(desk)

    await desk.deliver_until(4)
    await desk.deliver_for(1.5)

    sent = [each.message["data"] for each in receiver.received]
    assert [(data["alert"], data["state"]) for data in sent] == [
        ("queue_stuck", "started"),
        ("queue_stuck", "ended"),
        ("backup_failed", "started"),
        ("backup_failed", "ended"),
    ]
    assert sent[0]["oldest_seconds"] >= 3_700
    assert {each.message["type"] for each in receiver.received} == {"system.alert"}


async def test_a_disk_has_room_again_above_the_mark_where_it_was_low(
    desk: Desk, receiver: Receiver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await desk.create(event_types=["system.alert"])
    total = 10**13
    for percent in (50, 4, 6, 4, 7, 9, 6):
        monkeypatch.setattr(service.shutil, "disk_usage", Usage(total, 0, total * percent // 100).of)
        await look(desk, tmp_path)

    await desk.deliver_until(2)

    sent = [each.message["data"] for each in receiver.received]
    assert [(data["alert"], data["state"], data["free_bytes"] * 100 // total) for data in sent] == [
        ("disk_low", "started", 4),
        ("disk_low", "ended", 9),
    ]


async def test_a_new_webhook_hears_of_what_is_still_going_on(desk: Desk, receiver: Receiver) -> None:
    await desk.api.sql(RECORD, action="backup.fail")
    await look(desk)
    await desk.create()
    await look(desk)

    await desk.deliver_until(1)

    assert receiver.received[0].message["data"]["alert"] == "backup_failed"
