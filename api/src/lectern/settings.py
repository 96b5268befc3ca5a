"""Every switch of Lectern: typed, described, read from the environment (and `.env`) in this one place.

Each section belongs to the room of the same name. A field's alias is the name of its environment variable.
`docs/reference/settings.md` is generated from this file by `lectern settings` and a test holds the two together.
"""

import os
from functools import cache
from pathlib import Path
from typing import Literal

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict


class _Section(BaseSettings):
    model_config = SettingsConfigDict(
        env_file=".env", env_ignore_empty=True, extra="ignore", populate_by_name=True, frozen=True
    )


class DatabaseSettings(_Section):
    url: SecretStr | None = Field(
        default=None,
        validation_alias="DATABASE_URL",
        description="Any Postgres >= 16 with pgvector, as the role that the services use. "
        "Empty: the embedded Postgres.",
    )
    owner_url: SecretStr | None = Field(
        default=None,
        validation_alias="DATABASE_OWNER_URL",
        description="The role that owns the schema, for `migrate`. Empty: DATABASE_URL.",
    )
    pool_size: int = Field(
        default=10, validation_alias="DATABASE_POOL_SIZE", ge=1, le=200, description="Connections kept by each process."
    )
    statement_timeout_seconds: float = Field(
        default=30,
        validation_alias="DATABASE_STATEMENT_TIMEOUT_SECONDS",
        gt=0,
        description="A request's statement is ended after this.",
    )


class EmbeddedSettings(_Section):
    data_dir: Path | None = Field(
        default=None,
        validation_alias="LECTERN_DATA_DIR",
        description="Database, originals, models and secrets of a `lectern up` installation. "
        "Empty: `.lectern/data` beside the launcher.",
    )
    postgres_bin_dir: Path | None = Field(
        default=None,
        validation_alias="LECTERN_POSTGRES_BIN_DIR",
        description="Folder of `postgres` and `initdb`. Empty: the packaged ones.",
    )
    mcp_port: int = Field(
        default=8001,
        validation_alias="MCP_PORT",
        ge=1,
        le=65535,
        description="Port of the MCP service that `lectern up` starts.",
    )


class HttpSettings(_Section):
    host: str = Field(default="127.0.0.1", validation_alias="LECTERN_HOST", description="Address the API listens on.")
    port: int = Field(default=8000, validation_alias="LECTERN_PORT", ge=0, le=65535, description="Port of the API.")
    public_url: str | None = Field(
        default=None,
        validation_alias="LECTERN_PUBLIC_URL",
        description="Address people use, for links. Empty: http://host:port.",
    )
    max_body_bytes: int = Field(
        default=1_048_576,
        validation_alias="LECTERN_MAX_BODY_BYTES",
        ge=1024,
        description="Largest request body that is not an upload.",
    )
    max_upload_bytes: int = Field(
        default=524_288_000,
        validation_alias="LECTERN_MAX_UPLOAD_BYTES",
        ge=1,
        description="Largest file that is accepted.",
    )
    rate_limit_per_minute: int = Field(
        default=120,
        validation_alias="LECTERN_RATE_LIMIT_PER_MINUTE",
        ge=0,
        description="Requests a minute for each principal; 0 switches it off.",
    )
    cookie_secure: bool = Field(
        default=True, validation_alias="COOKIE_SECURE", description="Send the session cookie over https only."
    )
    allowed_origins: list[str] = Field(
        default=[],
        validation_alias="LECTERN_ALLOWED_ORIGINS",
        description="Other origins that may call the API from a browser (JSON list).",
    )
    trusted_proxies: str = Field(
        default="127.0.0.1",
        validation_alias="LECTERN_TRUSTED_PROXIES",
        description="Addresses of proxies that are believed when they say who is asking (comma-separated, * for all; "
        "docker compose: *).",
    )
    ui_dir: Path | None = Field(
        default=None,
        validation_alias="LECTERN_UI_DIR",
        description="Folder of the built browser UI. Empty: the one in the installed package, or of a clone.",
    )


class LoggingSettings(_Section):
    level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field(
        default="INFO", validation_alias="LECTERN_LOG_LEVEL", description="Least severe message that is written."
    )
    format: Literal["json", "text"] = Field(
        default="json",
        validation_alias="LECTERN_LOG_FORMAT",
        description="`json` for machines, `text` for people (`lectern up` uses text).",
    )


class AccountsSettings(_Section):
    jwt_secret_key: SecretStr | None = Field(
        default=None,
        validation_alias="JWT_SECRET_KEY",
        description="Signs access tokens; at least 32 characters. Required outside `lectern up`.",
    )
    backend_api_key: SecretStr | None = Field(
        default=None,
        validation_alias="BACKEND_API_KEY",
        description="Service key with which the MCP service calls the API; at least 32 characters. "
        "Required outside `lectern up`.",
    )
    admin_email: str | None = Field(
        default=None, validation_alias="ADMIN_EMAIL", description="First administrator, made when there is no user."
    )
    admin_password: SecretStr | None = Field(
        default=None,
        validation_alias="ADMIN_PASSWORD",
        description="Password of the first administrator; at least 12 characters.",
    )
    mcp_api_key: SecretStr | None = Field(
        default=None,
        validation_alias="MCP_API_KEY",
        description="An API key that is there from the start, may search everything and write nothing; at least "
        "32 characters. Only its hash is stored; without it an earlier one is revoked at the next start.",
    )
    access_token_minutes: int = Field(
        default=60, validation_alias="ACCESS_TOKEN_MINUTES", ge=1, le=1440, description="Life of an access token."
    )
    refresh_token_days: int = Field(
        default=30, validation_alias="REFRESH_TOKEN_DAYS", ge=1, le=365, description="Life of an unused sign-in."
    )
    login_attempts_per_15_minutes: int = Field(
        default=10,
        validation_alias="LOGIN_ATTEMPTS_PER_15_MINUTES",
        ge=1,
        description="Failed sign-ins for an address or a client before it must wait.",
    )


