"""Operations on files outside the library: text, tables, URLs, chunks, retrieval, and the state of the caches."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Final

from lectern import __version__
from lectern.chunking.languages import detect_language as detect
from lectern.chunking.sizes import sizes_of
from lectern.documents.chunks import ChunkView
from lectern.documents.parts.schemas import OutlineHeading
from lectern.extraction.formats.spreadsheet import common_columns
from lectern.extraction.registry import EXTRACTORS, get_extractor
from lectern.extraction.sandbox.self_check import find_confinement
from lectern.extraction.types import ExtractedPage, OcrEngine
from lectern.extracts import languages, schemas
from lectern.extracts.cache import TTL_SECONDS
from lectern.extracts.errors import ExtractTimedOut, WrongFormat
from lectern.extracts.processor import ExtractedFile, FileProcessor
from lectern.extracts.ranking import rank_chunks
from lectern.extracts.tables import FileTable, find_rows, tables_of
from lectern.extracts.urls import find_urls
from lectern.search.ranking.match import ChunkMatch
from lectern.search.reranking.rerank import Reranked, RerankerConfig, rerank

LONG_SECONDS, MIDDLE_SECONDS, SHORT_SECONDS = 300.0, 120.0, 30.0
_NAMES: Final = {"image": "pictures (PNG, JPEG, TIFF, WebP)"}
_PLAIN: Final = "text/plain"


async def process(processor: FileProcessor, request: schemas.ProcessRequest) -> schemas.ProcessedDocument:
    """Return text, outline, tables and URLs. Raises the errors of `FileProcessor.read`, and ExtractTimedOut."""
    async with _within(LONG_SECONDS):
        file = await processor.read(request)
        text, start = "\n".join(map(_markdown, file.document.pages)), request.char_start
        tables = [] if start else await asyncio.to_thread(tables_of, file.document)
        urls = [] if start else await asyncio.to_thread(find_urls, text)
        outline = () if start else file.document.metadata.outline
        return schemas.ProcessedDocument(
            file=await _facts(file),
            char_start=start,
            char_count=len(text),
            outline=[OutlineHeading.model_validate(entry) for entry in outline],
            tables=[_table(table) for table in tables],
            urls=urls,
            images=[] if start else _images(file),
            text=text[start : start + schemas.MAX_TEXT_CHARACTERS],
            is_truncated=len(text) > start + schemas.MAX_TEXT_CHARACTERS,
        )


async def read_text(processor: FileProcessor, request: schemas.TextRequest) -> schemas.TextOfFile:
    """Return the text of the wanted pages from the front, up to 50,000 characters. Raises WrongFormat too."""
    async with _within(MIDDLE_SECONDS):
        file = await _read_as(processor, request, request.format)
        wanted = file.document.pages[request.first_page - 1 : request.last_page]
        pages: list[schemas.PageOfFile] = []
        start, left = request.char_start, schemas.MAX_TEXT_CHARACTERS
        for page in wanted:
            text = _markdown(page)
            shown = text[start : start + left]
            pages.append(
                schemas.PageOfFile(
                    page_number=page.page_number,
                    kind=page.kind.value,
                    character_count=len(text),
                    char_start=start,
                    ocr_confidence=page.confidence,
                    note=page.note,
                    text=shown,
                    is_truncated=start + len(shown) < len(text),
                )
            )
            start, left = 0, left - len(shown)
            if left <= 0:
                break
        is_truncated = len(pages) < len(wanted) or any(page.is_truncated for page in pages)
        return schemas.TextOfFile(file=await _facts(file), pages=pages, is_truncated=is_truncated)


async def read_tables(processor: FileProcessor, request: schemas.TablesRequest) -> schemas.TablesOfFile:
    """Return every table with its columns and first rows."""
    async with _within(MIDDLE_SECONDS):
        file = await _read_as(processor, request, request.format)
        tables = await asyncio.to_thread(tables_of, file.document)
        shared = common_columns([table.columns for table in tables])
        return schemas.TablesOfFile(
            file=await _facts(file), common_columns=list(shared), tables=[_table(table) for table in tables]
        )


async def chunk(processor: FileProcessor, request: schemas.ChunksRequest) -> schemas.ChunksOfFile:
    """Return the chunks from `offset` on."""
    async with _within(LONG_SECONDS):
        file = await processor.read(request)
        chunks = await processor.chunk(file)
        sizes = sizes_of(file.document.content_type, characters=sum(len(page.text) for page in file.document.pages))
        return schemas.ChunksOfFile(
            file=await _facts(file),
            chunk_characters=sizes.chunk_characters,
            overlap_characters=sizes.overlap_characters,
            chunk_count=len(chunks),
            offset=request.offset,
            chunks=[_chunk(file.chunk(chunk)) for chunk in chunks[request.offset : request.offset + request.limit]],
        )


async def retrieve(processor: FileProcessor, request: schemas.RetrievalRequest) -> schemas.RetrievedChunks:
    """Return the chunks that match a question best, reranked if the installation reranks searches.

    Raises the errors of the embedding model too.
    """
    reranker = processor.reranker if processor.reranker and processor.reranker.settings.is_default else None
    async with _within(LONG_SECONDS):
        file = await processor.read(request)
        retriever = await processor.retriever(file)
        query_vector = await processor.provider.embed_query(request.query)
        found = await asyncio.to_thread(
            rank_chunks,
            [file.chunk(chunk) for chunk in retriever.chunks],
            request.query,
            vectors=retriever.vectors,
            owners=retriever.owners,
            query_vector=query_vector,
            top_k=max(request.top_k, reranker.settings.candidates) if reranker else request.top_k,
        )
        report = None
        if reranker:
            result = await _rerank(processor, reranker, found, request)
            # A rank has its share of the best score, also after reranking.
            found = [replace(row, share=ranked.share) for row, ranked in zip(result.rows, found, strict=False)]
            report = result.report
        return schemas.RetrievedChunks(
            file=await _facts(file),
            query=request.query,
            embedding_model=processor.provider.info.id,
            chunk_count=len(retriever.chunks),
            reranking=report,
            chunks=[
                _chunk(row, score=round(row.share, 4), semantic_rank=row.semantic_rank, keyword_rank=row.keyword_rank)
                for row in found
            ],
        )


async def _rerank(
    processor: FileProcessor, reranker: RerankerConfig, rows: Sequence[ChunkMatch], request: schemas.RetrievalRequest
) -> Reranked:
    known = tuple(processor.settings.chunking.languages)
    language = await asyncio.to_thread(detect, request.query, languages=known)
    return await rerank(
        rows,
        request.query,
        reranker,
        query_language=language,
        unmatched={row.language for row in rows} - {language} if language else set(),
        top_k=request.top_k,
    )


async def query_rows(processor: FileProcessor, request: schemas.RowsRequest) -> schemas.SpreadsheetRows:
    """Return rows of a spreadsheet by their words. Raises WrongFormat for a missing sheet."""
    async with _within(MIDDLE_SECONDS):
        file = await _read_table(processor, request)
        _check_type(file, "spreadsheets", "xlsx", "csv")
        tables = await asyncio.to_thread(tables_of, file.document)
        sheets = list(dict.fromkeys(table.name for table in tables))
        wanted = [table for table in tables if request.sheet is None or _is_sheet(table, request.sheet)]
        if not wanted:
            raise WrongFormat(
                f"No sheet {request.sheet!r} has a table." if request.sheet else "The file has no tables.",
                hint=f"Sheets: {', '.join(sheets[:20])}." if sheets else None,
            )
        found = await asyncio.to_thread(find_rows, wanted, request.query)
        matches = Counter(id(row.table) for row in found)
        return schemas.SpreadsheetRows(
            file=await _facts(file),
            query=request.query,
            sheets=sheets,
            match_count=len(found),
            tables=[
                schemas.SearchedTable.from_row(table, row_count=len(table.rows), match_count=matches[id(table)])
                for table in wanted
            ],
            rows=[
                schemas.FoundTableRow(
                    page_number=row.table.page_number,
                    table=row.table.name,
                    row_number=row.row_number,
                    values=_values(row.table.header, row.cells),
                    score=row.score,
                )
                for row in found[: request.limit]
            ],
        )


async def detect_language(request: schemas.LanguageRequest) -> schemas.DetectedLanguage:
    """Detect the language by a vote of the text's parts."""
    async with _within(SHORT_SECONDS):
        votes = await asyncio.to_thread(languages.vote, request.text)
    first = votes[0] if votes else None
    return schemas.DetectedLanguage(
        language=first.language if first else None,
        name=first.name if first else None,
        confidence=first.share if first else 0.0,
        votes=votes,
    )


