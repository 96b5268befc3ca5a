"""`lectern demo`: the sample documents, with the collections and tags that their manifest gives them."""

from pathlib import Path
from typing import Annotated, Final

import typer
from pydantic import BaseModel, ValidationError

from lectern.cli.console import results
from lectern.cli.ingest import Batch, Outcome, show_outcomes, take_in
from lectern.cli.installation import REPOSITORY
from lectern.cli.options import DataDir, Json
from lectern.cli.workbench import OPERATOR, Workbench, on_workbench
from lectern.collections.errors import CollectionNameTaken
from lectern.collections.schemas import CollectionCreate
from lectern.collections.service import create_collection
from lectern.db.scope import SYSTEM_SCOPE
from lectern.errors import Misconfigured

SAMPLES: Final = REPOSITORY / "test-docs"
QUESTION: Final = "When must a customer's identity be verified?"


class _Sample(BaseModel):
    file: str
    collection: str
    tags: list[str]
    has_text: bool = True

    @property
    def name(self) -> str:
        return Path(self.file).name


class _Manifest(BaseModel):
    documents: list[_Sample]


def demo(
    folder: Annotated[Path, typer.Argument(help="Folder with a manifest.json.")] = SAMPLES,
    data_dir: DataDir = None,
    is_json: Json = False,
) -> None:
    """Load the sample documents and wait until they can be searched."""
    samples = read_manifest(folder)
    outcomes = on_workbench(lambda bench: _take_in(bench, folder, samples), data_dir=data_dir)
    show_outcomes(outcomes, is_json=is_json, may_fail={sample.name for sample in samples if not sample.has_text})
    if not is_json:
        results.print(f'The sample documents are there. Try: ./lectern search "{QUESTION}"', markup=False)


def read_manifest(folder: Path) -> list[_Sample]:
    """The sample documents of a folder.

    Raises:
        Misconfigured: There is no manifest, or it cannot be read.
    """
    try:
        return _Manifest.model_validate_json((folder / "manifest.json").read_bytes()).documents
    except FileNotFoundError as error:
        raise Misconfigured(f"There are no sample documents in {folder}.", hint="They come with a clone.") from error
    except ValidationError as error:
        raise Misconfigured(f"{folder / 'manifest.json'} cannot be read.") from error


async def _take_in(bench: Workbench, folder: Path, samples: list[_Sample]) -> list[Outcome]:
    for name in dict.fromkeys(sample.collection for sample in samples):
        try:
            async with bench.database.session(SYSTEM_SCOPE) as session:
                await create_collection(session, OPERATOR, wanted=CollectionCreate(name=name))
        except CollectionNameTaken:  # from an earlier run
            continue
    batches = [
        Batch(files=[folder / sample.file], tags=sample.tags, collection=sample.collection) for sample in samples
    ]
    return await take_in(bench, batches, is_waiting=True)
