"""`lectern demo`: the sample documents with their collections and tags."""

from pathlib import Path
from typing import Annotated, Final

import typer

from lectern.cli.console import results
from lectern.cli.installation import home
from lectern.cli.library.ingest import NewFile, Outcome, add_files, show_outcomes
from lectern.cli.open_installation import OPERATOR, OpenInstallation, on_installation
from lectern.cli.options import DataDir, Json
from lectern.documents.uploads.manifest import Sample, find_samples, read_manifest
from lectern.documents.uploads.samples import create_collections

SAMPLES: Final = find_samples(None) or Path("test-docs")
QUESTION: Final = "When must a customer's identity be verified?"


def demo(
    folder: Annotated[Path, typer.Argument(help="Folder with a manifest.json.")] = SAMPLES,
    data_dir: DataDir = None,
    is_json: Json = False,
) -> None:
    """Add the sample documents and wait until they are searchable."""
    samples = read_manifest(folder)
    outcomes = on_installation(lambda bench: _add_samples(bench, folder, samples), data_dir=data_dir)
    show_outcomes(outcomes, is_json=is_json, may_fail={sample.name for sample in samples if not sample.has_text})
    if not is_json:
        program = "lectern" if home() is None else "./lectern"
        results.print(f'The sample documents are loaded. Try: {program} search "{QUESTION}"', markup=False)


async def _add_samples(bench: OpenInstallation, folder: Path, samples: list[Sample]) -> list[Outcome]:
    await create_collections(bench.database, OPERATOR, (sample.collection for sample in samples))
    files = [NewFile(path=folder / sample.file, tags=sample.tags, collection=sample.collection) for sample in samples]
    return await add_files(bench, files, is_waiting=True)
