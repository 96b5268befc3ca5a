"""Read the metrics of the whole installation, and the conditions that somebody should look after."""

import asyncio
import time
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Database, Session
from lectern.http.metrics import Gauge
from lectern.operations.metrics import repository
from lectern.operations.metrics.repository import Rows, find_newest_backups
from lectern.operations.system import repository as system
from lectern.operations.system.service import measure_disk

_FRESH_SECONDS: Final = 5.0
STUCK_SECONDS: Final = 3_600.0  # as in deploy/prometheus/alerts.yml
_CALM_SECONDS: Final = STUCK_SECONDS / 2
_ROOM_SHARE: Final = 0.08  # above the share of the disk at which uploads are refused


class InstallationMetrics:
    """Reads the metrics, at most once in five seconds. `originals` is None for an object store."""

    def __init__(self, database: Database, originals: Path | None) -> None:
        self._database = database
        self._originals = originals
        self._lock = asyncio.Lock()
        self._read_at = float("-inf")
        self._samples: list[Gauge] = []

    def forget(self) -> None:
        """Read again the next time."""
        self._read_at = float("-inf")

    async def read(self) -> list[Gauge]:
        """Return the samples. Errors of the database pass through."""
        async with self._lock:
            if time.monotonic() - self._read_at >= _FRESH_SECONDS:
                async with self._database.session(SYSTEM_SCOPE) as session:
                    samples = await _read(session)
                if self._originals is not None:
                    disk = await asyncio.to_thread(measure_disk, self._originals)
                    samples += [
                        Gauge("disk_free_bytes", "Free space of the disk with the originals.", disk.free_bytes),
                        Gauge("disk_total_bytes", "Size of the disk with the originals.", disk.total_bytes),
                        Gauge("disk_low", "1 if uploads are refused or soon will be.", int(disk.is_low)),
                    ]
                self._samples, self._read_at = samples, time.monotonic()
            return self._samples


async def _read(session: Session) -> list[Gauge]:
    queue, storage = await system.count_queue(session), await system.measure_storage(session)
    return [
        Gauge("workers", "Live workers.", queue["workers"]),
        Gauge("database_bytes", "Size of the database.", storage["database_bytes"]),
        Gauge("originals_bytes", "Size of all originals.", storage["original_bytes"]),
        *_of_backups(await repository.find_newest_backups(session)),
        *_of_queue(await repository.count(session, repository.QUEUE)),
        *_of_finished(await repository.count(session, repository.FINISHED)),
        *_of_stages(await repository.count(session, repository.STAGES)),
        *(
            Gauge("documents", "Documents by status.", row["count"], {"status": row["status"], "code": row["code"]})
            for row in await repository.count(session, repository.DOCUMENTS)
        ),
        *(
            Gauge("webhooks", "Webhooks by state.", row["count"], {"state": row["state"]})
            for row in await repository.count(session, repository.WEBHOOKS)
        ),
        *(
            Gauge(
                "database_connections",
                "Connections to the database of all processes.",
                row["count"],
                {"application": row["application"]},
            )
            for row in await repository.count(session, repository.CONNECTIONS)
        ),
    ]


def _of_backups(newest: dict[str, float]) -> Iterator[Gauge]:
    written, failed = newest.get("backup.write"), newest.get("backup.fail")
    if written is not None:
        yield Gauge("backup_success_timestamp_seconds", "Time of the last good backup.", written)
    if failed is not None:
        yield Gauge("backup_failure_timestamp_seconds", "Time of the last failed backup.", failed)
    yield Gauge("backup_failed", "1 if the last backup failed.", int((failed or 0.0) > (written or 0.0)))


def _of_queue(rows: Rows) -> Iterator[Gauge]:
    oldest = max((row["oldest_seconds"] for row in rows if row["state"] == "queued"), default=0.0)
    yield Gauge("queue_oldest_seconds", "Age of the oldest queued job of any kind.", oldest)
    for row in rows:
        labels = {"kind": row["kind"], "state": row["state"]}
        yield Gauge("queue_jobs", "Queued and running jobs.", row["count"], labels)
        yield Gauge("queue_kind_oldest_seconds", "Age of the oldest job.", row["oldest_seconds"], labels)


def _of_finished(rows: Rows) -> Iterator[Gauge]:
    for row in rows:
        labels = {"kind": row["kind"], "state": row["state"], "code": row["code"]}
        yield Gauge("jobs_last_hour", "Jobs that ended in the last hour.", row["count"], labels)
    done = [row for row in rows if row["state"] == "succeeded"]
    pages, chunks = sum(row["pages"] for row in done), sum(row["chunks_embedded"] for row in done)
    failed = sum(row["count"] for row in rows if row["state"] == "failed")
    yield Gauge("failed_jobs_last_hour", "Jobs that failed in the last hour.", failed)
    yield Gauge("ingestion_pages_last_hour", "Pages of documents that became ready in the last hour.", pages)
    yield Gauge("embedded_chunks_last_hour", "Chunks embedded for jobs of the last hour.", chunks)


def _of_stages(rows: Rows) -> Iterator[Gauge]:
    for row in rows:
        labels = {"stage": row["stage"]}
        yield Gauge("ingestion_stage_seconds_last_hour", "Time in a stage.", row["seconds"], labels)
        yield Gauge("ingestion_stage_pages_last_hour", "Pages of the jobs in a stage.", row["pages"], labels)


class Condition(NamedTuple):
    """`starts` and `ends` are both false in between, so that a condition does not come and go."""

    name: str
    starts: bool
    ends: bool
    details: Mapping[str, float | int | str]


async def read_conditions(session: Session, originals: Path | None) -> list[Condition]:
    """Return every condition with its facts. `originals` is None for an object store."""
    conditions = [_queue((await system.count_queue(session))["oldest_queued_at"])]
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
