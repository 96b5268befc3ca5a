"""Answers to questions: retrieve chunks, answer in one of three modes, cite, save."""

import time
import uuid
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field

from lectern.answers import messages
from lectern.answers.citations import AnswerDraft
from lectern.answers.closest import list_closest_passages, mark_sentences
from lectern.answers.counting import answer_by_counting, parse_count_query
from lectern.answers.entities import drop_documents_about_other_entities
from lectern.answers.errors import ModelMisconfigured
from lectern.answers.extractive.answer import extract_answer
from lectern.answers.follow_ups.carry_over import repeats_last_answer
from lectern.answers.follow_ups.rewriting import rewrite
from lectern.answers.follow_ups.threads import NO_THREAD, AskedQuestion, Thread
from lectern.answers.generation.chat import Chat
from lectern.answers.generation.vision import PageImageSource, QuestionContext, write_answer
from lectern.answers.generation.writer import AnswerWriter
from lectern.answers.history.service import open_thread, save_answer
from lectern.answers.questions import Question, parse_question
from lectern.answers.retrieval import RetrievalResult, matches_filters, retrieve, to_source
from lectern.answers.schemas import (
    Answer,
    AnswerEvent,
    AnsweringTook,
    AnswerMetadata,
    AnswerRequest,
    AnswerResponse,
    Citation,
    ClosestSource,
    RetrievalEvent,
    TokenEvent,
    add_usage,
)
from lectern.answers.steps.budget import BudgetMeter, StepBudget
from lectern.answers.steps.routing import RouteDecision, choose_route
from lectern.answers.steps.runner import StepsRunner
from lectern.answers.trace import AnswerTrace
from lectern.db.scope import Scope
from lectern.documents.images.service import PageImageService
from lectern.embeddings.active import get_current_model
from lectern.search.service import SearchEngine
from lectern.settings import AnswersSettings, Settings


