"""`/extracts`: files outside the library, and `POST /documents/from-url`, which adds one."""

from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Depends, Request

from lectern.accounts.dependencies import CurrentDatabase, CurrentPrincipal, CurrentSettings, Writer
from lectern.documents.dependencies import CurrentOriginals
from lectern.documents.uploads.schemas import UploadResponse
from lectern.documents.uploads.service import UploadOptions, register_files, require_uploading, store_file
from lectern.extracts import schemas, service
from lectern.extracts.processor import FileProcessor

router = APIRouter(prefix="/api/v1/extracts", tags=["extracts"])
documents_router = APIRouter(prefix="/api/v1/documents", tags=["documents"])


async def get_processor(request: Request, _: CurrentPrincipal) -> FileProcessor:
    return request.app.state.file_processor


Processor = Annotated[FileProcessor, Depends(get_processor)]


@router.post("/documents")
async def process_file(body: schemas.ProcessRequest, processor: Processor) -> schemas.ProcessedDocument:
    """Return the text, outline, tables and URLs of a file. Nothing is added to the library."""
    return await service.process(processor, body)


@router.post("/text")
async def extract_file_text(body: schemas.TextRequest, processor: Processor) -> schemas.TextOfFile:
    """Return the text of a file page by page. Pages without text are read by OCR."""
    return await service.read_text(processor, body)


@router.post("/tables")
async def extract_file_tables(body: schemas.TablesRequest, processor: Processor) -> schemas.TablesOfFile:
    """Return the tables of a file with their columns and first rows."""
    return await service.read_tables(processor, body)


@router.post("/chunks", response_model_exclude_unset=True)
async def chunk_file(body: schemas.ChunksRequest, processor: Processor) -> schemas.ChunksOfFile:
    """Return a file in chunks, with sizes by file type."""
    return await service.chunk(processor, body)


@router.post("/retrieval")
async def retrieve_file_chunks(body: schemas.RetrievalRequest, processor: Processor) -> schemas.RetrievedChunks:
    """Return the chunks of a file that match a question best, by keyword and meaning."""
    return await service.retrieve(processor, body)


@router.post("/rows")
async def query_file_rows(body: schemas.RowsRequest, processor: Processor) -> schemas.SpreadsheetRows:
    """Return the rows of a spreadsheet that match the words of a query."""
    return await service.query_rows(processor, body)


@router.post("/language")
async def detect_text_language(body: schemas.LanguageRequest, _: Processor) -> schemas.DetectedLanguage:
    """Detect the language of a text by a vote of its parts."""
    return await service.detect_language(body)


@router.get("/formats")
async def list_file_formats(_: CurrentPrincipal) -> schemas.FormatsResponse:
    """List the supported formats."""
    return service.list_formats()


@router.get("/health")
async def get_extracts_health(processor: Processor) -> schemas.ExtractsHealth:
    """Return the models, limits and caches of file processing."""
    return await service.describe_health(processor)


@router.get("/caches")
async def get_extracts_caches(processor: Processor) -> schemas.CachesResponse:
    """Return the state of your caches."""
    return await service.describe_caches(processor)


@router.delete("/caches")
async def clear_extracts_caches(processor: Processor, _: Writer) -> schemas.CachesCleared:
    """Clear your caches. Needs write access."""
    return await service.clear_caches(processor)


@documents_router.post("/from-url", status_code=202)
async def add_document_from_url(
    body: schemas.AddFromUrl,
    principal: Writer,
    database: CurrentDatabase,
    originals: CurrentOriginals,
    settings: CurrentSettings,
    processor: Processor,
) -> UploadResponse:
    """Fetch a file from the public Internet and add it to the library. It is processed in the background."""
    require_uploading(principal)
    fetched = await processor.fetcher.fetch(body.url)
    file = await store_file(
        originals,
        _one_piece(fetched.content),
        filename=body.filename or fetched.filename,
        max_bytes=settings.http.max_upload_bytes,
    )
    return await register_files(
        database,
        originals,
        principal,
        [file],
        options=UploadOptions(collection=body.collection, tags=body.tags, language=body.language),
        languages=settings.chunking.languages,
    )


async def _one_piece(content: bytes) -> AsyncIterator[bytes]:
    yield content
