"""Runner that asks labelled questions and judges the answers."""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from lectern.answers.errors import ModelRejected, ModelTimeout, ModelUnavailable, ModelUnreadable
from lectern.answers.schemas import AnswerRequest, AnswerResponse, Citation
from lectern.answers.service import AnswerService
from lectern.answers.trace import StepsChoice
from lectern.db.scope import SYSTEM_SCOPE, Scope
from lectern.documents.errors import UnknownDocument
from lectern.evaluation.answer_quality.judges import Judge, TokenJudge
from lectern.evaluation.answer_quality.results import AnswerResult, AnswerRun, Verdict, conclude
from lectern.evaluation.relevance import is_relevant_document
from lectern.evaluation.runner import list_labelled_copies
from lectern.evaluation.sets import LabelledQuestion
from lectern.search.schemas import MAX_QUERY_CHARACTERS

logger = logging.getLogger(__name__)
_FAILURES = (ModelUnavailable, ModelTimeout, ModelUnreadable, UnknownDocument)


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerEvaluation:
    """Asks questions without saving them, and judges the answers."""

    service: AnswerService
    judge: Judge = field(default_factory=TokenJudge)
    top_k: int = 8
    steps: StepsChoice = "auto"
    scope: Scope = SYSTEM_SCOPE

    async def run(
        self, questions: Sequence[LabelledQuestion], *, runs: int = 1, progress: Callable[[], None] | None = None
    ) -> AnswerRun:
        """Ask every question `runs` times, one at a time.

        A question with the scope "document" is asked of its documents. One for which the endpoint fails, or whose
        document is missing, counts as unanswered, with its error.

        Raises:
            ModelRejected: The chat endpoint, or that of the judge, rejects all requests.
        """
        copies = await list_labelled_copies(self.service.engine, questions, self.scope)
        results: list[AnswerResult] = []
        for number in range(1, runs + 1):
            for question in questions:
                results.append(await self._ask(question, number, copies))
                if progress:
                    progress()
        chat = self.service.chat
        settings: dict[str, str | int | float | bool | None] = {
            "model": chat.model if chat else None,
            "judge": self.judge.name,
            "top_k": self.top_k,
            "steps": self.steps,
            "runs": runs,
            "embeddings": self.service.engine.provider.info.id,
        }
        return conclude(results, settings=settings)

    async def _ask(self, question: LabelledQuestion, run: int, copies: Mapping[str, str]) -> AnswerResult:
        request = AnswerRequest(
            question=question.text[:MAX_QUERY_CHARACTERS],
            top_k=self.top_k,
            steps=self.steps,
            documents=sorted(question.documents) if question.is_about_document else [],
            save=False,
        )
        try:
            response = await self.service.ask(request, self.scope)
            verdict = await self._verdict(question, response)
        except ModelRejected:
            raise
        except _FAILURES as error:
            logger.warning("A question could not be answered", extra={"code": error.code, "question": question.id})
            return _result(question, run, error=error.code)
        cited = [
            one.model_copy(update={"document": copies.get(one.document, one.document)})
            for one in response.data.citations
        ]
        return _result(question, run, response=response, cited=cited, verdict=verdict)

    async def _verdict(self, question: LabelledQuestion, response: AnswerResponse) -> Verdict | None:
        if not response.data.answer_found:
            return None
        if not question.is_answerable:
            return "wrong"
        if not question.answer:
            return "unlabelled"
        is_right = await self.judge.is_right(question.text, expected=question.answer, answer=response.data.answer)
        return "right" if is_right else "wrong"


def _result(
    question: LabelledQuestion,
    run: int,
    *,
    response: AnswerResponse | None = None,
    cited: Sequence[Citation] = (),
    verdict: Verdict | None = None,
    error: str | None = None,
) -> AnswerResult:
    usage = response.metadata.usage if response else None
    trace = response.metadata.trace if response else None
    refusal = trace.calculation.refusal if trace and trace.calculation else None
    is_placed = bool(cited) and question.is_answerable and bool(question.documents)
    return AnswerResult(
        run=run,
        id=question.id,
        set_name=question.set_name,
        question=question.text,
        type=question.type,
        language=question.language,
        is_answerable=question.is_answerable,
        expected=question.answer,
        answer=response.data.answer if response else "",
        verdict=verdict,
        mode=response.metadata.mode if response else "failed",
        reason=response.metadata.reason if response else None,
        is_document_cited=any(is_relevant_document(question, one.document) for one in cited) if is_placed else None,
        is_page_cited=any(_is_on_page(question, one) for one in cited) if is_placed and question.pages else None,
        requests=usage.requests if usage else 0,
        tokens=usage.prompt_tokens + usage.completion_tokens if usage else 0,
        took_ms=response.metadata.took_ms.total if response else 0.0,
        error=error,
        route=trace.route if trace else None,
        route_reason=trace.route_reason if trace else None,
        step_seconds=[round(step.seconds - step.model_seconds, 4) for step in trace.steps] if trace else [],
        is_calculated=trace is not None and trace.calculation is not None and refusal is None,
        refusal=refusal.code if refusal else trace.stopped_by if trace else None,
    )


def _is_on_page(question: LabelledQuestion, citation: Citation) -> bool:
    pages = range(citation.page_number, citation.last_page_number + 1)
    return is_relevant_document(question, citation.document) and not question.pages.isdisjoint(pages)
