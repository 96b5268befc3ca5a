"""Explain why a search missed an expected passage: check the stages in order and name the first that lost it."""

import dataclasses
import uuid
from collections.abc import Collection, Sequence
from typing import Final

from lectern.db.scope import Scope
from lectern.db.session import Session
from lectern.documents.parts.schemas import ChunkResponse
from lectern.documents.service import resolve_documents
from lectern.search import filters
from lectern.search.candidates.scope import SearchFilter
from lectern.search.ranking.candidate import ArmRanks, SearchCandidate
from lectern.search.repository import matches_filter
from lectern.search.schemas import SearchRequest
from lectern.search.service import SearchEngine, Trace
from lectern.search.why import diagnosis, repository
from lectern.search.why.diagnosis import DEEPEST, RankingFacts
from lectern.search.why.schemas import Verdict, WhyRequest, WhyResponse

_FIELDS: Final = {"any_tags": "tags", "all_tags": "tags", "no_tags": "tags"}


async def explain_absence(engine: SearchEngine, request: WhyRequest, scope: Scope) -> WhyResponse:
    """Return the stage that lost the expected passage.

    Raises:
        UnknownReference: The document or a name in a filter does not exist in scope.
        SemanticSearchUnavailable: `hybrid` is false and the model is unavailable.
    """
    async with engine.database.session(scope, is_snapshot=True) as session:
        document_id = (await resolve_documents(session, [request.document]))[0]
        state = await repository.get_state(session, document_id)
        verdict = await _diagnose_filters(session, request, state) or diagnosis.diagnose_document(state)
        chunks: list[ChunkResponse] = []
        if verdict is None:
            chunks, verdict = await _list_expected(session, request, state)
        if verdict is not None:
            return _build_response(verdict, state, request)
        search = SearchRequest.model_validate(request.model_dump(include=set(SearchRequest.model_fields)))
        trace = await engine.trace(session, search, scope=scope, deepest=DEEPEST)
        candidates = engine.settings.candidates
        return await _diagnose_ranking(session, request, state, chunks=chunks, trace=trace, candidates=candidates)


async def _diagnose_filters(session: Session, request: WhyRequest, state: diagnosis.DocumentState) -> Verdict | None:
    documents = await filters.resolve(session, request)
    if await matches_filter(session, documents, state.document_id):
        return None
    narrowing: list[str] = []
    for field in dataclasses.fields(SearchFilter):
        value = getattr(documents, field.name)
        if value is not None and not await matches_filter(
            session, SearchFilter(**{field.name: value}), state.document_id
        ):
            narrowing.append(_FIELDS.get(field.name, field.name))
    return diagnosis.diagnose_scope(state.filename, list(dict.fromkeys(narrowing)))


async def _list_expected(
    session: Session, request: WhyRequest, state: diagnosis.DocumentState
) -> tuple[list[ChunkResponse], Verdict | None]:
    """Return the expected passages, or the reason that there are none."""
    number = request.page_number
    pages = await repository.list_pages(session, state.document_id, number)
    if number is not None:
        verdict = diagnosis.diagnose_page(number, pages[0].kind if pages else None, page_count=state.page_count)
        if verdict is not None:
            return [], verdict
    chunks = await repository.list_chunks(session, state.document_id, number)
    if number is not None and not chunks:
        return [], diagnosis.diagnose_page_without_chunks(number, pages[0].kind)
    if request.quote is None:
        return chunks, None
    quote = _plain(request.quote)
    containing = [chunk for chunk in chunks if quote in _plain(chunk.text)]
    if containing:
        return containing, None
    texts = [" ".join(page.text for page in pages), " ".join(chunk.text for chunk in chunks)]
    is_in_text = any(quote in _plain(text) for text in texts)
    return [], diagnosis.diagnose_quote(is_in_text=is_in_text, has_unreadable_pages=state.unreadable_page_count > 0)


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


async def _diagnose_ranking(
    session: Session,
    request: WhyRequest,
    state: diagnosis.DocumentState,
    *,
    chunks: Sequence[ChunkResponse],
    trace: Trace,
    candidates: int,
) -> WhyResponse:
    by_id = {chunk.id: chunk for chunk in chunks}
    places = ((rank, row) for rank, row in enumerate(trace.ranked, start=1) if row.chunk_id in by_id)
    fused_rank, ranked = next(places, (None, None))
    arms = _find_arm_ranks(trace.deep, by_id, ranked) or ranked
    chunk = by_id[arms.chunk_id] if arms else chunks[0]
    before = [row.chunk_id for row in trace.ranked[:fused_rank]] if ranked else []
    facts = RankingFacts(
        fused_rank=fused_rank,
        semantic_rank=arms.semantic_rank if arms else None,
        keyword_rank=arms.keyword_rank if arms else None,
        language=chunk.language,
        unmatched_languages=trace.keywords.unmatched_languages,
        top_k=request.top_k,
        candidates=candidates,
        is_hybrid=request.hybrid,
        tokens_needed=await repository.count_tokens(session, before),
        token_budget=request.token_budget,
    )
    answer = _build_response(diagnosis.diagnose_ranking(facts), state, request)
    return answer.model_copy(
        update={
            "chunk_id": chunk.id,
            "page_number": chunk.page_number,
            "fused_rank": facts.fused_rank,
            "semantic_rank": facts.semantic_rank,
            "keyword_rank": facts.keyword_rank,
        }
    )


def _find_arm_ranks(
    deep: Sequence[ArmRanks], by_id: Collection[uuid.UUID], ranked: SearchCandidate | None
) -> ArmRanks | None:
    """Return the ranks in the arms of the best ranked passage, or of the first passage in an arm."""
    wanted = by_id if ranked is None else {ranked.chunk_id}
    return next((row for row in deep if row.chunk_id in wanted), None)


def _build_response(verdict: Verdict, state: diagnosis.DocumentState, request: WhyRequest) -> WhyResponse:
    return WhyResponse(**dict(verdict), document_id=state.document_id, page_number=request.page_number)
