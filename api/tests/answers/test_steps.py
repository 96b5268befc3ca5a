"""Answers in several steps, with a scripted model behind a real HTTP server."""

from collections.abc import AsyncGenerator, Generator
from pathlib import Path
from typing import Any

import pytest
from benchmarks.throwaway import ThrowawayDatabase
from tests.answers.chat_server import ChatServer, chat_server
from tests.answers.library import ANSWERS, ask, open_library, stream
from tests.answers.steps_server import PROFIT_2023, PROFIT_2024, ScriptedModel, plan, profit
from tests.answers.test_chat_endpoint import FEE
from tests.answers.test_chat_endpoint import QUESTION as SIMPLE
from tests.api import Api
from tests.search.library import store_document

from lectern.answers.steps.budget import StepBudget
from lectern.db.scope import SYSTEM_SCOPE
from lectern.settings import AnswersSettings

GROWTH = "By how many per cent did the net profit of Quercialta grow from 2023 to 2024?"
GROWN = "The net profit of Quercialta grew by 16.26 % from 2023 to 2024."
PLAN = plan("Net profit of Quercialta in 2023", "Net profit of Quercialta in 2024", expression="percent_change(q1, q2)")
BOTH = {"q1": profit(2023), "q2": profit(2024)}
DOLLARS = "In 2024 the net profit of Rovereda was 12.5 million dollars."


@pytest.fixture
def server() -> Generator[ChatServer]:
    with chat_server(ScriptedModel([])) as made:
        yield made


@pytest.fixture
async def api(filled_database: ThrowawayDatabase, tmp_path: Path, server: ChatServer) -> AsyncGenerator[Api]:
    settings = AnswersSettings(base_url=server.url, model="small", timeout_seconds=60, max_answer_tokens=300)
    async with open_library(filled_database, tmp_path, answers=settings) as made:
        yield made


def script(
    server: ChatServer, *plans: Any, cells: dict[str, Any] | None = None, say: tuple[str, ...] = ()
) -> ScriptedModel:
    """Let the server follow a script."""
    model = ScriptedModel(list(plans), cells or {}, list(say))
    server.say = model
    return model


def set_budget(api: Api, **limits: float) -> None:
    """Replace the limits of the API's answers."""
    object.__setattr__(api.app.state.answer_service, "budget", StepBudget(**limits))  # type: ignore[arg-type]


async def test_growth_is_calculated_from_cells_of_two_documents(api: Api, server: ChatServer) -> None:
    model = script(server, PLAN, cells=BOTH, say=(GROWN,))
    response = await ask(api, GROWTH)
    data, metadata = response["data"], response["metadata"]
    assert model.asked == ["plan", "cells", "draft"]
    assert (data["outcome"], data["answer"]) == ("answered", GROWN)
    cited = [(one["document"], one["snippet"]) for one in data["citations"]]
    assert cited == [("report_2023.pdf", PROFIT_2023), ("report_2024.pdf", PROFIT_2024)]
    assert data["sentences"][0]["citations"] == [1, 2]
    trace = metadata["trace"]
    assert (trace["route"], trace["route_reason"]) == ("multi_step", "calculation")
    assert [step["kind"] for step in trace["steps"]] == ["plan", "search", "search", "cells", "calculation", "draft"]
    assert [step["hits"] for step in trace["steps"][1:3]] == [1, 1]
    assert [step["tokens"] for step in trace["steps"]] == [18, 0, 0, 18, 0, 18]
    assert metadata["usage"]["requests"] == 3
    rows = [
        [one[name] for name in ("value", "number", "unit", "scale", "period", "page_number")]
        for one in trace["evidence"]
    ]
    assert rows == [
        ["41.2 million euro", "41200000", "EUR", "million", "2023", 1],
        ["47.9 million euro", "47900000", "EUR", "million", "2024", 1],
    ]
    assert all(one["highlights"][0]["rects"] and one["quote"] for one in trace["evidence"])
    calculation = trace["calculation"]
    assert (calculation["display"], calculation["unit"], calculation["cells"]) == ("16.26 %", "%", ["c1", "c2"])
    assert calculation["value"].startswith("16.262135922")


