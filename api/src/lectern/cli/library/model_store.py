"""`lectern models`: add, list, verify and remove models that run on this machine."""

from pathlib import Path
from typing import Annotated, Final

import typer

from lectern.cli.console import notes, results, show_error, show_json, show_table
from lectern.cli.installation import data_folder
from lectern.cli.options import DataDir, Json
from lectern.errors import LecternError
from lectern.operations.model_store.adding import AddRequest
from lectern.operations.model_store.errors import ModelSourceUnknown
from lectern.operations.model_store.record import ModelKind, ModelRecord, load_catalog
from lectern.operations.model_store.sources import open_source
from lectern.operations.model_store.store import ModelStore
from lectern.settings import load_settings

app = typer.Typer(help="Models that run on this machine: add, list, verify, remove.", no_args_is_help=True)

SETTINGS: Final = {"embedding": "LECTERN_EMBEDDINGS_NEXT", "reranker": "LECTERN_RERANK"}
Name = Annotated[str, typer.Argument(help="Name of an added model, from `lectern models list`.")]


@app.command("add")
def add(
    model: Annotated[str, typer.Argument(help="A folder with an ONNX model, or the name of a model with --from.")],
    source: Annotated[
        str, typer.Option("--from", help="Folder or http(s) address that has the files of the model.")
    ] = "",
    name: Annotated[str, typer.Option(help="Name to add it under. Default: the name of the model or folder.")] = "",
    kind: Annotated[ModelKind | None, typer.Option(help="Kind of model, if its files do not say it.")] = None,
    weights: Annotated[str, typer.Option(help="ONNX file at the source, for example onnx/model_int8.onnx.")] = "",
    data_dir: DataDir = None,
    is_json: Json = False,
) -> None:
    """Copy a model into the model folder, check every file, and run it once."""
    folder = Path(model)
    if not source and not folder.is_dir():
        raise ModelSourceUnknown(_describe_unknown(model))
    store = _open_store(data_dir)
    opened = open_source(source or model)
    try:
        request = AddRequest(name=name or folder.resolve().name, source=opened, kind=kind, weights=weights)
        record = store.add(request, lambda step: notes.print(step, markup=False))
    finally:
        opened.close()
    if is_json:
        show_json(_as_json(record, store))
        return
    results.print(f"Added {_describe(record)}.", markup=False)
    results.print(f"To use it, set {_setting(record, store)} and restart.", markup=False)


@app.command("list")
def list_models(data_dir: DataDir = None, is_json: Json = False) -> None:
    """List the added models, and public models that are known to run."""
    store = _open_store(data_dir)
    records = store.list_records()
    if is_json:
        show_json([_as_json(record, store) for record in records])
        return
    rows = [
        (
            record.name,
            record.kind,
            str(record.dimensions or ""),
            str(record.max_tokens),
            record.license or "unknown",
            f"{record.size_bytes / 1_000_000:,.0f}",
            f"{record.speed.passage_milliseconds:,.0f}",
            _setting(record, store),
        )
        for record in records
    ]
    titles = ("name", "kind", "dimensions", "tokens", "licence", "MB", "ms/passage", "setting")
    show_table(titles, rows, empty="There is no added model. Add one: `lectern models add FOLDER`.")
    known = [
        (name, entry.kind, entry.license, entry.repository)
        for name, entry in load_catalog().items()
        if name not in {record.name for record in records}
    ]
    if known:
        results.print("Known models that are not added:")
        show_table(("name", "kind", "licence", "repository"), known)


@app.command("verify")
def verify(
    name: Annotated[str, typer.Argument(help="Name of an added model. Default: all.")] = "", data_dir: DataDir = None
) -> None:
    """Compare every file of the added models with its recorded SHA-256."""
    store = _open_store(data_dir)
    failures = 0
    names = [name] if name else [record.name for record in store.list_records()]
    if not names:
        results.print("There are no added models.")
    for each in names:
        try:
            record = store.verify(each)
            results.print(f"{each}: {len(record.files)} files are unchanged.", markup=False)
        except LecternError as error:
            failures += 1
            show_error(error.message, hint=error.hint)
    if failures:
        raise typer.Exit(1)


@app.command("remove")
def remove(name: Name, data_dir: DataDir = None) -> None:
    """Delete an added model that no setting names."""
    _open_store(data_dir).remove(name, load_settings())
    results.print(f"Removed {name}.", markup=False)


def _open_store(data_dir: Path | None) -> ModelStore:
    """Open the store in the data folder, which the containers share. The image's folder has converted models only."""
    folder = data_folder(load_settings(), data_dir)
    folder.create()
    return ModelStore(folder.models)


def _describe_unknown(model: str) -> str:
    known = load_catalog().get(model)
    if known is None:
        return f"There is no folder {model}."
    return f"Name a source for {model}, such as the address of the files of {known.repository}."


def _describe(record: ModelRecord) -> str:
    size = f"{record.size_bytes / 1_000_000:,.1f} MB"
    dimensions = f"{record.dimensions} dimensions, " if record.dimensions else ""
    return (
        f"{record.name}: {record.kind} model, {dimensions}{record.max_tokens} tokens, licence "
        f"{record.license or 'unknown'}, {size}, {record.speed.passage_milliseconds:,.0f} ms a passage"
    )


def _setting(record: ModelRecord, store: ModelStore) -> str:
    return f"{SETTINGS[record.kind]}=onnx:{store.path(record.name)}"


def _as_json(record: ModelRecord, store: ModelStore) -> dict[str, object]:
    return {**record.model_dump(mode="json"), "setting": _setting(record, store)}
