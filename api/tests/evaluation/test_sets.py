"""Parsing of labelled sets."""

import json
from pathlib import Path

import pytest

from lectern.evaluation.errors import UnreadableSet
from lectern.evaluation.sets import Evidence, read_set

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
    ]
    written(folder / "questions.jsonl", *rows)

    first, second = read_set(folder)

    assert (first.id, first.set_name, first.type, first.language) == ("1", "bench", "table", "de")
    assert first.pages == frozenset([1, 2])
    assert not second.is_answerable


def test_spans_evidence_and_scope_are_read(tmp_path: Path) -> None:
    rows = [
        {"question": "Who?", "doc": "a.txt", "spans": [[5, 90]], "scope": "document"},
        {
            "question": "When?",
            "evidence": [{"document": "b.pdf", "pages": [2]}, {"document": "c.eml", "quote": "at noon"}],
        },
    ]

    first, second = read_set(written(tmp_path / "mine.jsonl", *rows))

    assert first.evidence == (Evidence(document="a.txt", span=(5, 90)),)
    assert (first.is_about_document, second.is_about_document) == (True, False)
    assert second.documents == frozenset(["b.pdf", "c.eml"])
    assert second.evidence[1] == Evidence(document="c.eml", quote="at noon")


def test_question_without_a_document_is_rejected_by_number(tmp_path: Path) -> None:
    rows = [{"question": "Who?", "document": "a.txt"}, {"question": "Nothing says where"}]

    with pytest.raises(UnreadableSet, match="Question 2 of mine names no document"):
        read_set(written(tmp_path / "mine.jsonl", *rows))


def test_answers_need_no_document_but_an_answer(tmp_path: Path) -> None:
    rows = [{"query": "What is the fee?", "expected_answer": "3 euro"}, {"question": "Who?", "answerable": False}]
    path = written(tmp_path / "policy_qa.jsonl", *rows)

    first, second = read_set(path, is_for_answers=True)

    assert (first.text, first.answer, first.documents) == ("What is the fee?", "3 euro", frozenset())
    assert not second.is_answerable
    path = written(tmp_path / "policy_qa.jsonl", *rows, {"question": "Where?"})
    with pytest.raises(UnreadableSet, match="Question 3 of policy_qa has neither a document nor an answer"):
        read_set(path, is_for_answers=True)


def test_invalid_line_and_empty_file_are_rejected(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text('{"question": "Who?", "document": "a.txt"}\n\n{"question": \n', encoding="utf-8")
    with pytest.raises(UnreadableSet, match=r"Question 3 of .*mine\.jsonl is not JSON"):
        read_set(path)
    path.write_text("\n", encoding="utf-8")
    with pytest.raises(UnreadableSet, match="has no questions"):
        read_set(path)


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
