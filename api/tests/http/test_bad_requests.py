"""Problems name the error, the field and the limit, but no internals."""

import asyncio
import json
import re
import time
import uuid
from collections.abc import AsyncGenerator
from contextlib import suppress
from typing import Any

import pytest
from benchmarks.throwaway import ThrowawayPostgres
from fastapi.routing import APIRoute
from tests.api import Api, api_settings, open_api

from lectern.http.bodies import check_json
from lectern.http.errors import BodyTooComplex

TAGS = "/api/v1/tags"
PROBLEM = "application/problem+json"
JSON = {"Content-Type": "application/json"}
MAX_PROBLEM_BYTES = 8_192


@pytest.fixture(scope="module")
async def api(postgres: ThrowawayPostgres, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Api]:
    """One API for all tests. Their requests change nothing."""
    with postgres.fresh_database() as database:
        async with open_api(api_settings(database, tmp_path_factory.mktemp("refusing"))) as made:
            yield made


async def post(api: Api, content: bytes, *, path: str = TAGS) -> tuple[int, dict[str, Any]]:
    editor = await api.person()
    response = await api.client.post(path, content=content, headers={**editor.headers, **JSON})
    assert response.headers["content-type"] == PROBLEM
    return response.status_code, response.json()


@pytest.mark.parametrize(
    "body",
    [b"{", b"", b"null", b"[]", b'"x"', b'{"name": NaN,}', b"\xff\xfe", b"[" * 30, b'{"name": 7}'],
    ids=["cut", "empty", "null", "list", "text", "comma", "bytes", "deep", "type"],
)
async def test_a_body_that_cannot_be_understood_is_refused(api: Api, body: bytes) -> None:
    status, problem = await post(api, body)
    assert (status, problem["code"]) == (422, "validation_error")
    assert problem["type"] == "urn:lectern:problem:validation_error"


@pytest.mark.parametrize("content_type", ["application/x-www-form-urlencoded", "text/plain", ""])
async def test_a_body_of_another_type_gets_the_right_content_type(api: Api, content_type: str) -> None:
    editor = await api.person()
    headers = {**editor.headers, "Content-Type": content_type}
    problem = (await api.client.post(TAGS, content=b'{"name": "x"}', headers=headers)).json()
    assert problem["detail"] == "The body is not JSON."
    assert problem["hint"] == "Send JSON with `Content-Type: application/json`."
    chat = (await api.client.post("/v1/chat/completions", content=b"{}", headers=headers)).json()
    assert chat["error"]["message"] == f"{problem['detail']} {problem['hint']}"


async def test_a_list_in_place_of_an_object_is_named_in_words_of_json(api: Api) -> None:
    _, problem = await post(api, b"[]")
    assert problem["detail"] == "body: Must be a JSON object"


async def test_an_unknown_field_is_refused_by_name(api: Api) -> None:
    status, problem = await post(api, b'{"name": "x", "colour": "red"}')
    assert status == 422
    assert problem["errors"] == [
        {"field": "body.colour", "code": "extra_forbidden", "message": "This field is unknown"}
    ]
    assert problem["hint"] == "Known fields: color, description, name."


async def test_broken_json_is_refused_with_the_place(api: Api) -> None:
    status, problem = await post(api, b'{"name": x}')
    assert (status, problem["code"]) == (422, "validation_error")
    assert problem["detail"] == "The body is not valid JSON. Expecting value at character 9."
    assert problem["hint"] == "Check its quotes, commas and brackets."


@pytest.mark.parametrize("what", ["documents", "tags", "collections", "jobs"])
async def test_an_id_that_nothing_has_gets_a_hint(api: Api, what: str) -> None:
    editor = await api.person()
    problem = (await api.client.get(f"/api/v1/{what}/{uuid.uuid4()}", headers=editor.headers)).json()
    assert problem["status"] == 404
    assert problem["hint"] == "It may have been deleted, or you have no access to it."


