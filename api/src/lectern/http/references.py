"""Names that mean nothing here are refused with what is meant most likely and with what there is."""

import difflib
import uuid
from collections.abc import Sequence
from typing import Final

from lectern.errors import InvalidRequest

_SHOWN: Final = 50
_EXPLAINED: Final = 5
_NAMED: Final = 10


class UnknownReference(InvalidRequest):
    """A name or id in this request means nothing here.

    `details`: `unknown`, `close_matches` and `available` (at most 50), all in the caller's scope.
    """

    code = "unknown_reference"


def unknown_reference(
    kind: type[UnknownReference], unknown: Sequence[str], *, noun: str, available: Sequence[str]
) -> UnknownReference:
    """The error for names that are not among `available` (names in the caller's scope)."""
    folded = {name.casefold(): name for name in available}
    matches = (
        folded[match]
        for name in unknown[:_EXPLAINED]
        for match in difflib.get_close_matches(name.casefold(), list(folded), n=3, cutoff=0.6)
    )
    likely = list(dict.fromkeys(matches))
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


def as_uuid(value: str) -> uuid.UUID | None:
    """The id that a reference is, when it looks like one."""
    try:
        return uuid.UUID(value)
    except ValueError:
        return None
