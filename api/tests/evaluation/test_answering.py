"""Evaluation of answers: judges, measures, spread."""

from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest
from benchmarks.throwaway import ThrowawayDatabase
from pydantic import SecretStr
from tests.answers.chat_server import chat_server, found, source_of
from tests.answers.library import open_library
from tests.api import Api

from lectern.answers.errors import ModelRejected, ModelUnreadable
from lectern.answers.generation.endpoint import ChatEndpoint
from lectern.answers.service import AnswerService
from lectern.evaluation.answer_quality.judges import ModelJudge, matches
from lectern.evaluation.answer_quality.reports import markdown
from lectern.evaluation.answer_quality.results import AnswerResult, conclude
from lectern.evaluation.answer_quality.runner import AnswerEvaluation
from lectern.evaluation.runner import SearchEvaluation
from lectern.evaluation.sets import LabelledQuestion
from lectern.settings import AnswersSettings

FEE = "The fee for a paper statement is 3 euro."


def question(identity: str, text: str, **label: Any) -> LabelledQuestion:
    values: dict[str, Any] = {
        "documents": frozenset[str](),
        "pages": frozenset[int](),
        "is_answerable": True,
        "type": "fact",
    }
    return LabelledQuestion(id=identity, set_name="mine", text=text, language="en", **(values | label))


QUESTIONS = [
    question("fee", "What is the fee for a paper statement?", documents=frozenset({"tariff.pdf"}),
             pages=frozenset({3}), answer="3 euro"),
    question("cards", "Within how many days are cards sent by post?", documents=frozenset({"tariff.pdf"}),
             pages=frozenset({2}), answer="five days", type="time"),
    question("absent", "Who was the first astronaut on Mars?", is_answerable=False),
]  # fmt: skip


@pytest.mark.parametrize(
    ("expected", "answer", "is_right"),
    [
        ("$1,577.00", "Capital expenditure was $1577 million.", True),
        ("$1577.00", "Capital expenditure was $1,576 million.", False),
        ("8.7 and 9.1", "It was 8.7%.", False),
        ("the Board of Directors", "The board decides; its directors sign.", True),
        ("the Board of Directors", "The chairman decides.", False),
        ("Yes", "Yes, it is profitable.", True),
        ("No", "The company has no debt.", True),
        ("No.", "It pays a dividend.", False),
        ("Sì", "La banca applica la commissione.", True),
        ("", "Anything.", False),
        ("3", "", False),
        ("Two", "Staff may work at home up to 2 days a week.", True),
        ("Three weeks in a cool place", "Resta buono per tre settimane al fresco.", True),
        ("Three weeks in a cool place", "It is best within two months, in a cool place.", False),
        ("Zwölf Stunden bei 210 °C", "They are baked for twelve hours at 210 °C.", True),
        ("12 ore", "They are baked for twelve hours.", True),
        ("1234567.5", "It costs 1,234,567.50 euros.", True),
    ],
)
def test_answers_match_by_numbers_or_words(expected: str, answer: str, is_right: bool) -> None:  # noqa: FBT001
    assert matches(expected, answer) is is_right


def result(identity: str, verdict: Any, *, run: int = 1, is_answerable: bool = True, **more: Any) -> AnswerResult:
    values: dict[str, Any] = {
        "set_name": "mine", "question": "?", "type": "fact", "language": "en", "expected": "x", "answer": "y",
        "mode": "model", "reason": None, "is_document_cited": None, "is_page_cited": None, "requests": 1, "tokens": 9,
        "took_ms": 1.0,
    }  # fmt: skip
    return AnswerResult(run=run, id=identity, verdict=verdict, is_answerable=is_answerable, **(values | more))


def test_failures_are_no_abstentions() -> None:
    done = conclude(
        [
            result("a", "right", is_document_cited=True, is_page_cited=False),
            result("b", "wrong", is_document_cited=False, type="date"),
            result("c", None),
            result("d", "unlabelled", is_document_cited=True),
            result("e", None, error="answer_model_timeout"),
            result("x", None, is_answerable=False),
            result("y", "wrong", is_answerable=False),
            result("z", None, is_answerable=False, error="answer_model_timeout"),
        ],
        settings={},
    )
    measures = {name: measure.value for name, measure in done.summaries[0].measures.items()}
    assert measures == {
        "accuracy": 0.25, "answered": 0.6, "right_of_answered": 0.5, "document_cited": 0.6667, "page_cited": 0.0,
    }  # fmt: skip
    assert [(one.group, one.questions) for one in done.summaries] == [("all", 5), ("type date", 1), ("type fact", 4)]
    assert done.abstention is not None
    assert (done.abstention.questions, done.abstention.precision, done.abstention.recall) == (6, 0.5, 0.5)
    assert done.spread is None
    assert "Modes: answer_model_timeout 2, model 6. Chat endpoint: 8 requests, 72 tokens." in markdown(done)


