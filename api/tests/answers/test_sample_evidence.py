"""The labelled evidence of the sample questions is exact on its pages."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from lectern.answers.quotes.matching import find_exact, find_near
from lectern.extraction.registry import extract_document
from lectern.extraction.types import ExtractionLimits

ROOT = Path(__file__).parents[3] / "test-docs"
MANIFEST: dict[str, Any] = json.loads((ROOT / "manifest.json").read_text(encoding="utf-8"))
QUESTIONS = [
    question
    for question in MANIFEST["questions"]
    if question["is_answerable"] and question["file"].endswith(".pdf") and len(question["evidence"].split()) > 2
]


@cache
def pages(file: str) -> tuple[str, ...]:
    extracted = extract_document(ROOT / file, "application/pdf", limits=ExtractionLimits())
    return tuple(page.text for page in extracted.pages)


@pytest.mark.parametrize("question", QUESTIONS, ids=[question["id"] for question in QUESTIONS])
def test_evidence_is_exact_on_its_pages(question: dict[str, Any]) -> None:
    exact = [number for number, text in enumerate(pages(question["file"]), 1) if find_exact(text, question["evidence"])]
    assert exact == question["pages"]


@pytest.mark.parametrize("question", QUESTIONS, ids=[question["id"] for question in QUESTIONS])
def test_evidence_with_an_added_word_is_not_exact(question: dict[str, Any]) -> None:
    words = question["evidence"].split()
    changed = " ".join([*words[:1], "never", *words[1:]])
    whole = "\n".join(pages(question["file"]))
    assert find_exact(whole, changed) == []
    near = find_near(whole, changed)
    if near is not None:
        assert any("never" in difference.quoted for difference in near.differences)
