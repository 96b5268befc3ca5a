"""A question from retrieval to an answer with citations, or to saying that there is none."""

import time
import uuid
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from lectern.answers import messages
from lectern.answers.citations import Cited, cite
from lectern.answers.counting import answer_by_counting
from lectern.answers.draft import Outcome
from lectern.answers.entity_filter import about_the_named
from lectern.answers.errors import ModelMisconfigured
from lectern.answers.extractive.candidates import Candidate
from lectern.answers.extractive.selection import best_sentences
from lectern.answers.generation.chat import Chat
from lectern.answers.generation.page_images import Sight
from lectern.answers.generation.vision import Asked, write
from lectern.answers.generation.writer import Writing
from lectern.answers.questions import Question, counted, understand
from lectern.answers.retrieval import Retrieved, is_left, retrieve, sources
from lectern.answers.schemas import (
    Answer,
    AnswerEvent,
    AnsweringTook,
    AnswerMetadata,
    AnswerRequest,
    AnswerResponse,
    AnswerSentence,
    Citation,
    Reason,
    RetrievalEvent,
    TokenEvent,
)
from lectern.chunking.languages import detect_language
from lectern.db.scope import Scope
from lectern.db.session import Session
from lectern.documents.images.service import PageImageService
from lectern.embeddings.active import get_current_model
from lectern.search.schemas import Hit
from lectern.search.service import SearchEngine
from lectern.settings import AnswersSettings, Settings

MOST_NEAREST = 3


SaveAnswer: TypeAlias = Callable[[Session, Scope, AnswerResponse, Collection[uuid.UUID]], Awaitable[AnswerResponse]]
"""Keeps an answer in the asker's history, with the documents that it names beyond those it shows: the response with its
id."""


@dataclass(frozen=True, slots=True)
class AnswerService:
    """What answering needs of the process."""

    engine: SearchEngine
    settings: AnswersSettings = field(default_factory=AnswersSettings)
    endpoint: Chat | None = None
    save: SaveAnswer | None = None
    sight: Sight | None = None

    async def ask(self, request: AnswerRequest, scope: Scope) -> AnswerResponse:
        """The answer.

        Raises:
            UnknownReference: A filter names what does not exist in scope.
            ModelUnavailable, ModelTimeout, ModelRejected, ModelUnreadable: The chat endpoint, where there is one, does
                not answer; sentences of the documents are not offered in its place.
        """
        last = [event async for event in self.events(request, scope)][-1]
        assert isinstance(last, AnswerResponse)
        return last

    async def events(self, request: AnswerRequest, scope: Scope) -> AsyncGenerator[AnswerEvent]:
        """The answer as it comes about; the last event is the whole of it. Raises what `ask` raises."""
        begun = time.perf_counter()
        language = detect_language(request.question, languages=self.engine.languages, otherwise="") or None
        question = understand(request.question, language=language)
        found = await retrieve(request, question, engine=self.engine, scope=scope)
        yield RetrievalEvent(
            retrieved_count=len(found.all_hits),
            sources=sources(found.all_hits),
            document_filter=list(found.document_filter),
            coverage=found.coverage,
        )
        outcome = await self._counted(request, question, found=found, scope=scope)
        hits = found.hits if outcome or self.endpoint is None else await self._about(question, found.hits, scope=scope)
        asked = Asked(question=question, hits=hits, named=request.all_documents)
        if outcome is None and self.endpoint is not None and (found.hits or self._may_show(asked, found)):
            writing = Writing(
                endpoint=self.endpoint,
                engine=self.engine,
                scope=scope,
                max_source_tokens=self.settings.max_source_tokens,
            )
            async for event in write(writing, asked, sight=self.sight):
                yield event if isinstance(event, Citation) else _token(event)
            outcome = writing.outcome
        else:
            outcome = outcome or await self._extracted(question, found, scope=scope)
            for event in _told(outcome):
                yield event
        response = _response(request, found, outcome, total_ms=(time.perf_counter() - begun) * 1000)
        if request.save and self.save is not None:
            async with self.engine.database.session(scope) as session:
                response = await self.save(session, scope, response, found.filter_ids)
        yield response

    async def close(self) -> None:
        """Close the connections to the endpoint."""
        if self.endpoint is not None:
            await self.endpoint.close()

    async def _about(self, question: Question, hits: Sequence[Hit], *, scope: Scope) -> tuple[Hit, ...]:
        """What a model is told: passages about whom the question names."""
        if not question.names:
            return tuple(hits)
        async with self.engine.database.session(scope) as session:
            return await about_the_named(session, question.names, hits)

    def _may_show(self, asked: Asked, found: Retrieved) -> bool:
        """Whether nothing was found by its text, in documents that are named: they may have pages without any."""
        return self.sight is not None and bool(asked.named) and not found.all_hits

    async def _counted(
        self, request: AnswerRequest, question: Question, *, found: Retrieved, scope: Scope
    ) -> Outcome | None:
        async with self.engine.database.session(scope) as session:

            async def is_wanted(document_id: uuid.UUID) -> bool:
                return await is_left(session, request, document_id)

            told = await answer_by_counting(
                session, question, documents=request.all_documents, hits=found.all_hits, is_wanted=is_wanted
            )
        return told and Outcome(mode="count", sentences=told.sentences, citations=told.citations)

    async def _extracted(self, question: Question, found: Retrieved, *, scope: Scope) -> Outcome:
        best: list[Candidate] = []
        missing: list[str] = []
        likeliest = 0.0
        for hits in found.groups:
            candidates = await best_sentences(
                question, hits, confidence=found.confidence, provider=get_current_model(self.engine.provider)
            )
            likeliest = max([likeliest, *(candidate.probability for candidate in candidates[:1])])
            if candidates and candidates[0].is_enough:
                best += candidates
            elif hits and len(found.groups) > 1:
                missing.append(hits[0].document)
        if not best:
            return Outcome(mode="extractive", reason=_why_not(found), evidence=round(likeliest, 4))
        async with self.engine.database.session(scope) as session:
            citations = await cite(session, [Cited(one.hit, one.span) for one in best])
        sentences = [
            AnswerSentence(text=one.text, citations=[citation.number])
            for one, citation in zip(best, citations, strict=True)
        ]
        return Outcome(
            mode="extractive",
            sentences=sentences,
            citations=citations,
            evidence=round(likeliest, 4),
            missing=missing,
        )


