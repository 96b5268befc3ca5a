"""Which stage lost a passage, and what would bring it up (pure)."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from lectern.search.schemas import MAX_TOP_K
from lectern.search.why.schemas import Stage, SuggestedChange

DEEPEST: Final = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """A stage, its reason in a sentence, and the change."""

    stage: Stage
    reason: str
    change: SuggestedChange | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Where the expected passage stands: its ranks (None: not there), and how the search was made."""

    fused_rank: int | None
    semantic_rank: int | None
    keyword_rank: int | None
    language: str
    blind_languages: Sequence[str]
    top_k: int
    candidates: int
    is_hybrid: bool
    tokens_needed: int
    token_budget: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentState:
    """How far a document came."""

    document_id: uuid.UUID
    filename: str
    status: str
    error_message: str | None
    page_count: int
    chunk_count: int
    unreadable_page_count: int


def of_scope(filename: str, narrowing: Sequence[str]) -> Verdict:
    """The search did not look into the document."""
    fields = " and ".join(narrowing) or "the filters together"
    change = SuggestedChange(text=f"Search without {fields}.", field=narrowing[0] if len(narrowing) == 1 else None)
    return Verdict(stage="scope", reason=f"The search leaves {filename} out by {fields}.", change=change)


def of_document(state: DocumentState) -> Verdict | None:
    """The document has nothing that can be searched."""
    if state.chunk_count:
        return None
    if state.status == "failed":
        reason = f"{state.filename} could not be read: {state.error_message or 'it failed'}"
        change = SuggestedChange(text="Mend the file or give its password, and ingest it again.")
    elif state.status == "ready":
        return Verdict(
            stage="unreadable_page",
            reason=f"{state.filename} has no text that could be read.",
            change=SuggestedChange(text="Upload a file with text, or one that has been through text recognition."),
        )
    else:
        reason = f"{state.filename} is still being processed"
        change = SuggestedChange(text="Ask again when it is ready.")
    return Verdict(stage="not_ingested", reason=reason.rstrip(".") + ".", change=change)


def of_page(page_number: int, kind: str | None, *, page_count: int) -> Verdict | None:
    """The page has no passage; `kind` is None where there is no such page."""
    if kind is None:
        reason = f"The document has {page_count} pages; there is no page {page_number}."
        return Verdict(stage="not_in_document", reason=reason, change=SuggestedChange(text="Give another page."))
    change = SuggestedChange(text="Upload a version with text, or recognise the text of the scanned page.")
    if kind in {"unreadable", "empty"}:
        return Verdict(stage="unreadable_page", reason=f"No text could be read from page {page_number}.", change=change)
    return None


def of_page_without_passages(page_number: int, kind: str) -> Verdict:
    """The page has text, and none of it became a passage."""
    what = "is a table of contents" if kind == "toc" else "has only headers, footers or headings"
    return Verdict(
        stage="unreadable_page",
        reason=f"Page {page_number} {what}: nothing of it is searched.",
        change=SuggestedChange(text="Ask for the page that it points to."),
    )


def of_quote(*, is_in_text: bool, has_unreadable_pages: bool) -> Verdict:
    """No single passage holds the quote."""
    if is_in_text:
        return Verdict(
            stage="split_across_chunks",
            reason="The quote begins in one passage and ends in the next, so neither is as near to the question.",
            change=SuggestedChange(text="Ask for one half of it, or ingest the document again with larger passages."),
        )
    if has_unreadable_pages:
        return Verdict(
            stage="unreadable_page",
            reason="The quote is not in the text; the document has pages that could not be read.",
            change=SuggestedChange(text="Upload a version with text, or recognise the text of the scanned pages."),
        )
    return Verdict(
        stage="not_in_document",
        reason="The quote is not in the text of the document as it was read.",
        change=SuggestedChange(text="Copy the words from the document's text."),
    )


def of_ranking(standing: Standing) -> Verdict:
    """Which part of the ranking lost a passage that was searched."""
    rank = standing.fused_rank
    if rank is not None and rank <= standing.top_k:
        return _shown(standing, rank)
    if rank is not None and _is_voted_down(standing):
        return _voted_down(standing, rank)
    if rank is not None and rank <= MAX_TOP_K:
        return Verdict(
            stage="top_k",
            reason=f"The passage comes at rank {rank}; {standing.top_k} were asked for.",
            change=SuggestedChange(text=f"Ask for {rank} hits.", field="top_k", value=rank),
        )
    if standing.language in standing.blind_languages:
        return Verdict(
            stage="language",
            reason=f"The passage is in another language ({standing.language}): no word of the question speaks for it, "
            "and its meaning alone is not near enough.",
            change=SuggestedChange(text=f"Ask in the passage's language ({standing.language})."),
        )
    return _too_far(standing)


def _shown(standing: Standing, rank: int) -> Verdict:
    budget = standing.token_budget
    if budget is not None and standing.tokens_needed > budget:
        return Verdict(
            stage="token_budget",
            reason=f"The passage comes at rank {rank}, where {standing.tokens_needed} tokens are reached; "
            f"the reader takes {budget}.",
            change=SuggestedChange(
                text=f"Take {standing.tokens_needed} tokens.", field="token_budget", value=standing.tokens_needed
            ),
        )
    return Verdict(stage="found", reason=f"The passage is found at rank {rank}.")


def _is_voted_down(standing: Standing) -> bool:
    ranks = (standing.semantic_rank, standing.keyword_rank)
    return standing.is_hybrid and any(rank is not None and rank <= standing.top_k for rank in ranks)


def _voted_down(standing: Standing, rank: int) -> Verdict:
    by_meaning = standing.semantic_rank is not None and standing.semantic_rank <= standing.top_k
    arm, other = ("meaning", "keyword") if by_meaning else ("keyword", "meaning")
    own = standing.semantic_rank if by_meaning else standing.keyword_rank
    reason = f"The passage is at rank {own} by {arm}; the ranking by {other} votes it down to {rank}."
    if by_meaning:
        change = SuggestedChange(text="Search by meaning alone.", field="hybrid", value=False)
    elif rank <= MAX_TOP_K:
        change = SuggestedChange(text=f"Ask for {rank} hits.", field="top_k", value=rank)
    else:
        change = SuggestedChange(text="Use fewer words, those that the passage holds.")
    return Verdict(stage="fusion", reason=reason, change=change)


def _too_far(standing: Standing) -> Verdict:
    """The arm in which the passage is further behind."""
    by_keyword, by_meaning = standing.keyword_rank or DEEPEST + 1, standing.semantic_rank or DEEPEST + 1
    if standing.is_hybrid and by_keyword >= by_meaning:
        place = "holds none of the question's words" if standing.keyword_rank is None else f"is at rank {by_keyword}"
        return Verdict(
            stage="keyword_rank",
            reason=f"By keyword the passage {place}; {standing.candidates} are taken from each ranking.",
            change=SuggestedChange(text="Use words that the passage holds, or narrow the search to its document."),
        )
    place = f"beyond {DEEPEST}" if standing.semantic_rank is None else str(by_meaning)
    change = SuggestedChange(text="Ask in other words, nearer to what the passage says.")
    if not standing.is_hybrid and standing.keyword_rank is None:
        change = SuggestedChange(text="Search by keyword too.", field="hybrid", value=True)
    return Verdict(
        stage="semantic_rank",
        reason=f"By meaning the passage is at rank {place}; {standing.candidates} are taken from each ranking.",
        change=change,
    )