def test_spread_between_runs_is_reported() -> None:
    verdicts = {1: ("right", "right", None), 2: ("right", "wrong", None)}
    done = conclude(
        [
            result(identity, verdict, run=run, is_answerable=identity != "absent")
            for run, given in verdicts.items()
            for identity, verdict in zip(("a", "b", "absent"), given, strict=True)
        ],
        settings={},
    )
    assert done.spread is not None
    assert (done.spread.lowest_accuracy, done.spread.highest_accuracy) == (0.6667, 1.0)
    assert done.spread.same_verdict == 0.6667
    assert "2 runs: right 0.667 to 1.000; 0.667 of the questions have one verdict in all." in markdown(done)


@pytest.fixture
async def api(filled_database: ThrowawayDatabase, tmp_path: Path) -> AsyncGenerator[Api]:
    async with open_library(filled_database, tmp_path) as made:
        yield made


def service_of(api: Api) -> AnswerService:
    return api.app.state.answer_service


async def test_citations_are_compared_with_labels(api: Api) -> None:
    done = await AnswerEvaluation(service=service_of(api)).run(QUESTIONS, runs=2)
    by_id = {one.id: one for one in done.results}
    fee = by_id["fee"]
    assert (fee.verdict, fee.mode, fee.is_document_cited, fee.is_page_cited) == ("right", "extractive", True, True)
    assert by_id["absent"].verdict is None
    assert [one.id for one in done.results] == ["fee", "cards", "absent"] * 2
    assert done.abstention is not None
    assert done.abstention.recall == 1.0
    assert done.spread is not None
    assert done.spread.same_verdict == 1.0
    assert (done.settings["model"], done.settings["judge"]) == (None, "numbers and words")
    assert await api.sql("SELECT 1 FROM saved_answers") == []


async def test_scope_of_a_question_is_its_document(api: Api) -> None:
    text = "What is the fee for a paper statement?"
    asked = [
        question(name, text, documents=frozenset({name}), answer="3 euro", is_about_document=True)
        for name in ("tariff.pdf", "vault.pdf", "missing.pdf")
    ]
    done = await AnswerEvaluation(service=service_of(api)).run(asked)
    found = [(one.verdict, one.is_document_cited, one.error) for one in done.results]
    assert found == [("right", True, None), (None, None, None), (None, None, "unknown_document")]


async def test_copy_counts_as_the_labelled_document(api: Api) -> None:
    admin = await api.person(role="admin")
    made = await api.client.post("/api/v1/collections", json={"name": "Copies"}, headers=admin.headers)
    assert made.status_code == 201, made.text
    await api.sql(
        "UPDATE documents SET sha256 = (SELECT sha256 FROM documents WHERE filename = 'tariff.pdf'), "
        f"collection_id = '{made.json()['id']}' WHERE filename = 'vault.pdf'"
    )
    label = {"documents": frozenset({"vault.pdf"}), "pages": frozenset({3}), "answer": "3 euro"}
    asked = [question("fee", "What is the fee for a paper statement?", **label)]
    engine = service_of(api).engine

    (searched,) = (await SearchEvaluation(engine=engine).run(asked)).questions
    (answered,) = (await AnswerEvaluation(service=service_of(api)).run(asked)).results

    assert (searched.gains[0], searched.document_rank) == (1, 1)
    assert (answered.is_document_cited, answered.is_page_cited) == (True, True)


async def test_failure_fails_a_question_and_rejection_ends_the_run(api: Api) -> None:
    def say(body: dict[str, Any]) -> dict[str, Any] | str:
        content = body["messages"][1]["content"]
        return found((FEE, [source_of(body, "paper statement")])) if "What is the fee" in content else "no JSON at all"

    with chat_server(say) as server:
        settings = AnswersSettings(base_url=server.url, model="small", api_key=SecretStr("k"))
        service = AnswerService(service_of(api).engine, settings, ChatEndpoint(settings))
        done = await AnswerEvaluation(service=service).run(QUESTIONS)
        assert [(one.verdict, one.error) for one in done.results] == [
            ("right", None),
            (None, "answer_model_unreadable"),
            (None, "answer_model_unreadable"),
        ]
        assert (done.results[0].requests, done.results[0].tokens) == (1, 18)
        server.statuses = [401]
        with pytest.raises(ModelRejected):
            await AnswerEvaluation(service=service).run(QUESTIONS)
        await service.close()


async def test_model_judge_requires_a_verdict() -> None:
    with chat_server(lambda _: {"is_correct": False}) as server:
        judge = ModelJudge(ChatEndpoint(AnswersSettings(base_url=server.url, model="judge")))
        assert await judge.is_right("What?", expected="3 euro", answer="Three euro.") is False
        server.say = lambda _: {"is_correct": True}
        assert await judge.is_right("What?", expected="3 euro", answer="Three euro.") is True
        assert '"expected": "3 euro"' in server.requests[0]["messages"][1]["content"]
        assert server.requests[0]["temperature"] == 0
        for verdict in ("Certainly!", '{"is_correct": "maybe"}', "{}"):
            server.say = lambda _, verdict=verdict: verdict
            with pytest.raises(ModelUnreadable):
                await judge.is_right("What?", expected="3", answer="3")
