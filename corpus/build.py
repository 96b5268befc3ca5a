"""Build the benchmark corpus: `python corpus/build.py FOLDER [--family NAME ...]`.

Writes `documents/`, `manifest.json` and `questions.jsonl`, and one file of questions for each split. Needs the packages
of the development lock. The same versions give the same bytes.
"""

import argparse
import hashlib
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "test-docs")]

from generator.build import build_pdf  # noqa: E402
from generator.markup import Block, Heading, Items, Rows, Text  # noqa: E402
from generator.scan import scan  # noqa: E402
from toolkit.family import Draft, Family, Question, load_family  # noqa: E402
from toolkit.formats import WRITERS, resolved, slides  # noqa: E402
from toolkit.pages import find_pages, normalize, read_pdf  # noqa: E402

FAMILIES = HERE / "families"


@dataclass(frozen=True, kw_only=True)
class Written:
    """A finished document: its bytes, the text of each page, and whether pages are numbered in its format."""

    draft: Draft
    content: bytes
    texts: tuple[str, ...]
    has_pages: bool


def write(draft: Draft) -> Written:
    """Write a draft in the format of its file name."""
    suffix = Path(draft.file).suffix
    if suffix == ".pdf":
        content = build_pdf(draft.source, dict(draft.tables)).content
        texts = read_pdf(content)
        if draft.is_scan:
            content = scan(content, title=draft.source.meta["title"])
        return Written(draft=draft, content=content, texts=texts, has_pages=True)
    blocks = resolved(draft.source, draft.tables)
    content = WRITERS[suffix](draft.source, blocks)
    if suffix not in {".pptx", ".xlsx"}:
        plain = _words(blocks)
        return Written(draft=draft, content=content, texts=(plain,), has_pages=False)
    pages = [_words(group) for _, group in slides(blocks)]
    return Written(
        draft=draft, content=content, texts=tuple(([""] if suffix == ".pptx" else []) + pages), has_pages=True
    )


def _words(blocks: Iterable[Block]) -> str:
    """Return the text of blocks without marks of lists, tables and bold type."""
    parts: list[str] = []
    for block in blocks:
        match block:
            case Items(items):
                parts += items
            case Rows(rows):
                parts += (cell for row in rows for cell in row)
            case Heading(_, text) | Text(text):
                parts.append(text)
            case _:
                pass
    return normalize(" ".join(parts).replace("**", ""))


def resolve(question: Question, written: dict[str, Written]) -> dict[str, Any]:
    """Return the question with the pages of its evidence. Raises ValueError for a quote that no file contains."""
    evidence: list[dict[str, Any]] = []
    for quote in question.evidence:
        places = [(file, find_pages(quote, written[file].texts)) for file in question.files]
        found = [(file, pages) for file, pages in places if pages]
        if not found:
            raise ValueError(f"{question.id}: {quote!r} is not in {', '.join(question.files)}")
        evidence += [
            {"document": file, "quote": quote, "pages": pages if written[file].has_pages else []}
            for file, pages in found
        ]
    if question.is_answerable != bool(evidence):
        raise ValueError(f"{question.id}: only answerable questions have evidence")
    return {
        "id": question.id,
        "question": question.text,
        "language": question.language,
        "kind": question.kind,
        "answerable": question.is_answerable,
        "document": question.files[0] if question.files else None,
        "pages": sorted({page for one in evidence if one["document"] == question.files[0] for page in one["pages"]}),
        "answer": question.answer,
        "evidence": evidence,
    }


def build(family: Family, output: Path) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Write the documents of a family. Returns the entries of the manifest, and the questions."""
    written = {draft.file: write(draft) for draft in family.drafts}
    entries: list[dict[str, Any]] = []
    for file, one in written.items():
        (output / "documents" / file).write_bytes(one.content)
        meta = one.draft.source.meta
        entries.append({
            "file": file, "family": family.name, "split": family.split, "title": meta["title"], "language": meta["language"],
            "collection": meta.get("collection", family.name), "tags": [tag for tag in meta.get("tags", "").split(", ") if tag],
            "pages": len(one.texts) if one.has_pages else None, "words": sum(len(text.split()) for text in one.texts),
            "has_text": not one.draft.is_scan, "size_bytes": len(one.content),
            "sha256": hashlib.sha256(one.content).hexdigest(),
        })  # fmt: skip
    rows = [
        {**resolve(question, written), "family": family.name, "split": family.split} for question in family.questions
    ]
    return entries, rows


def _families(names: list[str]) -> Iterator[Family]:
    for folder in sorted(path.parent for path in FAMILIES.glob("*/family.py")):
        if not names or folder.name in names:
            yield load_family(folder)


def main() -> None:
    parser = argparse.ArgumentParser(description="Build the benchmark corpus.")
    parser.add_argument("output", type=Path)
    parser.add_argument("--family", action="append", default=[], help="only this family; can be repeated")
    arguments = parser.parse_args()
    output: Path = arguments.output
    (output / "documents").mkdir(parents=True, exist_ok=True)
    documents: list[dict[str, Any]] = []
    questions: list[dict[str, Any]] = []
    for family in _families(arguments.family):
        entries, rows = build(family, output)
        documents += entries
        questions += rows
        pages = sum(entry["pages"] or 1 for entry in entries)
        print(f"{family.name:32} {family.split:5} {len(entries):3} documents {pages:5} pages {len(rows):4} questions")
    for kind, values in (("ids", [row["id"] for row in questions]), ("files", [entry["file"] for entry in documents])):
        repeated = [value for value, count in Counter(values).items() if count > 1]
        if repeated:
            raise SystemExit(f"{kind} are used twice: {', '.join(repeated)}")
    _write(output / "questions.jsonl", questions)
    for split in ("train", "dev", "test"):
        _write(output / f"questions-{split}.jsonl", [row for row in questions if row["split"] == split])
    (output / "manifest.json").write_text(
        json.dumps({"documents": documents}, indent=1, ensure_ascii=False) + "\n", "utf-8"
    )
    answerable = sum(row["answerable"] for row in questions)
    print(f"{len(documents)} documents, {sum(entry['pages'] or 1 for entry in documents)} pages, "
          f"{answerable} answerable and {len(questions) - answerable} unanswerable questions")  # fmt: skip


def _write(path: Path, rows: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")


if __name__ == "__main__":
    main()
