"""Passages about another company, person or place than the one that a question names: what Beta earned is no answer to
what Alfa earned.

A name tells them apart when some of the documents found have it and others have it nowhere in their text. A name that
no document has tells nothing, since it may be written in another way there; nor does any in another language.
"""

import uuid
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from lectern.answers import repository
from lectern.answers.retrieval import told
from lectern.answers.words import folded
from lectern.db.session import Session
from lectern.search.schemas import Hit

# Parts of names that many have.
_COMMON: Final = frozenset(
    (
        *(
            "spa",
            "s.p.a",
            "srl",
            "s.r.l",
            "snc",
            "sas",
            "inc",
            "corp",
            "ltd",
            "llc",
            "plc",
            "gmbh",
            "ag",
            "kg",
            "se",
            "nv",
        ),
        *("bv", "sa", "co", "company", "group", "gruppo", "bank", "banca"),
    )
)


async def about_the_named(session: Session, names: Collection[str], hits: Sequence[Hit]) -> tuple[Hit, ...]:
    """The hits without those of documents that have none of the names by which the question tells documents apart."""
    known = set(names) - _COMMON
    found = _names_by_document(known, hits)
    doubtful = _strangers(found, hits)
    if doubtful:  # the name may stand where nothing was found
        for page in await repository.list_whole_texts(session, doubtful):
            plain = folded(page.text)
            found[page.document_id] |= {name for name in known if name in plain}
    others = set(_strangers(found, hits))
    return tuple(hit for hit in hits if hit.document_id not in others)


def _names_by_document(names: Collection[str], hits: Sequence[Hit]) -> dict[uuid.UUID, set[str]]:
    """Which of the names stand in the passages of each document or in what they are filed under."""
    found: dict[uuid.UUID, set[str]] = {}
    for hit in hits:
        plain = folded(told(hit))
        found.setdefault(hit.document_id, set()).update(name for name in names if name in plain)
    return found


def _strangers(found: Mapping[uuid.UUID, set[str]], hits: Sequence[Hit]) -> list[uuid.UUID]:
    """Documents without any name that others in their language have, and not all have."""
    languages = {hit.document_id: hit.language for hit in hits}
    every = list(found.values())
    telling = set[str]().union(*every) - (set[str].intersection(*every) if every else set())
    named = {languages[document_id] for document_id, its in found.items() if its & telling}
    return [document_id for document_id, its in found.items() if not its & telling and languages[document_id] in named]