async def test_a_filter_that_is_no_media_type_is_refused(api: Api) -> None:
    editor = await api.person()
    response = await api.client.get("/api/v1/documents", params={"content_type": "pdf"}, headers=editor.headers)
    assert (response.status_code, response.json()["errors"][0]["field"]) == (422, "query.content_type.0")


async def test_an_unknown_query_parameter_is_refused_by_name_with_the_known_ones(api: Api) -> None:
    editor = await api.person()
    response = await api.client.get(TAGS, params={"limt": 3}, headers=editor.headers)
    assert response.status_code == 422
    problem = response.json()
    assert problem["code"] == "unknown_parameter"
    assert problem["unknown"] == ["limt"]
    assert problem["known"] == ["cursor", "limit", "q", "sort"]


@pytest.mark.parametrize(
    "body",
    [b'{"name": "a\\u0000b"}', b'{"name": "\\ud800"}', b'{"name": "x", "a\\u0000": 1}'],
    ids=["nul", "half", "key"],
)
async def test_text_that_the_database_cannot_keep_is_refused(api: Api, body: bytes) -> None:
    status, problem = await post(api, body)
    assert (status, problem["code"]) == (422, "validation_error")
    assert "unstorable_text" in str(problem["errors"])


@pytest.mark.parametrize(
    "address",
    ["tags?q=%00", "tags?q=a%00b", "tags?cursor=%00", "documents?tags=a%00b", "documents?collections=%00"],
)
async def test_a_nul_in_the_query_string_is_refused(api: Api, address: str) -> None:
    editor = await api.person()
    response = await api.client.get(f"/api/v1/{address}", headers=editor.headers)
    assert (response.status_code, response.json()["code"]) == (422, "validation_error")


@pytest.mark.parametrize(("limit", "bound"), [("0", {"ge": 1}), ("1000000000", {"le": 200})])
async def test_a_number_out_of_bounds_is_refused_with_the_bound(api: Api, limit: str, bound: dict[str, int]) -> None:
    editor = await api.person()
    problem = (await api.client.get(TAGS, params={"limit": limit}, headers=editor.headers)).json()
    assert problem["status"] == 422
    assert problem["errors"][0]["field"] == "query.limit"
    assert problem["errors"][0]["limit"] == bound


async def test_a_long_text_is_refused_with_the_limit(api: Api) -> None:
    status, problem = await post(api, b'{"name": "' + b"x" * 100_000 + b'"}')
    assert status == 422
    assert "'max_length': 100" in str(problem["errors"])
    assert len(str(problem)) < 2_000


async def test_a_body_over_the_limit_is_refused_whether_or_not_it_is_announced(api: Api) -> None:
    async def unannounced() -> AsyncGenerator[bytes]:
        yield b'{"name": "'
        for _ in range(20):
            yield b"x" * 100_000

    editor = await api.person()
    for content in (b"x" * 2_000_000, unannounced()):
        response = await api.client.post(TAGS, content=content, headers={**editor.headers, **JSON})
        assert (response.status_code, response.json()["code"]) == (413, "body_too_large")
        assert "131,072" in response.json()["detail"]


async def test_long_list_of_errors_is_cut_with_a_count(api: Api) -> None:
    body = {"name": "x"} | {f"k{number}": 1 for number in range(30)}
    status, problem = await post(api, json.dumps(body).encode())
    assert (status, problem["code"], problem["errors_omitted"]) == (422, "validation_error", 10)
    assert [error["field"] for error in problem["errors"]] == [f"body.k{number}" for number in range(20)]


@pytest.mark.parametrize("character", ["x", "\u00e9", "\U0001f600", "\\", '"'])
async def test_problem_stays_small_with_long_names_of_fields(api: Api, character: str) -> None:
    body = {f"{number}{character * 900}": 1 for number in range(30)}
    editor = await api.person()
    response = await api.client.post(TAGS, json=body, headers=editor.headers)
    assert (response.status_code, response.json()["code"]) == (422, "validation_error")
    assert len(response.content) <= MAX_PROBLEM_BYTES
    assert len(response.json()["errors"]) + response.json()["errors_omitted"] == 31
    assert character * 300 not in response.json()["detail"]


