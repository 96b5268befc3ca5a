"""Run of an answer in several steps: plan, searches, cells, calculation, draft."""

import secrets
import time
from collections.abc import AsyncGenerator, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, zip_longest
from typing import Final

from lectern.answers.citations import CitedSpan, cite
from lectern.answers.entities import drop_documents_about_other_entities
from lectern.answers.errors import ModelUnreadable
from lectern.answers.generation.prompt import Prompt
from lectern.answers.generation.writer import AnswerWriter, distinct_hits
from lectern.answers.questions import Question, parse_question
from lectern.answers.retrieval import RetrievalResult, search_for_step
from lectern.answers.schemas import AnswerRequest, Citation, TokenEvent
from lectern.answers.steps.amounts import scale_name
from lectern.answers.steps.arithmetic import Calculator
from lectern.answers.steps.budget import BudgetExhausted, BudgetMeter, ModelCall
from lectern.answers.steps.calculated import CalculatedFigures, describe, exact_text
from lectern.answers.steps.cells import VerifiedCell, group_amounts, make_cells_prompt, read_cells, verify_cell
from lectern.answers.steps.expression import Expression
from lectern.answers.steps.plan import MAX_SEARCHES, PlannedSearch, StepPlan, UnusablePlan, make_plan_prompt, read_plan
from lectern.answers.steps.refusals import CalculationRefused, CellRejected
from lectern.answers.steps.routing import calculation_rules
from lectern.answers.trace import (
    AnswerTrace,
    Calculation,
    CalculationLine,
    EvidenceCell,
    Refusal,
    RejectedCell,
    TraceStep,
)
from lectern.search.schemas import Hit

_PLAN_ATTEMPTS: Final = 2
_HITS_PER_SEARCH: Final = 4
_NONCE_BYTES: Final = 12


