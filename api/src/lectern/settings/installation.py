"""Where an installation keeps its data, and how it logs."""

from pathlib import Path
from typing import Literal

from pydantic import Field, SecretStr

from lectern.settings.base import Section


class DatabaseSettings(Section):
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
    pool_size: int = Field(default=10, ge=1, le=200, description="Connections kept by each process.")
    statement_timeout_seconds: float = Field(
        default=30,
        gt=0,
        description="A request's statement is ended after this.",
    )


class EmbeddedSettings(Section):
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


class StorageSettings(Section):
    url: str | None = Field(
        default=None,
        validation_alias="LECTERN_STORAGE_URL",
        description="Where originals are kept: file:///folder, s3://, gs:// or az://. "
        "Empty: a folder in the data folder.",
    )


class LoggingSettings(Section):
    level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field(
        default="INFO", validation_alias="LECTERN_LOG_LEVEL", description="Least severe message that is written."
    )
    format: Literal["json", "text"] = Field(
        default="json",
        validation_alias="LECTERN_LOG_FORMAT",
        description="`json` for machines, `text` for people (`lectern up` uses text).",
    )
