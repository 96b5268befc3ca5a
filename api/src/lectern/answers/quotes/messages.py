"""What a verdict means and what to do next (pure)."""

from lectern.answers.quotes.schemas import QuoteVerdict
from lectern.search.schemas import Coverage


def of_quote(verdict: QuoteVerdict, *, is_whole_text: bool, coverage: Coverage) -> str:
    """One or two sentences, the uncertain part named."""
    if verdict.verdict == "EXACT":
        place = verdict.locations[0]
        others = len(verdict.locations) - 1
        more = f", and in {others} more place{'s' if others > 1 else ''}" if others else ""
        return f"The quotation stands word for word in {place.document}, page {place.page_number}{more}."
    if verdict.verdict == "NEAR":
        place = verdict.locations[0]
        return (
            f"The quotation does not stand word for word. The nearest text is in {place.document}, page"
            f" {place.page_number}: see `differences`, and quote `locations[0].text` instead."
        )
    where = "in the text of these documents" if is_whole_text else "on the pages that a search for it found"
    parts = [f"The quotation, or anything near it, does not stand {where}."]
    if not is_whole_text:
        parts.append("Name the document to have all of it compared.")
    if coverage.documents_processing:
        parts.append(f"Still being processed, and not yet looked through in full: {coverage.documents_processing}.")
    if coverage.pages_unreadable:
        parts.append(f"Pages that could not be read: {coverage.pages_unreadable}.")
    return " ".join(parts)
