"""All settings of Lectern, read from the environment and `.env` in this one place.

Each section belongs to the package of the same name. A field's alias is the name of its environment variable. A field
without an alias is a constant: code and tests may pass another value, the environment does not change it.
`lectern settings` prints `docs/reference/settings.md` from these classes; a test compares the two.
"""

import os
from dataclasses import dataclass, field
from functools import cache

from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings

from lectern.settings.accounts import AccountsSettings
from lectern.settings.answers import AnswersSettings
from lectern.settings.documents import (
    ChunkingSettings,
    DocumentsSettings,
    ExtractionSettings,
    ExtractsSettings,
    FoldersSettings,
    JobsSettings,
    OcrSettings,
)
from lectern.settings.embeddings import EmbeddingsSettings
from lectern.settings.http import HttpSettings
from lectern.settings.installation import DatabaseSettings, EmbeddedSettings, LoggingSettings, StorageSettings
from lectern.settings.search import RerankingSettings, ResultCacheSettings, SearchSettings, SynonymsSettings

__all__ = [
    "SECTIONS",
    "AccountsSettings",
    "AnswersSettings",
    "ChunkingSettings",
    "DatabaseSettings",
    "DocumentsSettings",
    "EmbeddedSettings",
    "EmbeddingsSettings",
    "ExtractionSettings",
    "ExtractsSettings",
    "FoldersSettings",
    "HttpSettings",
    "JobsSettings",
    "LoggingSettings",
    "OcrSettings",
    "RerankingSettings",
    "ResultCacheSettings",
    "SearchSettings",
    "Settings",
    "StorageSettings",
    "SynonymsSettings",
    "load_settings",
    "process_environment",
    "variables_of",
]


@dataclass(kw_only=True, eq=False)
class Settings:
    """All sections. Programs call `load_settings`; tests and the supervisor pass explicit sections."""

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
    result_cache: ResultCacheSettings = field(default_factory=ResultCacheSettings)
    synonyms: SynonymsSettings = field(default_factory=SynonymsSettings)
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
    ResultCacheSettings,
    SynonymsSettings,
    RerankingSettings,
    AnswersSettings,
    ExtractsSettings,
)


def variables_of(section: type[BaseSettings]) -> dict[str, FieldInfo]:
    """The environment variables of a section, with their fields."""
    fields = section.model_fields.values()
    return {field.validation_alias: field for field in fields if isinstance(field.validation_alias, str)}


def process_environment() -> dict[str, str]:
    """Return the environment of this process, to pass to child processes."""
    return dict(os.environ)


@cache
def load_settings() -> Settings:
    """Return the settings of this process. The environment is read once."""
    return Settings()