async def test_steps_are_streamed(api: Api, server: ChatServer) -> None:
    script(server, PLAN, cells=BOTH, say=(GROWN,))
    events = await stream(api, GROWTH)
    names = [name for name, _ in events]
    assert names == ["retrieval", *["step"] * 5, "citation", "citation", "token", "step", "end"]
    assert [event["kind"] for name, event in events if name == "step"][-1] == "draft"
    assert events[-1][1]["metadata"]["trace"]["calculation"]["display"] == "16.26 %"


@pytest.mark.parametrize(
    "sentence",
    [
        "The net profit of Quercialta grew by 17.26 % from 2023 to 2024.",
        "The net profit of Quercialta fell by 16.26 % from 2023 to 2024.",
        "The net profit of Rovereda grew by 16.26 % from 2023 to 2024.",
        "The net profit of Quercialta grew by 16.26 % from 2021 to 2022.",
        "The net profit of Quercialta grew by 16.26 million euro from 2023 to 2024.",
    ],
)
async def test_sentences_that_the_calculation_does_not_support_are_dropped(
    api: Api, server: ChatServer, sentence: str
) -> None:
    script(server, PLAN, cells=BOTH, say=(sentence,))
    response = await ask(api, GROWTH)
    assert (response["data"]["outcome"], response["metadata"]["reason"]) == ("closest_passages", "unsupported")
    assert {one["document"] for one in response["data"]["nearest"][:2]} == {"report_2023.pdf", "report_2024.pdf"}


async def test_simple_questions_take_one_step(api: Api, server: ChatServer) -> None:
    model = script(server, say=(FEE,))
    response = await ask(api, SIMPLE, top_k=1)
    assert model.asked == ["draft"]
    trace = response["metadata"]["trace"]
    assert (trace["route"], trace["route_reason"], trace["steps"]) == ("single_step", "simple_question", [])


async def test_request_decides_on_steps(api: Api, server: ChatServer) -> None:
    model = script(server, say=(FEE,))
    response = await ask(api, GROWTH, steps="never")
    assert (model.asked, response["metadata"]["trace"]["route_reason"]) == (["draft"], "requested")
    model = script(server, plan("fee for a paper statement"), say=(FEE,))
    response = await ask(api, SIMPLE, steps="always")
    assert (model.asked, response["data"]["answer"]) == (["plan", "draft"], FEE)
    assert response["metadata"]["trace"]["route"] == "multi_step"


async def test_different_currencies_are_refused(api: Api, server: ChatServer) -> None:
    async with api.database.session(SYSTEM_SCOPE) as session:
        await store_document(session, [DOLLARS], filename="rovereda.pdf")
    queries = ("Net profit of Quercialta in 2024", "Net profit of Rovereda in 2024")
    cells = {"q1": profit(2024), "q2": {"quote": DOLLARS, "value": "12.5 million dollars", "period": "2024"}}
    model = script(server, plan(*queries, expression="q1 - q2"), cells=cells)
    response = await ask(api, "What is the difference between the net profits of Quercialta and Rovereda in 2024?")
    assert model.asked == ["plan", "cells"]
    refusal = response["metadata"]["trace"]["calculation"]["refusal"]
    assert refusal["code"] == "currency_mismatch"
    assert "EUR and USD" in refusal["detail"]
    assert (response["data"]["outcome"], response["metadata"]["reason"]) == ("closest_passages", "not_calculated")
    assert refusal["detail"] in response["message"]


async def test_bad_plan_is_retried_once(api: Api, server: ChatServer) -> None:
    model = script(server, plan("profit", expression="q1 + q9"), PLAN, cells=BOTH, say=(GROWN,))
    response = await ask(api, GROWTH)
    assert (model.asked, response["data"]["answer"]) == (["plan", "plan", "cells", "draft"], GROWN)
    assert "q9" in response["metadata"]["trace"]["steps"][0]["problem"]
    assert "q9" in str(server.requests[1]["messages"])


async def test_two_bad_plans_lead_to_one_step(api: Api, server: ChatServer) -> None:
    model = script(server, "no plan", {"searches": [], "expression": None}, say=(PROFIT_2024,))
    response = await ask(api, GROWTH)
    assert model.asked == ["plan", "plan", "draft"]
    trace = response["metadata"]["trace"]
    assert (trace["route"], trace["route_reason"]) == ("single_step", "unusable_plan")
    assert all(step["problem"] for step in trace["steps"])
    assert "no usable plan" in response["message"]
    assert response["metadata"]["usage"]["requests"] == 3


