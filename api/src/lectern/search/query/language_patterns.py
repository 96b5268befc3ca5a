"""Patterns of query analysis by language, read from `patterns/*.toml`.

A new language is one file. Its entries are joined with those of the other languages.
"""

import tomllib
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final, cast

_FOLDER: Final = Path(__file__).with_name("patterns")
_LANGUAGES: Final = ("en", "it", "de", "fr", "es", "nl")  # the first pattern that matches wins


@cache
def _files() -> tuple[dict[str, Any], ...]:
    return tuple(tomllib.loads((_FOLDER / f"{name}.toml").read_text(encoding="utf-8")) for name in _LANGUAGES)


def _entries(path: str) -> list[Any]:
    found: list[Any] = []
    for file in _files():
        value: Any = file
        for key in path.split("."):
            value = cast("dict[str, Any]", value).get(key, {})
        if value:
            found.append(value)
    return found


@lru_cache
def list_patterns(path: str) -> tuple[str, ...]:
    """Return the patterns at a path, such as `pages.words`, of all languages."""
    return tuple(pattern for entry in _entries(path) for pattern in entry)


def any_of(path: str) -> str:
    """Return one group that matches any of the patterns at a path."""
    return f"(?:{'|'.join(list_patterns(path))})"


def number_words(path: str) -> dict[str, int]:
    """Return the numbers at a path by their words, of all languages."""
    return {word: number for entry in _entries(path) for word, number in entry.items()}
