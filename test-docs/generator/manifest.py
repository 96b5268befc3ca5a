"""The manifest: what each document is, and which page answers each question."""

import hashlib
import json
import re
import zlib
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pypdfium2

from generator.pages import Mark


@dataclass(frozen=True)
class Sample:
    """A finished document with what its manifest entry needs."""

    file: str
    media_type: str
    meta: dict[str, str]
    content: bytes
    headings: tuple[Mark, ...] = ()
    has_text: bool = True
    page_texts: tuple[str, ...] = field(default=())


def page_texts(content: bytes) -> tuple[str, ...]:
    """The text of each page with runs of white space made one space."""
    with pypdfium2.PdfDocument(content) as document:
        return tuple(plain(page.get_textpage().get_text_bounded()) for page in document)


def plain(text: str) -> str:
    """Joined across lines; U+FFFE marks a hyphen at the end of a line."""
    return " ".join(re.sub("\ufffe\\s*", "", text).split())


def build_manifest(samples: list[Sample], questions: Path) -> dict[str, Any]:
    """The whole manifest; raises ValueError for a question whose evidence is not on exactly one page."""
    by_file = {sample.file: sample for sample in samples}
    lines = [json.loads(line) for line in questions.read_text(encoding="utf-8").splitlines()]
    return {
        "generated_with": {
            **{name: version(name) for name in ("reportlab", "pillow", "pypdfium2")},
            "zlib": zlib.ZLIB_RUNTIME_VERSION,
        },
        "documents": [_document(sample) for sample in samples],
        "questions": [_question(line, by_file) for line in lines],
    }


def _document(sample: Sample) -> dict[str, Any]:
    return {
        "file": f"documents/{sample.file}",
        "title": sample.meta["title"],
        "media_type": sample.media_type,
        "language": sample.meta["language"],
        "collection": sample.meta["collection"],
        "tags": sample.meta["tags"].split(", "),
        "sha256": hashlib.sha256(sample.content).hexdigest(),
        "size_bytes": len(sample.content),
        "pages": len(sample.page_texts),
        "has_text": sample.has_text,
        "headings": [{"text": mark.text, "level": mark.level, "page": mark.page} for mark in sample.headings],
    }


def _question(line: dict[str, str], by_file: dict[str, Sample]) -> dict[str, Any]:
    base = {key: line[key] for key in ("id", "language", "kind", "question")}
    if "file" not in line:
        return {
            **base,
            "is_answerable": False,
            "file": None,
            "document_language": None,
            "pages": [],
            "answer": None,
            "evidence": None,
        }
    sample = by_file[line["file"]]
    pages = [number for number, text in enumerate(sample.page_texts, 1) if line["evidence"] in text]
    if len(pages) != 1 or line["answer"] not in sample.page_texts[pages[0] - 1]:
        raise ValueError(f"{line['id']}: evidence on pages {pages} of {line['file']}")
    return {
        **base,
        "is_answerable": True,
        "file": f"documents/{line['file']}",
        "document_language": sample.meta["language"],
        "pages": pages,
        "answer": line["answer"],
        "evidence": line["evidence"],
    }
