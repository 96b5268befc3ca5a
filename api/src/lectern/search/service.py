"""Search: analyze the query, look up its terms, find candidates, rank, rerank, present."""

import asyncio
import re
import uuid
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Final

from lectern.accounts.principals import Principal
from lectern.chunking.languages import detect_language
from lectern.db.replica import Replica
from lectern.db.scope import Scope
from lectern.db.session import Database, Session
from lectern.embeddings.active import list_fingerprints
from lectern.embeddings.provider import EmbeddingProvider
from lectern.search import filters, repository
from lectern.search.candidates.plan import Plan, plan
from lectern.search.candidates.scope import Overview, candidate_scope
from lectern.search.candidates.statement import Shape
from lectern.search.copies import load_without_copies
from lectern.search.errors import QueryWithoutWords
from lectern.search.presentation.hits import build_hits
from lectern.search.presentation.nearest_sentences import find_nearest_sentences
from lectern.search.presentation.neighbours import add_neighbours, fold_hits
from lectern.search.presentation.response import build_response
from lectern.search.presentation.result import RankedResult
from lectern.search.query.analysis import DEFAULT_LANGUAGES, QueryAnalysis, analyze_query
from lectern.search.query.embedding import QueryVector, embed_in_background, embed_query, match_generation
from lectern.search.query.synonyms import SynonymDictionary, load_synonyms
from lectern.search.query.terms import KeywordQuery, build_keyword_query
from lectern.search.query.title_match import match_documents_by_title
from lectern.search.ranking.confidence import Calibration, estimate_confidence
from lectern.search.ranking.features import QueryFacts
from lectern.search.ranking.fitted import load_fitted_model
from lectern.search.ranking.match import ChunkMatch
from lectern.search.ranking.model import TreeModel
from lectern.search.ranking.ranker import RankedCandidate, rank
from lectern.search.reranking.rerank import RerankerConfig, rerank, select_reranker
from lectern.search.result_cache import ResultCache
from lectern.search.run import CandidateSet, PreparedQuery, SearchRun, Stopwatch, Trace
from lectern.search.schemas import SearchRequest, SearchResponse
from lectern.settings import SearchSettings

_WARM_UP: Final = "one two three four five six"
_WORD: Final = re.compile(r"[^\W_]")