@dataclass(frozen=True, slots=True)
class AnswerService:
    """Answers questions in one of three modes.

    `count`: counts over the full text. `model`: written by the chat endpoint, if there is one. `extractive`: sentences
    quoted from the documents.
    """

    engine: SearchEngine
    settings: AnswersSettings = field(default_factory=AnswersSettings)
    chat: Chat | None = None
    page_images: PageImageSource | None = None
    budget: StepBudget = field(default_factory=StepBudget)

    async def ask(self, request: AnswerRequest, scope: Scope) -> AnswerResponse:
        """Answer a question.

        Raises:
            QueryWithoutWords: The question has no word or number.
            UnknownReference: A filter names something that does not exist in scope.
            ThreadNotFound: The actor has no such thread.
            ModelUnavailable, ModelTimeout, ModelRejected, ModelUnreadable: The chat endpoint does not answer. There is
                no fallback to the extractive mode.
        """
        last = [event async for event in self.events(request, scope)][-1]
        assert isinstance(last, AnswerResponse)
        return last

    async def events(
        self, request: AnswerRequest, scope: Scope, *, thread: Thread = NO_THREAD
    ) -> AsyncGenerator[AnswerEvent]:
        """Yield the answer as it is made. The last event is the whole response. Raises what `ask` raises."""
        started = time.perf_counter()
        asked = await self._read_thread(request, scope, thread)
        request = asked.request
        question = parse_question(self.engine.analyze(request.question))
        retrieved = await retrieve(request, question, engine=self.engine, scope=scope)
        yield RetrievalEvent(
            rewritten_question=asked.rewritten_question,
            retrieved_count=len(retrieved.all_hits),
            sources=[to_source(hit) for hit in retrieved.all_hits],
            document_filter=list(retrieved.document_filter),
            coverage=retrieved.coverage,
        )
        draft = await self._count(request, question, retrieved, scope)
        trace = self._trace(request, question, retrieved, is_count=draft is not None)
        writer = self._writer(scope)
        if writer and trace.route == "multi_step":
            meter = BudgetMeter(self.budget)
            runner = StepsRunner(writer=writer, request=request, question=question, trace=trace, meter=meter)
            async for event in runner.events():
                yield event
            retrieved = runner.extend(retrieved) if trace.route == "multi_step" else retrieved
            draft = writer.draft if trace.route == "multi_step" else None
        if draft is None and writer and self._can_generate(request, retrieved):
            async for event in self._generate(writer, request, question, retrieved):
                yield event
            draft = writer.draft
        elif trace.route == "single_step":
            draft = draft or await extract_answer(question, retrieved, engine=self.engine, scope=scope)
            if draft.sentences and repeats_last_answer(asked, question, [each.text for each in draft.sentences]):
                draft = AnswerDraft(mode=draft.mode, reason="weak_evidence", closest=draft.closest)
            for event in draft.events():
                yield event
        assert draft is not None
        closest = [] if draft.sentences else await self._closest(question, retrieved, draft, scope)
        total_ms = (time.perf_counter() - started) * 1000
        response = _response(asked, retrieved, draft, closest, trace=trace, total_ms=total_ms)
        yield await self._saved(asked, response, retrieved, scope)

    async def close(self) -> None:
        """Close the connections to the chat endpoint."""
        if self.chat is not None:
            await self.chat.close()

    async def _read_thread(self, request: AnswerRequest, scope: Scope, thread: Thread) -> AskedQuestion:
        """Rewrite a follow-up question, and add the filters of its thread."""
        if request.thread_id is not None:
            async with self.engine.database.session(scope) as session:
                thread = await open_thread(session, scope, request.thread_id)
        return await rewrite(request, thread, chat=self.chat)

    def _writer(self, scope: Scope) -> AnswerWriter | None:
        return AnswerWriter(self.chat, self.engine, scope, self.settings.max_source_tokens) if self.chat else None

    def _trace(
        self, request: AnswerRequest, question: Question, retrieved: RetrievalResult, *, is_count: bool
    ) -> AnswerTrace:
        is_set, has_hits = self.chat is not None, bool(retrieved.all_hits)
        decision = choose_route(question, request.steps, is_endpoint_set=is_set, has_hits=has_hits)
        if is_count:
            decision = RouteDecision("single_step", "count")
        return AnswerTrace(route=decision.route, route_reason=decision.reason)

    async def _count(
        self, request: AnswerRequest, question: Question, retrieved: RetrievalResult, scope: Scope
    ) -> AnswerDraft | None:
        async with self.engine.database.session(scope) as session:

            async def is_included(document_id: uuid.UUID) -> bool:
                return await matches_filters(session, request, document_id)

            return await answer_by_counting(
                session,
                question,
                documents=request.all_documents,
                hits=retrieved.all_hits,
                matches_filters=is_included,
            )

    def _can_generate(self, request: AnswerRequest, retrieved: RetrievalResult) -> bool:
        """Return True if there is something to show the model: chunks, or scanned pages of named documents."""
        has_pages = self.page_images is not None and bool(request.all_documents) and not retrieved.all_hits
        return bool(retrieved.hits) or has_pages

    async def _generate(
        self, writer: AnswerWriter, request: AnswerRequest, question: Question, retrieved: RetrievalResult
    ) -> AsyncGenerator[Citation | TokenEvent]:
        hits = retrieved.hits
        if question.names:
            async with self.engine.database.session(writer.scope) as session:
                hits = await drop_documents_about_other_entities(session, question, hits)
        context = QuestionContext(question=question, hits=hits, documents=request.all_documents)
        async for event in write_answer(writer, context, page_images=self.page_images):
            yield (event if isinstance(event, Citation) else TokenEvent(text=event.text, citations=event.citations))
        if writer.draft.reason == "nothing_found" and retrieved.all_hits:
            writer.draft.reason = "contradicted"

    async def _closest(
        self, question: Question, retrieved: RetrievalResult, draft: AnswerDraft, scope: Scope
    ) -> list[ClosestSource]:
        """Return the closest passages. If the model gave no answer, the best sentences still say how sure that is."""
        if draft.mode == "model":
            quoted = await extract_answer(question, retrieved, engine=self.engine, scope=scope)
            draft.confidence, draft.evidence, draft.closest = quoted.confidence, quoted.evidence, quoted.closest
        provider = get_current_model(self.engine.provider)
        hits = retrieved.all_hits
        sentences = await mark_sentences(question.text, hits, scored=draft.closest, provider=provider)
        async with self.engine.database.session(scope) as session:
            return await list_closest_passages(session, hits, sentences=sentences)

    async def _saved(
        self, asked: AskedQuestion, response: AnswerResponse, retrieved: RetrievalResult, scope: Scope
    ) -> AnswerResponse:
        if not asked.request.save:
            return response
        async with self.engine.database.session(scope) as session:
            return await save_answer(session, scope, response, asked, retrieved.filter_ids | asked.carried_ids)


