"""`lectern eval` without a running installation."""

import json
from collections.abc import Awaitable, Callable
from pathlib import Path

from tests.cli.running import lectern

from lectern.answers.golden.service import add_golden_query
from lectern.cli.open_installation import OpenInstallation, on_installation
from lectern.db.scope import SYSTEM_SCOPE

PAGES = (
    "# Handbook\n\n## Leave\n\nEverybody has 26 days of leave a year.\n\n## Notice\n\nThe notice period is 30 days.\n"
)
ASKED = (
    {"id": "leave", "question": "How many days of leave?", "document": "handbook.md", "pages": [1], "language": "en"},
    {"id": "notice", "question": "How long is the notice period?", "document": "handbook.md", "pages": [1]},
)
ABSENT = {"id": "absent", "question": "Who was the first astronaut on Mars?", "answerable": False}
LOST = {"id": "lost", "question": "Where is the car park?", "document": "site plan.pdf", "pages": [1]}


def test_evaluation_runs_are_saved_compared_swept_and_checked(data_home: Path, tmp_path: Path) -> None:
    data = ("--data-dir", str(data_home / "evaluated"))
    handbook, questions, baseline = tmp_path / "handbook.md", tmp_path / "mine.jsonl", tmp_path / "baseline.json"
    handbook.write_text(PAGES)
    questions.write_text("\n".join(map(json.dumps, ASKED)))
    assert lectern("ingest", str(handbook), "--wait", *data).returncode == 0

    first = lectern("eval", str(questions), "--output", str(tmp_path / "a"), "--save-baseline", str(baseline), *data)
    questions.write_text("\n".join(map(json.dumps, (*ASKED, LOST))))
    second = lectern("eval", str(questions), "--output", str(tmp_path / "b"), "--baseline", str(baseline), *data)
    compared = lectern("eval", "compare", str(tmp_path / "a" / "run.json"), str(tmp_path / "b" / "run.json"))
    swept = lectern("eval", "sweep", str(questions), "--set", "candidates=50,100", "--json", *data)

    judged = lectern("eval", "answers", str(questions), "--judge-url", "http://127.0.0.1:9/v1", *data)
    assert (judged.returncode, judged.stdout) == (1, "")
    assert "Use --judge-url together with --judge-model." in judged.stderr
    assert first.returncode == 0, first.stderr
    assert "| all | 2 | 1.000 (1.000-1.000)" in first.stdout
    assert (tmp_path / "a" / "recall.svg").read_text().startswith("<svg")
    assert second.returncode == 1
    assert "The library does not have site plan.pdf" in second.stderr
    assert "all: recall@1 fell from 1.000 to 0.667." in second.stderr
    assert "0 improved, 0 regressed, 2 unchanged; 1 in one run only." in compared.stdout
    assert [each["settings"] for each in json.loads(swept.stdout)] == [{"candidates": 50}, {"candidates": 100}]
    assert [(each["improved"], each["regressed"]) for each in json.loads(swept.stdout)] == [([], []), ([], [])]


def test_golden_queries_are_evaluated_like_any_set(data_home: Path, tmp_path: Path) -> None:
    data = ("--data-dir", str(data_home / "starred"))
    handbook = tmp_path / "handbook.md"
    handbook.write_text(PAGES)
    assert lectern("ingest", str(handbook), "--wait", *data).returncode == 0

    without = lectern("eval", "golden", *data)
    on_installation(star("How many days of leave?", "handbook.md"), data_dir=data_home / "starred")
    golden = lectern("eval", "golden", *data)
    swept = lectern("eval", "sweep", "golden", "--set", "candidates=20,50", *data)
    unknown = lectern("eval", "sweep", "golden", "--set", "colour=red", *data)
    invalid = lectern("eval", "sweep", "golden", "--set", "ranker=red", *data)
    empty = lectern("eval", "sweep", "golden", "--set", "ranker=,", *data)
    confidence = lectern("eval", "confidence", "golden", *data)
    reranked = lectern("eval", "rerank", "golden", *data)

    assert (without.returncode, without.stdout) == (1, "")
    assert "No golden queries yet." in without.stderr
    assert "| all | 1 | 1.000 (1.000-1.000)" in golden.stdout, golden.stderr
    assert [line.split(" | ")[0] for line in swept.stdout.strip().splitlines()[2:]] == [
        "| 100 (current)",
        "| 20",
        "| 50",
    ]
    assert unknown.returncode == 1
    assert "There is no search setting colour. Use one of ranker" in unknown.stderr
    assert "ranker=red: Must be 'model' or 'fusion'." in invalid.stderr
    assert "'ranker=,' is not NAME=VALUE,VALUE. Write a setting and its values: ranker=model,fusion." in empty.stderr
    assert "GET" not in invalid.stderr
    assert (confidence.returncode, reranked.returncode) == (1, 1)
    assert "1 answered and 1 unanswered searches. 20 of each are needed." in confidence.stderr
    assert "This installation has no reranker." in reranked.stderr


def star(query: str, document: str) -> Callable[[OpenInstallation], Awaitable[None]]:
    """Return the request that marks a document's first page as the answer."""

    async def work(bench: OpenInstallation) -> None:
        async with bench.database.session(SYSTEM_SCOPE) as session:
            await add_golden_query(session, "system", query=query, document=document, page_number=1)

    return work


def test_answers_are_judged_saved_and_checked_against_a_baseline(data_home: Path, tmp_path: Path) -> None:
    data = ("--data-dir", str(data_home / "evaluated"))
    handbook, questions, baseline = tmp_path / "handbook.md", tmp_path / "mine.jsonl", tmp_path / "baseline.json"
    lost = tmp_path / "lost.jsonl"
    handbook.write_text(PAGES)
    questions.write_text("\n".join(map(json.dumps, ({**ASKED[1], "answer": "30 days"}, ABSENT))))
    assert lectern("ingest", str(handbook), "--wait", *data).returncode == 0
    lost.write_text(json.dumps({**LOST, "answer": "Rome"}))
    missing = lectern("eval", "answers", str(lost), *data)
    assert "The library does not have site plan.pdf, so questions about them fail." in missing.stderr

    first = lectern("eval", "answers", str(questions), "--output", str(tmp_path / "a"), "--runs", "2",
                    "--save-baseline", str(baseline), *data)  # fmt: skip
    baseline.write_text(json.dumps({"all": {"accuracy": 1.5}}))
    second = lectern("eval", "answers", str(questions), "--limit", "1", "--baseline", str(baseline), "--json", *data)

    assert first.returncode == 0, first.stderr
    assert "| all | 1 | 1.000 (1.000-1.000)" in first.stdout
    assert "2 runs: right 1.000 to 1.000" in first.stdout
    saved = json.loads((tmp_path / "a" / "answers.json").read_text())
    assert [one["verdict"] for one in saved["results"]] == ["right", None] * 2
    assert second.returncode == 1
    assert "all: accuracy fell from 1.500 to 1.000." in second.stderr
    assert [one["id"] for one in json.loads(second.stdout)["results"]] == ["notice"]


def test_invalid_labelled_set_is_rejected_in_one_line(tmp_path: Path) -> None:
    run = lectern("eval", str(tmp_path / "nowhere.jsonl"), "--data-dir", str(tmp_path))

    assert run.returncode == 1
    assert "nowhere.jsonl cannot be read" in run.stderr
    assert len(run.stderr.strip().splitlines()) == 1