class StorageSettings(_Section):
    url: str | None = Field(
        default=None,
        validation_alias="LECTERN_STORAGE_URL",
        description="Where originals are kept: file:///folder, s3://, gs:// or az://. "
        "Empty: a folder in the data folder.",
    )


class JobsSettings(_Section):
    concurrency: int = Field(
        default=2,
        validation_alias="LECTERN_WORKER_CONCURRENCY",
        ge=1,
        le=64,
        description="Files one worker reads at a time; a large one and the embedding of one go on beside them.",
    )
    max_attempts: int = Field(
        default=3,
        validation_alias="LECTERN_JOB_MAX_ATTEMPTS",
        ge=1,
        le=10,
        description="Crashes of its worker after which a job is given up.",
    )
    heartbeat_seconds: float = Field(
        default=30,
        validation_alias="LECTERN_JOB_HEARTBEAT_SECONDS",
        gt=0,
        description="A job whose worker was silent for longer is rescued.",
    )


class ExtractionSettings(_Section):
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


class OcrSettings(_Section):
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


class ChunkingSettings(_Section):
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


class DocumentsSettings(_Section):
    trash_retention_days: int = Field(
        default=30,
        validation_alias="LECTERN_TRASH_RETENTION_DAYS",
        ge=0,
        description="Days until a document in the trash is purged; 0 keeps it for ever.",
    )
    max_files_per_upload: int = Field(
        default=100,
        validation_alias="LECTERN_MAX_FILES_PER_UPLOAD",
        ge=1,
        le=10_000,
        description="Files that one upload request may carry.",
    )
    samples_dir: Path | None = Field(
        default=None,
        validation_alias="LECTERN_SAMPLES_DIR",
        description="Folder of the sample documents with their manifest.json. Empty: those in the installed package, "
        "or of a clone.",
    )


class EmbeddingsSettings(_Section):
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


class SearchSettings(_Section):
    rrf_k: int = Field(
        default=60, validation_alias="LECTERN_SEARCH_RRF_K", ge=1, le=1000, description="k of reciprocal rank fusion."
    )
    candidates: int = Field(
        default=50,
        validation_alias="LECTERN_SEARCH_CANDIDATES",
        ge=20,
        le=500,
        description="Hits each arm contributes to the fusion.",
    )
    ef_search: int = Field(
        default=200,
        validation_alias="LECTERN_SEARCH_EF_SEARCH",
        ge=10,
        le=1000,
        description="HNSW breadth: recall against time.",
    )
    exact_dense_chunks: int = Field(
        default=10_000,
        validation_alias="LECTERN_SEARCH_EXACT_DENSE_CHUNKS",
        ge=0,
        description="Up to this many allowed chunks are compared exactly.",
    )
    exact_lexical_chunks: int = Field(
        default=3_000,
        validation_alias="LECTERN_SEARCH_EXACT_LEXICAL_CHUNKS",
        ge=0,
        description="Up to this many allowed chunks are scored without the index.",
    )
    candidate_budget: int = Field(
        default=5_000,
        validation_alias="LECTERN_SEARCH_CANDIDATE_BUDGET",
        ge=100,
        description="Chunks the lexical arm scores at first (MaxScore).",
    )


class Settings:
    """All sections, read once when it is made.

    Tests and the supervisor build one with explicit sections; programs call `load_settings`.
    """

    def __init__(
        self,
        *,
        database: DatabaseSettings | None = None,
        embedded: EmbeddedSettings | None = None,
        http: HttpSettings | None = None,
        logging: LoggingSettings | None = None,
        accounts: AccountsSettings | None = None,
        storage: StorageSettings | None = None,
        jobs: JobsSettings | None = None,
        extraction: ExtractionSettings | None = None,
        ocr: OcrSettings | None = None,
        chunking: ChunkingSettings | None = None,
        documents: DocumentsSettings | None = None,
        embeddings: EmbeddingsSettings | None = None,
        search: SearchSettings | None = None,
    ) -> None:
        self.database = database or DatabaseSettings()
        self.embedded = embedded or EmbeddedSettings()
        self.http = http or HttpSettings()
        self.logging = logging or LoggingSettings()
        self.accounts = accounts or AccountsSettings()
        self.storage = storage or StorageSettings()
        self.jobs = jobs or JobsSettings()
        self.extraction = extraction or ExtractionSettings()
        self.ocr = ocr or OcrSettings()
        self.chunking = chunking or ChunkingSettings()
        self.documents = documents or DocumentsSettings()
        self.embeddings = embeddings or EmbeddingsSettings()
        self.search = search or SearchSettings()


SECTIONS: tuple[type[BaseSettings], ...] = (
    DatabaseSettings,
    EmbeddedSettings,
    HttpSettings,
    LoggingSettings,
    AccountsSettings,
    StorageSettings,
    JobsSettings,
    ExtractionSettings,
    OcrSettings,
    ChunkingSettings,
    DocumentsSettings,
    EmbeddingsSettings,
    SearchSettings,
)


def process_environment() -> dict[str, str]:
    """The environment of this process, for handing it on to the processes it starts."""
    return dict(os.environ)


@cache
def load_settings() -> Settings:
    """The settings of this process, from its environment; read once."""
    return Settings()