@pytest.mark.parametrize(
    ("path", "body", "field", "code"),
    [
        ("/api/v1/search", {f"k{number}": 1 for number in range(8_000)}, "body", "too_many_fields"),
        (
            "/api/v1/documents/bulk",
            {"action": "purge", "filter": {f"k{number}": 1 for number in range(19_000)}},
            "body.filter",
            "too_many_fields",
        ),
        ("/api/v1/documents/bulk", {"action": "purge", "ids": ["no"] * 9_000}, "body", "too_many_errors"),
    ],
    ids=["fields", "nested", "items"],
)
async def test_body_with_thousands_of_errors_gets_one_error(
    api: Api, path: str, body: dict[str, object], field: str, code: str
) -> None:
    editor = await api.person()
    response = await api.client.post(path, json=body, headers=editor.headers)
    assert response.status_code == 422
    (error,) = response.json()["errors"]
    assert (error["field"], error["code"]) == (field, code)
    assert len(response.content) <= MAX_PROBLEM_BYTES


async def test_unknown_query_parameters_are_cut_with_a_count(api: Api) -> None:
    editor = await api.person()
    names = {f"{number}{'x' * 100}": "1" for number in range(300)}
    response = await api.client.get(TAGS, params=names, headers=editor.headers)
    assert (response.status_code, response.json()["code"]) == (422, "unknown_parameter")
    assert (len(response.json()["unknown"]), response.json()["unknown_omitted"]) == (20, 280)
    assert len(response.content) <= MAX_PROBLEM_BYTES


async def test_long_path_is_cut_in_the_problem(api: Api) -> None:
    response = await api.client.get(f"/{'x' * 20_000}")
    assert (response.status_code, response.json()["code"]) == (404, "route_not_found")
    assert response.json()["hint"].startswith("Endpoints begin with /api/v1")
    assert len(response.content) < 1_000


@pytest.mark.parametrize(
    ("body", "limit"),
    [
        ('{"ids": [' + "1," * 30_000 + "1]}", {"max_values": 20_000}),
        ("{" + ",".join(f'"k{number}": 1' for number in range(30_000)) + "}", {"max_values": 20_000}),
        ('{"name": ' + "[" * 33 + "]" * 33 + "}", {"max_depth": 32}),
        ("[" * 100_000, {"max_values": 20_000}),
    ],
    ids=["items", "keys", "depth", "open"],
)
async def test_body_with_too_many_values_is_not_parsed(api: Api, body: str, limit: dict[str, int]) -> None:
    status, problem = await post(api, body.encode(), path="/api/v1/documents/bulk")
    assert (status, problem["code"]) == (422, "body_too_complex")
    assert limit.items() <= problem.items()


async def test_values_in_strings_are_not_counted(api: Api) -> None:
    text = json.dumps({"text": '[{,"' * 24_000, "more": 1})
    status, problem = await post(api, text.encode(), path="/api/v1/extracts/language")
    assert (status, problem["code"]) == (422, "validation_error")
    wide = text.encode("utf-16")
    status, problem = await post(api, wide, path="/api/v1/extracts/language")
    assert (status, problem["detail"]) == (422, "The body is not UTF-8.")


@pytest.mark.parametrize("body", [b'"' + b'\\"' * 300_000, b"\\" * 500_000, b'",' * 300_000, b'"' * 600_000])
def test_counting_values_takes_linear_time(body: bytes) -> None:
    began = time.process_time()
    with suppress(BodyTooComplex):
        check_json(body)
    assert time.process_time() - began < 0.5


async def test_what_was_sent_is_not_repeated(api: Api) -> None:
    body = {"email": "nobody", "password": "hunter2hunter2"}
    response = await api.client.post("/api/v1/auth/sign-in", json=body)
    assert response.status_code == 422
    assert "hunter2" not in response.text


