"""A search from question to hits: embed, resolve filters, read the query, run one statement, show why."""

import asyncio
import logging
import uuid
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final

import numpy as np

from lectern.accounts.principals import Principal
from lectern.chunking.languages import detect_language
from lectern.db.replica import Replica
from lectern.db.scope import Scope
from lectern.db.session import Database, Session
from lectern.embeddings.active import follow_fingerprint, get_current_model, list_fingerprints
from lectern.embeddings.errors import EmbeddingsRejected, EmbeddingsUnavailable
from lectern.embeddings.provider import EmbeddingProvider, Vectors
from lectern.search.candidates import filters, repository
from lectern.search.candidates.plan import plan
from lectern.search.candidates.repository import TracedChunk
from lectern.search.candidates.scope import CandidateScope, Overview, candidate_scope
from lectern.search.candidates.statement import Statement
from lectern.search.errors import SemanticSearchUnavailable
from lectern.search.presentation.hits import RankedResult, present, respond
from lectern.search.presentation.nearest_sentences import nearest_sentences
from lectern.search.presentation.neighbours import folded, with_neighbours
from lectern.search.query import terms
from lectern.search.query.references import parse_page_references, parse_section_references
from lectern.search.query.synonyms import SynonymDictionary, SynonymMatch, load_synonyms
from lectern.search.query.terms import KeywordQuery
from lectern.search.query.title_match import match_documents_by_title, parse_periods
from lectern.search.ranking.confidence import Calibration
from lectern.search.reranking import rerank
from lectern.search.reranking.rerank import RerankerConfig
from lectern.search.result_cache import ResultCache
from lectern.search.schemas import SearchRequest, SearchResponse
from lectern.search.serving import serve
from lectern.search.stopwatch import Stopwatch
from lectern.settings import SearchSettings

# Of queries, told apart where the library's own words do not tell.
DEFAULT_LANGUAGES: Final = ("en", "it", "de", "fr", "es", "pt", "nl")

