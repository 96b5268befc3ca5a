"""What a person calls a document: its id, its filename, its title, a ticker, the name of a company (pure).

Aliases come from what the file says of itself: the fields `alias`, `aliases`, `ticker`, `symbol`, `company` and
`organisation` of its information, several of them parted by comma or semicolon. Without those, the words of filename
and title are what it can be called by: `AMZN` means `AMZN_2019_10K.pdf`, `Amazon` means `Amazon.com, Inc. 10-K 2019`.
"""

import re
import unicodedata
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, Final

ALIAS_FIELDS: Final = frozenset({"alias", "aliases", "ticker", "symbol", "company", "organisation", "organization"})
_WORD: Final = re.compile(r"[^\W_]+")
_SEPARATOR: Final = re.compile("[;,]")
# Forms of companies say nothing about which company is meant.
_LEGAL_FORMS: Final = frozenset(
    {"inc", "incorporated", "corp", "corporation", "co", "company", "ltd", "limited", "llc", "plc", "ag", "gmbh", "sa"}
    | {"spa", "srl", "nv", "bv", "se", "the", "group", "holding", "holdings"}
)


@dataclass(frozen=True, slots=True)
class NamedDocument:
    """A document and what it is called by."""

    id: uuid.UUID
    filename: str
    title: str | None
    aliases: tuple[str, ...] = ()


def aliases_of(information: Mapping[str, Any]) -> tuple[str, ...]:
    """The names that a file gives itself."""
    values = [str(value) for name, value in information.items() if name.casefold() in ALIAS_FIELDS]
    return tuple(name.strip() for value in values for name in _SEPARATOR.split(value) if name.strip())


def words_of(name: str) -> tuple[str, ...]:
    """The words that count in a name, without case and the form of a company (unless nothing else is left)."""
    plain = unicodedata.normalize("NFC", name).casefold().replace("s.p.a", "spa").replace("s.r.l", "srl")
    words = tuple(_WORD.findall(plain))
    return tuple(word for word in words if word not in _LEGAL_FORMS) or words


def meant_by(name: str, documents: Sequence[NamedDocument]) -> list[NamedDocument]:
    """The documents that a name means: those of the first way of naming that fits any.

    In this order: the filename; the filename without its ending, or the title; an alias; every word of the name in
    an alias, the filename or the title.
    """
    wanted = words_of(name)
    whole = name.strip().casefold()
    ways: tuple[Callable[[NamedDocument], bool], ...] = (
        lambda document: document.filename.casefold() == whole,
        lambda document: whole in {PurePath(document.filename).stem.casefold(), (document.title or "").casefold()},
        lambda document: bool(wanted) and wanted in {words_of(alias) for alias in document.aliases},
        lambda document: bool(wanted) and set(wanted) <= _all_words(document),
    )
    for fits in ways:
        found = [document for document in documents if fits(document)]
        if found:
            return found
    return []


def _all_words(document: NamedDocument) -> set[str]:
    names = (document.filename, document.title or "", *document.aliases)
    return {word for name in names for word in words_of(name)}
