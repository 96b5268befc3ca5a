"""`lectern ingest`: files and folders into the library."""

import asyncio
import contextlib
import uuid
from collections.abc import AsyncGenerator, AsyncIterator, Collection, Generator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.progress import BarColumn, Progress, TaskID, TaskProgressColumn, TextColumn, TimeElapsedColumn

from lectern.cli.console import notes, results, show_json
from lectern.cli.options import DataDir, Json
from lectern.cli.workbench import OPERATOR, Workbench, on_workbench
from lectern.db.scope import SYSTEM_SCOPE
from lectern.documents.schemas import DocumentResponse
from lectern.documents.service import get_document
from lectern.documents.uploads.schemas import UploadResult
from lectern.documents.uploads.service import RefusedFile, StoredFile, UploadOptions, register_files, store_file
from lectern.errors import InvalidRequest, LecternError
from lectern.extraction.registry import EXTRACTORS
from lectern.storage.store import OriginalStore
from lectern.worker import run_worker

READ_BYTES: Final = 1_048_576
POLL_SECONDS: Final = 0.3
SUFFIXES: Final = tuple(suffix for extractor in EXTRACTORS for suffix in extractor.suffixes)
FINAL: Final = ("ready", "failed")


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Files that go in together; names of tags and of a collection."""

    files: Sequence[Path]
    tags: Sequence[str] = ()
    collection: str | None = None
    language: str | None = None


def ingest(
    paths: Annotated[list[Path], typer.Argument(help="Files, or folders to search for documents.")],
    collection: Annotated[str | None, typer.Option(help="Collection for the documents.")] = None,
    tag: Annotated[list[str] | None, typer.Option(help="Tag for every document. Repeatable.")] = None,
    language: Annotated[
        str | None, typer.Option(help="Language of all files, such as `en`. Detected by default.")
    ] = None,
    is_waiting: Annotated[bool, typer.Option("--wait", help="Wait until all documents are searchable.")] = False,
    data_dir: DataDir = None,
    is_json: Json = False,
) -> None:
    """Add documents to the library; what is there already is found by its content and not copied."""
    batches = [
        Batch(files=[file], tags=tag or [], collection=collection, language=language) for file in find_files(paths)
    ]
    outcomes = on_workbench(lambda bench: take_in(bench, batches, is_waiting=is_waiting), data_dir=data_dir)
    show_outcomes(outcomes, is_json=is_json)


def find_files(paths: Sequence[Path]) -> list[Path]:
    """The files named, and the documents in the folders named, in a stable order.

    Raises:
        InvalidRequest: A path does not exist, or a folder holds no document.
    """
    found: list[Path] = []
    for path in paths:
        if not path.exists():
            raise InvalidRequest(f"{path} does not exist.", hint="Name existing files or folders.")
        inside = [path] if path.is_file() else sorted(_documents_in(path))
        if not inside:
            raise InvalidRequest(
                f"{path} contains no documents.", hint=f"Supported files end in {', '.join(SUFFIXES)}."
            )
        found += inside
    return list(dict.fromkeys(found))


def _documents_in(folder: Path) -> Iterator[Path]:
    for path in folder.rglob("*"):
        is_hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
        if path.suffix.lower() in SUFFIXES and path.is_file() and not is_hidden:
            yield path


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of one file."""

    upload: UploadResult
    document: DocumentResponse | None

    @property
    def is_failed(self) -> bool:
        return self.document is None or self.document.status == "failed"


async def take_in(bench: Workbench, batches: Sequence[Batch], *, is_waiting: bool) -> list[Outcome]:
    """Register every file, and with `is_waiting` return when each is ready or failed."""
    originals = bench.originals()
    with _progress() as progress:
        bar = progress.add_task("taking in", total=sum(len(batch.files) for batch in batches))
        uploads: list[UploadResult] = []
        for batch in batches:
            uploads += await _register(bench, originals, batch)
            progress.advance(bar, len(batch.files))
        ids = [upload.document.id for upload in uploads if upload.document]
        if is_waiting:
            async with _worker(bench):
                await _wait(bench, ids, progress=progress)
    async with bench.database.session(SYSTEM_SCOPE) as session:
        documents = {document_id: await get_document(session, document_id) for document_id in dict.fromkeys(ids)}
    return [
        Outcome(upload=upload, document=documents[upload.document.id] if upload.document else None)
        for upload in uploads
    ]


async def _register(bench: Workbench, originals: OriginalStore, batch: Batch) -> list[UploadResult]:
    files: list[StoredFile | RefusedFile] = []
    for path in batch.files:
        try:
            body = _read(path)
            limit = bench.settings.http.max_upload_bytes
            files.append(await store_file(originals, body, filename=path.name, max_bytes=limit))
        except LecternError as error:  # one bad file does not keep the others out
            files.append(RefusedFile(path.name, error))
    response = await register_files(
        bench.database,
        originals,
        OPERATOR,
        files,
        options=UploadOptions(collection=batch.collection, tags=list(batch.tags), language=batch.language),
        languages=bench.settings.chunking.languages,
    )
    return response.items


async def _read(path: Path) -> AsyncIterator[bytes]:
    with path.open("rb") as file:
        while piece := await asyncio.to_thread(file.read, READ_BYTES):
            yield piece


@asynccontextmanager
async def _worker(bench: Workbench) -> AsyncGenerator[None]:
    """Somebody must do the jobs: when no `lectern up` runs beside us, we do."""
    if not bench.is_alone:
        yield
        return
    stopping = asyncio.Event()
    work = asyncio.create_task(run_worker(bench.settings, stopping=stopping))
    try:
        yield
    finally:
        stopping.set()
        await work


async def _wait(bench: Workbench, ids: Sequence[uuid.UUID], *, progress: Progress) -> None:
    bars: dict[uuid.UUID, TaskID] = {}
    waiting = list(dict.fromkeys(ids))
    done = progress.add_task("searchable", total=len(waiting))
    while waiting:
        async with bench.database.session(SYSTEM_SCOPE) as session:
            documents = [await get_document(session, document_id) for document_id in waiting]
        for document in documents:
            _show_progress(progress, bars, document)
        waiting = [document.id for document in documents if document.status not in FINAL]
        progress.update(done, completed=len(set(ids)) - len(waiting))
        await asyncio.sleep(POLL_SECONDS if waiting else 0)


def _show_progress(progress: Progress, bars: dict[uuid.UUID, TaskID], document: DocumentResponse) -> None:
    """A line for each document that is being worked on."""
    state = document.progress
    if document.status != "processing" or state is None:
        if document.id in bars:
            progress.remove_task(bars.pop(document.id))
        return
    text = f"  {document.filename}: {state.stage or 'waiting'}"
    if document.id not in bars:
        bars[document.id] = progress.add_task(text, total=1.0)
    progress.update(bars[document.id], description=text, completed=state.share)


@contextlib.contextmanager
def _progress() -> Generator[Progress]:
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    with Progress(*columns, console=notes, transient=True) as progress:
        yield progress


def show_outcomes(outcomes: Sequence[Outcome], *, is_json: bool, may_fail: Collection[str] = ()) -> None:
    """One line for each file; exit code 1 when one was refused or failed whose name is not in `may_fail`."""
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
    known = " (was here already)" if outcome.upload.is_duplicate else ""
    if document.error is not None:
        return f"{document.filename}{known}: failed: {document.error.message}"
    sizes = [_count(document.page_count, "page"), _count(document.chunk_count, "chunk")] if document.page_count else []
    return ", ".join([f"{document.filename}{known}: {document.status}", *sizes])


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
