"""Both retrievers, from their wheels, synchronously and asynchronously on the real API."""

import asyncio
import re
import zipfile
from collections.abc import Awaitable, Callable, Generator
from typing import Any

import pytest
from real_api import RealApi

from documents import POLICY, TRAVEL
from wheels import Installed, Retriever, start_retriever

QUERY = "When is enhanced due diligence required?"
Outcomes = list[dict[str, Any]]
Retrieve = Callable[..., Awaitable[Outcomes]]

pytestmark = pytest.mark.needs("LangChain and LlamaIndex of mcp/tests/clients")


@pytest.fixture(scope="module", params=["langchain", "llamaindex"])
def retriever(request: pytest.FixtureRequest, installed: Installed) -> Generator[Retriever]:
    with start_retriever(installed, request.param) as started:
        yield started


@pytest.fixture
async def retrieve(api: RealApi, retriever: Retriever) -> Retrieve:
    key, _ = await api.key()

    async def run(query: str = QUERY, *, arguments: dict[str, Any] | None = None, **settings: Any) -> Outcomes:
        call = {"query": query, "arguments": arguments or {}, "settings": {"url": api.url, "key": key, **settings}}
        return await asyncio.to_thread(retriever.run, call)

    return run


def found(outcomes: Outcomes) -> Outcomes:
    """Return the passages, which are the same both ways."""
    first, second = outcomes
    assert first == second
    assert "error" not in first, first
    return first["passages"]


def failed(outcomes: Outcomes) -> dict[str, Any]:
    """Return the failure, which is the same both ways."""
    first, second = outcomes
    assert first == second
    assert "LecternError" in first["error"]["kinds"]
    return first["error"]


async def test_a_passage_has_its_text_and_a_citation_that_opens_the_highlight(api: RealApi, retrieve: Retrieve) -> None:
    passages = found(await retrieve(limit=3, documents=[POLICY]))
    body = {"query": QUERY, "top_k": 3, "documents": [POLICY]}
    response = (await api.client.post("/api/v1/search", json=body)).json()
    assert [passage["text"] for passage in passages] == [hit["text"] for hit in response["data"]]
    assert len(passages) == 3
    for passage, hit in zip(passages, response["data"], strict=True):
        citation = passage["metadata"]
        assert passage["id"] == citation["chunk_id"] == hit["chunk_id"]
        assert (citation["document"], citation["document_id"]) == (POLICY, api.ids[POLICY])
        assert (citation["page"], citation["score"]) == (hit["page_number"], hit["score"])
        assert citation["confidence"] == response["metadata"]["confidence"]
        place = rf"\?page={hit['page_number']}&start=\d+&end=\d+"
        assert re.fullmatch(rf"http://127\.0\.0\.1:\d+/documents/{api.ids[POLICY]}{place}", citation["url"])
        assert citation["rectangles"]
        assert all(0 <= rectangle[side] <= 1 for rectangle in citation["rectangles"] for side in "xywh")


async def test_every_search_argument_reaches_the_api(api: RealApi, retrieve: Retrieve) -> None:
    created = await api.client.post("/api/v1/collections", json={"name": "Empty"})
    assert created.status_code in {201, 409}
    names = [
        {passage["metadata"]["document"] for passage in found(await retrieve(**settings))}
        for settings in (
            {"document_tags": ["travel"]},
            {"document_tags": {"any": ["travel", "aml"], "none": ["compliance"]}},
            {"documents": [api.ids[TRAVEL]]},
            {"collections": ["Empty"]},
        )
    ]
    assert names == [{TRAVEL}, {TRAVEL}, {TRAVEL}, set()]
    response = (await api.client.post("/api/v1/search", json={"query": QUERY, "hybrid": False})).json()
    assert [passage["id"] for passage in found(await retrieve(mode="semantic"))] == [
        hit["chunk_id"] for hit in response["data"]
    ]


async def test_a_search_without_hits_is_an_empty_list(retrieve: Retrieve) -> None:
    assert found(await retrieve(document_tags={"none": ["aml", "travel"]})) == []


async def test_an_unknown_name_fails_with_the_hint_of_the_api(retrieve: Retrieve) -> None:
    error = failed(await retrieve(document_tags=["complience"]))
    assert (error["kinds"][0], error["code"]) == ("InvalidSearch", "unknown_tag")
    assert "compliance" in error["hint"]
    assert error["text"] == f"{error['message']} {error['hint']}"
    for unknown in ({"documents": ["no-such-file.pdf"]}, {"collections": ["no-such-collection"]}):
        assert failed(await retrieve(**unknown))["kinds"][0] == "InvalidSearch"


async def test_a_failure_is_never_an_empty_list(api: RealApi, retrieve: Retrieve, unused_tcp_port: int) -> None:
    away = failed(await retrieve(url=f"http://127.0.0.1:{unused_tcp_port}"))
    assert (away["kinds"][0], away["code"]) == ("Unreachable", "unreachable")
    elsewhere = failed(await retrieve(url=f"{api.url}/mcp"))
    assert elsewhere["status"] == 404
    refused = failed(await retrieve(key="lk_00000000_no-such-key"))
    assert (refused["kinds"][0], refused["status"]) == ("PermissionRefused", 401)
    assert failed(await retrieve(""))["kinds"][0] == "InvalidSearch"


async def test_a_key_sees_its_own_scope_only(api: RealApi, retrieve: Retrieve) -> None:
    narrow, _ = await api.key(tags=["travel"])
    passages = found(await retrieve(key=narrow, limit=20))
    assert {passage["metadata"]["document"] for passage in passages} == {TRAVEL}
    assert failed(await retrieve(key=narrow, documents=[POLICY]))["kinds"][0] == "InvalidSearch"


async def test_misspelt_arguments_never_search_everything(retriever: Retriever, retrieve: Retrieve) -> None:
    for outcome in await retrieve(document=[POLICY]):
        assert outcome["error"]["kinds"][0] in {"ValidationError", "TypeError"}
    if retriever.framework == "langchain":  # LlamaIndex has no arguments for one call
        assert len(found(await retrieve(arguments={"limit": 1}))) == 1
        assert failed(await retrieve(arguments={"document": [POLICY]}))["kinds"][0] == "InvalidSearch"


async def test_llamaindex_shows_models_the_place_but_no_rectangles(retriever: Retriever, retrieve: Retrieve) -> None:
    (passage,) = found(await retrieve(limit=1))
    if retriever.framework == "llamaindex":
        assert passage["source"] == passage["metadata"]["document_id"]
        assert passage["score"] == passage["metadata"]["score"]
        assert f"document: {passage['metadata']['document']}" in passage["for_models"]
        assert "rectangles" not in passage["for_models"]


def test_the_wheels_are_typed(installed: Installed) -> None:
    for wheel in installed.wheels:
        with zipfile.ZipFile(wheel) as opened:
            assert [name for name in opened.namelist() if name.endswith("/py.typed")], wheel.name