@dataclass(frozen=True, slots=True)
class SearchEngine:
    """Search one database with one embedding model.

    Args:
        database: Where to search.
        provider: The embedding model.
        settings: Sizes and limits.
        languages: Languages that a query may be detected as.
        reranker: An optional second model.
        synonyms: For query expansion.
        is_pinned: Use the provider's embeddings, whichever are active or complete.
        cache: Responses of earlier searches.
        replica: A hot standby for searches of principals.
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
        """Return an engine with other settings, without cache and replica."""
        return replace(self, settings=settings, cache=None, replica=None)

    def with_model(self, model: EmbeddingProvider) -> "SearchEngine":
        """Return an engine pinned to a model's embeddings, without cache and replica."""
        return replace(self, provider=model, is_pinned=True, cache=None, replica=None)

    def analyze(self, query: str) -> QueryAnalysis:
        """Analyze a query with the engine's languages and synonyms. Raises QueryWithoutWords."""
        if _WORD.search(query) is None:
            raise QueryWithoutWords
        synonyms = self.synonyms if self.settings.synonyms else None
        return analyze_query(query, languages=self.languages, synonyms=synonyms)

    async def prepare(self) -> None:
        """Load language detection, so that the first search does not block the event loop."""
        await asyncio.to_thread(detect_language, _WARM_UP, languages=self.languages)

    async def search(self, request: SearchRequest, principal: Principal) -> SearchResponse:
        """Search in the principal's scope, from the cache or a replica if they have the current library version.

        A scope of tags or documents has no version of its own, so it does not use the cache. A miss would tell it that
        somebody else changed the library.

        Raises:
            QueryWithoutWords: The query has no word or number.
            UnknownReference: A filter names something that does not exist in scope.
            SemanticSearchUnavailable: `hybrid` is false and the model or its embeddings are unavailable.
            RerankingNotConfigured: `rerank` is true and there is no reranker.
        """
        scope = principal.scope
        if self.replica is not None and not self.replica.is_unavailable:
            response = await self._search_replica(self.replica, request, scope)
            if response is not None:
                return response
        async with self._open(request, scope) as run:
            response = self._get_cached(run.library_version, request, scope, run.clock)
            if response is not None:
                return response
            response = await self._respond(run)
        return self._put_cached(run.library_version, request, scope, response)

    async def search_in_scope(self, request: SearchRequest, scope: Scope) -> SearchResponse:
        """Search without cache and replica, for callers without a principal. Raises what `search` raises."""
        async with self._open(request, scope) as run:
            return await self._respond(run)

    async def find_candidates(self, session: Session, request: SearchRequest, *, scope: Scope) -> CandidateSet:
        """Return the candidates of a search, in no order. Raises what `search` raises."""
        prepared, vector = await self._prepare_with_vector(session, request, scope)
        planned = self._plan(request, prepared, vector, candidates=self._candidates(request.top_k))
        candidates = await repository.find_candidates(session, planned.statement)
        return CandidateSet(
            candidates=candidates,
            chunks=await repository.load_chunks(session, [each.chunk_id for each in candidates]),
            query=prepared.facts(),
            model=self._choose_model(planned, prepared.overview, request),
        )

    async def trace(self, session: Session, request: SearchRequest, *, scope: Scope, deepest: int) -> Trace:
        """Return the ranked candidates of a search, and each arm's ranks down to `deepest`.

        Raises what `search` raises.
        """
        prepared, vector = await self._prepare_with_vector(session, request, scope)
        planned, deep = (
            self._plan(request, prepared, vector, candidates=candidates, is_traced=is_traced)
            for candidates, is_traced in ((self._candidates(request.top_k), False), (deepest, True))
        )
        candidates = await repository.find_candidates(session, planned.statement)
        ranked = rank(candidates, prepared.facts(), self._choose_model(planned, prepared.overview, request))
        return Trace(
            ranked=[each.candidate for each in ranked],
            deep=await repository.trace(session, deep.statement),
            keywords=prepared.keywords,
        )

    async def _prepare_with_vector(
        self, session: Session, request: SearchRequest, scope: Scope
    ) -> tuple[PreparedQuery, QueryVector]:
        analysis = self.analyze(request.query)
        prepared = await self._prepare(session, request, analysis, scope=scope, clock=Stopwatch())
        vector = await embed_query(analysis, self.provider, is_required=not request.hybrid)
        return prepared, await self._match_generation(vector, request, prepared)

    async def _search_replica(self, replica: Replica, request: SearchRequest, scope: Scope) -> SearchResponse | None:
        """Return None if the replica is unavailable or has another library version than the primary."""
        clock = Stopwatch()
        async with self.database.session(scope, prelude_sql=repository.library_version_sql(scope)) as session:
            version = repository.read_library_version(session)
        cached = self._get_cached(version, request, scope, clock)
        if cached is not None:
            return cached

        async def search() -> SearchResponse | None:
            async with self._open(request, scope, database=replica.database) as run:
                return await self._respond(run) if run.library_version == version else None

        response = await replica.read(search)
        if response is None:
            return None
        strategy = response.metadata.strategy.model_copy(update={"is_replica": scope.has_version})
        metadata = response.metadata.model_copy(update={"strategy": strategy})
        return self._put_cached(version, request, scope, response.model_copy(update={"metadata": metadata}))

    def _get_cached(
        self, version: int, request: SearchRequest, scope: Scope, clock: Stopwatch
    ) -> SearchResponse | None:
        if self.cache is None or not scope.has_version:
            return None
        response = self.cache.get(version, request, scope)
        return response.as_cached(milliseconds=clock.total()) if response else None

    def _put_cached(
        self, version: int, request: SearchRequest, scope: Scope, response: SearchResponse
    ) -> SearchResponse:
        if self.cache is not None and scope.has_version:
            self.cache.put(version, request, scope, response)
        return response

    @asynccontextmanager
    async def _open(
        self, request: SearchRequest, scope: Scope, *, database: Database | None = None
    ) -> AsyncGenerator[SearchRun]:
        """Start embedding the query and open a session with one snapshot of the library."""
        source, clock, analysis = database or self.database, Stopwatch(), self.analyze(request.query)
        async with (
            embed_in_background(analysis, self.provider, is_required=not request.hybrid) as vector,
            source.session(scope, is_snapshot=True, prelude_sql=repository.library_version_sql(scope)) as session,
        ):
            version = repository.read_library_version(session)
            yield SearchRun(
                request=request,
                scope=scope,
                session=session,
                library_version=version,
                analysis=analysis,
                vector=vector,
                clock=clock,
            )

    async def _respond(self, run: SearchRun) -> SearchResponse:
        result = await self._rank(run)
        hits = await build_hits(run.session, result)
        if run.request.context:
            hits = await add_neighbours(run.session, hits, count=run.request.context)
        if run.request.fold:
            hits = fold_hits(hits)
        run.clock.lap("snippets")
        return build_response(result, hits, took=run.clock.laps)

    async def _rank(self, run: SearchRun) -> RankedResult:
        request, analysis, clock = run.request, run.analysis, run.clock
        reranker = select_reranker(request, self.reranker)
        prepared = await self._prepare(run.session, request, analysis, scope=run.scope, clock=clock)
        vector = await self._match_generation(await run.vector, request, prepared)
        clock.lap("embedding")
        top_k = max(request.top_k, reranker.settings.candidates) if reranker else request.top_k
        planned = self._plan(request, prepared, vector, candidates=self._candidates(top_k))
        candidates = await repository.find_candidates(run.session, planned.statement)
        clock.lap("search")
        model = self._choose_model(planned, prepared.overview, request)
        keywords = prepared.keywords if request.hybrid else None
        facts = prepared.facts() if request.hybrid else QueryFacts(text=request.query, language=analysis.language)
        ranked = rank(candidates, facts, model)
        confidence = estimate_confidence(
            ranked,
            facts,
            similarity_range=vector.model.info.similarity_range,
            calibration=Calibration(prepared.overview.confidence_bias, prepared.overview.confidence_slope),
        )
        rows = await load_without_copies(
            run.session,
            ranked,
            count=top_k,
            load=lambda ranked: self._load(run.session, ranked, keywords),
        )
        clock.lap("rank")
        reranked = None
        if reranker:
            unmatched = prepared.keywords.unmatched_languages
            reranked = await rerank(
                rows,
                request.query,
                reranker,
                query_language=analysis.language,
                unmatched=unmatched,
                top_k=request.top_k,
            )
            clock.lap("rerank")
        result = RankedResult(
            request=request,
            scope=run.scope,
            overview=prepared.overview,
            keywords=keywords,
            expansions=analysis.expansions,
            plan=planned,
            rows=reranked.rows if reranked else rows,
            confidence=confidence,
            model=model,
            problem=vector.problem,
            reranked=reranked,
        )
        if not request.nearest_sentence or vector.numbers is None:
            return result
        without_match = [row for row in result.rows if not result.has_lexical_match(row)]
        nearest = await find_nearest_sentences(without_match, vector.numbers, vector.model)
        clock.lap("sentences")
        return replace(result, nearest=nearest)

    async def _prepare(
        self, session: Session, request: SearchRequest, analysis: QueryAnalysis, *, scope: Scope, clock: Stopwatch
    ) -> PreparedQuery:
        documents = await filters.resolve(session, request)
        clock.lap("filters")
        lookup = await repository.look_up(
            session,
            documents,
            scope=scope,
            analysis=analysis,
            exact_chunks=self.settings.exact_dense_chunks,
            fingerprints=list_fingerprints(self.provider),
            is_pinned=self.is_pinned,
            ef_search=self.settings.ef_search,
        )
        keywords = build_keyword_query(
            lookup.words,
            lookup.counts,
            query_language=analysis.language,
            is_sampled=lookup.is_sampled,
            translations=analysis.translations,
        )
        candidates = candidate_scope(lookup.overview, is_narrowed=scope.is_limited or not documents.is_empty)
        titled = match_documents_by_title(
            lookup.titles,
            request.query,
            keywords,
            words=lookup.words,
            max_chunks=self.settings.exact_lexical_chunks,
            allowed=candidates.allowed,
        )
        clock.lap("terms")
        return PreparedQuery(
            analysis=analysis, overview=lookup.overview, scope=candidates, keywords=keywords, titled=titled
        )

    async def _match_generation(
        self, vector: QueryVector, request: SearchRequest, prepared: PreparedQuery
    ) -> QueryVector:
        return await match_generation(
            vector,
            prepared.analysis,
            self.provider,
            generation=prepared.overview.generation,
            fingerprint=prepared.overview.fingerprint,
            is_required=not request.hybrid,
        )

    async def _load(
        self, session: Session, ranked: Sequence[RankedCandidate], keywords: KeywordQuery | None
    ) -> list[ChunkMatch]:
        """Load the ranked chunks. One that was deleted since the candidates were found is left out."""
        loaded = await repository.load_chunks(session, [each.candidate.chunk_id for each in ranked])
        return [
            loaded[each.candidate.chunk_id].with_rank(each, keywords)
            for each in ranked
            if each.candidate.chunk_id in loaded
        ]

    def _choose_model(self, planned: Plan, overview: Overview, request: SearchRequest) -> TreeModel | None:
        """Return the trained model, or None for fusion: if it is set, or if the search is by meaning or words alone.

        It also ranks a query in another language, of which the library has no word.
        """
        is_hybrid = request.hybrid and planned.dense is not Shape.OFF
        return load_fitted_model(overview.ranker_fit) if self.settings.ranker == "model" and is_hybrid else None

    def _candidates(self, top_k: int) -> int:
        """Return how many chunks each arm contributes."""
        return max(self.settings.candidates, top_k)

    def _plan(
        self,
        request: SearchRequest,
        prepared: PreparedQuery,
        vector: QueryVector,
        *,
        candidates: int,
        is_traced: bool = False,
    ) -> Plan:
        return plan(
            prepared.scope,
            query=prepared.keywords if request.hybrid else None,
            vector=vector.literal,
            generation=prepared.overview.generation,
            candidates=candidates,
            settings=self.settings,
            title_terms=prepared.title_terms,
            titled=prepared.titled,
            sections=prepared.analysis.sections,
            pages=prepared.analysis.pages,
            is_traced=is_traced,
        )


async def document_matches_filters(session: Session, request: SearchRequest, document_id: uuid.UUID) -> bool:
    """Return true if the filters of a request match a document. Raises UnknownReference."""
    return await repository.matches_filter(session, await filters.resolve(session, request), document_id)
