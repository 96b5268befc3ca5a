"""Diagnose which stage of a search lost a passage, and suggest a change (pure)."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from lectern.search.schemas import MAX_TOP_K
from lectern.search.why.schemas import ReasonCode, Stage, SuggestedChange, Values

DEEPEST: Final = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The stage that lost the passage, the reason, and the suggested change."""

    stage: Stage
    code: ReasonCode
    values: Values = field(default_factory=dict[str, int | float | str | list[str]])
    reason: str
    change: SuggestedChange | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingFacts:
    """The ranks of the expected passage, None if it has none, and the parameters of the search."""

    fused_rank: int | None
    semantic_rank: int | None
    keyword_rank: int | None
    language: str
    unmatched_languages: Sequence[str]
    top_k: int
    candidates: int
    is_hybrid: bool
    tokens_needed: int
    token_budget: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentState:
    """The processing state of a document."""

    document_id: uuid.UUID
    filename: str
    status: str
    error_code: str | None
    error_message: str | None
    error_details: Mapping[str, int | float | str] | None
    page_count: int
    chunk_count: int
    unreadable_page_count: int


def diagnose_scope(filename: str, narrowing: Sequence[str]) -> Verdict:
    """Return the verdict for a document that the filters leave out."""
    fields = " and ".join(narrowing) or "the filters together"
    change = SuggestedChange(
        code="drop_filters",
        values={"fields": list(narrowing)},
        text=f"Search without {fields}.",
        field=narrowing[0] if len(narrowing) == 1 else None,
    )
    return Verdict(
        stage="scope",
        code="filtered_out",
        values={"filename": filename, "fields": list(narrowing)},
        reason=f"Filters exclude {filename}: {fields}.",
        change=change,
    )


def diagnose_document(state: DocumentState) -> Verdict | None:
    """Return a verdict if the document has no searchable text."""
    if state.chunk_count:
        return None
    if state.status == "ready":
        return Verdict(
            stage="unreadable_page",
            code="no_text",
            values={"filename": state.filename},
            reason=f"{state.filename} has no text that could be read.",
            change=SuggestedChange(code="upload_text", text="Upload a file with text, or run OCR on it first."),
        )
    if state.status != "failed":
        return Verdict(
            stage="not_ingested",
            code="still_processing",
            values={"filename": state.filename},
            reason=f"{state.filename} is still being processed.",
            change=SuggestedChange(code="wait", text="Try again when it is ready."),
        )
    error = (state.error_message or "it failed").rstrip(".")
    code = {"error_code": state.error_code} if state.error_code else {}
    return Verdict(
        stage="not_ingested",
        code="not_read",
        values={**(state.error_details or {}), "filename": state.filename, "error": error, **code},
        reason=f"{state.filename} could not be read: {error}.",
        change=SuggestedChange(code="mend_file", text="Repair the file or send its password, then reprocess it."),
    )


def diagnose_page(page_number: int, kind: str | None, *, page_count: int) -> Verdict | None:
    """Return a verdict if the page has no text. `kind` is None if there is no such page."""
    if kind is None:
        return Verdict(
            stage="not_in_document",
            code="no_such_page",
            values={"pages": page_count, "page": page_number},
            reason=f"The document has {page_count} pages. Page {page_number} does not exist.",
            change=SuggestedChange(code="give_other_page", text="Give another page number."),
        )
    if kind in {"unreadable", "empty"}:
        return Verdict(
            stage="unreadable_page",
            code="page_without_text",
            values={"page": page_number},
            reason=f"No text could be read from page {page_number}.",
            change=SuggestedChange(code="recognise_page", text="Upload a version with text, or run OCR on the page."),
        )
    return None


def diagnose_page_without_chunks(page_number: int, kind: str) -> Verdict:
    """Return the verdict for a page with text and without passages."""
    what = "is a table of contents" if kind == "toc" else "has only headers, footers or headings"
    return Verdict(
        stage="unreadable_page",
        code="page_of_contents" if kind == "toc" else "page_without_passages",
        values={"page": page_number},
        reason=f"Page {page_number} {what}. It is not searched.",
        change=SuggestedChange(code="ask_for_target", text="Give the page it refers to."),
    )


def diagnose_quote(*, is_in_text: bool, has_unreadable_pages: bool) -> Verdict:
    """Return the verdict for a quote that no single passage contains."""
    if is_in_text:
        return Verdict(
            stage="split_across_chunks",
            code="quote_is_split",
            reason="The quote spans two passages, so neither matches the query well.",
            change=SuggestedChange(
                code="halve_quote", text="Give half of the quote, or reprocess the document with larger chunks."
            ),
        )
    if has_unreadable_pages:
        return Verdict(
            stage="unreadable_page",
            code="quote_may_be_unreadable",
            reason="The quote is not in the text; the document has pages that could not be read.",
            change=SuggestedChange(code="recognise_pages", text="Upload a version with text, or run OCR on the pages."),
        )
    return Verdict(
        stage="not_in_document",
        code="quote_is_absent",
        reason="The quote is not in the text of the document as it was read.",
        change=SuggestedChange(code="copy_words", text="Copy the words from the document's text."),
    )


