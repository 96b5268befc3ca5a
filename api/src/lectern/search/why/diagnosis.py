"""Diagnose which stage of a search lost a passage, and suggest a change (pure). `verdicts.toml` has the sentences."""

import tomllib
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from lectern.search.schemas import MAX_TOP_K
from lectern.search.why.schemas import ChangeCode, ReasonCode, SuggestedChange, Verdict

DEEPEST: Final = 1_000
_FILE: Final = Path(__file__).with_name("verdicts.toml")


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


@cache
def _sentences() -> dict[str, Any]:
    return tomllib.loads(_FILE.read_text(encoding="utf-8"))


def _verdict(code: ReasonCode, change: SuggestedChange | None = None, /, **values: Any) -> Verdict:  # noqa: ANN401 - by name
    reason = _sentences()["reasons"][code]
    text = reason["text"].format_map(values | {"listed": _listed(values)})
    return Verdict(stage=reason["stage"], code=code, values=values, reason=text, change=change)


def _change(
    code: ChangeCode,
    *,
    field: str | None = None,
    value: bool | int | None = None,
    **values: Any,  # noqa: ANN401 - by name
) -> SuggestedChange:
    text = _sentences()["changes"][code].format_map(values | {"listed": _listed(values)})
    return SuggestedChange(code=code, values=values, text=text, field=field, value=value)


def _listed(values: Mapping[str, Any]) -> str:
    return " and ".join(values.get("fields", ())) or "the filters together"


def diagnose_scope(filename: str, narrowing: Sequence[str]) -> Verdict:
    """Return the verdict for a document that the filters leave out."""
    fields = list(narrowing)
    change = _change("drop_filters", field=fields[0] if len(fields) == 1 else None, fields=fields)
    return _verdict("filtered_out", change, filename=filename, fields=fields)


def diagnose_document(state: DocumentState) -> Verdict | None:
    """Return a verdict if the document has no searchable text."""
    if state.chunk_count:
        return None
    if state.status == "ready":
        return _verdict("no_text", _change("upload_text"), filename=state.filename)
    if state.status != "failed":
        return _verdict("still_processing", _change("wait"), filename=state.filename)
    error = (state.error_message or "it failed").rstrip(".")
    values = {**(state.error_details or {}), "filename": state.filename, "error": error}
    values |= {"error_code": state.error_code} if state.error_code else {}
    return _verdict("not_read", _change("mend_file"), **values)


def diagnose_page(page_number: int, kind: str | None, *, page_count: int) -> Verdict | None:
    """Return a verdict if the page has no text. `kind` is None if there is no such page."""
    if kind is None:
        return _verdict("no_such_page", _change("give_other_page"), pages=page_count, page=page_number)
    if kind in {"unreadable", "empty"}:
        return _verdict("page_without_text", _change("recognise_page"), page=page_number)
    return None


def diagnose_page_without_chunks(page_number: int, kind: str) -> Verdict:
    """Return the verdict for a page with text and without passages."""
    code: ReasonCode = "page_of_contents" if kind == "toc" else "page_without_passages"
    return _verdict(code, _change("ask_for_target"), page=page_number)


def diagnose_quote(*, is_in_text: bool, has_unreadable_pages: bool) -> Verdict:
    """Return the verdict for a quote that no single passage contains."""
    if is_in_text:
        return _verdict("quote_is_split", _change("halve_quote"))
    if has_unreadable_pages:
        return _verdict("quote_may_be_unreadable", _change("recognise_pages"))
    return _verdict("quote_is_absent", _change("copy_words"))


def diagnose_ranking(facts: RankingFacts) -> Verdict:
    """Return the part of the ranking that lost a searched passage."""
    rank = facts.fused_rank
    if rank is not None and rank <= facts.top_k:
        return _shown(facts, rank)
    if rank is not None and _is_voted_down(facts):
        return _voted_down(facts, rank)
    if rank is not None and rank <= MAX_TOP_K:
        return _verdict("below_top_k", _ask_for(rank), rank=rank, asked=facts.top_k)
    if facts.language and facts.language in facts.unmatched_languages:
        change = _change("ask_in_its_language", language=facts.language)
        return _verdict("in_another_language", change, language=facts.language)
    return _too_far(facts)


def _shown(facts: RankingFacts, rank: int) -> Verdict:
    needed, budget = facts.tokens_needed, facts.token_budget
    if budget is None or needed <= budget:
        return _verdict("found", rank=rank)
    change = _change("take_more_tokens", field="token_budget", value=needed, tokens=needed)
    return _verdict("beyond_budget", change, rank=rank, needed=needed, budget=budget)


def _ask_for(rank: int) -> SuggestedChange:
    return _change("ask_for_more", field="top_k", value=rank, hits=rank)


def _is_voted_down(facts: RankingFacts) -> bool:
    ranks = (facts.semantic_rank, facts.keyword_rank)
    return facts.is_hybrid and any(rank is not None and rank <= facts.top_k for rank in ranks)


def _voted_down(facts: RankingFacts, rank: int) -> Verdict:
    if facts.semantic_rank is not None and facts.semantic_rank <= facts.top_k:
        change = _change("search_by_meaning", field="hybrid", value=False)
        return _verdict("voted_down_by_keyword", change, own=facts.semantic_rank, rank=rank)
    change = _ask_for(rank) if rank <= MAX_TOP_K else _change("use_fewer_words")
    return _verdict("voted_down_by_meaning", change, own=facts.keyword_rank or rank, rank=rank)


def _too_far(facts: RankingFacts) -> Verdict:
    """Return the arm in which the passage ranks lower."""
    by_keyword, by_meaning = facts.keyword_rank, facts.semantic_rank
    taken = facts.candidates
    if facts.is_hybrid and (by_keyword or DEEPEST + 1) >= (by_meaning or DEEPEST + 1):
        change = _change("use_its_words")
        if by_keyword is None:
            return _verdict("holds_no_word", change, taken=taken)
        return _verdict("too_low_by_keyword", change, rank=by_keyword, taken=taken)
    change = _change("use_other_words")
    if not facts.is_hybrid and by_keyword is None:
        change = _change("search_by_keyword_too", field="hybrid", value=True)
    code: ReasonCode = "beyond_ranks_by_meaning" if by_meaning is None else "too_far_by_meaning"
    return _verdict(code, change, rank=by_meaning or DEEPEST, taken=taken)
