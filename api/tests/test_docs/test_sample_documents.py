"""The sample documents are what their manifest says, and their generator still makes them."""

import hashlib
import json
import subprocess
import sys
import zlib
from collections import Counter
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pypdfium2
import pytest

ROOT = Path(__file__).parents[3] / "test-docs"
MANIFEST: dict[str, Any] = json.loads((ROOT / "manifest.json").read_text(encoding="utf-8"))
DOCUMENTS: list[dict[str, Any]] = MANIFEST["documents"]
QUESTIONS: list[dict[str, Any]] = MANIFEST["questions"]
ANSWERABLE = [question for question in QUESTIONS if question["is_answerable"]]


@cache
def page_texts(file: str, folder: Path = ROOT) -> tuple[str, ...]:
    path = folder / file
    if path.suffix != ".pdf":
        return (" ".join(path.read_text(encoding="utf-8").split()),)
    document = pypdfium2.PdfDocument(path)
    readers = [document[index].get_textpage() for index in range(len(document))]
    texts = [reader.get_text_bounded() for reader in readers]  # pyright: ignore[reportUnknownMemberType]  # untyped
    document.close()
    return tuple(" ".join(text.replace("\ufffe\r\n", "").split()) for text in texts)


@pytest.fixture(scope="session")
def made_again(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("test-docs")
    command = [sys.executable, str(ROOT / "generate.py"), "--output", str(folder)]
    subprocess.run(command, check=True, capture_output=True, text=True)
    return folder


def test_the_folder_holds_exactly_the_documents_of_the_manifest() -> None:
    files = {str(path.relative_to(ROOT)) for path in (ROOT / "documents").iterdir()}

    assert files == {document["file"] for document in DOCUMENTS}


@pytest.mark.parametrize("document", DOCUMENTS, ids=[document["file"] for document in DOCUMENTS])
def test_a_document_has_the_hash_and_the_pages_of_its_entry(document: dict[str, Any]) -> None:
    content = (ROOT / document["file"]).read_bytes()
    texts = page_texts(document["file"])

    assert hashlib.sha256(content).hexdigest() == document["sha256"]
    assert len(content) == document["size_bytes"]
    assert len(texts) == document["pages"]
    assert any(texts) == document["has_text"]


@pytest.mark.parametrize("document", DOCUMENTS, ids=[document["file"] for document in DOCUMENTS])
def test_every_expected_heading_is_on_its_page(document: dict[str, Any]) -> None:
    texts = page_texts(document["file"])
    missing = [heading for heading in document["headings"] if heading["text"] not in texts[heading["page"] - 1]]

    assert missing == []


@pytest.mark.parametrize("question", ANSWERABLE, ids=[question["id"] for question in ANSWERABLE])
def test_answer_is_on_the_page_that_the_question_names(question: dict[str, Any]) -> None:
    texts = page_texts(question["file"])
    found = [number for number, text in enumerate(texts, 1) if question["evidence"] in text]

    assert found == question["pages"]
    assert question["answer"] in texts[found[0] - 1]


def test_the_questions_are_many_and_of_every_kind() -> None:
    crossing = {(question["language"], question["document_language"]) for question in ANSWERABLE}
    kinds = {question["kind"] for question in QUESTIONS}

    assert len({question["id"] for question in QUESTIONS}) == len(QUESTIONS) >= 60
    assert len(QUESTIONS) - len(ANSWERABLE) >= 10
    assert crossing == {("en", "en"), ("it", "it"), ("it", "en"), ("en", "it")}
    assert kinds == {"fact", "figure", "identifier", "cross_lingual", "unanswerable"}


def test_the_generator_makes_the_same_text_on_the_same_pages(made_again: Path) -> None:
    texts = {document["file"]: page_texts(document["file"]) for document in DOCUMENTS}
    again = {document["file"]: page_texts(document["file"], made_again) for document in DOCUMENTS}

    assert again == texts


def test_the_generator_makes_the_same_bytes_with_the_same_libraries(made_again: Path) -> None:
    made_with: dict[str, str] = dict(MANIFEST["generated_with"])
    here = {name: version(name) for name in made_with if name != "zlib"} | {"zlib": zlib.ZLIB_RUNTIME_VERSION}
    # Another zlib packs the same pages into other bytes; the text is compared in any case.
    compared = (
        DOCUMENTS if here == made_with else [entry for entry in DOCUMENTS if entry["media_type"] != "application/pdf"]
    )
    changed = [
        entry["file"]
        for entry in compared
        if (made_again / entry["file"]).read_bytes() != (ROOT / entry["file"]).read_bytes()
    ]

    assert changed == []


HALVES = ("tuning", "frozen")
KINDS_WITHOUT_ANSWER = {
    *("other_entity", "other_period", "missing_attribute", "false_premise", "out_of_scope", "underspecified")
}


def benchmark_questions(name: str) -> list[dict[str, Any]]:
    lines = (ROOT.parent / "api" / "benchmarks" / f"{name}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in lines.splitlines()]


def unseen_questions(half: str) -> list[dict[str, Any]]:
    return benchmark_questions(f"unseen_questions_{half}")


@pytest.mark.parametrize(
    ("name", "answerable"),
    [
        ("unseen_questions_tuning", 60),
        ("unseen_questions_frozen", 60),
        ("other_language_questions", 44),
        ("other_language_questions_frozen", 108),
    ],
)
def test_questions_quote_the_page_that_answers_them(name: str, answerable: int) -> None:
    has_text = {Path(document["file"]).name: document["has_text"] for document in DOCUMENTS}
    questions = [question for question in benchmark_questions(name) if question.get("answerable", True)]
    for question in questions:
        texts = page_texts(f"documents/{question['document']}")
        assert question["answer"]
        pages: list[int] = question["pages"] if has_text[question["document"]] else []
        for page in pages:
            text = texts[page - 1].replace("|", " ").replace("*", "")
            assert question["quote"].lower() in " ".join(text.split()).lower(), question
    assert len(questions) == answerable


@pytest.mark.parametrize("name", ["other_language_questions", "other_language_questions_frozen"])
def test_other_language_questions_are_in_another_language_than_their_document(name: str) -> None:
    languages = {Path(document["file"]).name: document["language"] for document in DOCUMENTS}
    questions = benchmark_questions(name)
    assert all(question["language"] != languages.get(question.get("document", "")) for question in questions)


@pytest.mark.parametrize("half", HALVES)
def test_unseen_questions_without_an_answer_are_of_six_kinds_in_both_languages(half: str) -> None:
    rows = [(row["language"], row["type"]) for row in unseen_questions(half) if not row.get("answerable", True)]
    assert Counter(rows) == {(language, kind): 2 for language in ("en", "it") for kind in KINDS_WITHOUT_ANSWER}


def test_halves_of_the_unseen_questions_share_no_question() -> None:
    tuning, frozen = ({row["question"] for row in unseen_questions(half)} for half in HALVES)
    assert len(tuning) == len(frozen) == 84
    assert not tuning & frozen
