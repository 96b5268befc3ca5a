"""`lectern ingest` and `lectern demo`: add files, folders or the sample documents to the library."""

import asyncio
import os
import time
import uuid
from collections import Counter
from collections.abc import AsyncGenerator, Collection, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.progress import BarColumn, Progress, TaskID, TaskProgressColumn, TextColumn, TimeElapsedColumn

from lectern.cli.console import counted, notes, results, show_json
from lectern.cli.installation import home
from lectern.cli.open_installation import OPERATOR, OpenInstallation, on_installation
from lectern.cli.options import DataDir, Json, parse_path
from lectern.composition import require_database_url
from lectern.db.scope import SYSTEM_SCOPE
from lectern.documents.schemas import DocumentResponse
from lectern.documents.service import get_document
from lectern.documents.uploads.manifest import Sample, find_samples, read_manifest
from lectern.documents.uploads.samples import create_collections
from lectern.documents.uploads.schemas import UploadResult
from lectern.documents.uploads.service import RefusedFile, UploadOptions, register_files, store_path
from lectern.embedded.data_folder import is_data_folder
from lectern.errors import InvalidRequest, LecternError, Unavailable
from lectern.extraction.registry import EXTRACTORS
from lectern.ingestion.schemas import DocumentEvent
from lectern.ingestion.service import list_events
from lectern.jobs.events import EventHub, Subscription
from lectern.operations.system.service import is_worker_running
from lectern.storage.store import OriginalStore
from lectern.worker import run_worker

COALESCE_SECONDS: Final = 0.3
RELOAD_SECONDS: Final = 15.0  # without a notification
WORKER_SECONDS: Final = 10.0
SUFFIXES: Final = tuple(suffix for extractor in EXTRACTORS for suffix in extractor.suffixes)
FINAL: Final = ("ready", "failed")
URL_SCHEMES: Final = ("http:", "https:")
ENDINGS_SHOWN: Final = 5
SAMPLES: Final = find_samples(None) or Path("test-docs")
QUESTION: Final = "When must a customer's identity be verified?"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewFile:
    """A file to add, with its tags, collection and language."""

    path: Path
    tags: Sequence[str] = ()
    collection: str | None = None
    language: str | None = None


def ingest(
    paths: Annotated[
        list[Path],
        typer.Argument(help="Files, or folders to search for documents.", parser=parse_path, metavar="paths"),
    ],
    collection: Annotated[str | None, typer.Option(help="Collection for the documents.")] = None,
    tag: Annotated[list[str] | None, typer.Option(help="Tag for every document. Repeatable.")] = None,
    language: Annotated[
        str | None, typer.Option(help="Language of all files, such as `en`. Detected by default.")
    ] = None,
    is_waiting: Annotated[bool, typer.Option("--wait", help="Wait until all documents are searchable.")] = False,
    data_dir: DataDir = None,
    is_json: Json = False,
) -> None:
    """Add documents to the library. Duplicates are detected by their content."""
    files = [NewFile(path=path, tags=tag or [], collection=collection, language=language) for path in find_files(paths)]
    outcomes = on_installation(
        lambda bench: add_files(bench, files, is_waiting=is_waiting), data_dir=data_dir, may_create=True
    )
    show_outcomes(outcomes, is_json=is_json)


def find_files(paths: Sequence[Path]) -> list[Path]:
    """Return the named files and the documents in the named folders, in a stable order.

    Raises:
        InvalidRequest: A path does not exist, or a folder has no document.
    """
    found: list[Path] = []
    left_out: list[Path] = []
    for path in paths:
        if not path.exists():
            if path.parts[0] in URL_SCHEMES:
                raise InvalidRequest("A URL cannot be added.", hint="Download the file and name the copy.")
            raise InvalidRequest(f"{path} does not exist.", hint="Name existing files or folders.")
        inside = [path] if path.is_file() else sorted(_files_in(path))
        documents = [file for file in inside if file == path or file.suffix.lower() in SUFFIXES]
        if not documents:
            raise InvalidRequest(
                f"{path} contains no documents.", hint=f"Supported files end in {', '.join(SUFFIXES)}."
            )
        found += documents
        left_out += sorted({*inside} - {*documents})
    if left_out:
        notes.print(_describe_left_out(left_out), markup=False)
    return list(dict.fromkeys(found))


