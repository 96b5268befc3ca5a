"""Detect which of the configured languages a text is in."""
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# py3langid is typed in parts

import re
from copy import copy
from functools import cache, lru_cache

from py3langid.langid import MODEL_FILE, LanguageIdentifier

_WORD = re.compile(r"[^\W\d_]{2,}")
_MIN_WORDS = 5
_MIN_CONFIDENCE = 0.7
_MAX_CHARACTERS = 300


def detect_language(text: str, *, languages: tuple[str, ...], otherwise: str) -> str:
    """Return the language of the text among `languages`, or `otherwise` if it is short or unclear."""
    words = _WORD.findall(text[:_MAX_CHARACTERS])
    if len(words) < _MIN_WORDS:
        return otherwise
    if len(languages) == 1:
        return languages[0]
    language, confidence = classify_text(" ".join(words), languages=languages)
    return language if confidence >= _MIN_CONFIDENCE else otherwise


def classify_text(text: str, *, languages: tuple[str, ...]) -> tuple[str, float]:
    """Return the likeliest of the languages and its probability among them."""
    language, confidence = _identifier(languages).classify(text)
    return str(language), float(confidence)


@cache
def load_model() -> LanguageIdentifier:
    """Load the model of all languages once. That needs a temporary file, which a confined process cannot have."""
    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)


@lru_cache(maxsize=8)
def _identifier(languages: tuple[str, ...]) -> LanguageIdentifier:
    identifier = copy(load_model())
    identifier.set_languages(list(languages))
    return identifier
