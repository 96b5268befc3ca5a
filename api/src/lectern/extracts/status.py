"""The state of file processing: models, limits, formats and caches."""

import asyncio
from datetime import UTC, datetime
from typing import Final, Literal

from lectern import __version__
from lectern.extraction.registry import EXTRACTORS
from lectern.extraction.sandbox.self_check import find_confinement
from lectern.extraction.types import OcrEngine
from lectern.extracts import schemas
from lectern.extracts.cache import TTL_SECONDS
from lectern.extracts.processor import FileProcessor

_CACHES: Final[tuple[Literal["download", "document", "retriever"], ...]] = ("download", "document", "retriever")


async def describe_caches(processor: FileProcessor) -> schemas.CachesResponse:
    """Return the state of each cache."""
    caches: list[schemas.CacheFacts] = []
    for name in _CACHES:
        cache = processor.caches[name]
        stats = await cache.stats()
        caches.append(
            schemas.CacheFacts(name=name, max_entries=cache.max_entries, max_bytes=cache.max_bytes, **stats._asdict())
        )
    return schemas.CachesResponse(ttl_seconds=TTL_SECONDS, caches=caches)


async def clear_caches(processor: FileProcessor) -> schemas.CachesCleared:
    """Clear every cache."""
    return schemas.CachesCleared(cleared=sum([await processor.caches[name].clear() for name in _CACHES]))


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
    """List the supported formats."""
    return schemas.FormatsResponse(
        formats=[
            schemas.FormatFacts(name=one.name, content_type=one.content_type, suffixes=list(one.suffixes))
            for one in EXTRACTORS
        ]
    )