async def test_unknown_addresses_and_methods_are_problems_too(api: Api) -> None:
    missing = await api.client.get("/api/v1/nothing")
    assert (missing.status_code, missing.json()["code"]) == (404, "route_not_found")
    assert missing.headers["content-type"] == PROBLEM
    assert missing.json()["hint"].startswith("Endpoints begin with /api/v1")
    slash = await api.client.get(f"{TAGS}/")
    assert slash.json()["hint"] == f"Call {TAGS} without a slash at the end."
    chat = await api.client.post("/v1/completions")
    assert chat.json()["error"]["message"].endswith("This API has /v1/chat/completions and /v1/models.")
    wrong = await api.client.put(TAGS)
    assert (wrong.status_code, wrong.json()["code"]) == (405, "method_not_allowed")
    assert wrong.headers["allow"] == "GET, POST"
    assert wrong.json()["hint"] == "Its methods: GET, POST."
    one = await api.client.put(f"{TAGS}/{uuid.uuid4()}")
    assert one.headers["allow"] == "GET, PATCH, DELETE"


@pytest.mark.parametrize(
    ("method", "path", "listed"),
    [
        ("GET", "documents/report.pdf", "/api/v1/documents"),
        ("GET", "documents/report.pdf/pages/1", "/api/v1/documents"),
        ("DELETE", "tags/aml", "/api/v1/tags"),
        ("DELETE", f"documents/{uuid.uuid4()}/notes/first", "/api/v1/documents/{document_id}/notes"),
    ],
    ids=["document", "page", "tag", "note"],
)
async def test_a_name_in_place_of_an_id_gets_the_list_of_ids(api: Api, method: str, path: str, listed: str) -> None:
    editor = await api.person()
    problem = (await api.client.request(method, f"/api/v1/{path}", headers=editor.headers)).json()
    assert problem["detail"].endswith("Must be a UUID")
    assert problem["hint"] == f"`GET {listed}` lists the ids."


async def test_an_unexpected_error_is_logged_and_keeps_its_internals_to_itself(
    api: Api, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail() -> None:
        raise ZeroDivisionError("secret internals")

    route = APIRoute("/fail", fail)
    api.app.router.routes.append(route)
    response = await api.client.get("/fail")
    api.app.router.routes.remove(route)
    assert (response.status_code, response.json()["code"]) == (500, "internal_error")
    assert "secret" not in response.text
    assert "ZeroDivisionError" not in response.text
    assert any(record.exc_info and "secret internals" in str(record.exc_info[1]) for record in caplog.records)


async def test_each_response_has_a_request_id_its_time_and_the_security_headers(api: Api) -> None:
    given = await api.client.get("/health", headers={"X-Request-ID": "trace-1"})
    assert given.headers["x-request-id"] == "trace-1"
    assert re.fullmatch(r"app;dur=\d+\.\d", given.headers["server-timing"])
    assert given.headers["x-content-type-options"] == "nosniff"
    assert "default-src 'self'" in given.headers["content-security-policy"]
    assert "frame-ancestors 'none'" in given.headers["content-security-policy"]
    for bad in ("", "a b", "x" * 200, "é"):
        made = await api.client.get("/api/v1/auth/me", headers={b"X-Request-ID": bad.encode()})
        assert re.fullmatch(r"[0-9a-f]{32}", made.headers["x-request-id"])
        assert made.json()["request_id"] == made.headers["x-request-id"]


async def test_requests_that_run_at_the_same_time_keep_their_own_ids(api: Api) -> None:
    async def ask(number: int) -> bool:
        response = await api.client.get("/api/v1/auth/me", headers={"X-Request-ID": f"r{number}"})
        return response.json()["request_id"] == f"r{number}"

    assert all(await asyncio.gather(*(ask(number) for number in range(20))))
