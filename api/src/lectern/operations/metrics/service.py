"""Read the metrics of the whole installation: queue, ingestion, documents, webhooks, database and disk."""

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Database, Session
from lectern.http.metrics import Gauge
from lectern.operations.metrics import repository
from lectern.operations.metrics.repository import Rows
from lectern.operations.system import repository as system
from lectern.operations.system.service import measure_disk

_FRESH_SECONDS: Final = 5.0


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
