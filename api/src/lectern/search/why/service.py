"""Why a search did not bring what was expected: the stages in their order, the first that lost it is named."""

import dataclasses
import uuid
from collections.abc import Sequence
from typing import Final

from lectern.accounts.principals import Principal
from lectern.db.scope import Scope
from lectern.db.session import Session
from lectern.documents.parts.schemas import ChunkResponse
from lectern.documents.service import resolve_documents
from lectern.search import filters
from lectern.search.candidates.scope import DocumentFilter
from lectern.search.repository import TracedChunk, matches_filter
from lectern.search.schemas import SearchRequest
from lectern.search.service import SearchEngine, Trace
from lectern.search.why import diagnosis, repository
from lectern.search.why.diagnosis import DEEPEST, Standing, Verdict
from lectern.search.why.schemas import WhyRequest, WhyResponse

_FIELDS: Final = {"any_tags": "tags", "all_tags": "tags", "no_tags": "tags"}


async def explain_absence(engine: SearchEngine, request: WhyRequest, principal: Principal) -> WhyResponse:
    """The stage that lost the expected passage, in the principal's scope.

    Raises:
        UnknownReference: The document, or what a filter names, does not exist in scope.
        SemanticSearchUnavailable: As a search does.
    """
    return await explain_in_scope(engine, request, principal.scope)


async def explain_in_scope(engine: SearchEngine, request: WhyRequest, scope: Scope) -> WhyResponse:
    """The same for callers without a principal."""
    async with engine.database.session(scope, is_snapshot=True) as session:
        document_id = (await resolve_documents(session, [request.document]))[0]
        state = await repository.get_state(session, document_id)
        verdict = await _narrowed_out(session, request, state) or diagnosis.of_document(state)
        chunks: list[ChunkResponse] = []
        if verdict is None:
            chunks, verdict = await _expected(session, request, state)
        if verdict is not None:
            return _answer(verdict, state, request)
        asked = SearchRequest.model_validate(request.model_dump(include=set(SearchRequest.model_fields)))
        trace = await engine.trace(session, asked, scope=scope, deepest=DEEPEST)
        return await _ranked(session, request, state, chunks=chunks, trace=trace, candidates=engine.settings.candidates)


async def _narrowed_out(session: Session, request: WhyRequest, state: diagnosis.DocumentState) -> Verdict | None:
    documents = await filters.resolve(session, request)
    if await matches_filter(session, documents, state.document_id):
        return None
    narrowing: list[str] = []
    for field in dataclasses.fields(DocumentFilter):
        value = getattr(documents, field.name)
        if value is not None and not await matches_filter(
            session, DocumentFilter(**{field.name: value}), state.document_id
        ):
            narrowing.append(_FIELDS.get(field.name, field.name))
    return diagnosis.of_scope(state.filename, list(dict.fromkeys(narrowing)))


async def _expected(
    session: Session, request: WhyRequest, state: diagnosis.DocumentState
) -> tuple[list[ChunkResponse], Verdict | None]:
    """The passages that were meant, or why there are none."""
    number = request.page_number
    pages = await repository.list_pages(session, state.document_id, number)
    if number is not None:
        verdict = diagnosis.of_page(number, pages[0].kind if pages else None, page_count=state.page_count)
        if verdict is not None:
            return [], verdict
    chunks = await repository.list_chunks(session, state.document_id, number)
    if number is not None and not chunks:
        return [], diagnosis.of_page_without_passages(number, pages[0].kind)
    if request.quote is None:
        return chunks, None
    quote = _plain(request.quote)
    holding = [chunk for chunk in chunks if quote in _plain(chunk.text)]
    if holding:
        return holding, None
    texts = [" ".join(page.text for page in pages), " ".join(chunk.text for chunk in chunks)]
    is_in_text = any(quote in _plain(text) for text in texts)
    return [], diagnosis.of_quote(is_in_text=is_in_text, has_unreadable_pages=state.unreadable_page_count > 0)


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


async def _ranked(
    session: Session,
    request: WhyRequest,
    state: diagnosis.DocumentState,
    *,
    chunks: Sequence[ChunkResponse],
    trace: Trace,
    candidates: int,
) -> WhyResponse:
    by_id = {chunk.id: chunk for chunk in chunks}
    fused = next((row for row in trace.fused if row.chunk_id in by_id), None)
    deep = _nearest(trace.deep, by_id, fused)
    arms = deep or fused
    chunk = by_id[arms.chunk_id] if arms else chunks[0]
    before = [row.chunk_id for row in trace.fused[: fused.fused_rank]] if fused else []
    standing = Standing(
        fused_rank=fused.fused_rank if fused else None,
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
    answer = _answer(diagnosis.of_ranking(standing), state, request)
    return answer.model_copy(
        update={
            "chunk_id": chunk.id,
            "page_number": chunk.page_number,
            "fused_rank": standing.fused_rank,
            "semantic_rank": standing.semantic_rank,
            "keyword_rank": standing.keyword_rank,
        }
    )


def _nearest(
    deep: Sequence[TracedChunk], by_id: dict[uuid.UUID, ChunkResponse], fused: TracedChunk | None
) -> TracedChunk | None:
    """The deep ranks of the passage that the fusion puts first, or of the first that an arm has at all."""
    if fused is not None:
        return next((row for row in deep if row.chunk_id == fused.chunk_id), fused)
    return next((row for row in deep if row.chunk_id in by_id), None)


def _answer(verdict: Verdict, state: diagnosis.DocumentState, request: WhyRequest) -> WhyResponse:
    return WhyResponse(
        stage=verdict.stage,
        code=verdict.code,
        values=verdict.values,
        reason=verdict.reason,
        change=verdict.change,
        document_id=state.document_id,
        page_number=request.page_number,
    )
