"""Where an installation keeps its data, and how it logs."""

from pathlib import Path
from typing import Literal

from pydantic import Field, SecretStr

from lectern.settings.base import Section


class DatabaseSettings(Section):
    url: SecretStr | None = Field(
        default=None,
        validation_alias="DATABASE_URL",
        description="Postgres 16 or newer with pgvector, as the role `lectern_service`. Empty: the embedded Postgres.",
    )
    replica_url: SecretStr | None = Field(
        default=None,
        validation_alias="DATABASE_REPLICA_URL",
        description="Hot standby of that Postgres, as the same role. Searches use it while it is current.",
    )
    owner_url: SecretStr | None = Field(
        default=None,
        validation_alias="DATABASE_OWNER_URL",
        description="The same Postgres as the role `lectern_owner`, for migrations and backups. Empty: DATABASE_URL.",
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
        description="Folder for database, originals, models and secrets of `lectern up`. Empty: `.lectern/data`.",
    )
    postgres_bin_dir: Path | None = Field(
        default=None,
        validation_alias="LECTERN_POSTGRES_BIN_DIR",
        description="Folder with `postgres` 17 or newer and `initdb`. Empty: the bundled ones.",
    )
    mcp_port: int = Field(
        default=8001,
        validation_alias="MCP_PORT",
        ge=1,
        le=65535,
        description="Port of the MCP service.",
    )


class StorageSettings(Section):
    url: str | None = Field(
        default=None,
        validation_alias="LECTERN_STORAGE_URL",
        description="Storage of originals: file:///folder, s3://, gs:// or az://. Empty: a folder in the data folder.",
    )


class LoggingSettings(Section):
    level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field(
        default="INFO",
        validation_alias="LECTERN_LOG_LEVEL",
        description="Lowest level to log: DEBUG, INFO, WARNING or ERROR.",
    )
    format: Literal["json", "text"] = Field(
        default="json",
        validation_alias="LECTERN_LOG_FORMAT",
        description="`json` or `text`. `lectern up` uses text.",
    )
