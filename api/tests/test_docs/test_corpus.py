"""The benchmark corpus builds, and our own extraction finds each quote on the page that its question names."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from lectern.extraction.detection import detect_content_type
from lectern.extraction.registry import extract_document
from lectern.extraction.types import ExtractionLimits

ROOT = Path(__file__).parents[3] / "corpus"
SMALL = "rowing_club"
FAMILIES = sorted(path.parent.name for path in (ROOT / "families").glob("*/family.py"))
UNANSWERABLE = {
    "other_entity", "other_period", "missing_attribute", "false_premise", "out_of_scope", "underspecified",
}  # fmt: skip


def build(folder: Path, family: str) -> Path:
    command = [sys.executable, str(ROOT / "build.py"), str(folder), "--family", family]
    subprocess.run(command, check=True, capture_output=True, text=True)
    return folder


def rows(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines()]


def plain(text: str) -> str:
    """Leave letters and digits: Markdown marks of tables and lists are not part of a quote."""
    return re.sub(r"[\W_]+", "", text.casefold())


def pages(folder: Path, file: str) -> dict[int, str]:
    path = folder / "documents" / file
    content_type = detect_content_type(path.read_bytes()[:65_536], file)
    document = extract_document(path, content_type, limits=ExtractionLimits())
    return {page.page_number: page.text for page in document.pages}


def test_a_family_gives_the_same_bytes_twice(tmp_path: Path) -> None:
    first, second = build(tmp_path / "1", SMALL), build(tmp_path / "2", SMALL)

    assert (first / "manifest.json").read_bytes() == (second / "manifest.json").read_bytes()


def test_a_template_cannot_print_a_method_of_its_data(tmp_path: Path) -> None:
    (tmp_path / "page.txt").write_text("---\ntitle: A\n---\nUpdated every << e.update >> minutes.", encoding="utf-8")
    code = "from toolkit.family import render_source; from pathlib import Path; "
    code += f"render_source(Path({str(tmp_path)!r}), 'page.txt', e={{'update': 30}})"
    paths = [str(ROOT), str(ROOT.parent / "test-docs")]
    command = [sys.executable, "-c", f"import sys; sys.path[:0] = {paths}; {code}"]

    done = subprocess.run(command, check=False, capture_output=True, text=True)

    assert "which is no value" in done.stderr


@pytest.mark.parametrize(
    "family", [family if family == SMALL else pytest.param(family, marks=pytest.mark.slow) for family in FAMILIES]
)
def test_extraction_finds_every_quote_on_its_pages(tmp_path: Path, family: str) -> None:
    folder = build(tmp_path, family)
    manifest = {each["file"]: each for each in json.loads((folder / "manifest.json").read_text("utf-8"))["documents"]}
    read: dict[str, dict[int, str]] = {}
    missing: list[str] = []

    for row in rows(folder):
        assert row["answerable"] == (row["kind"] not in UNANSWERABLE) == bool(row["evidence"])
        for quote in row["evidence"]:
            file = quote["document"]
            if not manifest[file]["has_text"]:
                continue
            if file not in read:
                read[file] = pages(folder, file)
            texts = read[file]
            wanted = quote["pages"] or list(texts)
            found = "".join(plain(texts.get(page, "")) for page in wanted)
            # Word by word: a cell of two lines is read after the other cells of its row.
            if not all(plain(word) in found for word in quote["quote"].split()):
                missing.append(f"{row['id']}: {quote['quote']!r} is not on {wanted} of {file}")

    assert missing == []
