"""Load words and phrases of languages from TOML."""

import tomllib
from functools import cache
from pathlib import Path

_PATTERNS = Path(__file__).with_name("patterns.toml")


@cache
def load_patterns(path: Path = _PATTERNS) -> dict[str, tuple[str, ...]]:
    """Return the regular expressions of each topic, those of all languages together."""
    topics: dict[str, dict[str, list[str]]] = tomllib.loads(path.read_text("utf-8"))
    return {
        topic: tuple(pattern for patterns in by_language.values() for pattern in patterns)
        for topic, by_language in topics.items()
    }


def any_of(topic: str, path: Path = _PATTERNS) -> str:
    """Return one alternation of the patterns of a topic, to be put into a larger expression."""
    return "|".join(load_patterns(path)[topic])
