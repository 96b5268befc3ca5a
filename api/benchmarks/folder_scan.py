"""How long does it take to look through a watched folder of 100,000 files of which none has changed?

    PYTHONPATH=src python benchmarks/folder_scan.py [--files 100000]

The files are small and hang in directories of 100; what is known of them is entered as a first scan would leave it.
Says how long walking, loading and comparing take, and the whole scan.
"""

import argparse
import asyncio
import tempfile
import time
import uuid
from pathlib import Path

from pydantic import SecretStr
from throwaway import ThrowawayDatabase, fresh_library

from lectern.db.engine import create_engine
from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Database
from lectern.library.folders import applying, repository, service, syncing
from lectern.library.folders.planning import KnownFile, compare
from lectern.library.folders.schemas import FolderScan
from lectern.library.folders.walking import walk
from lectern.settings import DatabaseSettings, FoldersSettings, Settings
from lectern.storage.store import open_originals

LIBRARY = uuid.UUID("00000000-0000-4000-8000-000000000001")
IN_A_DIRECTORY = 100


def make_files(root: Path, count: int) -> None:
    for number in range(count):
        folder = root / f"{number // IN_A_DIRECTORY:05}"
        if number % IN_A_DIRECTORY == 0:
            folder.mkdir(parents=True)
        (folder / f"{number:06}.txt").write_bytes(b"%d" % number)


async def measure(urls: ThrowawayDatabase, folder: Path, count: int) -> None:
    root = folder / "watched"
    await asyncio.to_thread(make_files, root, count)
    settings = Settings(
        database=DatabaseSettings(url=SecretStr(urls.service_url)), folders=FoldersSettings(roots=[folder])
    )
    database = Database(create_engine(urls.service_url, pool_size=3))
    originals = open_originals(None, default_folder=folder / "originals")
    watcher = syncing.Watcher(database=database, originals=originals, settings=settings)
    async with database.session(SYSTEM_SCOPE) as session:
        await service.bind_folder(session, applying.FOLDERS, LIBRARY, path=str(root), roots=[folder])
        files = (await asyncio.to_thread(walk, root)).files
        known = {path: KnownFile(stamp, uuid.uuid4().hex * 2, None) for path, stamp in files.items()}
        await repository.put_files(session, LIBRARY, known)
    for _ in range(3):
        await measure_parts(database, root)
        outcome = await syncing.scan_folder(watcher, LIBRARY, FolderScan())
        assert outcome.unchanged_count == count
        print(f"whole scan of {count:,} unchanged files: {outcome.seconds} s")
    await database.dispose()


async def measure_parts(database: Database, root: Path) -> None:
    started = time.perf_counter()
    seen = walk(root)
    walked = time.perf_counter()
    async with database.session(SYSTEM_SCOPE) as session:
        known = await repository.list_files(session, LIBRARY)
    loaded = time.perf_counter()
    compare(known, seen.files)
    compared = time.perf_counter()
    print(f"walk {walked - started:.2f} s, load {loaded - walked:.2f} s, compare {compared - loaded:.2f} s")


def main() -> None:
    """Measure with a Postgres and files that are thrown away."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=100_000)
    arguments = parser.parse_args()
    with fresh_library() as urls, tempfile.TemporaryDirectory(prefix="lectern-") as folder:
        asyncio.run(measure(urls, Path(folder).resolve(), arguments.files))


if __name__ == "__main__":
    main()
