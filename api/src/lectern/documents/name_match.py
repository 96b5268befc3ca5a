"""Match documents by name: filename, title, ticker, company, author or subject (pure).

Aliases are the names that somebody gave the document. Without them, they are the values of the file's own metadata
fields `alias`, `aliases`, `ticker`, `symbol`, `company` and `organisation`, separated by commas or semicolons.
Words of the filename and the title match too: `AMZN` matches `AMZN_2019_10K.pdf`, and `Amazon` matches a document with
the title `Amazon.com, Inc. 10-K 2019`.
Author and subject count as well: companies are often the author, and document numbers the subject.
"""

import re
import unicodedata
import uuid
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, Final

ALIAS_FIELDS: Final = frozenset({"alias", "aliases", "ticker", "symbol", "company", "organisation", "organization"})
_DESCRIPTION_FIELDS: Final = frozenset({"author", "subject"})
_HANDLE: Final = re.compile("[0-9a-f]{8}")
_WORD: Final = re.compile(r"[^\W_]+")
_ABBREVIATION: Final = re.compile(r"(s)\.([pr])\.([al])", re.IGNORECASE)
_SEPARATOR: Final = re.compile("[;,]")
# Legal forms do not distinguish companies.
_LEGAL_FORMS: Final = frozenset(
    {"inc", "incorporated", "corp", "corporation", "co", "company", "ltd", "limited", "llc", "plc", "ag", "gmbh", "sa"}
    | {"spa", "srl", "nv", "bv", "se", "the", "group", "holding", "holdings"}
)


@dataclass(frozen=True, slots=True)
class NamedDocument:
    id: uuid.UUID
    filename: str
    title: str | None
    aliases: tuple[str, ...] = ()
    descriptions: tuple[str, ...] = ()
    """Author and subject."""


def is_handle(name: str) -> bool:
    """Return whether a name is a handle: the first eight digits of an id."""
    return _HANDLE.fullmatch(name) is not None


def get_aliases(given: Sequence[str] | None, information: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the given aliases, or those of the file's metadata if nobody gave any."""
    return parse_aliases(information) if given is None else tuple(given)


def parse_aliases(information: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the aliases in a file's metadata."""
    return _values(information, ALIAS_FIELDS)


def parse_descriptions(information: Mapping[str, Any]) -> tuple[str, ...]:
    """Return author and subject in a file's metadata."""
    return _values(information, _DESCRIPTION_FIELDS)


def _values(information: Mapping[str, Any], fields: Collection[str]) -> tuple[str, ...]:
    values = [str(value) for name, value in information.items() if name.casefold() in fields]
    return tuple(name.strip() for value in values for name in _SEPARATOR.split(value) if name.strip())


def split_name(name: str) -> tuple[str, ...]:
    """Return the case-folded words of a name, without legal forms unless nothing else is left."""
    return tuple(word.casefold() for word in split_words(name))


def split_words(name: str) -> tuple[str, ...]:
    """Return the same words in the case in which they are written. Postgres folds case in another way than Python."""
    plain = _ABBREVIATION.sub(r"\1\2\3", unicodedata.normalize("NFC", name))
    words = tuple(_WORD.findall(plain))
    return tuple(word for word in words if word.casefold() not in _LEGAL_FORMS) or words


def match_documents_by_name(name: str, documents: Sequence[NamedDocument]) -> list[NamedDocument]:
    """Return the documents that match by the first rule that matches any document.

    The rules in order: the filename; the filename without its extension, or the title; an alias, author or subject;
    every word of the name is in one of these together.
    """
    words = split_name(name)
    whole = name.strip().casefold()
    rules: tuple[Callable[[NamedDocument], bool], ...] = (
        lambda document: document.filename.casefold() == whole,
        lambda document: whole in {PurePath(document.filename).stem.casefold(), (document.title or "").casefold()},
        lambda document: (
            bool(words) and words in {split_name(alias) for alias in (*document.aliases, *document.descriptions)}
        ),
        lambda document: bool(words) and set(words) <= _all_words(document),
    )
    for matches in rules:
        matching = [document for document in documents if matches(document)]
        if matching:
            return matching
    return []


def _all_words(document: NamedDocument) -> set[str]:
    names = (document.filename, document.title or "", *document.aliases, *document.descriptions)
    return {word for name in names for word in split_name(name)}