_WARM_UP: Final = "one two three four five six"

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SearchEngine:
    """What searching needs of the process: the database, the embedding model, the settings.

    `is_pinned`: by the embeddings of its one model, complete or not, whichever are in use. `cache`: responses that a
    principal may be given again. `replica`: where a principal's searches are done while it sees the same library.
    """

    database: Database
    provider: EmbeddingProvider
    settings: SearchSettings
    languages: tuple[str, ...] = DEFAULT_LANGUAGES
    reranker: RerankerConfig | None = None
    synonyms: SynonymDictionary = field(default_factory=load_synonyms)
    is_pinned: bool = False
    cache: ResultCache | None = None
    replica: Replica | None = None

    def with_settings(self, settings: SearchSettings) -> "SearchEngine":
        """The same with other settings."""
        return replace(self, settings=settings, cache=None, replica=None)

    def by(self, model: EmbeddingProvider) -> "SearchEngine":
        """The same by the embeddings of this model, whichever are in use."""
        return replace(self, provider=model, is_pinned=True, cache=None, replica=None)

    async def prepare(self) -> None:
        """Load the detection of languages, for which the first search would otherwise hold up the event loop."""
        await asyncio.to_thread(detect_language, _WARM_UP, languages=self.languages, otherwise="")

    async def search(self, request: SearchRequest, principal: Principal) -> SearchResponse:
        """Hits in the principal's scope, those of the last time where nothing has changed since.

        Raises:
            UnknownReference: A filter names what does not exist in scope.
            SemanticSearchUnavailable: `hybrid` is false, and the model or its embeddings are not there.
            RerankingNotConfigured: `rerank` is true, and there is no reranker.
        """
        return await serve(self, request, principal.scope)

    async def search_in_scope(self, request: SearchRequest, scope: Scope) -> SearchResponse:
        """The same, always found anew, for callers without a principal: the command line, evaluation."""
        async with self.open(request, scope) as opened:
            return await self.respond(opened)

    @asynccontextmanager
    async def open(
        self, request: SearchRequest, scope: Scope, *, database: Database | None = None
    ) -> AsyncGenerator["Opened"]:
        """The query's vector under way, and one snapshot of the library (of a `database` that is not the engine's own).

        A document that gets another version meanwhile is found and shown as one of the two.
        """
        source, clock = database or self.database, Stopwatch()
        async with (
            self._embedding(request) as vector,
            source.session(scope, is_snapshot=True, prelude_sql=repository.LIBRARY_VERSION_SQL) as session,
        ):
            library_version = repository.read_library_version(session)
            yield Opened(
                request=request,
                scope=scope,
                session=session,
                library_version=library_version,
                vector=vector,
                clock=clock,
            )

    async def respond(self, opened: "Opened") -> SearchResponse:
        """Search. Raises what `search` raises."""
        session, request = opened.session, opened.request
        found = await self._find(session, request, vector=opened.vector, scope=opened.scope, clock=opened.clock)
        hits = await with_neighbours(session, await present(session, found), count=request.context)
        hits = folded(hits) if request.fold else hits
        opened.clock.lap("snippets")
        return respond(found, hits, took=opened.clock.laps)

    @asynccontextmanager
    async def _embedding(self, request: SearchRequest) -> AsyncGenerator["asyncio.Task[Embedded]"]:
        """The query's vector under way while Postgres looks up what the filter leaves.

        A model on another machine is waited for first: no connection is held meanwhile.
        """
        task = asyncio.create_task(self._embed(request))
        try:
            if self.provider.info.is_remote:
                await task
            yield task
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)  # a failed filter was told already

    async def _embed(self, request: SearchRequest) -> "Embedded":
        """Raises SemanticSearchUnavailable where only meaning was asked for."""
        words = ", ".join(
            phrase
            for match in self._match_synonyms(request.query)
            for phrase in match.in_language(_detect_language(request.query, self.languages))
        )
        model = get_current_model(self.provider)
        try:
            vector = await model.embed_query(f"{request.query} ({words})" if words else request.query)
        except (EmbeddingsUnavailable, EmbeddingsRejected) as error:
            if not request.hybrid:
                raise SemanticSearchUnavailable(f"The query could not be embedded: {error.message}") from error
            logger.warning("Searching by keyword only: %s", error.message, extra={"code": error.code})
            return Embedded(None, model, error.message)
        return Embedded(_literal(vector.astype(np.float32, copy=False).tobytes()), model, numbers=vector)

    async def _find(
        self,
        session: Session,
        request: SearchRequest,
        *,
        vector: "asyncio.Task[Embedded]",
        scope: Scope,
        clock: Stopwatch,
    ) -> RankedResult:
        reranker = rerank.wanted(request, self.reranker)
        known = await self._prepare(session, request, scope=scope, clock=clock)
        embedded = await self._checked(await vector, request, known.overview)
        clock.lap("embedding")
        chosen = plan(
            known.ground,
            query=known.query if request.hybrid else None,
            vector=embedded.vector,
            generation=known.overview.generation,
            top_k=max(request.top_k, reranker.settings.candidates) if reranker else request.top_k,
            settings=self.settings,
            titled=known.titled,
            sections=parse_section_references(request.query),
            pages=parse_page_references(request.query),
        )
        rows = await repository.run(session, chosen.statement)
        clock.lap("search")
        found = RankedResult(
            request=request,
            scope=scope,
            overview=known.overview,
            query=known.query if request.hybrid else None,
            synonym_matches=known.synonym_matches,
            plan=chosen,
            rows=rows,
            similarity_range=embedded.model.info.similarity_range,
            calibration=Calibration(self.settings.confidence_bias, self.settings.confidence_slope),
            trouble=embedded.trouble,
        )
        if reranker:
            query_language = _detect_language(request.query, self.languages)
            unmatched = known.query.unmatched_languages
            found.reranked = await rerank.rerank(
                rows, request, reranker, query_language=query_language, unmatched=unmatched
            )
            found.rows = found.reranked.rows
            clock.lap("rerank")
        if request.nearest_sentence and embedded.numbers is not None:
            untold = [row for row in found.rows if not found.has_lexical_match(row)]
            found.nearest = await nearest_sentences(untold, embedded.numbers, embedded.model)
            clock.lap("sentences")
        return found

    async def _prepare(self, session: Session, request: SearchRequest, *, scope: Scope, clock: Stopwatch) -> "Prepared":
        documents = await filters.resolve(session, request)
        clock.lap("filters")
        query_language = _detect_language(request.query, self.languages)
        synonym_matches = self._match_synonyms(request.query)
        known = await repository.look_up(
            session,
            documents,
            scope=scope,
            query=request.query,
            added="\n".join(phrase for match in synonym_matches for phrase in match.phrases),
            addresses=[term for match in synonym_matches for term in match.addresses],
            years=parse_periods(request.query),
            query_language=query_language,
            exact_chunks=self.settings.exact_dense_chunks,
            fingerprints=list_fingerprints(self.provider),
            is_pinned=self.is_pinned,
            ef_search=self.settings.ef_search,
        )
        query = terms.understand(known.words, known.counts, query_language=query_language)
        ground = candidate_scope(known.overview, is_narrowed=not documents.is_empty)
        titled = match_documents_by_title(
            known.names,
            request.query,
            query,
            words=known.words,
            most_chunks=self.settings.exact_lexical_chunks,
            allowed=ground.allowed,
        )
        clock.lap("terms")
        return Prepared(
            overview=known.overview, ground=ground, query=query, titled=titled, synonym_matches=synonym_matches
        )

    def _match_synonyms(self, query: str) -> tuple[SynonymMatch, ...]:
        return _named(query, self.synonyms) if self.settings.synonyms else ()

    async def trace(self, session: Session, request: SearchRequest, *, scope: Scope, deepest: int) -> "Trace":
        """Where every chunk comes among the candidates of this search, and in each arm down to rank `deepest`.

        Raises what `search` raises.
        """
        known = await self._prepare(session, request, scope=scope, clock=Stopwatch())
        embedded = await self._checked(await self._embed(request), request, known.overview)
        rankings: list[list[TracedChunk]] = []
        for candidates in (self.settings.candidates, deepest):
            chosen = plan(
                known.ground,
                query=known.query if request.hybrid else None,
                vector=embedded.vector,
                generation=known.overview.generation,
                top_k=2 * candidates,
                settings=self.settings.model_copy(update={"candidates": candidates}),
                titled=known.titled,
                sections=parse_section_references(request.query),
                pages=parse_page_references(request.query),
                is_traced=True,
            )
            # `plan` never takes fewer candidates than hits; a search of the usual depth does not take more
            parameters = chosen.statement.parameters | {"candidates": max(candidates, request.top_k)}
            rankings.append(await repository.trace(session, Statement(sql=chosen.statement.sql, parameters=parameters)))
        return Trace(fused=rankings[0], deep=rankings[1], query=known.query)

    async def _checked(self, embedded: "Embedded", request: SearchRequest, overview: Overview) -> "Embedded":
        """By the model whose embeddings are searched: another may have taken over since the last search.

        With what is wrong where the library's embeddings are not of any model of this process.
        """
        if overview.fingerprint is not None and overview.fingerprint != embedded.model.info.fingerprint:
            follow_fingerprint(self.provider, overview.fingerprint)
            embedded = await self._embed(request)
        if embedded.vector is None or overview.generation is not None:
            return embedded
        trouble = f"the library has no complete embeddings of {embedded.model.info.id}"
        if not request.hybrid:
            raise SemanticSearchUnavailable(f"A search by meaning alone is not possible: {trouble}.")
        logger.warning("Searching by keyword only: %s", trouble)
        return replace(embedded, trouble=trouble)


