"""Runner that sends labelled questions to the search."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from lectern.db.scope import SYSTEM_SCOPE, Scope
from lectern.documents.errors import UnknownDocument
from lectern.documents.service import resolve_documents
from lectern.embeddings.cache import CachedQueries
from lectern.embeddings.errors import EmbeddingsUnavailable
from lectern.embeddings.provider import Vectors
from lectern.evaluation.relevance import RankedHit, judge_relevance
from lectern.evaluation.results import QuestionResult, Run, abstention, summarise
from lectern.evaluation.sets import LabelledQuestion
from lectern.search.ranking.confidence import LOW_CONFIDENCE
from lectern.search.schemas import MAX_QUERY_CHARACTERS, SearchRequest, SearchResponse
from lectern.search.service import SearchEngine

TOP_K: Final = 20


class RetrievalMode(StrEnum):
    """Arms of the search to use."""

    HYBRID = "hybrid"
    KEYWORD = "keyword"
    SEMANTIC = "semantic"


class KeywordOnlyProvider(CachedQueries):
    """A provider without embeddings, which limits a search to keywords."""

    async def embed_query(self, text: str) -> Vectors:
        raise EmbeddingsUnavailable(f"No embedding for {len(text)} characters.")


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchEvaluation:
    """Searches for each question in the whole scope, or in its own document if `is_narrowed`.

    `rerank` None uses the setting of the installation.
    """

    engine: SearchEngine
    mode: RetrievalMode = RetrievalMode.HYBRID
    is_narrowed: bool = False
    scope: Scope = SYSTEM_SCOPE
    rerank: bool | None = None

    async def run(self, questions: Sequence[LabelledQuestion], *, progress: Callable[[], None] | None = None) -> Run:
        """Search for every question once. Searches do not overlap, to have comparable times."""
        results: list[QuestionResult] = []
        for question in questions:
            results.append(await self._ask(question))
            if progress:
                progress()
        return Run(
            settings=self._settings(),
            questions=results,
            summaries=summarise(results),
            abstention=abstention(results, low=LOW_CONFIDENCE),
        )

    async def missing_documents(self, questions: Sequence[LabelledQuestion]) -> list[str]:
        """Return the labelled documents that the library does not have."""
        names = sorted({name for question in questions for name in question.documents if "." in name})
        try:
            async with self.engine.database.session(self.scope) as session:
                await resolve_documents(session, names)
        except UnknownDocument as error:
            return [str(name) for name in error.details["unknown"]]
        return []

    def _settings(self) -> dict[str, str | int | float | bool]:
        reranker = self.engine.reranker
        is_reranked = reranker is not None and (reranker.settings.is_default if self.rerank is None else self.rerank)
        chosen = {
            "mode": self.mode.value,
            "is_narrowed": self.is_narrowed,
            "model": self.engine.provider.info.id,
            "reranker": reranker.model.info.id if reranker and is_reranked else "none",
        }
        return chosen | self.engine.settings.model_dump(mode="json")

    async def _ask(self, question: LabelledQuestion) -> QuestionResult:
        response = await self._search(question)
        hits = [
            RankedHit(
                document=hit.document,
                page_number=hit.page_number,
                last_page_number=hit.last_page_number,
                score=hit.score,
            )
            for hit in (response.data if response else ())
        ]
        judgement = judge_relevance(question, hits)
        return QuestionResult(
            id=question.id,
            set_name=question.set_name,
            question=question.text,
            type=question.type,
            language=question.language,
            is_answerable=question.is_answerable,
            documents=sorted(question.documents),
            pages=sorted(question.pages),
            gains=list(judgement.gains),
            missing=judgement.missing,
            document_rank=judgement.document_rank,
            confidence=response.metadata.confidence if response else None,
            took_ms=response.metadata.took_ms.total if response else 0.0,
            hits=[f"{hit.document}:{hit.page_number}-{hit.last_page_number}" for hit in hits],
        )

    async def _search(self, question: LabelledQuestion) -> SearchResponse | None:
        """Search for a question. Returns None if its document is not in the library."""
        engine = self.engine
        if self.mode is RetrievalMode.KEYWORD:
            engine = replace(engine, provider=KeywordOnlyProvider(engine.provider))
        request = SearchRequest(
            query=question.text[:MAX_QUERY_CHARACTERS],
            top_k=TOP_K,
            hybrid=self.mode is not RetrievalMode.SEMANTIC,
            documents=sorted(question.documents) if self.is_narrowed else [],
            rectangles=False,
            rerank=self.rerank,
        )
        try:
            return await engine.search_in_scope(request, self.scope)
        except UnknownDocument:
            return None