def create_answer_service(
    settings: Settings, engine: SearchEngine, *, images: PageImageService, save: SaveAnswer | None = None
) -> AnswerService:
    """With the chat endpoint of the settings, where there is one. Raises ModelMisconfigured."""
    answers = settings.answers
    endpoint = _connect(answers) if answers.base_url or answers.model else None
    if not answers.vision_pages:
        return AnswerService(engine, answers, endpoint, save)
    if endpoint is None:
        raise ModelMisconfigured("LECTERN_ANSWERS_VISION_PAGES is set, and there is no chat endpoint to show pages to.")
    sight = Sight(
        database=engine.database,
        images=images,
        max_pages=answers.vision_pages,
        max_bytes=answers.vision_max_bytes,
    )
    return AnswerService(engine, answers, endpoint, save, sight)


def _connect(settings: AnswersSettings) -> Chat:
    from lectern.answers.generation.endpoint import (
        ChatEndpoint,  # a fourth of the start of a process that does not use it
    )

    return ChatEndpoint(settings)


def _why_not(found: Retrieved) -> Reason:
    if found.is_contradicted:
        return "contradicted"
    return "weak_evidence" if found.hits else "nothing_found"


def _told(outcome: Outcome) -> list[AnswerEvent]:
    """Each sentence after the citations that it names for the first time."""
    by_number = {citation.number: citation for citation in outcome.citations}
    events: list[AnswerEvent] = []
    for sentence in outcome.sentences:
        events += [by_number.pop(number) for number in sentence.citations if number in by_number]
        events.append(_token(sentence))
    return events


def _token(sentence: AnswerSentence) -> TokenEvent:
    return TokenEvent(text=sentence.text, citations=sentence.citations)


def _response(request: AnswerRequest, found: Retrieved, outcome: Outcome, *, total_ms: float) -> AnswerResponse:
    is_found = bool(outcome.sentences)
    answer = Answer(
        id=None,
        question=request.question,
        answer=" ".join(sentence.text for sentence in outcome.sentences),
        answer_found=is_found,
        sentences=outcome.sentences,
        citations=outcome.citations,
        retrieved_count=len(found.all_hits),
        document_filter=list(found.document_filter),
        nearest=[] if is_found else sources(found.all_hits[:MOST_NEAREST]),
    )
    metadata = AnswerMetadata(
        mode=outcome.mode,
        model=outcome.model,
        reason=outcome.reason,
        confidence=found.confidence,
        evidence=outcome.evidence,
        dropped_sentences=outcome.dropped_sentences,
        dropped_labels=outcome.dropped_labels,
        is_vision_used=outcome.vision is not None and outcome.vision.status in {"answered", "abstained"},
        vision=outcome.vision,
        structured_output=outcome.structured,
        usage=outcome.usage,
        coverage=found.coverage,
        took_ms=AnsweringTook(
            retrieval=round(found.took_ms, 3),
            answering=round(total_ms - found.took_ms, 3),
            total=round(total_ms, 3),
        ),
    )
    message = messages.compose(
        outcome.mode,
        outcome.reason,
        coverage=found.coverage,
        missing=outcome.missing,
        dropped_sentences=outcome.dropped_sentences,
        vision=outcome.vision,
        is_uncounted=outcome.mode != "count" and counted(request.question) is not None,
    )
    return AnswerResponse(data=answer, metadata=metadata, message=message)