@pytest.mark.parametrize(
    ("limits", "limit", "kinds"),
    [
        ({"searches": 1}, "searches", ["plan", "search"]),
        ({"tokens": 10}, "tokens", ["plan"]),
        ({"seconds": 0.000_001}, "seconds", []),
    ],
)
async def test_used_up_budget_stops_the_answer(
    api: Api, server: ChatServer, limits: dict[str, float], limit: str, kinds: list[str]
) -> None:
    set_budget(api, **limits)
    script(server, PLAN, cells=BOTH, say=(GROWN,))
    response = await ask(api, GROWTH)
    trace = response["metadata"]["trace"]
    assert (trace["stopped_by"], [step["kind"] for step in trace["steps"]]) == (limit, kinds)
    assert (response["data"]["outcome"], response["metadata"]["reason"]) == ("closest_passages", "budget_exhausted")
    assert limit in response["message"]


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"value": "45.2 million euro"}, "figure_not_in_quote"),
        (
            {"quote": "In 2023 the net profit of Quercialta was 45.2 million euro.", "place": PROFIT_2023},
            "quote_not_found",
        ),
        ({"source": "S77"}, "unknown_source"),
        ({"value": "a lot"}, "no_figure"),
        ({"period": "2021"}, "other_period"),
    ],
)
async def test_forged_cell_is_rejected(api: Api, server: ChatServer, changed: dict[str, Any], code: str) -> None:
    cells = {"q1": profit(2023, **changed), "q2": profit(2024)}
    model = script(server, PLAN, cells=cells, say=(GROWN,))
    response = await ask(api, GROWTH)
    trace = response["metadata"]["trace"]
    assert [(one["search"], one["code"]) for one in trace["rejected"]] == [("q1", code)]
    assert trace["calculation"]["refusal"]["code"] == "missing_cell"
    assert (model.asked, response["data"]["outcome"]) == (["plan", "cells"], "closest_passages")


async def test_fault_of_the_endpoint_in_the_middle_is_a_problem(api: Api, server: ChatServer) -> None:
    headers = (await api.person()).headers
    for statuses in ([200, 503, 503], [200, 200, 503, 503]):
        script(server, PLAN, cells=BOTH, say=(GROWN,))
        server.statuses = list(statuses)
        response = await api.client.post(ANSWERS, json={"question": GROWTH}, headers=headers)
        assert (response.status_code, response.json()["code"]) == (503, "answer_model_unavailable")
    script(server, PLAN, cells=BOTH, say=(GROWN,))
    server.statuses = [200, 503, 503]
    events = await stream(api, GROWTH)
    assert [name for name, _ in events] == ["retrieval", "step", "step", "step", "problem"]


async def test_searches_have_the_filters_of_the_request(api: Api, server: ChatServer) -> None:
    script(server, PLAN, cells={"q1": profit(2023)}, say=(GROWN,))
    response = await ask(api, GROWTH, documents=["report_2023.pdf"])
    assert {one["document"] for one in response["metadata"]["trace"]["evidence"]} == {"report_2023.pdf"}
    assert response["metadata"]["trace"]["calculation"]["refusal"]["code"] == "missing_cell"
    cells_prompt = server.requests[1]["messages"][1]["content"]
    assert "47.9 million" not in cells_prompt


async def test_saved_answer_needs_access_to_its_evidence(api: Api, server: ChatServer) -> None:
    script(server, PLAN, cells=BOTH, say=(GROWN,))
    headers = (await api.person()).headers
    response = await ask(api, GROWTH, headers)
    saved = await api.client.get(f"{ANSWERS}/{response['data']['id']}", headers=headers)
    assert saved.json()["response"]["metadata"]["trace"] == response["metadata"]["trace"]


async def test_lectern_adds_little_time_to_a_step(api: Api, server: ChatServer) -> None:
    own: dict[str, list[float]] = {}
    for _ in range(5):
        script(server, PLAN, cells=BOTH, say=(GROWN,))
        for step in (await ask(api, GROWTH))["metadata"]["trace"]["steps"]:
            own.setdefault(step["kind"], []).append(1000 * (step["seconds"] - step["model_seconds"]))
    medians = {kind: sorted(times)[len(times) // 2] for kind, times in own.items()}
    print("Lectern's own milliseconds a step, median:", {kind: round(value, 1) for kind, value in medians.items()})
    assert max(value for kind, value in medians.items() if kind != "search") < 1500  # a busy machine is slower
