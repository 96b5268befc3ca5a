"""The API: routers, middleware and services in one application."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime
from functools import partial
from typing import Final

from fastapi import Depends, FastAPI
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import HTTPConnection
from starlette.types import Scope

from lectern import __version__
from lectern.accounts.audit.router import router as audit_router
from lectern.accounts.bootstrap import prepare_accounts
from lectern.accounts.context import open_accounts
from lectern.accounts.dependencies import is_signed
from lectern.accounts.errors import ClientRefused, OAuthError
from lectern.accounts.keys.router import router as keys_router
from lectern.accounts.keys.service import ScopeIds
from lectern.accounts.oauth.router import metadata_router as oauth_metadata_router
from lectern.accounts.oauth.router import oauth_error_response
from lectern.accounts.oauth.router import router as oauth_router
from lectern.accounts.second_factor.router import router as second_factor_router
from lectern.accounts.sessions.router import PREFIX as AUTH_PREFIX
from lectern.accounts.sessions.router import router as sessions_router
from lectern.accounts.sign_in.router import router as sign_in_router
from lectern.accounts.single_sign_on.router import router as single_sign_on_router
from lectern.accounts.users.router import router as users_router
from lectern.answers.chat_api.router import router as chat_api_router
from lectern.answers.golden.router import router as golden_router
from lectern.answers.history.router import router as history_router
from lectern.answers.quotes.router import router as quotes_router
from lectern.answers.router import router as answers_router
from lectern.answers.service import create_answer_service
from lectern.collections.router import router as collections_router
from lectern.collections.service import resolve_collections
from lectern.composition import (
    data_folder,
    load_model,
    open_database,
    open_provider,
    open_replica,
    open_reranker,
    open_storage,
    require_database_url,
)
from lectern.db.engine import DATABASE_ERRORS
from lectern.db.session import Database, Session
from lectern.documents.bulk import move_collection
from lectern.documents.chunks import API_PREFIX
from lectern.documents.grants.router import router as grants_router
from lectern.documents.grants.router import tag_router as tag_grants_router
from lectern.documents.grants.router import user_router as ownership_router
from lectern.documents.images.service import PageImageService
from lectern.documents.notes.router import router as notes_router
from lectern.documents.notes.router import search_router as notes_search_router
from lectern.documents.parts.router import router as parts_router
from lectern.documents.router import router as documents_router
from lectern.documents.service import resolve_documents
from lectern.documents.uploads.router import CONTENT_PATH, UPLOAD_PATH
from lectern.documents.uploads.router import router as uploads_router
from lectern.documents.versions.router import router as versions_router
from lectern.embeddings.active import ActiveProvider
from lectern.embeddings.provider import EmbeddingProvider
from lectern.errors import Unavailable
from lectern.evaluation.router import router as evaluation_router
from lectern.extracts.addresses import Allowed
from lectern.extracts.fetching import Fetcher
from lectern.extracts.processor import FileProcessor
from lectern.extracts.router import documents_router as adding_router
from lectern.extracts.router import router as extracts_router
from lectern.http.api_docs import LecternApi
from lectern.http.api_docs import router as api_docs_router
from lectern.http.bodies import BodyGuard
from lectern.http.health import Check, health_router
from lectern.http.limits import AddressLimit
from lectern.http.metrics import Gauge, Metrics
from lectern.http.middleware import RequestContext
from lectern.http.problems import Problem, UnexpectedErrors, add_problem_handlers
from lectern.http.request_checks import refuse_unknown_parameters
from lectern.http.static_ui import StaticUi, find_ui
from lectern.ingestion.router import router as jobs_router
from lectern.jobs.events import EventHub
from lectern.library.folders.router import router as folders_router
from lectern.operations.metrics.service import InstallationMetrics
from lectern.operations.system.router import router as system_router
from lectern.operations.system.service import Process
from lectern.search.query.synonyms import load_synonyms
from lectern.search.reranking.rerank import RerankerConfig
from lectern.search.result_cache import ResultCache
from lectern.search.router import router as search_router
from lectern.search.service import SearchEngine
from lectern.settings import ExtractsSettings, Settings
from lectern.storage.store import OriginalStore
from lectern.tags.router import router as tags_router
from lectern.tags.service import resolve_tags
from lectern.webhooks.router import router as webhooks_router
from lectern.webhooks.sending import Sender
from lectern.webhooks.service import reencrypt_secrets

logger = logging.getLogger(__name__)

TITLE: Final = "Lectern"
MAX_ANONYMOUS_BODY_BYTES: Final = 8_192
MAX_BODY_BYTES: Final = 131_072
MAX_LARGE_BODY_BYTES: Final = 1_048_576
MAX_CLIENT_DOCUMENT_BYTES: Final = 65_536
MAX_CLIENT_DOCUMENT_SECONDS: Final = 5.0
# Files in base64, lists of up to 10,000 documents, lists of 1,000 names, and conversations.
LARGE_BODIES: Final = (
    *(f"{API_PREFIX}/{path}" for path in ("extracts/", "documents/bulk", "keys", "oauth/")),
    "/v1/chat/",
)
DESCRIPTION: Final = (
    "A self-hosted knowledge base that AI agents can trust. Errors are problems (RFC 9457) with a stable `code`; "
    "lists are pages with `next_cursor`; unknown fields and parameters are refused by name."
)
# Routes are matched in this order, so the most frequent comes first.
ROUTERS: Final = (
    search_router,
    sessions_router,
    sign_in_router,
    single_sign_on_router,
    second_factor_router,
    users_router,
    keys_router,
    oauth_router,
    audit_router,
    system_router,
    webhooks_router,
    collections_router,
    folders_router,
    tags_router,
    uploads_router,
    documents_router,
    parts_router,
    grants_router,
    tag_grants_router,
    ownership_router,
    notes_router,
    notes_search_router,
    versions_router,
    jobs_router,
    extracts_router,
    adding_router,
    answers_router,
    history_router,
    golden_router,
    evaluation_router,
    quotes_router,
)


def create_app(settings: Settings) -> FastAPI:
    """Create the ASGI application. It opens connections only when it starts."""
    metrics = Metrics()
    app = LecternApi(
        title=TITLE,
        description=DESCRIPTION,
        version=__version__,
        lifespan=_lifespan,
        middleware=_middleware(settings, metrics),
        dependencies=[Depends(refuse_unknown_parameters)],
        generate_unique_id_function=lambda route: route.name,
        responses={"default": {"model": Problem, "description": "A problem (RFC 9457)."}},
        redirect_slashes=False,
        docs_url=None,
        redoc_url=None,
    )
    app.state.settings = settings
    app.state.resolve_references = resolve_references
    app.state.move_documents = move_collection
    add_problem_handlers(app, database_faults=DATABASE_ERRORS)
    app.add_exception_handler(OAuthError, oauth_error_response)
    for router in ROUTERS:
        app.include_router(router)
    app.state.checks = _checks(app)
    app.state.metrics = metrics
    read_samples = partial(read_metrics_samples, app)
    app.include_router(
        health_router(
            checks=app.state.checks, metrics=metrics, read_samples=read_samples, token=settings.http.metrics_token
        )
    )
    app.include_router(oauth_metadata_router)
    app.include_router(chat_api_router)
    app.include_router(api_docs_router)
    ui_folder = find_ui(settings.http.ui_dir)
    if ui_folder is not None:
        # A mount at "/" would also answer wrong methods of API routes, and routes added later.
        app.router.default = StaticUi(ui_folder)
    return app


def is_upload(scope: Scope) -> bool:
    """Return True if the request is an upload, which has its own size limit."""
    if scope["method"] == "PUT":
        return CONTENT_PATH.fullmatch(scope["path"]) is not None
    return scope["method"] == "POST" and scope["path"] == UPLOAD_PATH


def body_limit(scope: Scope) -> int | None:
    """Return the body limit of a request, None for uploads. Without credentials it is low."""
    if is_upload(scope):
        return None
    path, headers = scope["path"], Headers(scope=scope)
    if path.startswith(f"{AUTH_PREFIX}/") or not ("authorization" in headers or "cookie" in headers):
        return MAX_ANONYMOUS_BODY_BYTES
    return MAX_LARGE_BODY_BYTES if path.startswith(LARGE_BODIES) else MAX_BODY_BYTES


def is_genuine(scope: Scope) -> bool:
    """Return True if the request has a token that this installation signed."""
    return is_signed(scope["app"].state.accounts, HTTPConnection(scope))


def _middleware(settings: Settings, metrics: Metrics) -> list[Middleware]:
    """Build the middleware, outermost first."""
    layers = [
        Middleware(RequestContext, metrics=metrics, has_https=settings.http.has_https),
        Middleware(UnexpectedErrors),
    ]
    if settings.http.allowed_origins:
        layers.append(
            Middleware(
                CORSMiddleware,
                allow_origins=settings.http.allowed_origins,
                allow_credentials=True,
                allow_methods=["*"],
                allow_headers=["Authorization", "Content-Type", "Content-Disposition", "X-Requested-With", "Range"],
                expose_headers=["X-Request-ID", "Content-Disposition", "Retry-After"],
            )
        )
    layers.append(Middleware(AddressLimit, per_minute=settings.http.rate_limit_per_minute, is_genuine=is_genuine))
    layers.append(Middleware(BodyGuard, max_bytes_of=body_limit))
    return layers


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncGenerator[None]:
    """Open what requests need, in the order of dependencies, and close it in reverse."""
    settings: Settings = app.state.settings
    state = app.state
    async with AsyncExitStack() as stack:
        state.database = database = open_database(settings)
        stack.push_async_callback(database.dispose)
        state.metrics.watch_pool(database.measure_pool)
        stack.callback(asyncio.create_task(state.metrics.sample_pool()).cancel)
        state.accounts = open_accounts(settings, database)
        stack.push_async_callback(state.accounts.close)
        await prepare_accounts(state.accounts)
        state.webhook_sender = Sender(settings)
        await reencrypt_secrets(database, state.webhook_sender)
        state.originals = open_storage(settings)
        state.page_images = PageImageService(state.originals, database)
        stack.callback(state.page_images.close)
        provider = open_provider(settings, queries=state.metrics)
        stack.push_async_callback(provider.close)
        reranker = open_reranker(settings)
        if reranker:
            stack.push_async_callback(reranker.model.close)
        state.search_engine = await _open_search_engine(stack, settings, database, provider, reranker)
        state.answer_service = create_answer_service(settings, state.search_engine, images=state.page_images)
        stack.push_async_callback(state.answer_service.close)
        folder = data_folder(settings).path / "cache" / "extracts"
        state.fetch_client_document = partial(fetch_client_document, settings.extracts)
        state.file_processor = FileProcessor(settings, provider, folder=folder, reranker=reranker)
        stack.push_async_callback(state.file_processor.close)
        state.installation_metrics = InstallationMetrics(database, state.originals.folder)
        state.process = Process(datetime.now(UTC), provider, state.originals.folder, settings.folders.roots)
        state.events = EventHub(require_database_url(settings))
        state.events.start()
        stack.push_async_callback(state.events.stop)
        loading = asyncio.create_task(load_model(provider))
        stack.callback(loading.cancel)
        logger.info("The API is ready", extra={"version": __version__})
        yield


async def _open_search_engine(
    stack: AsyncExitStack,
    settings: Settings,
    database: Database,
    provider: ActiveProvider,
    reranker: RerankerConfig | None,
) -> SearchEngine:
    replica = open_replica(settings)
    if replica:
        stack.push_async_callback(replica.database.dispose)
    max_bytes = settings.result_cache.max_bytes
    engine = SearchEngine(
        database,
        provider,
        settings.search,
        tuple(settings.chunking.languages),
        reranker,
        load_synonyms(settings.synonyms.file),
        cache=ResultCache(max_bytes=max_bytes) if max_bytes else None,
        replica=replica,
    )
    await engine.prepare()
    return engine


async def resolve_references(
    session: Session,
    *,
    tags: Sequence[str] | None = None,
    documents: Sequence[str] | None = None,
    collections: Sequence[str] | None = None,
) -> ScopeIds:
    """Resolve the names in the scope of a new key.

    Raises UnknownTag, UnknownDocument, UnknownCollection.
    """
    return {
        "tag_ids": None if tags is None else await resolve_tags(session, tags),
        "document_ids": None if documents is None else await resolve_documents(session, documents, is_strict=True),
        "collection_ids": None if collections is None else await resolve_collections(session, collections),
    }


async def fetch_client_document(settings: ExtractsSettings, url: str) -> bytes:
    """Fetch a client ID metadata document from a public host, without redirects.

    Raises AddressRefused, DownloadFailed, DownloadTooLarge, ClientRefused.
    """
    fetcher = Fetcher(
        allowed=Allowed.of(settings.allowed),
        max_bytes=MAX_CLIENT_DOCUMENT_BYTES,
        max_seconds=MAX_CLIENT_DOCUMENT_SECONDS,
        waits_seconds=(),
    )
    fetched = await fetcher.fetch(url)
    if fetched.url != url:
        raise ClientRefused("The app's metadata document redirects.")
    return fetched.content


async def read_metrics_samples(app: FastAPI) -> list[Gauge]:
    """Read the metrics of the installation. Without a database, say so instead of failing."""
    installation: InstallationMetrics = app.state.installation_metrics
    name, description = "database_up", "1 if the database answers."
    try:
        return [*await installation.read(), Gauge(name, description, 1)]
    except DATABASE_ERRORS as error:
        logger.warning("Metrics lack those of the database", extra={"reason": type(error).__name__})
        return [Gauge(name, description, 0)]


def _checks(app: FastAPI) -> dict[str, Check]:
    """Build the checks of everything that requests need."""

    async def check_database() -> None:
        database: Database = app.state.database
        if not await database.is_ready():
            raise Unavailable

    async def check_storage() -> None:
        originals: OriginalStore = app.state.originals
        await originals.check()

    async def check_model() -> None:
        provider: EmbeddingProvider = app.state.process.provider
        await provider.prepare()

    return {"database": check_database, "storage": check_storage, "model": check_model}