@dataclass(slots=True, kw_only=True)
class StepsRunner:
    """Answers one question in several steps. `writer.draft` and `trace` are complete when `events` has ended.

    Without a usable plan the route of the trace becomes `single_step`, and nothing is written.
    """

    writer: AnswerWriter
    request: AnswerRequest
    question: Question
    trace: AnswerTrace
    meter: BudgetMeter
    cells: list[VerifiedCell] = field(default_factory=list[VerifiedCell])
    _hits: list[tuple[Hit, ...]] = field(default_factory=list[tuple[Hit, ...]])
    _confidences: list[float] = field(default_factory=list[float])

    async def events(self) -> AsyncGenerator[TraceStep | Citation | TokenEvent]:
        """Yield each finished step, and the verified sentences with their citations.

        A used-up budget ends the answer; the trace names the limit. Raises what `Chat.stream` raises.
        """
        self.writer.draft.model = self.writer.chat.model
        try:
            async for event in self._run():
                yield event
        except BudgetExhausted as error:
            self.trace.stopped_by = error.limit
            self.writer.draft.reason = "budget_exhausted"

    def extend(self, retrieved: RetrievalResult) -> RetrievalResult:
        """Return the retrieval with the hits of all searches, first those with cells, and the highest confidence."""
        hits = distinct_hits([*(cell.hit for cell in self.cells), *retrieved.all_hits, *_alternate(self._hits)])
        known = [*self._confidences, *([] if retrieved.confidence is None else [retrieved.confidence])]
        return replace(retrieved, all_hits=tuple(hits), confidence=max(known, default=None))

    async def _run(self) -> AsyncGenerator[TraceStep | Citation | TokenEvent]:
        plan: StepPlan | None = None
        refused: str | None = None
        for _ in range(_PLAN_ATTEMPTS):
            plan, step = await self._plan(refused)
            yield self._add(step)
            if plan is not None:
                break
            refused = step.problem
        if plan is None:
            self.trace.route, self.trace.route_reason = "single_step", "unusable_plan"
            return
        for search in plan.searches:
            yield self._add(await self._search(search))
        expression = plan.parse()
        if expression is not None:
            yield self._add(await self._pick(plan.searches))
            yield self._add(self._calculate(expression))
            if self.trace.calculation is None or self.trace.calculation.refusal:
                self.writer.draft.reason = "not_calculated"
                return
        async for event in self._write():
            yield event

    def _add(self, step: TraceStep) -> TraceStep:
        self.trace.steps.append(step)
        return step

    async def _ask(self, call: ModelCall, prompt: Prompt) -> str:
        try:
            return await call.run(self.writer.chat, prompt, meter=self.meter)
        finally:
            self.writer.add_usage(call.exchange, ())

    async def _plan(self, refused: str | None) -> tuple[StepPlan | None, TraceStep]:
        started, call = time.perf_counter(), ModelCall()
        plan, problem, output = None, None, ""
        try:
            plan = read_plan(await self._ask(call, make_plan_prompt(self.question.text, refused=refused)))
            output = f"{len(plan.searches)} of at most {MAX_SEARCHES} searches; {plan.expression or 'no calculation'}"
        except UnusablePlan as error:
            problem = str(error)
        except ModelUnreadable as error:
            problem = error.message
        step = TraceStep(
            kind="plan",
            input=self.question.text,
            output=output,
            seconds=_since(started),
            model_seconds=round(call.seconds, 4),
            tokens=call.tokens,
            problem=problem,
        )
        return plan, step

    async def _search(self, search: PlannedSearch) -> TraceStep:
        self.meter.start_search()
        started = time.perf_counter()
        engine, scope = self.writer.engine, self.writer.scope
        question = parse_question(engine.analyze(search.query))
        hits, confidence = await search_for_step(self.request, question, engine=engine, scope=scope)
        if question.names:
            async with engine.database.session(scope) as session:
                hits = await drop_documents_about_other_entities(session, question, hits)
        self._hits.append(tuple(hits[:_HITS_PER_SEARCH]))
        self._confidences += [confidence] if confidence is not None else []
        documents = len({hit.document_id for hit in self._hits[-1]})
        return TraceStep(
            kind="search",
            input=f"{search.id}: {search.query}",
            output=f"passages of {documents} document{'' if documents == 1 else 's'}",
            hits=len(self._hits[-1]),
            seconds=_since(started),
        )

    async def _pick(self, searches: Sequence[PlannedSearch]) -> TraceStep:
        started, call = time.perf_counter(), ModelCall()
        prompt = make_cells_prompt(
            self.question.text,
            searches,
            distinct_hits(_alternate(self._hits)),
            nonce=secrets.token_hex(_NONCE_BYTES),
            max_source_tokens=self.writer.max_source_tokens,
        )
        problem = None
        if prompt.labels:
            try:
                problem = self._verify(await self._ask(call, prompt), prompt, {one.id for one in searches})
            except ModelUnreadable as error:
                problem = error.message
        self.trace.evidence = await self._cite()
        count = len(self.cells) + len(self.trace.rejected)
        return TraceStep(
            kind="cells",
            input=", ".join(search.id for search in searches),
            output=f"{len(self.cells)} of {count} figures are in the quoted place",
            seconds=_since(started),
            model_seconds=round(call.seconds, 4),
            tokens=call.tokens,
            problem=problem,
        )

    def _verify(self, reply: str, prompt: Prompt, searches: set[str]) -> str | None:
        """Verify the cells of a reply. Return a problem with the whole reply."""
        try:
            picked = read_cells(reply)
        except ValueError:
            return "The model's cells are no JSON object."
        for one in dict.fromkeys(picked):
            try:
                self.cells.append(verify_cell(one, prompt.labels, searches=searches, number=len(self.cells) + 1))
            except CellRejected as error:
                hit = prompt.labels.get(one.source)
                rejected = RejectedCell(
                    search=one.search if one.search in searches else "",
                    code=error.code,
                    detail=error.detail,
                    document_id=hit and hit.document_id,
                    document=hit and hit.document,
                )
                self.trace.rejected.append(rejected)
        return None

    async def _cite(self) -> list[EvidenceCell]:
        async with self.writer.engine.database.session(self.writer.scope) as session:
            citations = await cite(session, [CitedSpan(cell.hit, cell.span) for cell in self.cells])
        return [_evidence(cell, citation) for cell, citation in zip(self.cells, citations, strict=True)]

    def _calculate(self, expression: Expression) -> TraceStep:
        started = time.perf_counter()
        calculator = Calculator(group_amounts(self.cells), calculation_rules(self.question))
        try:
            result = calculator.calculate(expression)
        except CalculationRefused as error:
            self.trace.calculation = _refused(expression, error)
            return TraceStep(
                kind="calculation", input=str(expression), output="", seconds=_since(started), problem=error.detail
            )
        used = tuple(cell for cell in self.cells if not result.cells or cell.id in _all_cells(calculator))
        self.writer.calculation = CalculatedFigures(used, tuple(calculator.lines))
        self.writer.draft.closest |= {cell.hit.chunk_id: cell.span for cell in reversed(used)}
        self.trace.calculation = Calculation(
            expression=str(expression),
            lines=[CalculationLine(expression=f"{line.operation}", result=describe(line)) for line in calculator.lines],
            value=exact_text(result.value),
            unit=result.unit,
            display=describe(calculator.lines[-1]).partition(": ")[2] if _is_order(calculator) else str(result),
            cells=[cell.id for cell in used],
            refusal=None,
        )
        output = self.trace.calculation.display or ""
        return TraceStep(kind="calculation", input=str(expression), output=output, seconds=_since(started))

    async def _write(self) -> AsyncGenerator[TraceStep | Citation | TokenEvent]:
        self.meter.check()
        started, draft = time.perf_counter(), self.writer.draft
        before = draft.usage
        hits = distinct_hits([*(cell.hit for cell in self.cells), *_alternate(self._hits)])
        if hits:
            async for event in self.writer.sentences(self.question.text, hits):
                yield (event if isinstance(event, Citation) else TokenEvent(text=event.text, citations=event.citations))
        else:
            draft.reason = "nothing_found"
        after = draft.usage
        tokens = (after.prompt_tokens + after.completion_tokens if after else 0) - (
            before.prompt_tokens + before.completion_tokens if before else 0
        )
        self.meter.tokens += tokens
        yield self._add(
            TraceStep(
                kind="draft",
                input=self.question.text,
                output=f"{len(draft.sentences)} verified, {draft.dropped_sentences} dropped",
                seconds=_since(started),
                model_seconds=round(self.writer.model_seconds, 4),
                tokens=tokens,
            )
        )


