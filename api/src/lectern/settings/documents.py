"""Ingestion: jobs, extraction, chunking, retention, watched folders and fetched files."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from lectern.settings.base import Section


class JobsSettings(Section):
    concurrency: int = Field(
        default=2,
        validation_alias="LECTERN_WORKER_CONCURRENCY",
        ge=1,
        le=64,
        description="Files that a worker processes at the same time.",
    )
    max_attempts: int = Field(
        default=3,
        ge=1,
        le=10,
        description="Crashes of its worker after which a job is given up.",
    )
    heartbeat_seconds: float = Field(
        default=30,
        gt=0,
        description="Recover a job whose worker was silent for longer.",
    )


class ExtractionSettings(Section):
    max_memory_bytes: int = Field(
        default=2_147_483_648,
        ge=268_435_456,
        description="Address space for reading one file.",
    )
    max_seconds: float = Field(
        default=60,
        validation_alias="LECTERN_EXTRACTION_MAX_SECONDS",
        gt=0,
        description="Time limit in seconds to extract one file.",
    )
    max_pages: int = Field(default=10_000, ge=1, description="Pages one file may have.")
    max_characters: int = Field(
        default=50_000_000,
        ge=1000,
        description="Characters one file may yield.",
    )
    max_page_characters: int = Field(
        default=1_000_000,
        ge=1000,
        description="Characters one page may yield.",
    )


class OcrSettings(Section):
    engine: Literal["auto", "tesseract", "rapidocr", "off"] = Field(
        default="auto",
        validation_alias="LECTERN_OCR_ENGINE",
        description="Engine for text recognition. auto: Tesseract if installed, otherwise rapidocr.",
    )
    max_pages: int = Field(
        default=500,
        ge=1,
        description="Pages of one file that are recognised.",
    )
    max_seconds: float = Field(default=900, gt=0, description="Wall time for those of one file.")
    max_memory_bytes: int = Field(
        default=3_221_225_472,
        ge=536_870_912,
        description="Address space for text recognition.",
    )
    tessdata_dir: str = Field(
        default="",
        description="Where Tesseract's languages are, if moved.",
    )


class ChunkingSettings(Section):
    target_tokens: int = Field(
        default=800,
        validation_alias="LECTERN_CHUNK_TARGET_TOKENS",
        ge=50,
        le=8000,
        description="Target size of a chunk in tokens.",
    )
    overlap_tokens: int = Field(
        default=100,
        ge=0,
        le=1000,
        description="Tokens repeated from the previous chunk.",
    )
    floor_tokens: int = Field(
        default=50,
        ge=0,
        le=1000,
        description="Smaller chunks join a neighbour.",
    )
    languages: list[Annotated[str, Field(pattern="^[a-z]{2}$")]] = Field(
        default=["en", "it", "de", "fr", "es", "pt", "nl"],
        validation_alias="LECTERN_LANGUAGES",
        description="Languages to detect and stem (JSON list of ISO 639-1 codes).",
    )


class DocumentsSettings(Section):
    trash_retention_days: int = Field(
        default=30,
        validation_alias="LECTERN_TRASH_RETENTION_DAYS",
        ge=0,
        description="Days until a document in the trash is purged. 0: never.",
    )
    versions_kept: int = Field(
        default=0,
        validation_alias="LECTERN_VERSIONS_KEPT",
        ge=0,
        description="Versions to keep of each document. 0: all.",
    )
    max_files_per_upload: int = Field(
        default=100,
        ge=1,
        le=10_000,
        description="Files that one upload request may carry.",
    )
    samples_dir: Path | None = Field(
        default=None,
        description="Folder of the sample documents with their manifest.json. Empty: the bundled ones.",
    )


class FoldersSettings(Section):
    roots: list[Path] = Field(
        default=[],
        validation_alias="LECTERN_FOLDER_ROOTS",
        description="Directories that may contain watched folders (JSON list). Empty: watching is off.",
    )
    scan_seconds: float = Field(
        default=300,
        ge=0,
        description="Seconds between scans of watched folders. 0: only on request.",
    )
    most_pruned_share: float = Field(
        default=0.3,
        ge=0,
        le=1,
        description="When more of a folder's files than this share are gone at once, nothing goes to the trash.",
    )


class ExtractsSettings(Section):
    allowed: list[str] = Field(
        default=[],
        validation_alias="LECTERN_FETCH_ALLOWED",
        description="Private hosts and networks that the toolset `extract` may fetch from (JSON list, such as "
        '["10.0.0.0/8"]).',
    )
    max_bytes: int = Field(default=52_428_800, ge=1024, description="Largest file fetched.")
