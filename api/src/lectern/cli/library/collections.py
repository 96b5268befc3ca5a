"""`lectern collections`: groups of documents with their own access rules."""

from typing import Annotated

import typer

from lectern.cli.console import show, show_json, show_table
from lectern.cli.open_installation import OPERATOR, OpenInstallation, on_session
from lectern.cli.options import DataDir, Json
from lectern.collections import service
from lectern.collections.schemas import CollectionCreate, CollectionResponse
from lectern.db.session import Session

app = typer.Typer(help="Collections: every document belongs to one.", no_args_is_help=True)
MAX_COLLECTIONS = 1_000_000


@app.command("create")
def create(
    name: Annotated[str, typer.Argument(help="Name of the collection.")],
    description: Annotated[str, typer.Option(help="What it is for.")] = "",
    is_closed: Annotated[
        bool, typer.Option("--members-only", help="Hide it from everyone but members and administrators.")
    ] = False,
    data_dir: DataDir = None,
    is_json: Json = False,
) -> None:
    """Create an empty collection. Members are added in the browser."""
    wanted = CollectionCreate(name=name, description=description, is_open=not is_closed)

    async def work(session: Session, _: OpenInstallation) -> CollectionResponse:
        return await service.create_collection(session, OPERATOR, wanted=wanted)

    made = on_session(work, data_dir=data_dir)
    text = f'Created {made.name}. Add documents: `lectern ingest FOLDER --collection "{made.name}"`.'
    show(made, text, is_json=is_json)


@app.command("list")
def list_collections(data_dir: DataDir = None, is_json: Json = False) -> None:
    """List all collections by name."""

    async def work(session: Session, _: OpenInstallation) -> list[CollectionResponse]:
        return (await service.list_collections(session, OPERATOR, cursor=None, limit=MAX_COLLECTIONS)).items

    collections = on_session(work, data_dir=data_dir)
    if is_json:
        show_json(collections)
        return
    access = ("members", "everyone")
    rows = [(one.name, str(one.document_count), access[one.is_open], "yes" * one.is_default) for one in collections]
    show_table(("collection", "documents", "access", "default"), rows)
