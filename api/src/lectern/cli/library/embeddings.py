"""`lectern embeddings`: list the embeddings of each model, switch between them and remove them."""

from typing import Annotated

import typer

from lectern.cli.console import results, show_json, show_table
from lectern.cli.installation import connected
from lectern.cli.open_installation import OPERATOR, OpenInstallation, effective_settings, on_session
from lectern.cli.options import DataDir, Json
from lectern.composition import open_provider
from lectern.db.engine import owner_transaction
from lectern.db.session import Session
from lectern.embeddings.active import list_fingerprints
from lectern.embeddings.errors import GenerationActive
from lectern.embeddings.generations import drop_generation
from lectern.operations.system import service
from lectern.settings import load_settings

app = typer.Typer(help="Embedding models: list, switch, remove.", no_args_is_help=True)

Number = Annotated[int, typer.Argument(help="Number of the embeddings, from `lectern embeddings list`.")]
STATES = {"active": "searched", "filling": "being made", "retired": "searched before"}


@app.command("list")
def list_generations(data_dir: DataDir = None, is_json: Json = False) -> None:
    """List the models that this library has embeddings of, newest first."""
    found = on_session(lambda session, bench: service.list_generations(session, bench.models()), data_dir=data_dir)
    if is_json:
        show_json(found)
        return
    rows = [
        (
            str(each.id),
            each.embedding_model,
            str(each.dimensions),
            STATES[each.state],
            "yes" if each.is_set else "no",
            "" if each.embedded_chunks is None else f"{each.embedded_chunks:,}",
            each.ranker,
        )
        for each in found
    ]
    show_table(("number", "model", "dimensions", "state", "kept up to date", "passages", "ranker"), rows)


@app.command("use")
def use(
    number: Number,
    is_incomplete: Annotated[
        bool,
        typer.Option(
            "--incomplete", help="Switch although documents lack embeddings. Keyword search still finds them."
        ),
    ] = False,
    data_dir: DataDir = None,
) -> None:
    """Search with these embeddings from now on. The others stay, so that you can switch back."""

    async def work(session: Session, bench: OpenInstallation) -> None:
        models = bench.models()
        await service.use_generation(session, OPERATOR, number, provider=models, is_incomplete=is_incomplete)

    on_session(work, data_dir=data_dir)
    results.print(f"Search now uses embeddings {number}.", markup=False)


@app.command("remove")
def remove(number: Number, data_dir: DataDir = None) -> None:
    """Remove the embeddings of a model that is no longer set. This cannot be undone."""
    settings = load_settings()
    with connected(settings, data_dir) as installation:
        running = list_fingerprints(open_provider(effective_settings(settings, installation)))
        with owner_transaction(installation.owner_url) as connection:
            if drop_generation(connection, number) in running:
                raise GenerationActive  # nothing is committed
    results.print(f"Removed embeddings {number}.", markup=False)
