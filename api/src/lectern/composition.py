"""Open the resources that the settings name: database, storage, embedding models, reranker. Used by app and worker."""

import logging
from functools import partial

from lectern.db.engine import create_engine, database_url
from lectern.db.replica import Replica
from lectern.db.session import Database
from lectern.embedded.data_folder import DataFolder, default_data_folder
from lectern.embeddings.active import ActiveProvider
from lectern.embeddings.cache import CachedQueries
from lectern.embeddings.provider import EmbeddingProvider
from lectern.embeddings.registry import create_models
from lectern.errors import LecternError, Misconfigured
from lectern.http.metrics import Metrics
from lectern.search.reranking.registry import create_reranker
from lectern.search.reranking.rerank import RerankerConfig
from lectern.settings import Settings
from lectern.settings.base import export_object_store_variables
from lectern.storage.store import OriginalStore, open_originals

logger = logging.getLogger(__name__)


def require_database_url(settings: Settings) -> str:
    """Return DATABASE_URL. Raises Misconfigured if it is not set."""
    if settings.database.url is None:
        raise Misconfigured("DATABASE_URL is not set.", hint="Set it, or use `lectern up`, which brings a database.")
    return settings.database.url.get_secret_value()


def open_database(
    settings: Settings, *, pool_size: int | None = None, statement_timeout_seconds: float | None = None
) -> Database:
    """Open the database of DATABASE_URL. Raises Misconfigured."""
    engine = create_engine(
        require_database_url(settings),
        pool_size=pool_size or settings.database.pool_size,
        statement_timeout_seconds=statement_timeout_seconds or settings.database.statement_timeout_seconds,
    )
    return Database(engine)


def open_replica(settings: Settings) -> Replica | None:
    """Open the hot standby of DATABASE_REPLICA_URL. Raises Misconfigured."""
    if settings.database.replica_url is None:
        return None
    url = database_url(settings.database.replica_url.get_secret_value(), variable="DATABASE_REPLICA_URL")
    engine = create_engine(
        url.render_as_string(hide_password=False),
        pool_size=settings.database.pool_size,
        statement_timeout_seconds=settings.database.statement_timeout_seconds,
        is_optional=True,
    )
    return Replica(Database(engine))


def data_folder(settings: Settings) -> DataFolder:
    """Return the data folder of the installation."""
    return DataFolder(settings.embedded.data_dir or default_data_folder(None))


def open_storage(settings: Settings) -> OriginalStore:
    """Open the storage of originals: LECTERN_STORAGE_URL, or a folder in the data folder."""
    export_object_store_variables()
    return open_originals(settings.storage.url, default_folder=data_folder(settings).originals)


def open_provider(settings: Settings, *, queries: Metrics | None = None) -> ActiveProvider:
    """Create the embedding models, which load at their first use. With `queries`, those are cached and counted."""
    folder = settings.embeddings.model_dir or data_folder(settings).models
    models = create_models(settings.embeddings, model_dir=folder)
    if queries is None:
        return ActiveProvider(models)
    count = partial(queries.count_embeddings, "query")
    return ActiveProvider([CachedQueries(model, count=count) for model in models])


async def load_model(provider: EmbeddingProvider) -> None:
    """Load the embedding model, so that no search waits for it. After an error, `/ready` tries again."""
    try:
        await provider.prepare()
    except LecternError as error:
        logger.warning("The embedding model cannot be loaded: %s", error.message, extra={"code": error.code})


def open_reranker(settings: Settings) -> RerankerConfig | None:
    """Create the reranker of the settings. Raises RerankingMisconfigured."""
    reranker = create_reranker(settings.reranking)
    return RerankerConfig(reranker, settings.reranking) if reranker else None
