"""Errors for unknown ids and names, with suggestions."""

import difflib
import re
import uuid
from collections.abc import Sequence
from typing import Final

from lectern.errors import InvalidRequest

_MAX_AVAILABLE: Final = 50
_MAX_UNKNOWN: Final = 5
_MAX_LISTED: Final = 20
_MAX_NAME_CHARACTERS: Final = 100
_MAX_HINTED: Final = 10
_NAME_CUTOFF: Final = 0.6
_WORD_CUTOFF: Final = 0.75
_SURE_CUTOFF: Final = 0.8
_MAX_SUGGESTIONS: Final = 3
_NUMBER: Final = re.compile(r"\d+")
_WORD: Final = re.compile(r"[^\W_]+")


class UnknownReference(InvalidRequest):
    """A name or id in this request is unknown.

    `details`: `unknown` (at most 20, cut to 100 characters), `close_matches`, `corrections` (the only close name for an
    unknown one) and `available` (at most 50), all in the caller's scope.
    """


def unknown_reference(
    kind: type[UnknownReference], unknown: Sequence[str], *, noun: str, available: Sequence[str]
) -> UnknownReference:
    """Build the error for names that are not in `available`, the names in the caller's scope."""
    available = list(dict.fromkeys(available))  # several documents can have the same filename
    rest = len(unknown) - _MAX_LISTED
    unknown = [name[:_MAX_NAME_CHARACTERS] for name in unknown[:_MAX_LISTED]]
    suggestions = list(
        dict.fromkeys(match for name in unknown[:_MAX_UNKNOWN] for match in suggest_names(name, available))
    )
    corrections = {name: close for name in unknown[:_MAX_UNKNOWN] if (close := closest_name(name, available))}
    names = ", ".join(repr(name) for name in unknown[:_MAX_UNKNOWN])
    message = f"Unknown {noun}: {names}{' and more' if len(unknown) > _MAX_UNKNOWN else ''}."
    if suggestions:
        hint = f"Did you mean {', '.join(map(repr, suggestions))}?"
    elif available:
        omitted = len(available) - _MAX_HINTED
        more = f" and {omitted} more" if omitted > 0 else ""
        hint = f"There are: {', '.join(map(repr, available[:_MAX_HINTED]))}{more}."
    else:
        hint = f"There are no {noun}s yet, or none that you have access to."
    details: dict[str, object] = {"unknown": unknown, "close_matches": suggestions, "corrections": corrections}
    details["available"] = list(available[:_MAX_AVAILABLE])
    return kind(message, hint=hint, details=details | ({"unknown_omitted": rest} if rest > 0 else {}))


def suggest_names(name: str, available: Sequence[str]) -> list[str]:
    """Return up to three similar names, or else names with a word similar to each word of the name."""
    folded, start = {one.casefold(): one for one in available}, name.casefold()[:1]
    close = [
        *difflib.get_close_matches(name.casefold(), list(folded), n=_MAX_SUGGESTIONS, cutoff=_WORD_CUTOFF),
        *difflib.get_close_matches(  # Misspelt names seldom begin with another letter.
            name.casefold(), [one for one in folded if one.startswith(start)], n=_MAX_SUGGESTIONS, cutoff=_NAME_CUTOFF
        ),
    ]
    if close:
        return [folded[match] for match in dict.fromkeys(close)][:_MAX_SUGGESTIONS]
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


def closest_name(name: str, available: Sequence[str]) -> str | None:
    """Return the name that must be meant: the only similar one with the same numbers. None if there is none."""
    numbers = _NUMBER.findall(name)
    close = [one for one in suggest_names(name, available) if _NUMBER.findall(one) == numbers]
    if len(close) != 1:
        return None
    (only,) = close
    known, words = (set(_WORD.findall(text.casefold())) for text in (only, name))
    is_part = bool(words) and all(difflib.get_close_matches(word, known, cutoff=_SURE_CUTOFF) for word in words)
    ratio = difflib.SequenceMatcher(None, name.casefold(), only.casefold()).ratio()
    return only if is_part or ratio >= _SURE_CUTOFF else None


def as_uuid(value: str) -> uuid.UUID | None:
    """Parse a reference as an id, or return None."""
    try:
        return uuid.UUID(value)
    except ValueError:
        return None
