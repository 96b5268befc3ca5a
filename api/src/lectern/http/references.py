"""Errors for unknown ids and names, with suggestions."""

import difflib
import re
import uuid
from collections.abc import Sequence
from typing import Final

from lectern.errors import InvalidRequest

_MAX_AVAILABLE: Final = 50
_MAX_UNKNOWN: Final = 5
_MAX_HINTED: Final = 10
_NAME_CUTOFF: Final = 0.6
_WORD_CUTOFF: Final = 0.75
_MAX_SUGGESTIONS: Final = 3
_WORD: Final = re.compile(r"[^\W_]+")


class UnknownReference(InvalidRequest):
    """A name or id in this request is unknown.

    `details`: `unknown`, `close_matches` and `available` (at most 50), all in the caller's scope.
    """

    code = "unknown_reference"


def unknown_reference(
    kind: type[UnknownReference], unknown: Sequence[str], *, noun: str, available: Sequence[str]
) -> UnknownReference:
    """Build the error for names that are not in `available`, the names in the caller's scope."""
    suggestions = list(
        dict.fromkeys(match for name in unknown[:_MAX_UNKNOWN] for match in suggest_names(name, available))
    )
    names = ", ".join(repr(name) for name in unknown[:_MAX_UNKNOWN])
    message = f"Unknown {noun}: {names}{' and more' if len(unknown) > _MAX_UNKNOWN else ''}."
    if suggestions:
        hint = f"Did you mean {', '.join(map(repr, suggestions))}?"
    elif available:
        rest = ", ..." if len(available) > _MAX_HINTED else ""
        hint = f"There are: {', '.join(map(repr, available[:_MAX_HINTED]))}{rest}."
    else:
        hint = f"You have access to no {noun}s."
    details = {"unknown": list(unknown), "close_matches": suggestions, "available": list(available[:_MAX_AVAILABLE])}
    return kind(message, hint=hint, details=details)


def suggest_names(name: str, available: Sequence[str]) -> list[str]:
    """Return up to three similar names, or else names with a word similar to each word of the name."""
    folded = {one.casefold(): one for one in available}
    close = difflib.get_close_matches(name.casefold(), list(folded), n=_MAX_SUGGESTIONS, cutoff=_NAME_CUTOFF)
    if close:
        return [folded[match] for match in close]
    with_word: dict[str, set[str]] = {}
    for one in available:
        for word in _WORD.findall(one.casefold()):
            with_word.setdefault(word, set()).add(one)
    wanted = _WORD.findall(name.casefold())
    matching = set(available) if wanted else set[str]()
    for word in wanted:
        cutoff = (
            _WORD_CUTOFF if word.isalpha() else 1.0
        )  # Numbers must match exactly: another year is another document.
        like = difflib.get_close_matches(word, list(with_word), n=_MAX_SUGGESTIONS, cutoff=cutoff)
        matching &= set[str]().union(*(with_word[match] for match in like))
    return [one for one in available if one in matching][:_MAX_SUGGESTIONS]


def as_uuid(value: str) -> uuid.UUID | None:
    """Parse a reference as an id, or return None."""
    try:
        return uuid.UUID(value)
    except ValueError:
        return None