def create_answer_service(settings: Settings, engine: SearchEngine, *, images: PageImageService) -> AnswerService:
    """Create the service, with the chat endpoint of the settings if there is one. Raises ModelMisconfigured."""
    answers = settings.answers
    chat = _connect(answers) if answers.base_url or answers.model else None
    if not answers.vision_pages:
        return AnswerService(engine, answers, chat)
    if chat is None:
        raise ModelMisconfigured("LECTERN_ANSWERS_VISION_PAGES is set, but there is no chat endpoint.")
    page_images = PageImageSource(
        database=engine.database,
        images=images,
        max_pages=answers.vision_pages,
        max_bytes=answers.vision_max_bytes,
    )
    return AnswerService(engine, answers, chat, page_images)


def _connect(settings: AnswersSettings) -> Chat:
    from lectern.answers.generation.endpoint import ChatEndpoint  # importing it takes a fourth of the start-up time

    return ChatEndpoint(settings)


def _response(
    asked: AskedQuestion,
    retrieved: RetrievalResult,
    draft: AnswerDraft,
    closest: list[ClosestSource],
    *,
    trace: AnswerTrace,
    total_ms: float,
) -> AnswerResponse:
    is_open = bool(trace.evidence) or draft.reason in {"not_calculated", "budget_exhausted"}
    confidence = retrieved.confidence if draft.confidence is None else draft.confidence
    outcome = retrieved.outcome_without_answer(confidence)
    if draft.sentences or (is_open and retrieved.all_hits):
        outcome = "answered" if draft.sentences else "closest_passages"
    answer = Answer(
        id=None,
        question=asked.original,
        rewritten_question=asked.rewritten_question,
        answer=" ".join(sentence.text for sentence in draft.sentences),
        outcome=outcome,
        answer_found=outcome == "answered",
        sentences=draft.sentences,
        citations=draft.citations,
        retrieved_count=len(retrieved.all_hits),
        document_filter=list(retrieved.document_filter),
        nearest=closest,
    )
    message = messages.compose(
        draft.mode,
        outcome,
        draft.reason,
        coverage=retrieved.coverage,
        missing=draft.missing,
        rivals=draft.rivals,
        unread=draft.unread,
        dropped_sentences=draft.dropped_sentences,
        vision=draft.vision,
        is_uncounted=draft.mode != "count" and parse_count_query(asked.request.question) is not None,
        trace=trace,
        is_stepwise=asked.request.steps == "always",
    )
    metadata = _metadata(asked, retrieved, draft, confidence=confidence, trace=trace, total_ms=total_ms)
    return AnswerResponse(data=answer, metadata=metadata, message=message)


def _metadata(
    asked: AskedQuestion,
    retrieved: RetrievalResult,
    draft: AnswerDraft,
    *,
    confidence: float | None,
    trace: AnswerTrace,
    total_ms: float,
) -> AnswerMetadata:
    return AnswerMetadata.from_row(
        draft,
        confidence=confidence,
        is_vision_used=draft.vision is not None and draft.vision.status in {"answered", "abstained"},
        structured_output=draft.structured,
        usage=add_usage(asked.usage, draft.usage),
        coverage=retrieved.coverage,
        trace=trace,
        took_ms=AnsweringTook(
            retrieval=round(retrieved.took_ms, 3),
            answering=round(total_ms - retrieved.took_ms, 3),
            total=round(total_ms, 3),
        ),
    )
