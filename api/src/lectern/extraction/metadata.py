"""Title and language that a document states."""

import re
from collections.abc import Mapping

from lectern.extraction.patterns import any_of
from lectern.extraction.types import DocumentMetadata, OutlineItem
from lectern.names import clean_name

_PLACEHOLDER = re.compile(rf"^({any_of('title_placeholders')})$", re.IGNORECASE)
_FILE_NAME = re.compile(r"\.(docx?|xlsx?|pptx?|pdf|indd|qxd|tex|dvi|rtf|odt|html?|ai|eps|txt|fm)\s*$", re.IGNORECASE)
_LETTER = re.compile(r"[^\W\d_]")
_LANGUAGE = re.compile(r"[a-z]{2}(?=$|[-_])", re.IGNORECASE)
_MIN_CHARACTERS, _MAX_CHARACTERS = 4, 200
MIN_LETTERS = 3


def sensible_title(stated: str) -> str | None:
    """Return the stated title, tidied; None for a file name, a placeholder or a number."""
    title = clean_name(stated)
    is_usable = _MIN_CHARACTERS <= len(title) <= _MAX_CHARACTERS and len(_LETTER.findall(title)) >= MIN_LETTERS
    if not is_usable or _PLACEHOLDER.match(title) or _FILE_NAME.search(title):
        return None
    if "_" in title or (" " not in title and re.search(r"[\d/\\]", title)):  # `annual_report`, `0001047469-18-000507`
        return None
    return title


def language_of(declared: str) -> str | None:
    """Return the ISO 639-1 code of a declared language (`it-IT`: `it`)."""
    match = _LANGUAGE.match(declared.strip())
    return match.group().lower() if match else None


def stated_metadata(
    information: Mapping[str, str], outline: tuple[OutlineItem, ...], *, title: str = "", language: str = ""
) -> DocumentMetadata:
    """Return the metadata that a file states in its properties, or beside them as `title` and `language`.

    The title is that of the properties, else the other one, else the first heading.
    """
    stated = map(sensible_title, (information.get("title", ""), title))
    return DocumentMetadata(
        title=next(filter(None, (*stated, *(entry.title for entry in outline[:1]))), None),
        language=language_of(language or information.get("language", "")),
        outline=outline,
        information=tuple(information.items()),
    )
