"""What an answer means and what to do next (pure)."""

from collections.abc import Sequence

from lectern.answers.schemas import Mode, Reason, Vision, VisionStatus
from lectern.search.schemas import Coverage

_FOUND: dict[Mode, str] = {
    "model": "Answered by the language model; every sentence was held against the passage it cites.",
    "extractive": "Answered with sentences of the documents, word for word.",
    "count": "Counted over the full text of the document.",
}
_ABSENT: dict[Reason, str] = {
    "nothing_found": "No passage was found for this question.",
    "weak_evidence": "The documents do not answer this; `nearest` shows the passages that come nearest.",
    "contradicted": "The passages found speak of other years or companies than the question.",
    "model_abstained": "The language model finds no answer in the passages; `nearest` shows them.",
    "unsupported": "What the language model said is not in the passages, or repeats the question; it is not shown.",
}


_SEEN: dict[VisionStatus, str] = {
    "answered": "The text gave no answer, so it was shown pictures of {pages}: what citations with basis `picture` "
    "say was read off them and held against nothing, so look at the page.",
    "abstained": "Pictures of {pages} were read too.",
    "refused": "Pictures of {pages} were not read: {detail}",
    "failed": "Pictures of {pages} gave no answer: {detail}",
    "no_pages": "No page could be shown to it as a picture.",
}
_BY_PICTURE = "Answered by the language model."


def compose(
    mode: Mode,
    reason: Reason | None,
    *,
    coverage: Coverage,
    missing: Sequence[str] = (),
    dropped_sentences: int = 0,
    vision: Vision | None = None,
    is_uncounted: bool = False,
) -> str:
    """A few sentences; what was not searched is named, since an answer may stand there."""
    is_seen = vision is not None and vision.status == "answered"
    parts = [_ABSENT[reason] if reason else _BY_PICTURE if is_seen else _FOUND[mode]]
    if vision:
        parts.append(_looked(vision))
    if dropped_sentences and not reason:
        count = f"{dropped_sentences} sentence{'s' if dropped_sentences > 1 else ''}"
        parts.append(f"{count} of the model left out: no passage that it named says so, or it repeats the question.")
    if missing:
        parts.append(f"Nothing was found in {', '.join(missing)}.")
    if coverage.documents_processing:
        parts.append(f"Still being processed, and not yet searched in full: {coverage.documents_processing}.")
    if coverage.pages_unreadable:
        parts.append(f"Pages that could not be read: {coverage.pages_unreadable}.")
    if is_uncounted:
        parts.append("Nothing was counted: name the one document to count in, in the request or by its whole filename.")
    elif reason:
        parts.append("Ask in other words, for one thing at a time, or name the document.")
    return " ".join(parts)


def _looked(vision: Vision) -> str:
    count = len(vision.pages)
    detail = vision.problem.detail if vision.problem else ""
    said = _SEEN[vision.status].format(pages=f"{count} page{'s' if count != 1 else ''}", detail=detail)
    return f"{said} Left out: {len(vision.skipped_pages)}." if vision.skipped_pages else said
