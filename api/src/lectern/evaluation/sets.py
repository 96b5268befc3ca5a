"""Labelled sets: JSON lines, a manifest of sample documents, or TREC topics with relevance judgements.

A line has `question`, `document` (a filename) and `pages`; `id`, `answerable`, `type`, `language`, `answer` if known.
To measure answers only, a line may have `question` and `answer` alone.
Instead of pages it can have `spans` (character ranges of the text), or `evidence`: a list of `document` with `pages` or
`quote`. With `scope: document` the question is only asked in its document.
Other common keys are accepted (`query`, `expected_answer`, `doc`, `evidence_pages`, `lang`, `kind`, `is_answerable`).
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
    "question": ("question", "query"),
    "answer": ("answer", "expected_answer", "ground_truth"),
    "document": ("document", "doc", "file", "filename"),
    "pages": ("pages", "evidence_pages"),
    "language": ("language", "lang"),
    "type": ("type", "kind", "question_type", "doc_type"),
    "is_answerable": ("answerable", "is_answerable"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """A place that answers a question: pages, a character range or a quote of a document. Without any, all of it."""

    document: str
    pages: frozenset[int] = frozenset()
    span: tuple[int, int] | None = None
    quote: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledQuestion:
    """A question with the documents and pages that answer it. `evidence`, if any, is more precise.

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
    evidence: tuple[Evidence, ...] = ()
    is_about_document: bool = False
    """The question does not name its document, and makes sense within it only."""


def read_set(path: Path, *, qrels: Path | None = None, is_for_answers: bool = False) -> list[LabelledQuestion]:
    """Read the questions of a file, or of `questions.jsonl` in a folder.

    Raises:
        UnreadableSet: There is no such file, its format is unknown, it has no questions, or a question names no
            document. For answers, an expected answer is enough.
    """
    file = path / "questions.jsonl" if path.is_dir() else path
    name = path.name if path.is_dir() else _name(path)
    try:
        content = file.read_text(encoding="utf-8")
        if qrels is not None:
            return _trec(content, qrels.read_text(encoding="utf-8"), name=name)
    except OSError as error:
        raise UnreadableSet(f"{error.filename} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise UnreadableSet(f"{file} cannot be read: {error}.") from error
    rows = _rows(content, file)
    if not rows:
        raise UnreadableSet(f"{file} has no questions.")
    return [_question(row, name, number, is_for_answers=is_for_answers) for number, row in rows]


def _name(path: Path) -> str:
    is_general = path.stem in {"questions", "manifest", "golden"}
    return path.resolve().parent.name if is_general else path.stem


def _rows(content: str, file: Path) -> list[tuple[int, dict[str, Any]]]:
    """Return the rows with the numbers of their lines, or their places in a manifest."""
    rows: list[tuple[int, object]] = []
    if file.suffix == ".json":
        try:
            questions: list[object] = json.loads(content)["questions"]
            rows = list(enumerate(questions, start=1))
        except (ValueError, KeyError, TypeError) as error:
            raise UnreadableSet(f"{file} is not a labelled set: {error}.") from error
    else:
        lines = enumerate(content.splitlines(), start=1)
        rows = [(number, _json(line, file, number)) for number, line in lines if line.strip()]
    for number, row in rows:
        if not isinstance(row, dict):
            raise UnreadableSet(f"Question {number} of {file} is not a JSON object.")
    return cast("list[tuple[int, dict[str, Any]]]", rows)


def _json(line: str, file: Path, number: int) -> object:
    try:
        return json.loads(line)
    except ValueError as error:
        raise UnreadableSet(f"Question {number} of {file} is not JSON: {error}.") from error


def _question(row: Mapping[str, Any], set_name: str, number: int, *, is_for_answers: bool) -> LabelledQuestion:
    text, document, pages = _value(row, "question"), _value(row, "document"), _value(row, "pages")
    answer = _value(row, "answer")
    if not isinstance(text, str) or not text.strip():
        raise UnreadableSet(f"Question {number} of {set_name} has no text.")
    if not _is_pages(pages):
        raise UnreadableSet(f"Question {number} of {set_name}: pages must be a list of page numbers.")
    language = _value(row, "language") or detect_language(text, languages=LANGUAGES) or "unknown"
    is_answerable = _value(row, "is_answerable") in (None, True)
    evidence = _evidence(row, document, f"Question {number} of {set_name}")
    documents = [place.document for place in evidence] or ([_filename(document)] if document else [])
    if is_answerable and not documents and not (is_for_answers and answer):
        missing = "has neither a document nor an answer" if is_for_answers else "names no document"
        raise UnreadableSet(f"Question {number} of {set_name} {missing}.")
    return LabelledQuestion(
        id=str(row.get("id") or number),
        set_name=set_name,
        text=text,
        documents=frozenset(documents),
        pages=frozenset(pages or []),
        is_answerable=is_answerable,
        type=str(_value(row, "type") or "any"),
        language=str(language),
        answer="" if answer is None else str(answer),
        evidence=evidence,
        is_about_document=row.get("scope") == "document",
    )


def _evidence(row: Mapping[str, Any], document: object, where: str) -> tuple[Evidence, ...]:
    """Return the places of `spans` or `evidence`. Other shapes of `evidence` are notes. Raises UnreadableSet."""
    noted: object = row.get("evidence")
    places = cast("list[object]", noted) if isinstance(noted, list) else []
    named = [cast("dict[str, Any]", place) for place in places if isinstance(place, dict) and "document" in place]
    try:
        if row.get("spans"):
            return tuple(Evidence(document=_filename(document), span=(int(a), int(b))) for a, b in row["spans"])
        return tuple(
            Evidence(
                document=_filename(place["document"]),
                pages=frozenset(place.get("pages", ())),
                quote=place.get("quote", ""),
            )
            for place in named
        )
    except (TypeError, ValueError) as error:
        raise UnreadableSet(f"{where}: spans or evidence cannot be read ({type(error).__name__}).") from error


def _filename(document: object) -> str:
    return PurePosixPath(str(document)).name


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
            language=detect_language(text, languages=LANGUAGES) or "unknown",
        )
        for key, text in _keyed(found, relevant)
        if key in relevant
    ]


def _keyed(topics: Sequence[tuple[str, str]], relevant: Mapping[str, object]) -> list[tuple[str, str]]:
    if set(relevant) <= {number for number, _ in topics}:
        return list(topics)
    return [(str(place), text) for place, (_, text) in enumerate(topics, start=1)]
