"""A library of this test's own."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from benchmarks.throwaway import ThrowawayDatabase
from tests.guarantees.conftest import open_desk
from tests.guarantees.desk import Desk

from lectern.cli.open_installation import OPERATOR
from lectern.embeddings.active import ActiveProvider
from lectern.embeddings.registry import create_models
from lectern.library.transfer.exporting import ExportReport, export_documents
from lectern.library.transfer.importing import ImportReport, Library, import_documents


@pytest.fixture
async def desk(database: ThrowawayDatabase, tmp_path: Path) -> AsyncGenerator[Desk]:
    async with open_desk(database, tmp_path / "library") as made:
        yield made


async def export(
    desk: Desk, path: Path, *, tag: str | None = None, collection: str | None = None, name: str | None = None
) -> ExportReport:
    return await export_documents(
        path,
        database=desk.library.database,
        originals=desk.api.app.state.originals,
        tag=tag,
        collection=collection,
        name=name,
    )


async def take_in(desk: Desk, path: Path) -> ImportReport:
    originals, settings = desk.api.app.state.originals, desk.library.settings
    models = ActiveProvider(create_models(settings.embeddings, model_dir=path.parent))
    try:
        return await import_documents(path, Library(desk.library.database, models, originals, OPERATOR, settings))
    finally:
        await models.close()
