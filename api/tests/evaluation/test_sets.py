"""Parsing of labelled sets."""

import json
from pathlib import Path

import pytest

from lectern.evaluation.errors import UnreadableSet
from lectern.evaluation.sets import read_set

TOPICS = """<xml><top><num> 1</num> <title>
first topic about wings
</title></top><top><num> 4</num> <title>second topic about heat</title></top></xml>"""


def written(path: Path, *rows: object) -> Path:
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return path


def test_line_has_question_document_and_pages(tmp_path: Path) -> None:
    row = {"id": "q1", "question": "Why?", "document": "docs/a.pdf", "pages": [3], "type": "fact", "language": "en"}

    (found,) = read_set(written(tmp_path / "mine.jsonl", row | {"answerable": True}))

    assert (found.id, found.set_name, found.type, found.language) == ("q1", "mine", "fact", "en")
    assert (found.documents, found.pages, found.is_answerable) == (frozenset(["a.pdf"]), frozenset([3]), True)


def test_other_keys_are_accepted_and_folder_names_the_set(tmp_path: Path) -> None:
    folder = tmp_path / "bench"
    folder.mkdir()
    rows = [
        {"question": "Wo ist das Haus?", "doc": "b.pdf", "evidence_pages": [1, 2], "lang": "de", "kind": "table"},
        {"question": "Unknown?", "is_answerable": False, "language": "en"},
        {"question": "Nothing says where"},
    ]
    written(folder / "questions.jsonl", *rows)

    first, second = read_set(folder)

    assert (first.id, first.set_name, first.type, first.language) == ("1", "bench", "table", "de")
    assert first.pages == frozenset([1, 2])
    assert not second.is_answerable


def test_manifest_has_questions(tmp_path: Path) -> None:
    manifest = tmp_path / "manifest.json"
    manifest.write_text(json.dumps({"questions": [{"question": "Who?", "file": "documents/c.md"}]}), encoding="utf-8")

    (found,) = read_set(manifest)

    assert found.documents == frozenset(["c.md"])
    assert found.set_name == tmp_path.name


@pytest.mark.parametrize(("numbers", "keys"), [("1 4", ["1", "4"]), ("1 2", ["1", "2"])])
def test_trec_topics_match_by_number_or_order(tmp_path: Path, numbers: str, keys: list[str]) -> None:
    topics, qrels = tmp_path / "topics.xml", tmp_path / "qrels.txt"
    topics.write_text(TOPICS, encoding="utf-8")
    first, second = numbers.split()
    qrels.write_text(f"{first} 0 184 1\n{first} 0 29 0\n{second} 0 12 2\n\n", encoding="utf-8")

    found = read_set(topics, qrels=qrels)

    assert [question.id for question in found] == keys
    assert [question.text for question in found] == ["first topic about wings", "second topic about heat"]
    assert [question.documents for question in found] == [frozenset(["184"]), frozenset(["12"])]


@pytest.mark.parametrize(
    "content", ["not json", "[1]", '{"question": ""}', '{"question": "Why?", "document": "a", "pages": "three"}']
)
def test_invalid_set_is_rejected_with_a_reason(tmp_path: Path, content: str) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(content, encoding="utf-8")

    with pytest.raises(UnreadableSet, match="bad"):
        read_set(path)


def test_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnreadableSet, match="nowhere"):
        read_set(tmp_path / "nowhere.jsonl")
