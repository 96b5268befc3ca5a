"""What an answer means and what to do next (pure)."""

from collections.abc import Sequence

from lectern.answers.asking.schemas import Mode, Reason
from lectern.search.schemas import Coverage

_FOUND: dict[Mode, str] = {
    "model": "Answered by the language model; every sentence was held against the passage it cites.",
    "extractive": "Answered with sentences of the documents, word for word.",
    "count": "Counted over the full text of the document.",
}
_ABSENT: dict[Reason, str] = {
    "nothing_found": "No passage was found for this question.",
    "weak_evidence": "The documents do not answer this; `nearest` shows the passages that come nearest.",
    "contradicted": "The passages found speak of other years than the question.",
    "model_abstained": "The language model finds no answer in the passages; `nearest` shows them.",
    "unsupported": "What the language model said does not stand in the passages, so it is not shown.",
}


def compose(
    mode: Mode, reason: Reason | None, *, coverage: Coverage, missing: Sequence[str] = (), dropped_sentences: int = 0
) -> str:
    """One to four sentences; what was not searched is named, since an answer may stand there."""
    parts = [_ABSENT[reason] if reason else _FOUND[mode]]
    if dropped_sentences and not reason:
        count = f"{dropped_sentences} sentence{'s' if dropped_sentences > 1 else ''}"
        parts.append(f"{count} of the model left out: no passage that it named says so.")
    if missing:
        parts.append(f"Nothing was found in {', '.join(missing)}.")
    if coverage.documents_processing:
        parts.append(f"Still being indexed and not searched: {coverage.documents_processing} documents.")
    if coverage.pages_unreadable:
        parts.append(f"Pages that could not be read: {coverage.pages_unreadable}.")
    if reason:
        parts.append("Ask in other words, for one thing at a time, or name the document.")
    return " ".join(parts)
