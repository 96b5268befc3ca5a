"""Runner that sends labelled questions to the search."""

import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from lectern.db.scope import SYSTEM_SCOPE, Scope
from lectern.documents.errors import UnknownDocument
from lectern.documents.service import list_copies, list_ready_documents, resolve_documents
from lectern.embeddings.cache import CachedQueries
from lectern.embeddings.errors import EmbeddingsUnavailable
from lectern.embeddings.provider import Vectors
from lectern.evaluation.calibration import LabelledSearch
from lectern.evaluation.relevance import is_relevant_document, judge_relevance
from lectern.evaluation.results import QuestionResult, Run, abstention, summarise
from lectern.evaluation.sets import LabelledQuestion
from lectern.search.ranking.confidence import LOW_CONFIDENCE
from lectern.search.schemas import MAX_QUERY_CHARACTERS, SearchRequest, SearchResponse
from lectern.search.service import SearchEngine

TOP_K: Final = 20
_ACTOR: Final = "system"


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
    """Searches for each question in the whole scope, or in its own documents if `is_narrowed`.

    `rerank` None uses the setting of the installation.
    """

    engine: SearchEngine
    mode: RetrievalMode = RetrievalMode.HYBRID
    is_narrowed: bool = False
    scope: Scope = SYSTEM_SCOPE
    rerank: bool | None = None

    async def run(self, questions: Sequence[LabelledQuestion], *, progress: Callable[[], None] | None = None) -> Run:
        """Search for every question once. Searches do not overlap, to have comparable times.

        A copy with the same content counts as the labelled document.
        """
        copies = await list_labelled_copies(self.engine, questions, self.scope)
        results: list[QuestionResult] = []
        for question in questions:
            results.append(await self._ask(question, copies))
            if progress:
                progress()
        return Run(
            settings=self._settings(),
            questions=results,
            summaries=summarise(results),
            abstention=abstention(results, low=LOW_CONFIDENCE),
        )

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

    async def _ask(self, question: LabelledQuestion, copies: Mapping[str, str]) -> QuestionResult:
        response = await self._search(question)
        hits = [
            hit.model_copy(update={"document": copies.get(hit.document, hit.document)})
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
            documents=sorted(question.documents) if self.is_narrowed or question.is_about_document else [],
            rectangles=False,
            rerank=self.rerank,
        )
        try:
            return await engine.search_in_scope(request, self.scope)
        except UnknownDocument:
            return None


async def list_missing_documents(engine: SearchEngine, questions: Sequence[LabelledQuestion]) -> list[str]:
    """Return the labelled documents that the library does not have."""
    names = sorted({name for question in questions for name in question.documents if "." in name})
    try:
        async with engine.database.session(SYSTEM_SCOPE) as session:
            await resolve_documents(session, names)
    except UnknownDocument as error:
        return [str(name) for name in error.details["unknown"]]
    return []


async def list_labelled_copies(
    engine: SearchEngine, questions: Sequence[LabelledQuestion], scope: Scope
) -> dict[str, str]:
    """Return the labelled filename of each document with the same content and another name."""
    names = sorted({name for question in questions for name in question.documents})
    async with engine.database.session(scope) as session:
        return await list_copies(session, names)


async def run_labelled_searches(
    evaluation: SearchEvaluation, questions: Sequence[LabelledQuestion], *, progress: Callable[[], None] | None = None
) -> list[LabelledSearch]:
    """Search twice for each answerable question: in the whole library, and without the documents that answer it.

    Unanswerable questions, and those about documents that the library does not have, are searched once.
    """
    async with evaluation.engine.database.session(evaluation.scope) as session:
        documents = await list_ready_documents(session)
    copies = await list_labelled_copies(evaluation.engine, questions, evaluation.scope)
    labelled: list[LabelledSearch] = []
    for question in questions:
        labelled += _outcomes((await evaluation.run([question])).questions)
        answering = {key for key, name in documents if is_relevant_document(question, copies.get(name, name))}
        if answering:
            without = replace(evaluation, scope=_without(documents, answering))
            labelled += _outcomes((await without.run([question])).questions)
        if progress:
            progress()
    return labelled


def _without(documents: Sequence[tuple[uuid.UUID, str]], answering: set[uuid.UUID]) -> Scope:
    return Scope(actor=_ACTOR, documents=frozenset(document_id for document_id, _ in documents) - answering)


def _outcomes(results: Sequence[QuestionResult]) -> list[LabelledSearch]:
    """Label searches. No hits mean confidence 0. Hits without a known confidence are skipped."""
    return [
        LabelledSearch(
            set_name=result.set_name,
            question=result.id,
            confidence=result.confidence or 0.0,
            is_answered=result.is_answerable and any(result.gains),
        )
        for result in results
        if result.confidence is not None or not result.hits
    ]
