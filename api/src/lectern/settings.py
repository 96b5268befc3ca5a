"""Every switch of Lectern: typed, described, read from the environment (and `.env`) in this one place.

Each section belongs to the room of the same name. A field's alias is the name of its environment variable.
`docs/reference/settings.md` is generated from this file by `lectern settings` and a test holds the two together.
"""

import os
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Literal

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings

from lectern.file_settings import (
    ChunkingSettings,
    EmbeddingsSettings,
    ExtractionSettings,
    ExtractsSettings,
    FoldersSettings,
    OcrSettings,
    RerankingSettings,
)
from lectern.file_settings import Section as _Section

__all__ = [
    "ChunkingSettings",
    "EmbeddingsSettings",
    "ExtractionSettings",
    "ExtractsSettings",
    "FoldersSettings",
    "OcrSettings",
    "RerankingSettings",
]


class DatabaseSettings(_Section):
    url: SecretStr | None = Field(
        default=None,
        validation_alias="DATABASE_URL",
        description="Any Postgres >= 16 with pgvector, as the role that the services use. "
        "Empty: the embedded Postgres.",
    )
    replica_url: SecretStr | None = Field(
        default=None,
        validation_alias="DATABASE_REPLICA_URL",
        description="A hot standby of it, as the same role: searches are done there while it has the same library.",
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
    processes: int = Field(
        default=1,
        validation_alias="LECTERN_API_PROCESSES",
        ge=1,
        le=64,
        description="Processes of the API that share the port. Each keeps one processor core busy at most, and up to "
        "27 connections to the database.",
    )
    public_url: str | None = Field(
        default=None,
        validation_alias="LECTERN_PUBLIC_URL",
        description="Address people use, for links. Empty: http://host:port.",
    )
    mcp_url: str | None = Field(
        default=None,
        validation_alias="LECTERN_MCP_URL",
        pattern=r"^(https?://[^\s/]\S*|/([^\s/]\S*)?)$",
        description="Address of the MCP service for agents, or a path at the address people use (docker compose: "
        "/mcp). Empty: port MCP_PORT of the host that people use, or /mcp of the web server in front.",
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


class DocumentsSettings(_Section):
    trash_retention_days: int = Field(
        default=30,
        validation_alias="LECTERN_TRASH_RETENTION_DAYS",
        ge=0,
        description="Days until a document in the trash is purged; 0 keeps it for ever.",
    )
    versions_kept: int = Field(
        default=0, validation_alias="LECTERN_VERSIONS_KEPT", ge=0, description="Newest versions kept; 0 keeps all."
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
        description="HNSW breadth: recall against time. Above 100,000 chunks it grows with their square root.",
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
        description="Chunks the lexical arm scores at first, at most, or 1 % of the library's if that is more; it may "
        "score twice as many after that.",
    )
    vocabulary: bool = Field(
        default=True,
        validation_alias="LECTERN_SEARCH_VOCABULARY",
        description="Questions are also looked for under the words that documents have for what they name.",
    )
    confidence_bias: float = Field(
        default=0.0,
        validation_alias="LECTERN_SEARCH_CONFIDENCE_BIAS",
        ge=-20,
        le=20,
        description="Fitted to your questions by `lectern eval confidence`; 0 leaves confidence as measured.",
    )
    confidence_slope: float = Field(
        default=1.0,
        validation_alias="LECTERN_SEARCH_CONFIDENCE_SLOPE",
        gt=0,
        le=20,
        description="Belongs to the bias; 1 leaves confidence as measured.",
    )


class KeepingSettings(_Section):
    kept_bytes: int = Field(
        default=16 * 1024 * 1024,
        validation_alias="LECTERN_SEARCH_KEPT_BYTES",
        ge=0,
        description="Responses to the last searches, kept by each process of the API for a minute at most, and only as "
        "long as nothing changes in the library; 0 keeps none.",
    )


class VocabularySettings(_Section):
    file: Path | None = Field(
        default=None,
        validation_alias="LECTERN_VOCABULARY_FILE",
        description="TOML with names that your questions use, and the words that your documents have for them.",
    )


class AnswersSettings(_Section):
    base_url: str = Field(
        default="",
        validation_alias="LECTERN_ANSWERS_BASE_URL",
        description="A chat endpoint that speaks the OpenAI protocol, such as https://api.openai.com/v1. "
        "Empty: answers are sentences of the documents.",
    )
    model: str = Field(default="", validation_alias="LECTERN_ANSWERS_MODEL", description="Its model.")
    api_key: SecretStr | None = Field(
        default=None, validation_alias="LECTERN_ANSWERS_API_KEY", description="Its key, where it wants one."
    )
    timeout_seconds: float = Field(
        default=60,
        validation_alias="LECTERN_ANSWERS_TIMEOUT_SECONDS",
        gt=0,
        description="Longest wait for a whole answer of it.",
    )
    max_source_tokens: int = Field(
        default=8_000,
        validation_alias="LECTERN_ANSWERS_MAX_SOURCE_TOKENS",
        ge=200,
        description="Tokens of passages it is sent for one question.",
    )
    max_answer_tokens: int = Field(
        default=800, validation_alias="LECTERN_ANSWERS_MAX_ANSWER_TOKENS", ge=50, description="Tokens it may answer."
    )
    vision_pages: int = Field(
        default=0,
        validation_alias="LECTERN_ANSWERS_VISION_PAGES",
        ge=0,
        le=10,
        description="Pages that are shown to the chat endpoint as pictures when their text gives no answer. 0: its "
        "model sees no pictures.",
    )
    vision_max_bytes: int = Field(
        default=4_000_000,
        validation_alias="LECTERN_ANSWERS_VISION_MAX_BYTES",
        ge=50_000,
        description="Size of these pictures together, before they are written as base64.",
    )
    history_days: int = Field(
        default=90,
        validation_alias="LECTERN_ANSWERS_HISTORY_DAYS",
        ge=0,
        description="Days until a question and its answer leave the asker's history; 0 keeps them for ever.",
    )


@dataclass(kw_only=True, eq=False)
class Settings:
    """All sections, read once when it is made.

    Tests and the supervisor build one with explicit sections; programs call `load_settings`.
    """

    database: DatabaseSettings = field(default_factory=DatabaseSettings)
    embedded: EmbeddedSettings = field(default_factory=EmbeddedSettings)
    http: HttpSettings = field(default_factory=HttpSettings)
    logging: LoggingSettings = field(default_factory=LoggingSettings)
    accounts: AccountsSettings = field(default_factory=AccountsSettings)
    storage: StorageSettings = field(default_factory=StorageSettings)
    jobs: JobsSettings = field(default_factory=JobsSettings)
    extraction: ExtractionSettings = field(default_factory=ExtractionSettings)
    ocr: OcrSettings = field(default_factory=OcrSettings)
    chunking: ChunkingSettings = field(default_factory=ChunkingSettings)
    documents: DocumentsSettings = field(default_factory=DocumentsSettings)
    folders: FoldersSettings = field(default_factory=FoldersSettings)
    embeddings: EmbeddingsSettings = field(default_factory=EmbeddingsSettings)
    search: SearchSettings = field(default_factory=SearchSettings)
    keeping: KeepingSettings = field(default_factory=KeepingSettings)
    vocabulary: VocabularySettings = field(default_factory=VocabularySettings)
    reranking: RerankingSettings = field(default_factory=RerankingSettings)
    answers: AnswersSettings = field(default_factory=AnswersSettings)
    extracts: ExtractsSettings = field(default_factory=ExtractsSettings)


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
    FoldersSettings,
    EmbeddingsSettings,
    SearchSettings,
    KeepingSettings,
    VocabularySettings,
    RerankingSettings,
    AnswersSettings,
    ExtractsSettings,
)


def process_environment() -> dict[str, str]:
    """The environment of this process, for handing it on to the processes it starts."""
    return dict(os.environ)


@cache
def load_settings() -> Settings:
    """The settings of this process, from its environment; read once."""
    return Settings()
