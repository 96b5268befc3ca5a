"""Commands that work on the library directly, with access to everything.

They go to the database and not through the API, so that they work while it is down.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, TypeVar

from pydantic import SecretStr

from lectern.accounts.context import Accounts, open_accounts
from lectern.accounts.principals import system_principal
from lectern.answers.service import AnswerService, create_answer_service
from lectern.cli.chat_endpoint import find_served_endpoint, follow_served_endpoint
from lectern.cli.console import notes
from lectern.cli.installation import Installation, StartedInstallation, connected
from lectern.cli.services.migrate import update_schema
from lectern.composition import open_provider, open_reranker, open_storage
from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Database, Session, open_database
from lectern.documents.images.service import PageImageService
from lectern.embeddings.active import ActiveProvider
from lectern.embeddings.service import follow_active_generation
from lectern.search.query.synonyms import load_synonyms
from lectern.search.service import SearchEngine
from lectern.settings import Settings, load_settings
from lectern.storage.store import OriginalStore

T = TypeVar("T")

# Whoever may start the command line may read the data folder.
OPERATOR: Final = system_principal("command line")


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenInstallation:
    """An open installation. `is_alone`: no `lectern up` runs beside it, so that nobody else does its jobs."""

    settings: Settings
    database: Database
    is_alone: bool

    def accounts(self) -> Accounts:
        return open_accounts(self.settings, self.database)

    def originals(self) -> OriginalStore:
        return open_storage(self.settings)

    def models(self) -> ActiveProvider:
        """Return the configured embedding models. Each one loads at its first use."""
        return open_provider(self.settings)

    @asynccontextmanager
    async def search_engine(self) -> AsyncGenerator[SearchEngine]:
        """Open the search of the API with the active model, in this process."""
        async with self.search_engines() as engines:
            yield engines[0]

    @asynccontextmanager
    async def search_engines(self) -> AsyncGenerator[list[SearchEngine]]:
        """Open `search_engine`, and after it one search for each other configured model."""
        models = self.models()
        async with self.database.session(SYSTEM_SCOPE) as session:
            used = await follow_active_generation(session, models)
        words = load_synonyms(self.settings.synonyms.file)
        reranker = open_reranker(self.settings)
        try:
            languages = tuple(self.settings.chunking.languages)
            engine = SearchEngine(self.database, used, self.settings.search, languages, reranker, words)
            yield [engine, *(engine.with_model(model) for model in models.models.values() if model is not used)]
        finally:
            await models.close()
            if reranker:
                await reranker.model.close()

    @asynccontextmanager
    async def answer_service(self) -> AsyncGenerator[AnswerService]:
        """Open the answers of the API. A note says if the model is that of the running `lectern up`."""
        own = load_settings().answers
        served = None if self.is_alone else find_served_endpoint(own, self.settings.embedded.data_dir)
        if served is not None:
            notes.print(served.describe(own), markup=False)
        images = PageImageService(self.originals(), self.database)
        async with self.search_engine() as engine:
            service = create_answer_service(self.settings, engine, images=images)
            try:
                yield service
            finally:
                await service.close()
                images.close()


def on_installation(
    work: Callable[[OpenInstallation], Awaitable[T]], *, data_dir: Path | None = None, may_create: bool = False
) -> T:
    """Run work on the installation. If nothing runs it, its database is started for the duration."""
    settings = load_settings()
    with connected(settings, data_dir, may_create=may_create) as installation:
        if isinstance(installation, StartedInstallation):
            update_schema(settings, installation.owner_url)
        return asyncio.run(_with_database(effective_settings(settings, installation), installation, work))


def on_session(work: Callable[[Session, OpenInstallation], Awaitable[T]], *, data_dir: Path | None = None) -> T:
    """Run work in one transaction on the installation."""

    async def in_transaction(bench: OpenInstallation) -> T:
        async with bench.database.session(SYSTEM_SCOPE) as session:
            return await work(session, bench)

    return on_installation(in_transaction, data_dir=data_dir)


async def _with_database(
    settings: Settings, installation: Installation, work: Callable[[OpenInstallation], Awaitable[T]]
) -> T:
    async with open_database(installation.service_url, pool_size=2) as database:
        is_alone = isinstance(installation, StartedInstallation)
        return await work(OpenInstallation(settings=settings, database=database, is_alone=is_alone))


def effective_settings(settings: Settings, installation: Installation) -> Settings:
    """Return the settings, completed with the values of the installation."""
    folder, secrets = installation.folder, installation.secrets
    accounts = {
        "jwt_secret_key": settings.accounts.jwt_secret_key or SecretStr(secrets.jwt_secret_key),
        "backend_api_key": settings.accounts.backend_api_key or SecretStr(secrets.backend_api_key),
    }
    model_dir = settings.embeddings.model_dir or folder.models
    is_alone = isinstance(installation, StartedInstallation)
    answers = settings.answers if is_alone else follow_served_endpoint(settings.answers, folder.path)
    return replace(
        settings,
        database=settings.database.model_copy(update={"url": SecretStr(installation.service_url)}),
        embedded=settings.embedded.model_copy(update={"data_dir": folder.path}),
        accounts=settings.accounts.model_copy(update=accounts),
        embeddings=settings.embeddings.model_copy(update={"model_dir": model_dir}),
        answers=answers,
    )
