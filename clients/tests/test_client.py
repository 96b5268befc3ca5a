"""The client behind both retrievers: what it makes of responses that a search seldom gets."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest
from fake_api import problem
from real_api import RealApi
from serving import serving
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from documents import POLICY
from lectern_client import (
    InvalidSearch,
    LecternClient,
    LecternError,
    RateLimited,
    SearchOptions,
    ServerFailure,
    Unreachable,
)

EMPTY: dict[str, Any] = {
    "data": [],
    "message": "Semantic search is not available.",
    "metadata": {
        "top_k": 5,
        "hybrid": True,
        "returned": 0,
        "confidence": None,
        "coverage": {
            "documents_in_scope": 1,
            "documents_searched": 1,
            "documents_processing": 0,
            "documents_failed": 0,
            "pages_unreadable": 0,
            "share_embedded": 1.0,
        },
        "strategy": {"semantic": "off", "keyword": "exact", "is_degraded": True, "unmatched_languages": []},
        "took_ms": dict.fromkeys(("embedding", "filters", "terms", "search", "snippets", "total"), 1.5),
    },
}


async def search(answer: Callable[[], Response], *, timeout_seconds: float = 5) -> LecternError:
    """Return the failure of a search, which is the same both ways, on a server that answers so."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            await Request(scope, receive).body()
            await answer()(scope, receive, send)

    async with serving(app) as url:
        client = LecternClient(url, "key", timeout_seconds=timeout_seconds)
        with pytest.raises(LecternError) as failure:
            await client.asearch("anything")
        with pytest.raises(type(failure.value)) as again:
            await asyncio.to_thread(client.search, "anything")
        assert str(again.value) == str(failure.value)
    return failure.value


async def test_too_many_requests_say_how_long_to_wait() -> None:
    def answer() -> Response:
        response = problem(429, "rate_limited", "Too many requests.", hint="Wait 7 seconds.")
        response.headers["Retry-After"] = "7"
        return response

    error = await search(answer)
    assert isinstance(error, RateLimited)
    assert (error.retry_after_seconds, error.hint) == (7.0, "Wait 7 seconds.")


@pytest.mark.parametrize(
    "response",
    [
        lambda: PlainTextResponse("<html>", 200),
        lambda: PlainTextResponse("Bad gateway", 502),
        lambda: PlainTextResponse("", 302, headers={"Location": "/login"}),
        lambda: problem(503, "database_unavailable", "The database is not available.", hint="Try again."),
        lambda: PlainTextResponse(json.dumps(EMPTY), 200),
    ],
    ids=["a web page", "a proxy", "a redirect", "a problem", "no hits, because an arm failed"],
)
async def test_a_response_that_is_no_result_is_a_failure(response: Callable[[], Response]) -> None:
    error = await search(response)
    assert isinstance(error, ServerFailure)
    assert error.code in {"unexpected_response", "database_unavailable", "search_degraded"}
    assert error.hint


async def test_an_address_that_is_none_is_a_failure() -> None:
    with pytest.raises(Unreachable, match="cannot be reached"):
        LecternClient("not an address", "key").search("anything")


@pytest.mark.parametrize("options", [{"limit": 21}, {"collection": ["a"]}, {"documents": "a.pdf"}])
def test_wrong_options_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="validation error"):
        SearchOptions.model_validate(options)


async def test_one_client_serves_several_threads_and_loops(api: RealApi) -> None:
    key, _ = await api.key()
    client = LecternClient(f"{api.url}/", key)
    options = SearchOptions(limit=1, documents=[POLICY])

    def in_another_loop() -> str:
        return asyncio.run(client.asearch("due diligence", options))[0].citation["url"]

    urls = await asyncio.gather(*(asyncio.to_thread(in_another_loop) for _ in range(4)))
    (passage,) = await client.asearch("due diligence", options)
    assert set(urls) == {passage.citation["url"]}
    with pytest.raises(InvalidSearch):
        await client.asearch(" ", options)
