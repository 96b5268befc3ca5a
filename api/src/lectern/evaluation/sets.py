"""Labelled sets: JSON lines, a manifest of sample documents, or TREC topics with relevance judgements.

A line has `question`, `document` (a filename) and `pages`; `id`, `answerable`, `type`, `language`, `answer` if known.
Other common keys are accepted (`doc`, `file`, `evidence_pages`, `lang`, `kind`, `is_answerable`).
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, Final, cast

from lectern.chunking.languages import detect_language
from lectern.evaluation.errors import UnreadableSet

LANGUAGES: Final = ("en", "it", "de", "fr", "es", "pt", "nl")
_TOPIC: Final = re.compile(
    r"<top>.*?<num>\s*(?:Number:)?\s*(\S+?)\s*(?:</num>|\n).*?<title>(.*?)(?:</title>|<desc>)", re.DOTALL
)
_SPELLINGS: Final = {
    "document": ("document", "doc", "file", "filename"),
    "pages": ("pages", "evidence_pages"),
    "language": ("language", "lang"),
    "type": ("type", "kind", "question_type", "doc_type"),
    "is_answerable": ("answerable", "is_answerable"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledQuestion:
    """A question with the documents and pages that answer it.

    Documents of a TREC set have no file extension and match any. `answer` is empty if the set has none.
    """

    id: str
    set_name: str
    text: str
    documents: frozenset[str]
    pages: frozenset[int]
    is_answerable: bool
    type: str
    language: str
    answer: str = ""


def read_set(path: Path, *, qrels: Path | None = None) -> list[LabelledQuestion]:
    """Read the questions of a file, or of `questions.jsonl` in a folder. Skips answerable ones without a document.

    Raises:
        UnreadableSet: There is no such file, or its format is unknown.
    """
    file = path / "questions.jsonl" if path.is_dir() else path
    name = path.name if path.is_dir() else _name(path)
    try:
        content = file.read_text(encoding="utf-8")
        if qrels is not None:
            return _trec(content, qrels.read_text(encoding="utf-8"), name=name)
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableSet(f"{file} cannot be read: {error}.") from error
    rows = _rows(content, file)
    questions = [_question(row, name, number) for number, row in enumerate(rows, start=1)]
    return [question for question in questions if question.documents or not question.is_answerable]


def _name(path: Path) -> str:
    is_general = path.stem in {"questions", "manifest", "golden"}
    return path.resolve().parent.name if is_general else path.stem


def _rows(content: str, file: Path) -> list[dict[str, Any]]:
    try:
        if file.suffix == ".json":
            loaded = json.loads(content)["questions"]
        else:
            loaded = [json.loads(line) for line in content.splitlines() if line.strip()]
    except (ValueError, KeyError, TypeError) as error:
        raise UnreadableSet(f"{file} is not a labelled set: {error}.") from error
    if not isinstance(loaded, list) or not all(isinstance(row, dict) for row in cast("list[object]", loaded)):
        raise UnreadableSet(f"{file} has lines that are not JSON objects.")
    return cast("list[dict[str, Any]]", loaded)


def _question(row: Mapping[str, Any], set_name: str, number: int) -> LabelledQuestion:
    text, document, pages = row.get("question"), _value(row, "document"), _value(row, "pages")
    if not isinstance(text, str) or not text.strip():
        raise UnreadableSet(f"Question {number} of {set_name} has no text.")
    if not _is_pages(pages):
        raise UnreadableSet(f"Question {number} of {set_name}: pages must be a list of page numbers.")
    language = _value(row, "language") or detect_language(text, languages=LANGUAGES, otherwise="") or "unknown"
    is_answerable = _value(row, "is_answerable")
    return LabelledQuestion(
        id=str(row.get("id") or number),
        set_name=set_name,
        text=text,
        documents=frozenset([PurePosixPath(str(document)).name] if document else []),
        pages=frozenset(pages or []),
        is_answerable=True if is_answerable is None else bool(is_answerable),
        type=str(_value(row, "type") or "any"),
        language=str(language),
        answer="" if row.get("answer") is None else str(row["answer"]),
    )


def _value(row: Mapping[str, Any], name: str) -> Any:  # noqa: ANN401 - any JSON value
    return next((row[spelling] for spelling in _SPELLINGS[name] if row.get(spelling) is not None), None)


def _is_pages(pages: object) -> bool:
    if pages is None:
        return True
    return isinstance(pages, list) and all(isinstance(page, int) for page in cast("list[object]", pages))


def _trec(topics: str, qrels: str, *, name: str) -> list[LabelledQuestion]:
    """Read topics in file order. Judgements may name topics by number, or by their order as Cranfield does."""
    relevant: dict[str, set[str]] = {}
    for line in qrels.splitlines():
        fields = line.split()
        if len(fields) == 4 and fields[3].lstrip("-").isdigit() and int(fields[3]) > 0:  # noqa: PLR2004 (TREC's columns)
            relevant.setdefault(fields[0], set()).add(fields[2])
    found = [(number, " ".join(text.split())) for number, text in _TOPIC.findall(topics)]
    if not found or not relevant:
        raise UnreadableSet(f"{name} has no topics, or its judgements name no relevant document.")
    return [
        LabelledQuestion(
            id=key,
            set_name=name,
            text=text,
            documents=frozenset(relevant[key]),
            pages=frozenset(),
            is_answerable=True,
            type="topic",
            language=detect_language(text, languages=LANGUAGES, otherwise="") or "unknown",
        )
        for key, text in _keyed(found, relevant)
        if key in relevant
    ]


def _keyed(topics: Sequence[tuple[str, str]], relevant: Mapping[str, object]) -> list[tuple[str, str]]:
    if set(relevant) <= {number for number, _ in topics}:
        return list(topics)
    return [(str(place), text) for place, (_, text) in enumerate(topics, start=1)]