def _files_in(folder: Path) -> Iterator[Path]:
    """Yield the files of a folder. The secrets and logs of a data folder below it are left out."""
    for parent, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".") and not is_data_folder(Path(parent, name))]
        files = (Path(parent, name) for name in names if not name.startswith("."))
        yield from (file for file in files if file.is_file())


def _describe_left_out(files: Sequence[Path]) -> str:
    endings = Counter(file.suffix.lower() or "no ending" for file in files).most_common(ENDINGS_SHOWN)
    shown = ", ".join(f"{ending} ({count:,})" for ending, count in endings)
    return f"Left out, because their file type is not supported: {len(files):,}. {shown}."


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The result of one file."""

    upload: UploadResult
    document: DocumentResponse | None

    @property
    def is_failed(self) -> bool:
        return self.document is None or self.document.status == "failed"


async def add_files(bench: OpenInstallation, files: Sequence[NewFile], *, is_waiting: bool) -> list[Outcome]:
    """Register every file. With `is_waiting`, wait until each document is ready or failed."""
    originals = bench.originals()
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    with Progress(*columns, console=notes, transient=True, disable=not notes.is_terminal) as progress:
        bar = progress.add_task("adding", total=len(files))
        uploads: list[UploadResult] = []
        for file in files:
            uploads += await _register(bench, originals, file)
            progress.advance(bar)
        ids = [upload.document.id for upload in uploads if upload.document]
        if is_waiting and ids:
            async with _worker(bench):
                await _wait(bench, ids, progress=progress)
    async with bench.database.session(SYSTEM_SCOPE) as session:
        documents = {document_id: await get_document(session, document_id) for document_id in dict.fromkeys(ids)}
    return [
        Outcome(upload=upload, document=documents[upload.document.id] if upload.document else None)
        for upload in uploads
    ]


async def _register(bench: OpenInstallation, originals: OriginalStore, file: NewFile) -> list[UploadResult]:
    try:
        stored = await store_path(originals, file.path, max_bytes=bench.settings.http.max_upload_bytes)
    except Unavailable:  # not the fault of the file
        raise
    except LecternError as error:  # one bad file must not stop the others
        stored = RefusedFile(file.path.name, error)
    response = await register_files(
        bench.database,
        originals,
        OPERATOR,
        [stored],
        options=UploadOptions(collection=file.collection, tags=list(file.tags), language=file.language),
        languages=bench.settings.chunking.languages,
    )
    return response.items


@asynccontextmanager
async def _worker(bench: OpenInstallation) -> AsyncGenerator[None]:
    """Run a worker, unless the installation has its own. Say so while it has none."""
    if not bench.is_alone:
        if not await _has_worker(bench):
            notes.print("No worker is running. Waiting for one: start `lectern up`, or `lectern worker`.")
        yield
        return
    stopping = asyncio.Event()
    work = asyncio.create_task(run_worker(bench.settings, stopping=stopping))
    try:
        yield
    finally:
        stopping.set()
        await work


async def _has_worker(bench: OpenInstallation) -> bool:
    """Return true if a worker runs. The worker of a `lectern up` that has just started gets some seconds."""
    until = time.monotonic() + WORKER_SECONDS
    while True:
        async with bench.database.session(SYSTEM_SCOPE) as session:
            if await is_worker_running(session):
                return True
        if time.monotonic() > until:
            return False
        await asyncio.sleep(COALESCE_SECONDS)


async def _wait(bench: OpenInstallation, ids: Sequence[uuid.UUID], *, progress: Progress) -> None:
    """Wait until every document is ready or failed. Change notifications replace polling."""
    waiting = set(ids)
    total = len(waiting)
    done = progress.add_task("searchable", total=total)
    bars: dict[uuid.UUID, TaskID] = {}
    hub = EventHub(require_database_url(bench.settings))
    hub.start()
    try:
        with hub.subscribe() as subscription:
            changed = waiting
            while waiting:
                async with bench.database.session(SYSTEM_SCOPE) as session:
                    events = await list_events(session, changed)
                for event in events:
                    _show_progress(progress, bars, event)
                active = {event.document_id for event in events if event.status not in FINAL}
                waiting = (waiting - changed) | active
                progress.update(done, completed=total - len(waiting))
                changed = await _next_changes(subscription, waiting) if waiting else set[uuid.UUID]()
    finally:
        await hub.stop()


async def _next_changes(subscription: Subscription, waiting: set[uuid.UUID]) -> set[uuid.UUID]:
    """Return the waiting documents that have changed, or all of them after a gap or a long silence."""
    await asyncio.sleep(COALESCE_SECONDS)
    changes = await subscription.next(timeout_seconds=RELOAD_SECONDS)
    if changes is None or changes.has_gap:
        return waiting
    return waiting & {*changes.changed, *changes.removed}


def _show_progress(progress: Progress, bars: dict[uuid.UUID, TaskID], event: DocumentEvent) -> None:
    """Show a line for each document that is being processed."""
    if event.status != "processing" or event.job is None:
        if event.document_id in bars:
            progress.remove_task(bars.pop(event.document_id))
        return
    text = f"  {event.filename}: {event.job.stage or 'waiting'}"
    if event.document_id not in bars:
        bars[event.document_id] = progress.add_task(text, total=1.0)
    progress.update(bars[event.document_id], description=text, completed=event.job.progress)


def show_outcomes(outcomes: Sequence[Outcome], *, is_json: bool, may_fail: Collection[str] = ()) -> None:
    """Print one line for each file. Exit with 1 if a file outside `may_fail` was refused or failed."""
    if is_json:
        show_json([outcome.upload.model_dump(mode="json") | {"document": _json(outcome)} for outcome in outcomes])
    else:
        for outcome in outcomes:
            results.print(_line(outcome), markup=False)
    if any(outcome.is_failed and outcome.upload.filename not in may_fail for outcome in outcomes):
        raise typer.Exit(1)


def _json(outcome: Outcome) -> object:
    return outcome.document.model_dump(mode="json") if outcome.document else None


def _line(outcome: Outcome) -> str:
    if outcome.upload.problem is not None:
        problem = outcome.upload.problem
        return f"{outcome.upload.filename}: refused: {problem.detail} {problem.hint or ''}".rstrip()
    document = outcome.document
    if document is None:
        return f"{outcome.upload.filename}: refused"
    name = f"{outcome.upload.filename}{_known(outcome.upload, document)}"
    if document.error is not None:
        return f"{name}: failed: {document.error.message} {document.error.hint or ''}".rstrip()
    line = f"{name}: {document.status}"
    if not document.page_count:
        return line
    return f"{line}, {counted(document.page_count, 'page')}, {counted(document.chunk_count, 'chunk')}"


def _known(upload: UploadResult, document: DocumentResponse) -> str:
    """Say that the library has the file already, and its name there if that is another."""
    if not upload.is_duplicate:
        return ""
    other = "" if document.filename == upload.filename else f" as {document.filename}"
    return f" (already in the library{other})"


def demo(
    folder: Annotated[
        Path, typer.Argument(help="Folder with a manifest.json.", parser=parse_path, metavar="folder")
    ] = SAMPLES,
    data_dir: DataDir = None,
    is_json: Json = False,
) -> None:
    """Add the sample documents and wait until they are searchable."""
    samples = read_manifest(folder)
    outcomes = on_installation(lambda bench: _add_samples(bench, folder, samples), data_dir=data_dir, may_create=True)
    show_outcomes(outcomes, is_json=is_json, may_fail={sample.name for sample in samples if not sample.has_text})
    if not is_json:
        program = "lectern" if home() is None else "./lectern"
        results.print(f'The sample documents are loaded. Try: {program} search "{QUESTION}"', markup=False)


async def _add_samples(bench: OpenInstallation, folder: Path, samples: list[Sample]) -> list[Outcome]:
    await create_collections(bench.database, OPERATOR, (sample.collection for sample in samples))
    files = [NewFile(path=folder / sample.file, tags=sample.tags, collection=sample.collection) for sample in samples]
    return await add_files(bench, files, is_waiting=True)