async def describe_caches(processor: FileProcessor) -> schemas.CachesResponse:
    """Return the state of each cache."""
    caches = [
        schemas.CacheFacts(
            name=name, max_entries=cache.max_entries, max_bytes=cache.max_bytes, **(await cache.stats())._asdict()
        )
        for name, cache in processor.caches.items()
    ]
    return schemas.CachesResponse(ttl_seconds=TTL_SECONDS, caches=caches)


async def clear_caches(processor: FileProcessor) -> schemas.CachesCleared:
    return schemas.CachesCleared(cleared=sum([await cache.clear() for cache in processor.caches.values()]))


async def describe_health(processor: FileProcessor) -> schemas.ExtractsHealth:
    """Return the models, limits and caches of file processing."""
    settings, model = processor.settings, processor.provider.info
    confinement = await asyncio.to_thread(find_confinement)
    return schemas.ExtractsHealth(
        status="ok",
        version=__version__,
        timestamp=datetime.now(UTC),
        started_at=processor.started_at,
        device="remote" if model.is_remote else "cpu",
        embedding_model=model.id,
        dimensions=model.dimensions,
        ocr_engine=settings.ocr.engine,
        active=processor.active,
        features=schemas.ExtractsFeatures(
            text_recognition=settings.ocr.engine != OcrEngine.OFF,
            reranking=bool(processor.reranker and processor.reranker.settings.is_default),
        ),
        formats=[one.name for one in EXTRACTORS],
        security=schemas.ExtractsSecurity(
            unenforced=confinement.missing if confinement else None,
            fetches_private_addresses=bool(settings.extracts.allowed),
            max_file_bytes=settings.extracts.max_bytes,
            max_seconds=settings.extraction.max_seconds,
        ),
        caches=(await describe_caches(processor)).caches,
    )


