"""Names that mean nothing here are refused with what is meant most likely and with what there is."""

import difflib
import re
import uuid
from collections.abc import Sequence
from typing import Final

from lectern.errors import InvalidRequest

_SHOWN: Final = 50
_EXPLAINED: Final = 5
_NAMED: Final = 10
_LIKE_NAME: Final = 0.6
_LIKE_WORD: Final = 0.75
_MOST_LIKELY: Final = 3
_WORD: Final = re.compile(r"[^\W_]+")


class UnknownReference(InvalidRequest):
    """A name or id in this request means nothing here.

    `details`: `unknown`, `close_matches` and `available` (at most 50), all in the caller's scope.
    """

    code = "unknown_reference"


def unknown_reference(
    kind: type[UnknownReference], unknown: Sequence[str], *, noun: str, available: Sequence[str]
) -> UnknownReference:
    """The error for names that are not among `available` (names in the caller's scope)."""
    likely = list(dict.fromkeys(match for name in unknown[:_EXPLAINED] for match in likely_meant(name, available)))
    names = ", ".join(repr(name) for name in unknown[:_EXPLAINED])
    message = f"Unknown {noun}: {names}{' and more' if len(unknown) > _EXPLAINED else ''}."
    if likely:
        hint = f"Did you mean {', '.join(map(repr, likely))}?"
    elif available:
        hint = f"There are: {', '.join(map(repr, available[:_NAMED]))}{', ...' if len(available) > _NAMED else ''}."
    else:
        hint = f"There are no {noun}s that you can see."
    details = {"unknown": list(unknown), "close_matches": likely, "available": list(available[:_SHOWN])}
    return kind(message, hint=hint, details=details)


def likely_meant(name: str, available: Sequence[str]) -> list[str]:
    """At most three names that come close as a whole, or else that have a word like each word of the name."""
    folded = {one.casefold(): one for one in available}
    close = difflib.get_close_matches(name.casefold(), list(folded), n=_MOST_LIKELY, cutoff=_LIKE_NAME)
    if close:
        return [folded[match] for match in close]
    with_word: dict[str, set[str]] = {}
    for one in available:
        for word in _WORD.findall(one.casefold()):
            with_word.setdefault(word, set()).add(one)
    wanted = _WORD.findall(name.casefold())
    meant = set(available) if wanted else set[str]()
    for word in wanted:
        cutoff = _LIKE_WORD if word.isalpha() else 1.0  # another year is another document
        like = difflib.get_close_matches(word, list(with_word), n=_MOST_LIKELY, cutoff=cutoff)
        meant &= set[str]().union(*(with_word[match] for match in like))
    return [one for one in available if one in meant][:_MOST_LIKELY]


def as_uuid(value: str) -> uuid.UUID | None:
    """The id that a reference is, when it looks like one."""
    try:
        return uuid.UUID(value)
    except ValueError:
        return None
