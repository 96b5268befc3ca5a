"""Searches with and without the documents that answer."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from benchmarks.throwaway import ThrowawayDatabase
from tests.answers.library import open_library
from tests.api import Api

from lectern.db.scope import SYSTEM_SCOPE
from lectern.embeddings.service import store_calibration
from lectern.evaluation.runner import SearchEvaluation, run_labelled_searches
from lectern.evaluation.sets import LabelledQuestion
from lectern.search.ranking.confidence import Calibration
from lectern.search.service import SearchEngine


@pytest.fixture
async def api(filled_database: ThrowawayDatabase, tmp_path: Path) -> AsyncGenerator[Api]:
    async with open_library(filled_database, tmp_path) as made:
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
    engine: SearchEngine = api.app.state.search_engine
    questions = [
        question("fee", "What is the fee for a paper statement?", "tariff.pdf", 3),
        question("sphinx", "What is the secret of the sphinx of Giza?", None),
    ]

    judged = await run_labelled_searches(SearchEvaluation(engine=engine), questions)

    assert [(one.question, one.is_answered) for one in judged] == [("fee", True), ("fee", False), ("sphinx", False)]
    assert judged[0].confidence > judged[1].confidence


async def test_stored_calibration_applies_to_new_searches(api: Api) -> None:
    engine: SearchEngine = api.app.state.search_engine
    headers = (await api.person()).headers

    async def confidence() -> float:
        response = await api.client.post("/api/v1/search", json={"query": "paper statement fee"}, headers=headers)
        return response.json()["metadata"]["confidence"]

    shipped, fitted = await confidence(), Calibration(bias=-1.0, slope=2.0)
    async with engine.database.session(SYSTEM_SCOPE) as session:
        await store_calibration(session, engine.provider.info, bias=fitted.bias, slope=fitted.slope)
    assert await confidence() == pytest.approx(fitted.apply(shipped), abs=1e-3)
    async with engine.database.session(SYSTEM_SCOPE) as session:
        await store_calibration(session, engine.provider.info)
    assert await confidence() == shipped