def list_formats() -> schemas.FormatsResponse:
    return schemas.FormatsResponse(
        formats=[
            schemas.FormatFacts(name=one.name, content_type=one.content_type, suffixes=list(one.suffixes))
            for one in EXTRACTORS
        ]
    )


@asynccontextmanager
async def _within(seconds: float) -> AsyncGenerator[None]:
    try:
        async with asyncio.timeout(seconds):
            yield
    except TimeoutError as error:
        raise ExtractTimedOut(f"The operation took longer than {seconds:g} seconds.") from error


async def _read_as(processor: FileProcessor, request: schemas.SourceRequest, wanted: str | None) -> ExtractedFile:
    file = await (_read_table(processor, request) if wanted == "csv" else processor.read(request))
    if wanted is not None:
        _check_type(file, _NAMES.get(wanted, wanted.upper()), wanted)
    return file


async def _read_table(processor: FileProcessor, request: schemas.SourceRequest) -> ExtractedFile:
    """Read a file as a table. Plain text without a name is read as CSV, which only a name can tell apart."""
    file = await processor.read(request)
    if request.filename is not None or file.document.content_type != _PLAIN:
        return file
    as_csv = await processor.read(request.model_copy(update={"filename": "file.csv"}))
    return replace(as_csv, filename=file.filename)


def _check_type(file: ExtractedFile, name: str, *formats: str) -> None:
    """Raise WrongFormat for a file of another format. A format is a suffix, or `image`."""
    extractor = get_extractor(file.document.content_type)
    if extractor.module not in formats and not any(f".{one}" in extractor.suffixes for one in formats):
        raise WrongFormat(
            f"This operation reads {name}, not {file.document.content_type}.",
            hint="Use process_document, which reads every format.",
        )


async def _facts(file: ExtractedFile) -> schemas.FileFacts:
    document = file.document
    votes = await asyncio.to_thread(languages.vote, _text(file)) if document.metadata.language is None else []
    return schemas.FileFacts(
        filename=file.filename,
        content_type=document.content_type,
        size_bytes=file.size_bytes,
        sha256=file.sha256,
        title=document.metadata.title,
        language=document.metadata.language or (votes[0].language if votes else None),
        page_count=len(document.pages),
        character_count=sum(len(page.text) for page in document.pages),
        ocr_confidence=_mean_confidence(document.pages),
    )


def _mean_confidence(pages: Sequence[ExtractedPage]) -> float | None:
    """Return the mean over pages with recognized text, by its length."""
    texts = [
        (page.confidence, sum(len(image.text) for image in page.recognized_images) or len(page.text))
        for page in pages
        if page.confidence is not None
    ]
    characters = sum(length for _, length in texts)
    return round(sum(confidence * length for confidence, length in texts) / characters, 4) if characters else None


def _images(file: ExtractedFile) -> list[schemas.ImageOfFile]:
    return [
        schemas.ImageOfFile(page_number=page.page_number, text=image.text, confidence=image.confidence)
        for page in file.document.pages
        for image in page.recognized_images
    ]


def _markdown(page: ExtractedPage) -> str:
    """Return the text of a page with `#` before headings, once for each level. Markdown files have them already."""
    parts: list[str] = []
    end = 0
    for line in page.lines:
        if line.heading_level and page.text[line.start] != "#":
            parts += [page.text[end : line.start], "#" * line.heading_level, " "]
            end = line.start
    return "".join([*parts, page.text[end:]])


def _text(file: ExtractedFile) -> str:
    return "\n".join(page.text for page in file.document.pages)


def _table(table: FileTable) -> schemas.TableOfFile:
    return schemas.TableOfFile.from_row(
        table,
        row_count=len(table.rows),
        rows=table.rows[: schemas.MAX_ROWS],
        is_truncated=len(table.rows) > schemas.MAX_ROWS,
    )


def _chunk(row: ChunkMatch, **rank: Any) -> schemas.ChunkOfFile:  # noqa: ANN401 - fields
    fields = {name: getattr(row, name) for name in ChunkView.model_fields} | {
        "text": row.text[: schemas.MAX_PASSAGE_CHARACTERS],
        "is_truncated": len(row.text) > schemas.MAX_PASSAGE_CHARACTERS,
    }
    return schemas.ChunkOfFile(**fields, **rank)


def _is_sheet(table: FileTable, sheet: str) -> bool:
    return table.name.casefold() == sheet.strip().casefold() or str(table.page_number) == sheet.strip()


def _values(header: Sequence[str], cells: Sequence[str]) -> dict[str, str]:
    """Return cells by column name. A repeated name gets its number."""
    values: dict[str, str] = {}
    for number, cell in enumerate(cells, start=1):
        name = header[number - 1] if number <= len(header) and header[number - 1] else f"column {number}"
        values[name if name not in values else f"{name} ({number})"] = cell
    return values
