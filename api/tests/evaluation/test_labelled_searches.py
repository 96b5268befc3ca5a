"""Searches with and without the documents that answer."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from tests.answers.library import open_library
from tests.api import Api

from lectern.embedded.throwaway import ThrowawayDatabase
from lectern.evaluation.runner import SearchEvaluation, run_labelled_searches
from lectern.evaluation.sets import LabelledQuestion
from lectern.search.service import SearchEngine
from lectern.settings import SearchSettings


@pytest.fixture
async def api(database: ThrowawayDatabase, tmp_path: Path) -> AsyncGenerator[Api]:
    async with open_library(database, tmp_path) as made:
        yield made


def question(key: str, text: str, document: str | None, page: int = 1) -> LabelledQuestion:
    return LabelledQuestion(
        id=key,
        set_name="mine",
        text=text,
        documents=frozenset([document] if document else []),
        pages=frozenset([page] if document else []),
        is_answerable=document is not None,
        type="any",
        language="en",
    )


async def test_question_runs_with_and_without_its_documents(api: Api) -> None:
    running: SearchEngine = api.app.state.search_engine
    fitted = running.with_settings(SearchSettings.model_validate({"confidence_bias": 5.0}, by_name=True))
    questions = [
        question("fee", "What is the fee for a paper statement?", "tariff.pdf", 3),
        question("sphinx", "What is the secret of the sphinx of Giza?", None),
    ]

    judged = await run_labelled_searches(SearchEvaluation(engine=fitted), questions)

    assert [(one.question, one.is_answered) for one in judged] == [("fee", True), ("fee", False), ("sphinx", False)]
    assert judged[0].confidence > judged[1].confidence
    assert judged == await run_labelled_searches(
        SearchEvaluation(engine=running), questions
    )  # earlier fits have no effect
    response = await api.client.post(
        "/api/v1/search", json={"query": questions[0].text}, headers=(await api.person()).headers
    )
    assert response.json()["metadata"]["confidence"] == pytest.approx(judged[0].confidence, abs=1e-4)
