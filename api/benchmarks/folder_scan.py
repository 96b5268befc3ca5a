"""Measure the scan of a watched folder of 100,000 files without a change.

    python benchmarks/folder_scan.py [--files 100000]

The files are small and in directories of 100. Their records are those of a first scan.
Prints the seconds of walking, loading and comparing, and of the whole scan.
"""

import argparse
import asyncio
import tempfile
import time
import uuid
from pathlib import Path

from corpora import LIBRARY
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

FILES_PER_DIRECTORY = 100


def write_files(root: Path, count: int) -> None:
    """Write small files into directories of 100."""
    for number in range(count):
        folder = root / f"{number // FILES_PER_DIRECTORY:05}"
        if number % FILES_PER_DIRECTORY == 0:
            folder.mkdir(parents=True)
        (folder / f"{number:06}.txt").write_bytes(b"%d" % number)


async def measure(urls: ThrowawayDatabase, folder: Path, count: int) -> None:
    """Bind a folder, record its files as known, and scan it three times."""
    root = folder / "watched"
    await asyncio.to_thread(write_files, root, count)
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
    """Print the seconds of each step of a scan."""
    started = time.perf_counter()
    files = walk(root).files
    walked = time.perf_counter()
    async with database.session(SYSTEM_SCOPE) as session:
        known = await repository.list_files(session, LIBRARY)
    loaded = time.perf_counter()
    compare(known, files)
    compared = time.perf_counter()
    print(f"walk {walked - started:.2f} s, load {loaded - walked:.2f} s, compare {compared - loaded:.2f} s")


def main() -> None:
    """Measure with a temporary Postgres and temporary files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=100_000)
    arguments = parser.parse_args()
    with fresh_library() as urls, tempfile.TemporaryDirectory(prefix="lectern-") as folder:
        asyncio.run(measure(urls, Path(folder).resolve(), arguments.files))


if __name__ == "__main__":
    main()
