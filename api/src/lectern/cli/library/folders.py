"""`lectern folders`: collections bound to a directory."""

from pathlib import Path
from typing import Annotated, Final

import typer

from lectern.cli.console import notes, results, show, show_json, show_table
from lectern.cli.open_installation import OPERATOR, OpenInstallation, on_installation, on_session
from lectern.cli.options import DataDir, Json, parse_path
from lectern.collections.service import get_collection, resolve_collections
from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Session
from lectern.library.folders import service, syncing
from lectern.library.folders.applying import Watcher
from lectern.library.folders.schemas import FolderOutcome, FolderResponse, FolderScan

app = typer.Typer(help="Watched folders: collections bound to a directory.", no_args_is_help=True)

_NONE: Final = "There is no watched folder. Add one: `lectern folders watch COLLECTION FOLDER`."
Collection = Annotated[str, typer.Argument(help="Id or name of the collection.")]


@app.command("watch")
def watch(
    collection: Collection,
    path: Annotated[
        Path,
        typer.Argument(help="A directory inside one of LECTERN_FOLDER_ROOTS.", parser=parse_path, metavar="path"),
    ],
    data_dir: DataDir = None,
    is_json: Json = False,
) -> None:
    """Bind a collection to a directory. A worker scans it now and from then on."""

    async def work(session: Session, bench: OpenInstallation) -> FolderResponse:
        (collection_id,) = await resolve_collections(session, [collection])
        roots = bench.settings.folders.roots
        return await service.bind_folder(session, OPERATOR, collection_id, path=str(path.absolute()), roots=roots)

    folder = on_session(work, data_dir=data_dir)
    show(folder, f"{collection} now watches {folder.path}.", is_json=is_json)


@app.command("list")
def list_folders(data_dir: DataDir = None, is_json: Json = False) -> None:
    """List the watched folders and the result of their last scan."""

    async def work(session: Session, _: OpenInstallation) -> list[tuple[str, FolderResponse]]:
        folders = await service.list_folders(session)
        return [((await get_collection(session, OPERATOR, each.collection_id)).name, each) for each in folders]

    named = on_session(work, data_dir=data_dir)
    if is_json:
        show_json([folder for _, folder in named])
        return
    rows = [(name, folder.path, str(folder.file_count), _summary(folder.last_outcome)) for name, folder in named]
    show_table(("collection", "folder", "files", "last scan"), rows, empty=_NONE)


@app.command("ingest")
def ingest(
    collection: Collection,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the changes without making them.")] = False,
    confirm_prune: Annotated[
        bool, typer.Option("--confirm-prune", help="Accept all missing files as deleted, however many.")
    ] = False,
    data_dir: DataDir = None,
    is_json: Json = False,
) -> None:
    """Scan a collection's folder now. Exit code 1 if deletions were held back."""

    async def work(bench: OpenInstallation) -> FolderOutcome:
        async with bench.database.session(SYSTEM_SCOPE) as session:
            (collection_id,) = await resolve_collections(session, [collection])
        watcher = Watcher(database=bench.database, originals=bench.originals(), settings=bench.settings)
        wanted = FolderScan(dry_run=dry_run, confirm_prune=confirm_prune)
        return await syncing.scan_folder(watcher, collection_id, wanted)

    outcome = on_installation(work, data_dir=data_dir)
    show(outcome, lambda: _show(outcome), is_json=is_json)
    if outcome.held_back:
        notes.print("Check the folder. If you deleted the files, scan again with --confirm-prune.")
        raise typer.Exit(1)


@app.command("forget")
def forget(collection: Collection, data_dir: DataDir = None) -> None:
    """Stop watching a collection's folder. Its documents stay."""

    async def work(session: Session, _: OpenInstallation) -> None:
        (collection_id,) = await resolve_collections(session, [collection])
        await service.unbind_folder(session, OPERATOR, collection_id)

    on_session(work, data_dir=data_dir)
    results.print(f"{collection} no longer watches a folder.", markup=False)


def _show(outcome: FolderOutcome) -> None:
    for verb, paths in (("add", outcome.added), ("update", outcome.updated), ("prune", outcome.pruned)):
        for path in paths:
            results.print(f"{verb:<7}{path}", markup=False)
    for renamed in outcome.renamed:
        results.print(f"rename {renamed.old_path} -> {renamed.new_path}", markup=False)
    for refused in outcome.refused:
        results.print(f"refuse {refused.path} ({refused.code})", markup=False)
    results.print(("Dry run: " if outcome.is_dry_run else "Done: ") + _summary(outcome), markup=False)


def _summary(outcome: FolderOutcome | None) -> str:
    if outcome is None:
        return "not yet"
    if outcome.problem:
        return outcome.problem
    counts = {
        "added": outcome.added_count,
        "updated": outcome.updated_count,
        "renamed": outcome.renamed_count,
        "pruned": outcome.pruned_count,
        "refused": outcome.refused_count,
        "unchanged": outcome.unchanged_count,
    }
    summary = ", ".join(f"{count:,} {name}" for name, count in counts.items() if count) or "nothing"
    held = f". Documents of missing files were kept: {outcome.held_back}" if outcome.held_back else ""
    return f"{summary} in {outcome.seconds} s{held}"