async def document_matches_filters(session: Session, request: SearchRequest, document_id: uuid.UUID) -> bool:
    """Whether the filters of a search leave a document. Raises UnknownReference."""
    return await repository.matches_filter(session, await filters.resolve(session, request), document_id)


@lru_cache(maxsize=2_000)
def _detect_language(query: str, languages: tuple[str, ...]) -> str | None:
    """The language of a query where it can be told."""
    return detect_language(query, languages=languages, otherwise="") or None


@lru_cache(maxsize=2_000)
def _named(query: str, synonyms: SynonymDictionary) -> tuple[SynonymMatch, ...]:
    """What of the vocabulary a query names: asked for its vector and for its words."""
    return synonyms.read(query)


@lru_cache(maxsize=500)
def _literal(vector: bytes) -> str:
    """A vector of 32-bit numbers as Postgres reads it: that of a question asked again is not written again."""
    return str(np.frombuffer(vector, np.float32).astype(np.float64).round(7).tolist())


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """A search that has begun: `mark` names the library that its transaction sees."""

    request: SearchRequest
    scope: Scope
    session: Session
    library_version: int
    vector: "asyncio.Task[Embedded]"
    clock: Stopwatch


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """What is known before the statement is made."""

    overview: Overview
    ground: CandidateScope
    query: KeywordQuery
    titled: Sequence[uuid.UUID]
    synonym_matches: Sequence[SynonymMatch]


@dataclass(frozen=True, slots=True)
class Embedded:
    """The query's vector as a literal and its model, and what is wrong where meaning cannot be searched by it."""

    vector: str | None
    model: EmbeddingProvider
    trouble: str | None = None
    numbers: Vectors | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """The fusion's candidates in their order, each arm's ranking far down, and the query as it was understood."""

    fused: Sequence[TracedChunk]
    deep: Sequence[TracedChunk]
    query: KeywordQuery
