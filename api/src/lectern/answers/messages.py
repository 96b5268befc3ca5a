"""Messages about an answer: what happened, and what to do next (pure)."""

from collections.abc import Sequence
from typing import Final

from lectern.answers.schemas import Mode, Outcome, Reason, Vision, VisionStatus
from lectern.answers.trace import AnswerTrace, RouteReason
from lectern.search.schemas import Coverage

_ANSWERED: dict[Mode, str] = {
    "model": "Answered by the language model. Each sentence was checked against the passage it cites.",
    "extractive": "Answered with exact sentences from the documents.",
    "count": "Counted over the full text of the document.",
}
_NO_ANSWER: dict[Reason, str] = {
    "nothing_found": "There are no passages to answer from.",
    "weak_evidence": "No single sentence answers this with certainty.",
    "underspecified": "The question is too general.",
    "contradicted": "The passages found are about other years or names than the question.",
    "ambiguous_document": "Several documents may be meant: {documents}. Name one in the question or the request.",
    "model_abstained": "The language model found no answer in the passages.",
    "not_calculated": "The passages have the data, but the answer must be calculated or found by comparing rows.",
    "budget_exhausted": "The answer was stopped, because a limit was reached.",
    "unsupported": "The passages do not support the language model's answer, or it repeats the question.",
}
_CLOSEST: Final = "The closest passages may hold the answer: read them."
_NOTHING_FOUND: Final = "Nothing found: no passage seems to be about this question."
_NEXT_STEPS: dict[Reason, str] = {
    "nothing_found": "Add documents, or remove filters.",
    "underspecified": "Name the thing, the person or the document.",
    "contradicted": "Check the years and names in the question.",
    "ambiguous_document": "",  # the reason says it
    "not_calculated": "Read the closest passages, and calculate it or compare their rows.",
}
_NEXT_STEP: Final = "Rephrase the question, ask for one thing at a time, or name the document."
_NEXT_STEP_ELSEWHERE: Final = "Use other words, or add a document about it."
_VISION: dict[VisionStatus, str] = {
    "answered": "The text gave no answer, so the model read images of {pages}. Citations with basis `image` were not "
    "checked against any text: look at the page.",
    "abstained": "The model read images of {pages} too.",
    "refused": "Images of {pages} were not read: {detail}",
    "failed": "Images of {pages} gave no answer: {detail}",
    "no_pages": "No page could be shown as an image.",
}
_SINGLE_STEP: dict[RouteReason, str] = {
    "unusable_plan": "Answered in one step: the language model made no usable plan.",
    "no_chat_endpoint": "Answered in one step: there is no chat endpoint.",
}
_ANSWERED_BY_IMAGE = "Answered by the language model."


def compose(
    mode: Mode,
    outcome: Outcome,
    reason: Reason | None,
    *,
    coverage: Coverage,
    missing: Sequence[str] = (),
    rivals: Sequence[str] = (),
    unread: Sequence[str] = (),
    dropped_sentences: int = 0,
    vision: Vision | None = None,
    is_uncounted: bool = False,
    trace: AnswerTrace | None = None,
    is_stepwise: bool = False,
) -> str:
    """Return a few sentences, with everything that was not searched. `is_stepwise`: the request asks for steps."""
    is_by_image = vision is not None and vision.status == "answered"
    parts = [_describe_missing(outcome, reason) if reason else _ANSWERED_BY_IMAGE if is_by_image else _ANSWERED[mode]]
    parts[0] = parts[0].replace("{documents}", ", ".join(rivals))
    parts += _describe_trace(trace, is_stepwise=is_stepwise) if trace else []
    if vision:
        parts.append(_describe_vision(vision))
    if dropped_sentences and not reason:
        count = f"{dropped_sentences} sentence{'s' if dropped_sentences > 1 else ''}"
        parts.append(f"{count} of the model left out: unsupported, or a repetition of the question.")
    if missing:
        parts.append(f"Nothing found in {', '.join(missing)}.")
    parts += describe_coverage(coverage, is_answered=reason is None)
    if is_uncounted:
        parts.append("Nothing was counted: name the one document to count in, in the request or by its whole filename.")
    elif unread:
        parts.append(f"Nothing was counted in {', '.join(unread)}: no text could be read. The status says why.")
    elif reason:
        parts.append(_describe_next_step(outcome, reason))
    return " ".join(filter(None, parts))


def describe_coverage(coverage: Coverage, *, is_answered: bool) -> list[str]:
    """Say what was not searched. Failed documents matter only if there is no answer."""
    parts: list[str] = []
    if coverage.documents_processing:
        parts.append(f"Documents still processing, not yet searched in full: {coverage.documents_processing}.")
    if coverage.documents_failed and not is_answered:
        parts.append(f"Documents that could not be read: {coverage.documents_failed}.")
    if coverage.pages_unreadable:
        parts.append(f"Pages that could not be read: {coverage.pages_unreadable}.")
    return parts


def _describe_trace(trace: AnswerTrace, *, is_stepwise: bool) -> list[str]:
    """Describe why nothing was calculated, which limit was reached, or why there are no steps."""
    refusal = trace.calculation.refusal if trace.calculation else None
    parts = [refusal.detail] if refusal else []
    if trace.stopped_by:
        parts.append(f"Limit: {trace.stopped_by}.")
    if trace.route_reason == "unusable_plan" or (is_stepwise and trace.route_reason in _SINGLE_STEP):
        parts.append(_SINGLE_STEP[trace.route_reason])
    return parts


def _describe_missing(outcome: Outcome, reason: Reason) -> str:
    """Say no more than what is known: a low confidence, or that the passages give no certain answer."""
    if reason == "not_calculated":
        return _NO_ANSWER[reason]
    if outcome == "closest_passages":
        return f"{_NO_ANSWER[reason]} {_CLOSEST}"
    return _NO_ANSWER[reason] if reason in {"nothing_found", "contradicted", "underspecified"} else _NOTHING_FOUND


def _describe_next_step(outcome: Outcome, reason: Reason) -> str:
    """Say what to do: what the reason asks for, or to search with other words."""
    is_elsewhere = outcome == "nothing_found" and reason not in _NEXT_STEPS
    return _NEXT_STEP_ELSEWHERE if is_elsewhere else _NEXT_STEPS.get(reason, _NEXT_STEP)


def _describe_vision(vision: Vision) -> str:
    count = len(vision.pages)
    detail = vision.problem.detail if vision.problem else ""
    text = _VISION[vision.status].format(pages=f"{count} page{'s' if count != 1 else ''}", detail=detail)
    return f"{text} Skipped pages: {len(vision.skipped_pages)}." if vision.skipped_pages else text
