"""A search from question to hits: embed, resolve filters, read the query, run one statement, show why."""

import logging
import time
from dataclasses import dataclass

from lectern.accounts.principals import Principal
from lectern.db.scope import Scope
from lectern.db.session import Database, Session
from lectern.embeddings.errors import EmbeddingsMismatch, EmbeddingsRejected, EmbeddingsUnavailable
from lectern.embeddings.provider import EmbeddingProvider
from lectern.embeddings.service import find_active_generation
from lectern.search import filters, lexical, presenting, repository
from lectern.search.errors import SemanticSearchUnavailable
from lectern.search.planning import Plan, ground_of, plan
from lectern.search.presenting import Found
from lectern.search.repository import FoundChunk
from lectern.search.schemas import SearchRequest, SearchResponse
from lectern.settings import SearchSettings

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SearchEngine:
    """What searching needs of the process: the database, the embedding model, the settings."""

    database: Database
    provider: EmbeddingProvider
    settings: SearchSettings

    async def search(self, request: SearchRequest, principal: Principal) -> SearchResponse:
        """Hits in the principal's scope.

        Raises:
            UnknownFilter: A filter names what does not exist in scope.
            SemanticSearchUnavailable: The model cannot be reached, and `hybrid` is false.
        """
        return await self.search_in_scope(request, principal.scope)

    async def search_in_scope(self, request: SearchRequest, scope: Scope) -> SearchResponse:
        """The same for callers without a principal: the command line, evaluation."""
        clock = Stopwatch()
        vector, trouble = await self._embed(request)
        clock.lap("embedding")
        async with self.database.session(scope) as session:
            found = await self._find(session, request, vector=vector, scope=scope, clock=clock)
            found.trouble = found.trouble or trouble
            hits = await presenting.present(session, found)
        clock.lap("snippets")
        return presenting.respond(found, hits, took=clock.laps)

    async def _embed(self, request: SearchRequest) -> tuple[str | None, str | None]:
        """The query's vector as a literal, or what went wrong."""
        try:
            vector = await self.provider.embed_query(request.query)
        except (EmbeddingsUnavailable, EmbeddingsRejected) as error:
            if not request.hybrid:
                raise SemanticSearchUnavailable(f"The query could not be embedded: {error.message}") from error
            logger.warning("Searching by keyword only: %s", error.message, extra={"code": error.code})
            return None, error.message
        return "[" + ",".join(f"{value:.7g}" for value in vector.tolist()) + "]", None

    async def _find(
        self, session: Session, request: SearchRequest, *, vector: str | None, scope: Scope, clock: "Stopwatch"
    ) -> Found:
        documents = await filters.resolve(session, request)
        is_narrowed = not documents.is_empty
        overview = await repository.overview(
            session, documents, is_narrowed=is_narrowed, exact_chunks=self.settings.exact_dense_chunks
        )
        trash = [] if is_narrowed else await repository.list_trash(session)
        table, trouble = await self._table(session, request, vector)
        clock.lap("filters")
        query = None
        if request.hybrid:
            words, counts = await repository.read_query(session, request.query, overview.languages)
            query = lexical.understand(words, counts)
        clock.lap("terms")
        chosen = plan(
            ground_of(overview, is_narrowed=is_narrowed, trash=trash),
            query=query,
            vector=vector,
            table=table,
            top_k=request.top_k,
            settings=self.settings,
        )
        rows = await self._run(session, chosen)
        clock.lap("search")
        return Found(
            request=request,
            scope=scope,
            overview=overview,
            query=query,
            plan=chosen,
            rows=rows,
            model=self.provider.info.id,
            trouble=trouble,
        )

    async def _table(
        self, session: Session, request: SearchRequest, vector: str | None
    ) -> tuple[str | None, str | None]:
        """The table of the active model's embeddings if the query was embedded by that model, else what is wrong."""
        generation = await find_active_generation(session)
        if vector is None:
            return None, None
        if generation is not None and generation.fingerprint == self.provider.info.fingerprint:
            return generation.table_name, None
        trouble = "The library's embeddings are of another model than the one that is set."
        if not request.hybrid:
            raise EmbeddingsMismatch(trouble)
        logger.warning("Searching by keyword only: %s", trouble)
        return None, trouble

    async def _run(self, session: Session, chosen: Plan) -> list[FoundChunk]:
        await repository.set_locally(session, chosen.settings)
        return await repository.run(session, chosen.statement)


class Stopwatch:
    """Milliseconds between laps."""

    def __init__(self) -> None:
        self._begun = self._last = time.perf_counter()
        self.laps: dict[str, float] = {}

    def lap(self, name: str) -> None:
        """End a step."""
        now = time.perf_counter()
        self.laps[name] = round((now - self._last) * 1000, 3)
        self.laps["total"] = round((now - self._begun) * 1000, 3)
        self._last = now
