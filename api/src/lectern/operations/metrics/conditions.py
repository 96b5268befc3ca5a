"""Conditions of the installation that somebody should look after. Each ends well below where it starts."""

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

from lectern.db.session import Session
from lectern.operations.metrics.repository import find_newest_backups
from lectern.operations.system import repository
from lectern.operations.system.service import measure_disk

STUCK_SECONDS: Final = 3_600.0  # as in deploy/prometheus/alerts.yml
_CALM_SECONDS: Final = STUCK_SECONDS / 2
_ROOM_SHARE: Final = 0.08  # above the share of the disk at which uploads are refused


class Condition(NamedTuple):
    """`starts` and `ends` are both false in between, so that a condition does not come and go."""

    name: str
    starts: bool
    ends: bool
    details: Mapping[str, float | int | str]


async def read_conditions(session: Session, originals: Path | None) -> list[Condition]:
    """Return every condition with its facts. `originals` is None for an object store."""
    conditions = [_queue((await repository.count_queue(session))["oldest_queued_at"])]
    conditions.append(_backup(await find_newest_backups(session)))
    if originals is not None:
        conditions.append(await asyncio.to_thread(_disk, originals))
    return conditions


def _queue(oldest_queued_at: datetime | None) -> Condition:
    seconds = (datetime.now(UTC) - oldest_queued_at).total_seconds() if oldest_queued_at else 0.0
    facts = {"oldest_seconds": round(seconds)}
    return Condition("queue_stuck", starts=seconds > STUCK_SECONDS, ends=seconds < _CALM_SECONDS, details=facts)


def _backup(newest: Mapping[str, float]) -> Condition:
    written, failed = newest.get("backup.write", 0.0), newest.get("backup.fail", 0.0)
    facts = {
        name: datetime.fromtimestamp(at, UTC).isoformat()
        for name, at in (("last_success_at", written), ("last_failure_at", failed))
        if at
    }
    return Condition("backup_failed", starts=failed > written, ends=failed <= written, details=facts)


def _disk(folder: Path) -> Condition:
    disk = measure_disk(folder)
    facts = {"free_bytes": disk.free_bytes, "total_bytes": disk.total_bytes}
    has_room = not disk.is_low and disk.free_bytes > disk.total_bytes * _ROOM_SHARE
    return Condition("disk_low", starts=disk.is_low, ends=has_room, details=facts)
