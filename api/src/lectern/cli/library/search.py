"""`lectern search`: the search of the API on the terminal."""

from typing import Annotated

import typer
from rich.text import Text

from lectern.cli.console import results, show_json, show_passage
from lectern.cli.open_installation import OpenInstallation, on_installation
from lectern.cli.options import Collections, DataDir, Documents, Json, Tags
from lectern.db.scope import SYSTEM_SCOPE
from lectern.search.schemas import Hit, SearchRequest, SearchResponse, TagFilter


def search(
    query: Annotated[list[str], typer.Argument(help="Question or keywords, in any language.")],
    tag: Tags = None,
    document: Documents = None,
    collection: Collections = None,
    top_k: Annotated[int, typer.Option(min=1, max=20, help="Number of hits.")] = 5,
    data_dir: DataDir = None,
    is_json: Json = False,
) -> None:
    """Search the library by keyword and by meaning."""
    request = SearchRequest(
        query=" ".join(query),
        top_k=top_k,
        tags=TagFilter(any=tag or []),
        documents=document or [],
        collections=collection or [],
        rectangles=is_json,
    )

    async def work(bench: OpenInstallation) -> SearchResponse:
        async with bench.search_engine() as engine:
            return await engine.search_in_scope(request, SYSTEM_SCOPE)

    response = on_installation(work, data_dir=data_dir)
    if is_json:
        show_json(response)
        return
    for number, hit in enumerate(response.data, start=1):
        _show(number, hit)
    results.print(response.message, markup=False)


def _show(number: int, hit: Hit) -> None:
    place = f"{hit.document}, page {hit.page_number}" + (f", {hit.section_heading}" if hit.section_heading else "")
    results.print(Text.assemble(f"{number}. ", (place, "bold"), (f"  {hit.score:.2f}", "dim")))
    passage = Text(hit.snippet.text)
    for match in hit.snippet.matches:
        passage.stylize("bold yellow", match.start, match.end)
    show_passage(passage, indent="   ")
    results.print()
