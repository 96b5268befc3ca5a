"""Messages of a response and the next steps they suggest."""

from lectern.search.presentation.response import compose_message
from lectern.search.schemas import Coverage, SearchRequest

WHOLE = Coverage(
    documents_in_scope=2,
    documents_searched=2,
    documents_processing=0,
    documents_failed=0,
    pages_unreadable=0,
    share_embedded=1.0,
)


def message_of(confidence: float, *unmatched_languages: str) -> str:
    request = SearchRequest(query="fees", language="it")
    return compose_message(
        returned=2,
        confidence=confidence,
        coverage=WHOLE,
        request=request,
        problem=None,
        unmatched_languages=unmatched_languages,
    )


def test_low_confidence_message_suggests_next_steps() -> None:
    assert message_of(0.29) == (
        "2 passages found. Low confidence: they may not answer the question. Use other words, remove a filter, or ask "
        "for one thing at a time."
    )
    assert message_of(0.3) == "2 passages found."


def test_message_suggests_the_unmatched_language() -> None:
    assert "ask in the language of other documents (de, it), or" in message_of(0.1, "de", "it")
    assert message_of(0.9, "it") == "2 passages found."
