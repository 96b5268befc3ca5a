"""`/extracts`: files that are not in the library, and stay out of it."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request

from lectern.accounts.dependencies import CurrentPrincipal
from lectern.extracts import schemas, service
from lectern.extracts.workbench import Workbench

router = APIRouter(prefix="/api/v1/extracts", tags=["extracts"])


async def get_workbench(request: Request, principal: CurrentPrincipal) -> Workbench:
    """What files are read with. Raises ExtractsForbidden."""
    service.require_extracts(principal)
    return request.app.state.workbench


Bench = Annotated[Workbench, Depends(get_workbench)]


@router.post("/documents")
async def process_file(body: schemas.SourceRequest, bench: Bench) -> schemas.ProcessedDocument:
    """Read a file: text, outline, tables, URLs. Nothing is added to the library."""
    return await service.process(bench, body)


@router.post("/text")
async def extract_file_text(body: schemas.TextRequest, bench: Bench) -> schemas.TextOfFile:
    """The text of a file, page by page; pages without text are recognised."""
    return await service.read_text(bench, body)


@router.post("/tables")
async def extract_file_tables(body: schemas.TextRequest, bench: Bench) -> schemas.TablesOfFile:
    """The tables of a file with their columns and first rows."""
    return await service.read_tables(bench, body)


@router.post("/chunks")
async def chunk_file(body: schemas.ChunksRequest, bench: Bench) -> schemas.ChunksOfFile:
    """A file in chunks, by the sizes for its type."""
    return await service.cut(bench, body)


@router.post("/retrieval")
async def retrieve_file_chunks(body: schemas.RetrievalRequest, bench: Bench) -> schemas.RetrievedChunks:
    """The chunks of a file that fit a question best, by words and by meaning."""
    return await service.retrieve(bench, body)


@router.post("/rows")
async def query_file_rows(body: schemas.RowsRequest, bench: Bench) -> schemas.SpreadsheetRows:
    """The rows of a spreadsheet that have the words of a query."""
    return await service.query_rows(bench, body)


@router.post("/language")
async def detect_text_language(body: schemas.LanguageRequest, _: Bench) -> schemas.DetectedLanguage:
    """The language of a text, by the vote of its parts."""
    return await service.detect_language(body)


@router.get("/formats")
async def list_file_formats(_: CurrentPrincipal) -> schemas.FormatsResponse:
    """The formats that are read, here and in the library."""
    return service.list_formats()


@router.get("/health")
async def get_extracts_health(bench: Bench) -> schemas.ExtractsHealth:
    """What files are read with, and what is kept of them."""
    return await service.describe_health(bench)


@router.get("/caches")
async def get_extracts_caches(bench: Bench) -> schemas.CachesResponse:
    """What is kept of files that were read."""
    return await service.describe_caches(bench)


@router.delete("/caches")
async def clear_extracts_caches(bench: Bench) -> schemas.CachesCleared:
    """Forget it."""
    return await service.clear_caches(bench)
