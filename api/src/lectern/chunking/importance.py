"""How much a chunk is worth at equal relevance."""

import re

_BASE, _HEADING, _FIGURES, _KEY_WORDS, _SHORT = 0.5, 0.2, 0.15, 0.1, 0.2
_SHORT_CHARACTERS = 50
_FIGURE = re.compile(
    r"[$€£¥]\s?\d|\d\s?(?:%|€|\$|£|\b(?:EUR|USD|GBP|CHF|euro|million|billion|milion[ei]|miliard[oi])\b)|"
    r"\d{1,3}(?:[.,]\d{3})+|\d+[.,]\d+"
)
_KEY_WORD = re.compile(
    r"\b(?:important|note|warning|caution|must|shall|required|mandatory|prohibited|deadline|definition|means|summary|"
    r"conclusions?|results?|total|key|risks?|importante|nota|attenzione|avvertenza|deve|devono|obblig\w+|vietat\w+|"
    r"scadenza|definizion[ei]|sintesi|conclusion[ei]|risultat[oi]|total[ei]|rischi[o]?)\b",
    re.IGNORECASE,
)


def importance_of(text: str, *, has_heading: bool) -> float:
    """0..1: base .5, a heading +.2, figures, currency or percent +.15, key words +.1, under 50 characters -.2."""
    value = _BASE
    value += _HEADING if has_heading else 0
    value += _FIGURES if _FIGURE.search(text) else 0
    value += _KEY_WORDS if _KEY_WORD.search(text) else 0
    value -= _SHORT if len(text) < _SHORT_CHARACTERS else 0
    return round(min(1.0, max(0.0, value)), 2)