def diagnose_ranking(facts: RankingFacts) -> Verdict:
    """Return the part of the ranking that lost a searched passage."""
    rank = facts.fused_rank
    if rank is not None and rank <= facts.top_k:
        return _shown(facts, rank)
    if rank is not None and _is_voted_down(facts):
        return _voted_down(facts, rank)
    if rank is not None and rank <= MAX_TOP_K:
        return Verdict(
            stage="top_k",
            code="below_top_k",
            values={"rank": rank, "asked": facts.top_k},
            reason=f"The passage is at rank {rank}. The search returned the top {facts.top_k}.",
            change=_ask_for(rank),
        )
    if facts.language in facts.unmatched_languages:
        return Verdict(
            stage="language",
            code="in_another_language",
            values={"language": facts.language},
            reason=f"The passage is in another language ({facts.language}): no word of the question speaks for it, "
            "and its meaning alone is not near enough.",
            change=SuggestedChange(
                code="ask_in_its_language",
                values={"language": facts.language},
                text=f"Ask in the passage's language ({facts.language}).",
            ),
        )
    return _too_far(facts)


def _shown(facts: RankingFacts, rank: int) -> Verdict:
    budget = facts.token_budget
    if budget is not None and facts.tokens_needed > budget:
        return Verdict(
            stage="token_budget",
            code="beyond_budget",
            values={"rank": rank, "needed": facts.tokens_needed, "budget": budget},
            reason=f"The passage comes at rank {rank}, where {facts.tokens_needed} tokens are reached; "
            f"the reader takes {budget}.",
            change=SuggestedChange(
                code="take_more_tokens",
                values={"tokens": facts.tokens_needed},
                text=f"Take {facts.tokens_needed} tokens.",
                field="token_budget",
                value=facts.tokens_needed,
            ),
        )
    reason = f"The passage is found at rank {rank}."
    return Verdict(stage="found", code="found", values={"rank": rank}, reason=reason)


def _ask_for(rank: int) -> SuggestedChange:
    text = f"Ask for {rank} hits."
    return SuggestedChange(code="ask_for_more", values={"hits": rank}, text=text, field="top_k", value=rank)


def _is_voted_down(facts: RankingFacts) -> bool:
    ranks = (facts.semantic_rank, facts.keyword_rank)
    return facts.is_hybrid and any(rank is not None and rank <= facts.top_k for rank in ranks)


def _voted_down(facts: RankingFacts, rank: int) -> Verdict:
    by_meaning = facts.semantic_rank is not None and facts.semantic_rank <= facts.top_k
    arm = "meaning" if by_meaning else "keyword"
    own = (facts.semantic_rank if by_meaning else facts.keyword_rank) or rank
    if by_meaning:
        text = "Search by meaning alone."
        change = SuggestedChange(code="search_by_meaning", text=text, field="hybrid", value=False)
    elif rank <= MAX_TOP_K:
        change = _ask_for(rank)
    else:
        change = SuggestedChange(code="use_fewer_words", text="Use fewer words, and only words from the passage.")
    return Verdict(
        stage="fusion",
        code="voted_down_by_keyword" if by_meaning else "voted_down_by_meaning",
        values={"own": own, "rank": rank},
        reason=f"The passage is at rank {own} by {arm}, and at rank {rank} by all features together.",
        change=change,
    )


def _too_far(facts: RankingFacts) -> Verdict:
    """Return the arm in which the passage ranks lower."""
    by_keyword, by_meaning = facts.keyword_rank or DEEPEST + 1, facts.semantic_rank or DEEPEST + 1
    if facts.is_hybrid and by_keyword >= by_meaning:
        return _behind_by_keyword(facts)
    rank = facts.semantic_rank
    change = SuggestedChange(code="use_other_words", text="Rephrase the query, closer to the passage.")
    if not facts.is_hybrid and facts.keyword_rank is None:
        text = "Search by keyword too."
        change = SuggestedChange(code="search_by_keyword_too", text=text, field="hybrid", value=True)
    place = f"beyond {DEEPEST}" if rank is None else str(rank)
    return Verdict(
        stage="semantic_rank",
        code="beyond_ranks_by_meaning" if rank is None else "too_far_by_meaning",
        values={"rank": rank or DEEPEST, "taken": facts.candidates},
        reason=f"By meaning the passage is at rank {place}; {facts.candidates} are taken from each ranking.",
        change=change,
    )


def _behind_by_keyword(facts: RankingFacts) -> Verdict:
    rank = facts.keyword_rank
    place = "holds none of the question's words" if rank is None else f"is at rank {rank}"
    return Verdict(
        stage="keyword_rank",
        code="holds_no_word" if rank is None else "too_low_by_keyword",
        values={"taken": facts.candidates} if rank is None else {"rank": rank, "taken": facts.candidates},
        reason=f"By keyword the passage {place}; {facts.candidates} are taken from each ranking.",
        change=SuggestedChange(code="use_its_words", text="Use words from the passage, or search only its document."),
    )