def _since(started: float) -> float:
    return round(time.perf_counter() - started, 4)


def _all_cells(calculator: Calculator) -> set[str]:
    return {cell for line in calculator.lines for amount in (line.result, *line.operands) for cell in amount.cells}


def _is_order(calculator: Calculator) -> bool:
    return bool(calculator.lines) and calculator.lines[-1].order is not None


def _alternate(groups: Iterable[Sequence[Hit]]) -> list[Hit]:
    """Return the first hit of each search, then the second, and so on."""
    return [hit for hit in chain.from_iterable(zip_longest(*groups)) if hit is not None]


def _refused(expression: Expression, error: CalculationRefused) -> Calculation:
    return Calculation(
        expression=str(expression),
        lines=[],
        value=None,
        unit=None,
        display=None,
        cells=[],
        refusal=Refusal(code=error.code, detail=error.detail),
    )


def _evidence(cell: VerifiedCell, citation: Citation) -> EvidenceCell:
    amount = cell.amount
    return EvidenceCell.from_row(
        citation,
        id=cell.id,
        search=cell.search,
        label=cell.label,
        value=cell.value,
        number=exact_text(amount.value),
        unit=amount.unit,
        scale=scale_name(amount.scale),
        period=" ".join(sorted(amount.periods)),
        quote=citation.snippet,
    )
